// The links to the journals that a user has started

import Foundation
import Testing

@testable import Provisioning

@Suite struct StartedJournalsTests {
    @Test func aLostJournalIsKnownAlsoThroughALinkToItsFolder() throws {
        let place = try JournalPlace()
        let (real, link) = (place.folder.appending(path: "real"), place.folder.appending(path: "link"))
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
        let started = StartedJournals(folder: place.folder.appending(path: "plans"), suffix: ".journal")
        let journal = real.appending(path: "a.journal")
        #expect(!started.hasLost(journal))
        try Data().write(to: journal)
        started.add(link.appending(path: "a.journal"))
        #expect(!started.hasLost(journal) && !started.hasLost(link.appending(path: "a.journal")))
        try FileManager.default.removeItem(at: journal)
        #expect(started.hasLost(journal) && started.hasLost(link.appending(path: "a.journal")))
        started.forgetIfGone(link.appending(path: "a.journal"))
        #expect(!started.hasLost(journal))
    }

    @Test func theLatestJournalsThatStillExistAreFound() throws {
        let place = try JournalPlace()
        let folder = place.folder.appending(path: "state/plans")
        let started = StartedJournals(folder: folder, suffix: ".journal")
        #expect(started.files == [])
        let files = (0..<102).map { place.folder.appending(path: "\($0).journal") }
        for file in files { try Data().write(to: file) }
        // The first journal is used again, so the next two are the oldest.
        for file in files + files.prefix(1) { started.add(file) }
        let found = Set(started.files.map(\.lastPathComponent))
        #expect(found == Set(files.map(\.lastPathComponent)).subtracting(["1.journal", "2.journal"]))
        try FileManager.default.removeItem(at: files[50])
        #expect(started.files.count == 99)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test func aFolderThatCannotBeWrittenIsNoError() throws {
        let place = try JournalPlace()
        try Data().write(to: place.folder.appending(path: "plans"))
        let started = StartedJournals(folder: place.folder.appending(path: "plans"), suffix: ".journal")
        started.add(place.file)
        #expect(started.files == [])
    }
}
