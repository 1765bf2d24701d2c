// The report of a verification: each row with the result for its tag, then the tags without a row

public import Foundation
import Hexadecimal

/// The contents of a verification report.
public struct VerificationRecord: Sendable {
    /// The journal, as it was read last.
    public let journal: any ProvisionJournal
    let checks: [[UInt8]: TagCheck]
    /// The summary with the counts.
    public let summary: VerificationSummary

    /// The result for each tag, oldest first.
    public var all: [TagCheck] { checks.values.sorted { ($0.time, $0.uid.hex) < ($1.time, $1.uid.hex) } }
}

/// A report about a plan.
public protocol PlanReport {
    /// Passes the report to a receiver, piece by piece.
    ///
    /// - Throws: ``ReportError``, or what the record or the receiver throws.
    func write(_ format: ReportFormat, to receiver: @escaping ([UInt8]) throws -> Void) throws
}

extension ProvisionReport: PlanReport {}

/// Writes the results of a verification.
///
/// Passwords in the plan's columns are hidden unless they are requested.
public struct VerificationReport: PlanReport {
    private let record: VerificationRecord
    private let showsSecrets: Bool
    private let written: Date

    static let columns = [
        "row", "line", "state", "uid", "chip", "seen", "agrees", "problems", "content", "locked", "password",
        "signature",
        "reader", "time", "reason",
    ]

    /// Creates the report.
    public init(_ record: VerificationRecord, showsSecrets: Bool = false, written: Date = Date()) {
        self.record = record
        self.showsSecrets = showsSecrets
        self.written = written
    }

    /// Passes the report to a receiver, piece by piece.
    public func write(_ format: ReportFormat, to receiver: @escaping ([UInt8]) throws -> Void) throws {
        let stream = ReportStream(of: format, receiver)
        let rows: any ProvisioningRecord = showsSecrets ? record.journal : RecordWithoutSecrets(record.journal)
        switch format {
        case .csv, .tsv: try writeCSV(rows, stream)
        case .jsonLines: try writeJSONLines(rows, stream)
        case .html: try writeHTML(rows, stream)
        }
        try stream.flush()
    }

    /// Passes the lines of the report to `body`: each row with the result for its tag, then the tags without a row.
    private func forEachLine(
        _ rows: any ProvisioningRecord, _ body: (JournalRow?, TagCheck?) throws -> Void
    ) throws {
        try rows.forEachRow(in: Set(RowState.allCases)) { row in
            try body(row, row.tag.flatMap { record.checks[$0.uid] })
        }
        for check in record.all where check.row == nil { try body(nil, check) }
    }

    // MARK: RFC 4180

    private func writeCSV(_ rows: any ProvisioningRecord, _ stream: ReportStream) throws {
        let planColumns = try CSVReport.planColumns(of: rows)
        stream.append(cells: Self.columns)
        stream.append(planHeader: planColumns)
        try forEachLine(rows) { row, check in
            stream.append(cells: row.map { ["\($0.row.number)", "\($0.row.line)"] } ?? ["", ""])
            for cell in Self.cells(row, check) { stream.append(next: cell) }
            stream.append(row?.row ?? PlanRow(number: 0, line: 0, fields: []), planColumns)
            try stream.endPart()
        }
    }

    /// Returns the values of the columns that follow the row and line numbers.
    private static func cells(_ row: JournalRow?, _ check: TagCheck?) -> [String?] {
        let problems = check.map { $0.problems.map(\.rawValue).joined(separator: " ") }
        return [
            row?.state.rawValue, (row?.tag?.uid ?? check?.uid)?.hex, check?.tag.chip ?? row?.tag?.chip,
            "\(check != nil)", check.map { "\($0.agrees)" }, problems, check?.content?.rawValue,
            check?.isLocked.map { "\($0)" }, check?.password?.rawValue, check?.signature, check?.tag.reader,
            check.map { ReportClock.utc($0.time) }, check?.reason,
        ]
    }

    // MARK: RFC 8259

