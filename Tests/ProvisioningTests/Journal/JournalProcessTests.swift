// Steps that a process confirmed are stored after it was killed, and only one process at a time works with a journal

import Chance
import Foundation
import Provisioning
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct JournalProcessTests {
    @Test(arguments: JournalKind.allCases) func eightTasksNeverGiveATagTwoRowsOrARowTwoTags(kind: JournalKind)
        async throws
    {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 200)
        // There are fewer tags than requests, because each of the 8 tasks gets each of the 50 tags.
        let given = try await withThrowingTaskGroup(of: [Int].self) { group in
            for task in 0..<8 {
                group.addTask {
                    var numbers: [Int] = []
                    for index in 0..<50 {
                        let tag = JournalPlace.tag(UInt8((index * 7 + task * 11) % 50))
                        while let row = try journal.claimRow(except: []) {
                            do {
                                try journal.bind(row.number, to: tag)
                                numbers.append(row.number)
                                break
                            } catch JournalError.notPending {
                                continue
                            } catch JournalError.tagHasRow {
                                break
                            }
                        }
                    }
                    return numbers
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(given.count == 50)
        #expect(Set(given).count == 50)
        let rows = try journal.boundRows()
        #expect(Set(rows.compactMap(\.tag?.uid)).count == 50)
        #expect(Set(rows.map(\.row.number)) == Set(given))
        #expect(try journal.counts()[.bound] == 50)
    }

    @Test func whatWasConfirmedIsThereAfterAKill() throws {
        let place = try JournalPlace()
        _ = try place.create(rows: 3000)
        var random = SplitMix(state: 4)
        var confirmed: [Int: RowState] = [:]
        var kills = 0
        while kills < 60 {
            let child = try JournalChild("bind", place.file.path)
            var left = Int.random(in: 1...40, using: &random)
            while left > 0, let line = child.line() {
                note(line, in: &confirmed)
                left -= 1
            }
            // The child continues during this random pause, so that it may be killed at any point of a step.
            for _ in 0..<Int.random(in: 0...20_000, using: &random) { _ = random.next() }
            child.kill()
            for line in child.lines() { note(line, in: &confirmed) }
            child.end()
            kills += 1
            let journal = try EmbeddedJournal.open(place.file)
            var ahead = 0
            try journal.forEachRow(in: Set(RowState.allCases)) { row in
                let said = confirmed[row.row.number] ?? .pending
                if row.state == said { return }
                // One step may have been stored but not reported.
                ahead += 1
                #expect([.pending: .bound, .bound: .written, .written: .proven][said] == row.state)
                confirmed[row.row.number] = row.state
            }
            #expect(ahead <= 1)
            let counts = try journal.counts()
            #expect(counts[.pending] == 3000 - confirmed.count)
        }
        #expect(confirmed.count > 60)
        print("\(kills) kills, \(confirmed.count) rows bound, none lost")
    }

    @Test func aKillWhileItIsMadeLeavesNoJournal() throws {
        let place = try JournalPlace()
        var random = SplitMix(state: 5)
        for _ in 0..<8 {
            let child = try JournalChild("create", place.file.path, "200000")
            #expect(child.line() == "begun")
            for _ in 0..<Int.random(in: 0...20_000_000, using: &random) { _ = random.next() }
            child.kill()
            let said = child.lines()
            child.end()
            if FileManager.default.fileExists(atPath: place.file.path) {
                // The file was renamed before the kill, so it is complete.
                #expect(said.contains("filled"))
                #expect(try EmbeddedJournal.open(place.file).counts()[.pending] == 200_000)
                try FileManager.default.removeItem(at: place.file)
            } else {
                #expect(throws: JournalError.missing(path: place.file.path)) {
                    try EmbeddedJournal.open(place.file)
                }
            }
        }
        let journal = try place.create(rows: 2)
        #expect(try journal.counts()[.pending] == 2)
        #expect(
            try place.names.subtracting(["plan.csv.journal-wal", "plan.csv.journal-shm"])
                == ["plan.csv.journal", "plan.csv.journal.lock"])
    }

    @Test func theSecondProcessIsToldWhoHoldsTheJournal() throws {
        let place = try JournalPlace()
        let journal = try place.create(rows: 5)
        let own = ProcessInfo.processInfo
        let second = try JournalChild("bind", place.file.path)
        #expect(second.lines() == ["held \(own.processIdentifier) \(own.processName)"])
        second.end()
        withExtendedLifetime(journal) {}
    }

    @Test func aKilledHolderHoldsNothing() throws {
        let place = try JournalPlace()
        _ = try place.create(rows: 5)
        let child = try JournalChild("hold", place.file.path)
        #expect(child.line() == "holding plan.csv")
        #expect(
            throws: JournalError.held(
                path: place.file.path, byProcess: child.identifier, command: "JournalChild")
        ) { try EmbeddedJournal.open(place.file) }
        // Reading is allowed.
        #expect(try EmbeddedJournal.openForReading(place.file).counts()[.pending] == 5)
        child.kill()
        child.end()
        do {
            let journal = try EmbeddedJournal.open(place.file)
            try journal.bind(1, to: JournalPlace.tag(1))
        }
        #expect(try place.names == ["plan.csv.journal"])
    }

    @Test func whoReadsSeesEachStepOfWhoWrites() throws {
        let place = try JournalPlace()
        let journal = try place.create(rows: 2)
        let reader = try EmbeddedJournal.openForReading(place.file)
        try journal.bind(2, to: JournalPlace.tag(1))
        #expect(try reader.boundRows() == journal.boundRows())
        #expect(throws: JournalError.self) { try reader.bind(1, to: JournalPlace.tag(2)) }
        #expect(try journal.counts()[.bound] == 1)
    }

    @Test func whoOnlyReadsLeavesNoFiles() throws {
        let place = try JournalPlace()
        do {
            let journal = try place.create(rows: 2)
            try journal.bind(2, to: JournalPlace.tag(1))
        }
        #expect(try EmbeddedJournal.openForReading(place.file).counts()[.bound] == 1)
        #expect(try place.names == ["plan.csv.journal"])
    }

    private func note(_ line: String, in states: inout [Int: RowState]) {
        let words = line.split(separator: " ")
        guard words.count == 2, let state = RowState(rawValue: String(words[0])), let number = Int(words[1]) else {
            Issue.record("The child said: \(line)")
            return
        }
        states[number] = state
    }
}
