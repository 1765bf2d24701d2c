// Finished writes: how long they are kept, and what is forgotten with them

import DurableFiles
import Foundation
import Testing

@testable import WriteJournal

@Suite struct DoneWritesTests {
    private func withDone(_ body: (DoneWrites) throws -> Void) throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "done-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        try body(DoneWrites(.done, beside: WriteJournal(folder: place.appending(path: "writes"))))
    }

    private static func number(_ day: Int) -> Int64 { Int64(day) * 86_400_000_000 }

    private static func time(_ day: Int) -> Date { Date(timeIntervalSince1970: Double(day) * 86_400) }

    /// Stores one write for each day after 1970.
    private static func keep(_ days: ClosedRange<Int>, in done: DoneWrites) throws {
        for day in days { try done.keep(WriteJournalTests.entry(), as: number(day), at: time(day)) }
    }

    private static func names(in done: DoneWrites) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: done.folder.path)
    }

    @Test func aWriteIsKeptFor30Days() throws {
        try withDone { done in
            try Self.keep(1...25, in: done)
            #expect(try done.writes(at: Self.time(31)).count == 25)
            #expect(try done.writes(at: Self.time(34)).count == 22)
            #expect(try Self.names(in: done).count == 22)
        }
    }

    @Test func aWriteThatIsKeptDeletesOldOnes() throws {
        try withDone { done in
            try Self.keep(1...25, in: done)
            try done.keep(WriteJournalTests.entry(), at: Self.time(40))
            // Day 10 is 30 days ago, and the latest 20 are kept in any case.
            #expect(try Self.names(in: done).count == 21)
        }
    }

    @Test func aClockThatIsFarAheadDoesNotDeleteTheLatestWrites() throws {
        try withDone { done in
            try Self.keep(1...25, in: done)
            let latest = (6...25).reversed().map(Self.number)
            #expect(try done.writes(at: Self.time(9_999)).map(\.number) == latest)
            #expect(try Self.names(in: done).count == DoneWrites.keptCount)
        }
    }

    @Test func anOldFileThatCannotBeDeletedDoesNotStopTheList() throws {
        try withDone { done in
            try Self.keep(1...21, in: done)
            let oldest = try #require(try Self.names(in: done).first { $0.hasSuffix("-\(Self.number(1)).json") })
            // A folder cannot be deleted as a file.
            let place = done.folder.appending(path: oldest)
            try FileManager.default.removeItem(at: place)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            #expect(try done.writes(at: Self.time(9_999)).count == 20)
            #expect(try done.count(at: Self.time(9_999)) == 20)
            #expect(throws: WriteJournalError.self) { try done.forgetAll() }
        }
    }

    /// Two tags, of which the UID of one begins with that of the other.
    private static let leftovers = [
        "writes/04A1.json.00000001.new", "writes/04A1B2.json.00000002.new", "restores/04A1.record.00000003.new",
        "done/04A1-5.json.00000004.new", "done/04A1B2-5.json.00000005.new", "passwords/04A1.json.00000006.new",
    ]

    @Test func whatKilledProcessesLeftIsForgottenToo() throws {
        try withDone { done in
            let state = done.folder.deletingLastPathComponent()
            for name in Self.leftovers {
                let file = state.appending(path: name)
                try DurableFile.makeFolder(file.deletingLastPathComponent())
                try Data("old message".utf8).write(to: file)
            }
            let left = { Self.leftovers.filter { FileManager.default.fileExists(atPath: state.path + "/" + $0) } }
            let written = try FileReplacement(
                of: state.appending(path: "writes/04A1.json"), suffix: ".00000001.new", permissions: 0o600)
            #expect(try done.forgetAll(of: [0x04, 0xA1]) == 0)
            #expect(left() == Self.leftovers.filter { $0.contains("04A1B2") || $0.contains("00000001") })
            #expect(try done.writes().isEmpty)
            #expect(left() == ["writes/04A1.json.00000001.new"])
            try written.append([1])
        }
    }
}
