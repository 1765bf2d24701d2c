// One definition of provisioned, verified and locked, for all output with numbers

import Foundation
import Provisioning
import Testing

@Suite struct ProvisionCountsTests {
    private static func field(_ name: String, _ value: String) -> PlanField { PlanField(name: name, value: value) }

    /// A record whose plan has the given recipe.
    private struct Plan: ProvisioningRecord {
        var base: ReportRecord
        let recipe: [String]
        var hasColumns = true

        var plan: PlanIdentity { PlanIdentity(file: "tags.csv", sha256: "AB12", recipe: recipe) }
        var begun: Date { base.begun }
        func counts() throws -> [RowState: Int] { try base.counts() }
        func hasColumn(_ name: String) throws -> Bool { hasColumns }
        func forEachRow(in states: Set<RowState>, _ body: (JournalRow) throws -> Void) throws {
            if !hasColumns { throw ReportRecord.Broken() }
            try base.forEachRow(in: states, body)
        }
        func forEachRefusedTag(_ body: (RefusedTag) throws -> Void) throws {}
    }

    @Test func aRowIsProvisionedWhenItIsVerifiedAndClosedAsItAsks() throws {
        let rows: [JournalRow] = [
            .made(1, .proven, fields: [Self.field("lock", "no")]), .made(2, .proven),
            .made(3, .sealed, fields: [Self.field("lock", "yes")]),
            .made(4, .sealed, fields: [Self.field("lock", "no"), Self.field("protect", "1")]),
            .made(5, .sealed), .made(6, .pending), .made(7, .bound), .made(8, .written), .made(9, .failed),
        ]
        let counts = try ProvisionCounts(of: Plan(base: ReportRecord(rows: rows), recipe: ["--lang en", "--lock"]))
        #expect(counts.rows == 9 && counts.verified == 5)
        // Row 2 is not locked yet. Row 4 has a password, but no lock.
        #expect(counts.waitingForSeal == 1 && counts.provisioned == 4 && counts.locked == 2)
        #expect(counts.protected == 1)
        #expect(counts.left == 5 && counts.pending == 1 && counts.interrupted == 2 && counts.failed == 1)
    }

    @Test func withoutColumnsTheStatesTellAllAndNoRowIsRead() throws {
        let rows = ReportRecord(rows: [.made(1, .proven), .made(2, .sealed), .made(3, .sealed)])
        let locked = try ProvisionCounts(of: Plan(base: rows, recipe: ["--lock"], hasColumns: false))
        #expect(locked.provisioned == 2 && locked.locked == 2 && locked.verified == 3)
        let open = try ProvisionCounts(of: Plan(base: rows, recipe: [], hasColumns: false))
        #expect(open.provisioned == 3 && open.locked == 0 && open.isComplete)
        // Text in a record that looks like a setting is not a setting.
        let text = try ProvisionCounts(of: Plan(base: rows, recipe: ["--text --lock"], hasColumns: false))
        #expect(text.locked == 0)
    }

    @Test func theReportsSayTheSameNumbers() throws {
        let record = Plan(
            base: ReportRecord(rows: [.made(1, .proven), .made(2, .sealed), .made(3, .pending)]), recipe: ["--lock"])
        var (page, lines): ([UInt8], [UInt8]) = ([], [])
        let pieces = Pieces()
        try ProvisionReport(record).write(.html) { pieces.bytes += $0 }
        page = pieces.bytes
        pieces.bytes = []
        try ProvisionReport(record).write(.jsonLines) { pieces.bytes += $0 }
        lines = pieces.bytes
        let html = String(decoding: page, as: UTF8.self)
        #expect(html.contains("1 of 3 rows is provisioned; 2 are left."))
        #expect(html.contains("<dt>Provisioned</dt><dd>1</dd><dd class=\"note\">2 verified, 1 locked</dd>"))
        #expect(
            String(decoding: lines, as: UTF8.self).contains(
                #""rows":3,"provisioned":1,"verified":2,"locked":1,"protected":0,"pending":1"#))
    }

    private final class Pieces { var bytes: [UInt8] = [] }
}
