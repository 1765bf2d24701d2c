// Finished writes: how long they are kept

import Foundation
import Testing

@testable import WriteJournal

@Suite struct DoneWritesTests {
    private func withDone(_ body: (DoneWrites) throws -> Void) throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "done-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        try body(DoneWrites(beside: WriteJournal(folder: place.appending(path: "writes"))))
    }

    private static func number(_ day: Int) -> Int64 { Int64(day) * 86_400_000_000 }

    private static func time(_ day: Int) -> Date { Date(timeIntervalSince1970: Double(day) * 86_400) }

    /// Stores one write for each day after 1970.
    private static func keep(_ days: ClosedRange<Int>, in done: DoneWrites) throws {
        for day in days { try done.keep(WriteJournalTests.entry(), as: number(day)) }
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
}
