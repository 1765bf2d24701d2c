// Whether a process works with a journal in a file, as other processes see it, and which of its tags must be placed
// again

import Foundation
import Glibc
import PostgreSQLJournal
import Testing
@testable import Provisioning

@Suite struct JournalPresenceTests {
    private let place: JournalPlace

    init() throws { place = try JournalPlace() }

    private func presence() throws -> StationActivity.Presence? {
        try EmbeddedJournal.openForReading(place.file).activity().stations.first?.presence
    }

    @Test func aProcessIsConnectedUntilItEndsItsWork() throws {
        var journal: EmbeddedJournal? = try place.create(rows: 2)
        #expect(try presence() == .connected)
        #expect(journal != nil)
        journal = nil
        #expect(try presence() == .left(nil))
    }

    @Test func aProcessThatWasKilledIsLost() throws {
        do { _ = try place.create(rows: 3000) }
        let child = try JournalChild("bind", place.file.path)
        #expect(child.line() != nil)
        #expect(try presence() == .connected)
        child.kill()
        child.end()
        #expect(try presence() == .lost)
        // A process that opens the journal again is present.
        let journal = try EmbeddedJournal.open(place.file)
        #expect(try presence() == .connected)
        withExtendedLifetime(journal) {}
    }

    /// The process ID of the ended process now belongs to another process: this one.
    @Test func aNumberThatAnotherProcessHasMakesNobodyConnected() throws {
        do { _ = try place.create(rows: 2) }
        try "\(getpid()) nfctool\n".write(
            toFile: place.file.path + ".lock", atomically: true, encoding: .utf8)
        #expect(try presence() == .lost)
    }

    @Test(arguments: JournalKind.allCases) func aTagThatIsNotLockedYetIsOpen(_ kind: JournalKind) throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 3)
        for byte in UInt8(1)...3 {
            try journal.bind(Int(byte), to: JournalPlace.tag(byte))
            try journal.advance(Int(byte), of: JournalPlace.uid(byte), to: .written)
        }
        try journal.fail(1, of: JournalPlace.uid(1), reason: "It is locked.")
        try journal.advance(2, of: JournalPlace.uid(2), to: .proven, proof: JournalPlace.proof)
        let status = try ProvisionStatus(journal, name: "j")
        #expect(status.open.map(\.row.number) == [1, 2, 3])
        #expect(status.open.map(\.state) == [.failed, .proven, .written])
        try journal.advance(2, of: JournalPlace.uid(2), to: .sealed)
        #expect(try ProvisionStatus(journal, name: "j").open.map(\.row.number) == [1, 3])
    }

    @Test(arguments: JournalKind.allCases)
    func aRowIsBeingWrittenUntilSomethingGoesWrongOrItsStationIsGone(_ kind: JournalKind) throws {
        let place = try JournalPlace(kind)
        var journal: (any ProvisionJournal)? = try place.begin(rows: 4)
        for byte in UInt8(1)...3 { try journal?.bind(Int(byte), to: JournalPlace.tag(byte)) }
        try journal?.advance(2, of: JournalPlace.uid(2), to: .written)
        try journal?.advance(2, of: JournalPlace.uid(2), to: .proven, proof: JournalPlace.proof)
        try journal?.note(3, of: JournalPlace.uid(3), reason: "The tag left the field.")
        let reader: any ProvisionJournal =
            try kind == .server ? place.server.open(plan: "plan.csv") : EmbeddedJournal.openForReading(place.file)
        let working = try ProvisionStatus(reader, name: "j")
        #expect(working.open.map(\.row.number) == [1, 2, 3])
        #expect(working.openBeingWritten == [1, 2] && working.beingWritten == 2)
        #expect(try reader.activity().stations.map(\.interrupted) == [1])
        #expect(
            working.counts.text(beingWritten: 2, verified: 1)
                == "4 rows: 0 provisioned (1 verified), 2 being written, 1 without a tag, 1 interrupted")
        journal = nil
        // A server takes some time to end a session.
        for _ in 0..<1000 where try reader.activity().beingWritten > 0 { usleep(20_000) }
        let ended = try ProvisionStatus(reader, name: "j")
        #expect(ended.openBeingWritten == [] && ended.beingWritten == 0 && ended.open.count == 3)
        #expect(try reader.activity().stations.map(\.interrupted) == [3])
    }
}
