// provision --dry-run: the bytes, the fit and the time, without a reader — Docs/CommandLine.md, provision

import Foundation
import Hexadecimal
import MemoryPresentation
import NDEF
import PhoneLint
import Provisioning
import RecordPresentation
import TagTypes
import Terminal

/// Shows what a plan would do.
struct DryRun {
    private let plan: CheckedPlan
    private let output: OutputOptions
    private let showsBytes: Bool
    private let showsSecrets: Bool

    /// The number of rows shown to a person.
    private static let shown = 10
    /// Milliseconds of a READ and a WRITE with a PN532 at 115200 baud: 2 ms for the exchange, the frames on the line and in the
    /// air, and 4 ms in which the tag programs a block — measured in Scripts/bench.
    private static let (read, write) = (8, 11)

    init(_ plan: CheckedPlan, _ output: OutputOptions, showsBytes: Bool, showsSecrets: Bool) {
        self.plan = plan
        self.showsBytes = showsBytes
        self.showsSecrets = showsSecrets
        self.output = output
    }

    /// Checks the plan and prints.
    func run() throws {
        let style = Style.standardOutput
        var count = 0
        var duplicates = DuplicateRows()
        let (identity, check) = try plan.check { row in
            count += 1
            duplicates.add(row)
            if output.json {
                try JSONLine.print(RowReport(row))
            } else if count <= Self.shown {
                StandardOutput.print(line(row, style))
            }
        }
        let seconds = Double(check.exchanges.reads * Self.read + check.exchanges.writes * Self.write) / 1000
        if output.json {
            try JSONLine.print(CheckedPlanReport(identity, check, duplicates, seconds: seconds))
        } else {
            check.show(in: Warning(output))
            StandardOutput.print(Self.summary(check, duplicates, more: count - Self.shown, seconds: seconds))
        }
    }

    /// For example `row 1 → https://example.com/1, locked`.
    private func line(_ row: CheckedRow, _ style: Style) -> String {
        let records = RecordSummary.all(row.message.message.records).map { summary in
            summary.kind == "URI" ? summary.value : "\(summary.kind) \(summary.value)"
        }
        let facts = [records.joined(separator: " + ")] + row.order.settings.facts
        let line = "row \(row.order.row.number) → " + facts.joined(separator: ", ")
        let secrets = showsSecrets ? [] : row.message.message.records.flatMap(\.secrets)
        let bytes = showsBytes ? (try? row.message.message.encoded())?.spacedHex(hiding: secrets) : nil
        return ([line] + (bytes.map { ["    \(ByteCount(row.messageLength)): \($0)"] } ?? []))
            .map { style.isTerminal ? $0.cut(to: style.width) : $0 }.joined(separator: "\n")
    }

    private static func summary(
        _ check: PlanCheck, _ duplicates: DuplicateRows, more: Int, seconds: Double
    ) -> String {
        var lines = more > 0 ? ["… and \(more) more"] : []
        lines += duplicates.lines(limit: DuplicateRows.shown)
        let lengths = check.messageLengths ?? 0...0
        let span = lengths.count == 1 ? "\(lengths.lowerBound)" : "\(lengths.lowerBound) to \(lengths.upperBound)"
        lines.append("\(rows(check.goodRowCount)), with messages of \(span) bytes.")
        if check.isOfUID { lines.append("04000000000000 stands for the UID, which differs from tag to tag.") }
        if check.hasTokens { lines.append("Zeros stand for random digits, which are drawn when the journal is begun.") }
        if check.lockedRowCount > 0 { lines.append("\(rows(check.lockedRowCount)): the tag is locked permanently.") }
        if check.protectedRowCount > 0 {
            lines.append("\(rows(check.protectedRowCount)): the tag is protected by a password.")
        }
        let fits = check.fits.filter(\.fits).map(\.tag.chip)
        lines.append("The longest message fits \(fits.isEmpty ? "no usual tag" : fits.joined(separator: ", ")).")
        let time = Duration.seconds(seconds.rounded(.up)).formatted(
            .units(allowed: [.days, .hours, .minutes, .seconds]))
        lines.append("Writing takes about \(time), and about as long again to place the tags one by one.")
        lines.append("Nothing was written, and no journal was begun.")
        return lines.joined(separator: "\n")
    }

    private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
}

extension RowSettings {
    /// What happens to a row's tag besides the message, in words; never the password.
    fileprivate var facts: [String] {
        (protect ? ["protected by a password"] : []) + (lock ? ["locked"] : [])
    }
}

/// A row in JSON.
private struct RowReport: Encodable {
    let schema = 1
    let event = "row"
    let row: Int
    let line: Int
    let messageLength: Int
    let message: String
    let locked: Bool
    let protected: Bool

    init(_ row: CheckedRow) throws {
        locked = row.order.settings.lock
        protected = row.order.settings.protect
        self.row = row.order.row.number
        line = row.order.row.line
        messageLength = row.messageLength
        message = try row.message.message.encoded().hex
    }
}
