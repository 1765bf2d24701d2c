// Rows that go back to pending

import Foundation
import ProvisionPresentation
import Provisioning
import Testing

@Suite struct RowResetTests {
    /// Creates a journal with seven rows: 1 pending, 2 bound, 3 written, 4 proven, 5 locked, 6 failed after it was
    /// verified, 7 failed before that.
    ///
    /// Rows 2 and 3 are pending unless `open` is set.
    private static func journal(_ place: JournalPlace, open: Bool) throws -> any ProvisionJournal {
        let journal = try place.begin(rows: 7)
        for number in (open ? [2, 3] : []) + [4, 5, 6, 7] {
            try journal.bind(number, to: JournalPlace.tag(UInt8(number)))
        }
        for number in (open ? [3] : []) + [4, 5, 6] {
            try journal.advance(number, of: JournalPlace.uid(UInt8(number)), to: .written)
        }
        for number in [4, 5, 6] {
            try journal.advance(number, of: JournalPlace.uid(UInt8(number)), to: .proven, proof: JournalPlace.proof)
        }
        try journal.advance(5, of: JournalPlace.uid(5), to: .sealed)
        try journal.fail(6, of: JournalPlace.uid(6), reason: "It was erased.")
        try journal.fail(7, of: JournalPlace.uid(7), reason: "It does not answer.")
        return journal
    }

    @Test(arguments: JournalKind.allCases) func rowsThatAreDoneOrFailedArePendingAgain(kind: JournalKind) throws {
        let place = try JournalPlace(kind)
        let journal = try Self.journal(place, open: true)
        let reset = try RowReset(of: [1, 4, 5, 7], in: journal)
        #expect(reset.rows == [4, 5, 7] && reset.verified == 2 && reset.locked == 1)
        #expect(reset.text.contains("1 tag is locked"))
        try journal.carryOut(reset)
        for number in [1, 4, 5, 7] {
            let row = try #require(try journal.row(number))
            #expect(row.state == .pending && row.tag == nil && row.proof == nil && row.reason == nil)
            #expect(row.row == JournalPlace.row(number))
        }
        #expect(try journal.row(6)?.state == .failed)
        #expect(try journal.counts() == [.pending: 4, .bound: 1, .written: 1, .proven: 0, .sealed: 0, .failed: 1])
        // The tags may get rows again.
        try journal.bind(1, to: JournalPlace.tag(5))
    }

    @Test(arguments: JournalKind.allCases, [2, 3]) func aRowUnderWayIsNotReset(kind: JournalKind, number: Int) throws {
        let place = try JournalPlace(kind)
        let journal = try Self.journal(place, open: true)
        for rows in [[4, number], nil] as [Set<Int>?] {
            let error = #expect(throws: JournalError.self) { try RowReset(of: rows, in: journal) }
            guard case .underWay(let row, _, let uid)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(rows == nil || row == number && uid == [0x04, 0xA1, UInt8(number)])
            #expect(error?.description.contains("Row \(row) is ") == true)
        }
        #expect(try journal.row(4)?.state == .proven)
    }

    @Test(arguments: JournalKind.allCases) func aWholePlanIsPendingAgainAndQuarantineStays(kind: JournalKind) throws {
        let place = try JournalPlace(kind)
        let journal = try Self.journal(place, open: false)
        try journal.refuse(JournalPlace.refused(0x77, quarantined: true))
        let reset = try RowReset(of: nil, in: journal)
        #expect(reset.doubtful == 2 && reset.text.contains("2 tags may be locked, completely or in part."))
        try journal.carryOut(reset)
        #expect(try journal.counts()[.pending] == 7)
        #expect(try journal.refusal(of: [0x04, 0xA1, 0x77])?.isQuarantined == true)
        #expect(try RowReset(of: nil, in: journal).rows.isEmpty)
    }

    @Test(arguments: JournalKind.allCases) func aRowThatThereIsNotIsNamed(kind: JournalKind) throws {
        let place = try JournalPlace(kind)
        let journal = try Self.journal(place, open: false)
        #expect(throws: JournalError.noSuchRow(8)) { try RowReset(of: [4, 8], in: journal) }
    }
}
