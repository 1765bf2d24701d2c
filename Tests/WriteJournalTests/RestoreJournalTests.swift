// What tags held before a restore: kept until it is proven, the oldest first

import Foundation
import Testing
import WriteJournal

@Suite struct RestoreJournalTests {
    private static func withJournal(_ body: (RestoreJournal) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(RestoreJournal(beside: WriteJournal(folder: folder.appending(path: "nfctool/writes"))))
    }

    @Test func whatIsKeptIsThereUntilTheRestoreIsProven() throws {
        try Self.withJournal { journal in
            let (file, isNew) = try journal.keep([1, 2, 3], uid: [0x04, 0xA1])
            #expect(isNew && file.path.hasSuffix("/nfctool/restores/04A1.json"))
            #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
            try journal.end(uid: [0x04, 0xA1])
            #expect(!FileManager.default.fileExists(atPath: file.path))
            try journal.end(uid: [0x04, 0xA1])
        }
    }

    @Test func aSecondRestoreDoesNotReplaceWhatTheFirstKept() throws {
        try Self.withJournal { journal in
            let (file, _) = try journal.keep([1], uid: [4])
            let (second, isNew) = try journal.keep([2], uid: [4])
            #expect(second == file && !isNew)
            #expect(try Data(contentsOf: file) == Data([1]))
        }
    }

    @Test func aFolderThatCannotBeMadeIsAnError() {
        let journal = RestoreJournal(beside: WriteJournal(folder: URL(filePath: "/dev/null/nfctool/writes")))
        #expect(throws: WriteJournalError.self) { try journal.keep([1], uid: [4]) }
    }
}
