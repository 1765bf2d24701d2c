// The journal keeps its entries until they are removed, and never drops an entry that it cannot read
import Foundation
import TagTypes
import Testing

@testable import WriteJournal

@Suite struct WriteJournalTests {
    static let uid: [UInt8] = [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80]

    static func entry(uid: [UInt8] = uid, new: [UInt8] = [0xD0, 0, 0], started: Date = Date(timeIntervalSince1970: 1))
        -> JournalEntry
    {
        let piece = WritePlan.Piece(
            address: 16, old: [3, 0, 0xFE, 0], new: [3, 3, 0xD0, 0], messageOffset: 0, messageCount: 2)
        let plan = WritePlan(body: [], head: [piece], closed: [3, 0, 0xFE, 0], oldMessage: [], newMessage: new)
        return JournalEntry(uid: uid, tagName: "NTAG215", started: started, plan: plan)
    }

    private func withJournal<Value>(_ body: (WriteJournal) throws -> Value) throws -> Value {
        let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: place) }
        return try body(WriteJournal(folder: place.appending(path: "a/b")))
    }

    @Test func anEntryIsThereUntilItIsEnded() throws {
        try withJournal { journal in
            #expect(try journal.entry(uid: Self.uid) == nil)
            #expect(try journal.entries().entries == [])
            try journal.begin(Self.entry())
            #expect(try journal.entry(uid: Self.uid) == Self.entry())
            #expect(try journal.entries().entries == [Self.entry()])
            let mode = try FileManager.default.attributesOfItem(atPath: journal.folder.path)[.posixPermissions]
            #expect(mode as? Int == 0o700)
            try journal.end(uid: Self.uid)
            #expect(try journal.entry(uid: Self.uid) == nil)
            try journal.end(uid: Self.uid)
        }
    }

    @Test func aSecondWriteKeepsTheFirstEntryBesideIt() throws {
        try withJournal { journal in
            try journal.begin(Self.entry())
            try journal.begin(Self.entry(new: [1, 2]))
            #expect(try journal.entry(uid: Self.uid)?.plan.newMessage == [1, 2])
            let names = try FileManager.default.contentsOfDirectory(atPath: journal.folder.path).sorted()
            #expect(names == ["04A1B2C3D4E580.json", "04A1B2C3D4E580.json.superseded-1"])
        }
    }

    @Test func aWithdrawnEntryGivesWayToTheOneThatItReplaced() throws {
        try withJournal { journal in
            let first = try journal.begin(Self.entry())
            #expect(first == nil)
            let earlier = try journal.begin(Self.entry(new: [1, 2]))
            try journal.withdraw(uid: Self.uid, to: earlier)
            #expect(try journal.entry(uid: Self.uid) == Self.entry())
            try journal.withdraw(uid: Self.uid, to: first)
            #expect(try FileManager.default.contentsOfDirectory(atPath: journal.folder.path) == [])
        }
    }

    @Test func twoWritersOfTagsWithTheSameUIDDoNotFailEachOther() async throws {
        let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: place) }
        let journal = WriteJournal(folder: place)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for _ in 0..<25 {
                        try journal.begin(Self.entry(new: [UInt8](repeating: UInt8(writer), count: 2)))
                        try journal.end(uid: Self.uid)
                    }
                }
            }
            try await group.waitForAll()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
        #expect(!names.contains { $0.hasSuffix(".new") })
    }

    /// A tag must not be written if its entry could not be read back later.
    @Test func anEntryTooLongToBeReadBackIsNotBegun() throws {
        try withJournal { journal in
            try journal.begin(Self.entry())
            let long = Self.entry(new: [UInt8](repeating: 200, count: 1_200_000))
            #expect(throws: WriteJournalError.self) { try journal.begin(long) }
            #expect(try journal.entry(uid: Self.uid) == Self.entry())
        }
    }

    @Test func entriesComeOldestFirst() throws {
        try withJournal { journal in
            try journal.begin(Self.entry(uid: [1], started: Date(timeIntervalSince1970: 9)))
            try journal.begin(Self.entry(uid: [2], started: Date(timeIntervalSince1970: 3)))
            #expect(try journal.entries().entries.map(\.uid) == [[2], [1]])
        }
    }

    @Test func aFileDamagedAtAnyByteIsMovedAsideAndReported() throws {
        try withJournal { journal in
            try journal.begin(Self.entry())
            let file = journal.folder.appending(path: "04A1B2C3D4E580.json")
            let whole = try Data(contentsOf: file)
            for index in stride(from: 0, to: whole.count, by: 7) {
                for damaged in [
                    whole.prefix(index), whole.prefix(index) + [whole[index] ^ 0x01] + whole.dropFirst(index + 1),
                ] {
                    try damaged.write(to: file)
                    do {
                        let entry = try journal.entry(uid: Self.uid)
                        // A changed bit outside the hashed text may have no effect.
                        #expect(entry == Self.entry())
                    } catch WriteJournalError.damaged(_, _, let place?) {
                        #expect(try Data(contentsOf: URL(filePath: place)) == damaged)
                        #expect(try journal.entry(uid: Self.uid) == nil)
                        try FileManager.default.removeItem(atPath: place)
                    }
                }
            }
        }
    }

    @Test func anEntryOfAnotherTagIsDamaged() throws {
        try withJournal { journal in
            try journal.begin(Self.entry())
            let file = journal.folder.appending(path: "04A1B2C3D4E580.json")
            let other = journal.folder.appending(path: "04FFFFFFFFFF80.json")
            try FileManager.default.moveItem(at: file, to: other)
            let damage = WriteJournalError.damaged(
                path: other.path, reason: "it is the entry of tag 04A1B2C3D4E580", movedTo: nil)
            let (entries, unreadable) = try journal.entries()
            #expect(entries.isEmpty && unreadable == [damage])
            #expect(throws: WriteJournalError.self) {
                try journal.entry(uid: [0x04, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x80])
            }
        }
    }

    @Test func aListMovesNothing() throws {
        try withJournal { journal in
            try journal.begin(Self.entry())
            let file = journal.folder.appending(path: "04A1B2C3D4E580.json")
            try Data("{}".utf8).write(to: file)
            for _ in 1...2 {
                let (entries, unreadable) = try journal.entries()
                #expect(entries.isEmpty)
                #expect(unreadable == [.damaged(path: file.path, reason: "it is not a journal entry", movedTo: nil)])
            }
        }
    }

    @Test func anEntryKnowsTheMirrorAndWhatItInsures() throws {
        let plain = Self.entry()
        let full = JournalEntry(
            uid: plain.uid, tagName: plain.tagName, started: plain.started, plan: plain.plan,
            mirror: JournalEntry.Mirror(content: .uidAndCounter, offset: 1),
            oldMirror: JournalEntry.Mirror(content: .uid, offset: 0), insured: .lock)
        #expect(try JournalEntry(decoding: full.encoded()) == full)
        // An entry without a mirror or an insured change has the text that older versions write and read.
        let text = String(decoding: try plain.encoded(), as: UTF8.self)
        #expect(!text.localizedCaseInsensitiveContains("mirror") && !text.contains("insured"))
        #expect(try JournalEntry(decoding: Data(text.utf8)) == plain)
    }

    @Test func anEntryOfALaterVersionIsNotRead() throws {
        try withJournal { journal in
            try journal.begin(Self.entry())
            let file = journal.folder.appending(path: "04A1B2C3D4E580.json")
            let text = try String(contentsOf: file, encoding: .utf8)
            try text.replacing("\"schema\":1", with: "\"schema\":2").write(to: file, atomically: true, encoding: .utf8)
            let error = #expect(throws: WriteJournalError.self) { try journal.entry(uid: Self.uid) }
            #expect(error?.description.contains("it has version 2, but only version 1 is supported") == true)
            #expect(try journal.entries().unreadable == [.newer(path: file.path, version: 2)])
            // nfctool cannot interpret this entry, so it is kept.
            #expect(try FileManager.default.contentsOfDirectory(atPath: journal.folder.path) == ["04A1B2C3D4E580.json"])
        }
    }

    @Test func whatWasReplacedInAnotherWayIsKeptAside() throws {
        try withJournal { journal in
            try journal.supersede(uid: Self.uid)
            try journal.begin(Self.entry())
            try journal.supersede(uid: Self.uid)
            #expect(try journal.entry(uid: Self.uid) == nil)
            let names = try FileManager.default.contentsOfDirectory(atPath: journal.folder.path)
            #expect(names == ["04A1B2C3D4E580.json.superseded-1"])
        }
    }

    @Test func aFolderThatCannotBeMadeSaysWhy() {
        let journal = WriteJournal(folder: URL(filePath: "/dev/null/nfctool"))
        let error = #expect(throws: WriteJournalError.self) { try journal.begin(Self.entry()) }
        #expect(error?.description.contains("Not a directory") == true)
    }

    @Test(arguments: [
        (["XDG_STATE_HOME": "/var/s"], "/var/s/nfctool/writes"), (["XDG_STATE_HOME": "relative"], nil), ([:], nil),
    ]) func theFolderFollowsTheXDGSpecification(environment: [String: String], path: String?) {
        let folder = WriteJournal(environment: environment).folder.path
        #expect(path.map { $0 == folder } ?? folder.hasSuffix("/.local/state/nfctool/writes"))
    }
}
