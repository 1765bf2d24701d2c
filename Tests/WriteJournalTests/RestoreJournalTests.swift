// The content of tags before a restore, which is kept until the restore is verified, the oldest first

import Foundation
import Testing
import WriteJournal

@Suite struct RestoreJournalTests {
    private static func withJournal(_ body: (RestoreJournal) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(RestoreJournal(beside: WriteJournal(folder: folder.appending(path: "nfctool/writes"))))
    }

    private static let record = RestoreRecord(
        dump: "/a.bin", options: ["--otp"], start: [4: [1]], writes: [RestoreRecord.Write(number: 4, bytes: [2])],
        isComparable: true, isStartWhole: true, isEndWhole: true, touched: [4])

    @Test func whatIsKeptIsThereUntilTheRestoreIsProven() throws {
        try Self.withJournal { journal in
            let file = try journal.keep([1, 2, 3], Self.record, uid: [0x04, 0xA1])
            #expect(file.path.hasSuffix("/nfctool/restores/04A1.json"))
            #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
            try journal.end(uid: [0x04, 0xA1])
            #expect(!FileManager.default.fileExists(atPath: file.path))
            try journal.end(uid: [0x04, 0xA1])
        }
    }

    @Test func aSecondRestoreDoesNotReplaceWhatTheFirstKept() throws {
        try Self.withJournal { journal in
            let file = try journal.keep([1], Self.record, uid: [4])
            let second = try journal.keep([2], Self.record, uid: [4])
            #expect(second == file)
            #expect(try Data(contentsOf: file) == Data([1]))
        }
    }

    @Test func aFolderThatCannotBeMadeIsAnError() {
        let journal = RestoreJournal(beside: WriteJournal(folder: URL(filePath: "/dev/null/nfctool/writes")))
        #expect(throws: WriteJournalError.self) { try journal.keep([1], Self.record, uid: [4]) }
    }

    @Test func aRestoreIsPendingUntilItEndsOrIsSuperseded() throws {
        try Self.withJournal { journal in
            #expect(try journal.pending(uid: [0x04, 0xA1]) == nil)
            #expect(try journal.pending() == [])
            let file = try journal.keep([1], Self.record, uid: [0x04, 0xA1])
            let pending = try #require(try journal.pending(uid: [0x04, 0xA1]))
            #expect(pending.old == file && pending.record == Self.record)
            #expect(try journal.pending() == [pending])
            let place = try #require(try journal.supersede(uid: [0x04, 0xA1]))
            #expect(place.lastPathComponent == "04A1.json.superseded-1")
            #expect(try Data(contentsOf: place) == Data([1]))
            #expect(try journal.supersede(uid: [0x04, 0xA1]) == nil)
            #expect(try journal.pending() == [])
            #expect(try FileManager.default.contentsOfDirectory(atPath: journal.folder.path).count == 1)
        }
    }

    @Test func aRestoreWithoutARecordIsPendingAllTheSame() throws {
        try Self.withJournal { journal in
            _ = try journal.keep([1], Self.record, uid: [4])
            try FileManager.default.removeItem(at: journal.folder.appending(path: "04.record"))
            let pending = try #require(try journal.pending(uid: [4]))
            #expect(pending.record == nil)
        }
    }

    @Test func aRestoreThatCannotBeLookedUpIsAnErrorAndNotMissing() throws {
        try Self.withJournal { journal in
            let parent = journal.folder.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            // The folder is a file, so looking into it fails.
            try Data().write(to: journal.folder)
            #expect(throws: WriteJournalError.self) { try journal.pending(uid: [4]) }
            let failure = WriteJournalError.notReadable(path: journal.folder.path, reason: "Not a directory")
            #expect(throws: failure) { try journal.pending() }
        }
    }
}
