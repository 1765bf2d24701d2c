// The short form of the report for people — HTML Living Standard

import Foundation
import Hexadecimal

/// Writes a page for a customer: title, date, counts, and the result of each row.
///
/// The page names no readers, stations, chips or times of single tags. Of the plan's cells, it contains only the labels
/// of the rows.
struct HTMLSummary {
    /// The maximum number of rows on the page.
    ///
    /// They are short, so the page holds more of them than the full report.
    private static let rowLimit = 50_000

    let stream: ReportStream
    let clock: ReportClock
    /// The heading, or nil for the name of the plan.
    let title: String?

    func write(_ record: any ProvisioningRecord, written: Date) throws {
        let summary = try ReportSummary(of: record)
        let title = title ?? HTMLReport.name(of: record.plan)
        stream.append(HTMLReport.head(title: title, mark: HTMLReport.mark(begun: ReportClock.utc(record.begun))))
        stream.append(
            """
            <header>
            <div>
            <p class="eyebrow">\(HTMLReport.isComplete(summary) ? "Delivery certificate" : "Delivery report")</p>
            <h1>\(title.escapedForHTML)</h1>
            <p class="verdict">\(HTMLReport.verdict(summary))\(HTMLReport.changes(summary))</p>
            </div>
            </header>
            <dl class="facts">
            <div><dt>Date</dt><dd>\(clock.longDay(written))</dd></div>
            \(Self.counts(summary.counts))
            </dl>

            """)
        try writeRows(of: record, summary)
        stream.append("</main>\n</body>\n</html>\n")
    }

    private static func counts(_ counts: ProvisionCounts) -> String {
        let always = [("Rows", counts.rows), ("Provisioned", counts.provisioned)]
        let others = [("Locked", counts.locked), ("Protected", counts.protected), ("Left", counts.left)]
        return (always + others.filter { $0.1 > 0 })
            .map { "<div><dt>\($0.0)</dt><dd>\(Figure.grouped($0.1))</dd></div>" }.joined(separator: "\n")
    }

    private func writeRows(of record: any ProvisioningRecord, _ summary: ReportSummary) throws {
        guard summary.rows > 0 else { return }
        stream.append(
            """
            <section>
            <table class="rows">
            <thead><tr><th scope="col">Row</th><th scope="col">UID</th><th scope="col">Result</th></tr></thead>
            <tbody>

            """)
        let labels = RowLabels(of: record.plan)
        var count = 0
        try record.forEachRow(in: Set(RowState.allCases)) { row in
            count += 1
            guard count <= Self.rowLimit else { return }
            stream.append(
                """
                <tr\(row.tag == nil ? " class=\"idle\"" : "")><th scope="row">\(labels.name(of: row.row).escapedForHTML)</th>\
                <td class="uid">\(row.tag.map { "<code>\($0.uid.hex)</code>" } ?? "")</td>\
                <td>\(Self.result(of: row, summary.rule))</td></tr>

                """)
            try stream.endPart()
        }
        stream.append("</tbody>\n</table>\n")
        if count > Self.rowLimit {
            stream.append(HTMLRowTable.note("\(Figure.grouped(count - Self.rowLimit)) more not shown"))
        }
        stream.append("</section>\n")
    }

    /// The result of a row in words that a customer understands.
    private static func result(of row: JournalRow, _ rule: SealRule) -> String {
        if rule.isChanged(row) { return "changed after verification" }
        switch row.state {
        case .pending: return "no tag yet"
        case .bound, .written: return "not finished"
        case .failed: return "failed"
        case .proven, .sealed: return rule.words(for: row)
        }
    }
}