    private func writeJSONLines(_ rows: any ProvisioningRecord, _ stream: ReportStream) throws {
        func member(_ key: String, _ text: String?) {
            guard let text else { return }
            stream.append(",\"\(key)\":")
            stream.append(string: text)
        }
        let summary = record.summary
        stream.append(#"{"schema":1,"event":"verification""#)
        member("file", rows.plan.file)
        member("sha256", rows.plan.sha256)
        member("reported", ReportClock.utc(written))
        stream.append(",\"rows\":\(summary.rows),\"seen\":\(summary.seen),\"agreeing\":\(summary.agreeing)")
        stream.append(",\"unseen\":\(summary.unseen.count),\"withoutTag\":\(summary.withoutTag)}\n")
        try forEachLine(rows) { row, check in
            stream.append("{\"schema\":1,\"event\":\"\(row == nil ? "unknown" : "row")\"")
            if let row {
                stream.append(",\"row\":\(row.row.number),\"line\":\(row.row.line)")
                member("state", row.state.rawValue)
            }
            member("uid", (row?.tag?.uid ?? check?.uid)?.hex)
            member("chip", check?.tag.chip ?? row?.tag?.chip)
            stream.append(",\"seen\":\(check != nil)")
            if let check {
                stream.append(",\"agrees\":\(check.agrees),\"problems\":[")
                stream.append(check.problems.map { "\"\($0.rawValue)\"" }.joined(separator: ","))
                stream.append("]")
                member("content", check.content?.rawValue)
                if let isLocked = check.isLocked { stream.append(",\"locked\":\(isLocked)") }
                member("password", check.password?.rawValue)
                if let first = check.protectedFrom { stream.append(",\"protectedFrom\":\(first)") }
                if let isProtected = check.isReadingProtected { stream.append(",\"readingProtected\":\(isProtected)") }
                member("signature", check.signature)
                member("reader", check.tag.reader)
                member("time", ReportClock.utc(check.time))
                member("reason", check.reason)
            }
            if let row {
                stream.append(",\"plan\":")
                stream.append(object: row.row.fields)
            }
            stream.append("}\n")
            try stream.endPart()
        }
    }

    // MARK: HTML Living Standard

    /// The maximum number of rows on the page.
    ///
    /// Tags with problems come first, then those that agree, then the rows that were not seen.
    private static let rowLimit = 5000

    private func writeHTML(_ rows: any ProvisioningRecord, _ stream: ReportStream) throws {
        let summary = record.summary
        let name = rows.plan.file.split(separator: "/").last.map(String.init) ?? ""
        let title = "Verification of \(name)".escapedForHTML
        let clock = ReportClock(timeZone: .current, at: written)
        let columns = try HTMLPlanColumns.chosen(from: rows)
        stream.append(HTMLReport.head(title: "Verification of \(name)"))
        stream.append(
            """
            <header>
            <div>
            <p class="eyebrow">Verification</p>
            <h1>\(title)</h1>
            <p class="verdict">\(summary.text)</p>
            </div>
            </header>
            <dl class="facts">
            <div><dt>Written</dt><dd>\(clock.dayAndTime(written)) \(clock.name)</dd></div>
            \(summary.facts.map { "<div><dt>\($0.name)</dt><dd>\($0.value)</dd></div>" }.joined(separator: "\n"))
            </dl>
            <section>
            <h2>Tags</h2>
            \(columns.note)<table class="rows">
            <thead><tr><th scope="col" class="n">Row</th><th scope="col">Result</th>\(columns.heads)\
            <th scope="col">UID</th><th scope="col">Chip</th><th scope="col">Content</th>\
            <th scope="col">Locked</th><th scope="col">Password</th><th scope="col">Signature</th></tr></thead>
            <tbody>

            """)
        var (room, left) = (Self.rowLimit, 0)
        for part in 0..<3 {
            try forEachLine(rows) { row, check in
                // Rows without a tag are not part of a verification.
                guard row?.state != .pending, part == (check.map { $0.agrees ? 1 : 0 } ?? 2) else { return }
                guard room > 0 else { return left += 1 }
                room -= 1
                let number = row.map { "\($0.row.number)" } ?? "–"
                let uid = (row?.tag?.uid ?? check?.uid ?? []).hex
                let chip = (check?.tag.chip ?? "").escapedForHTML
                // A tag without a row may still hold a row that was released, so show the reason too.
                let words = check.map { [$0.words, $0.row == nil ? $0.reason : nil].compactMap(\.self) }
                let result = check.map {
                    $0.agrees ? "<span class=\"good\">✔</span>" : words?.joined(separator: ": ").escapedForHTML ?? ""
                }
                let cells = [
                    check?.content?.rawValue ?? "",
                    check?.isLocked.map { $0 ? "yes" : "no" } ?? "",
                    check?.password?.rawValue ?? "", check?.signature ?? "",
                ]
                stream.append(
                    "<tr><th scope=\"row\" class=\"n\">\(number)</th><td>\(result ?? "not seen")</td>"
                        + columns.cells(of: row?.row) + "<td class=\"uid\"><code>\(uid)</code></td><td>\(chip)</td>"
                        + cells.map { "<td>\($0)</td>" }.joined() + "</tr>\n")
                try stream.endPart()
            }
        }
        stream.append("</tbody>\n</table>\n")
        if left > 0 { stream.append("<p>\(Figure.grouped(left)) more not shown.</p>\n") }
        stream.append("</section>\n</main>\n</body>\n</html>\n")
    }
}
