// provision --dry-run: the bytes, the fit and the time, without a reader — CLI.md, provision

import Foundation
import NDEF
import PhoneLint
import Provisioning

/// Shows what a plan would do.
struct DryRun {
    private let plan: CheckedPlan
    private let output: OutputOptions

    /// So many rows are shown to a person.
    private static let shown = 10
    /// Milliseconds of a READ and a WRITE with a PN532 at 115200 baud: 2 ms for the exchange, the frames on the line and in the
    /// air, and 4 ms in which the tag programs a block — measured in Scripts/bench.
    private static let (read, write) = (8, 11)

    init(_ plan: CheckedPlan, _ output: OutputOptions) {
        self.plan = plan
        self.output = output
    }

    /// Checks the plan and prints.
    func run() throws {
        let style = Style.standardOutput
        var count = 0
        let (identity, check) = try plan.check { row in
            count += 1
            if output.json {
                try JSONLine.print(RowReport(row))
            } else if count <= Self.shown {
                StandardOutput.print(Self.line(row, style))
            }
        }
        let seconds = Double(check.exchanges.reads * Self.read + check.exchanges.writes * Self.write) / 1000
        if output.json {
            try JSONLine.print(PlanReport(identity, check, seconds: seconds))
        } else {
            plan.warn(Hint(output))
            StandardOutput.print(Self.summary(check, more: count - Self.shown, seconds: seconds))
        }
    }

    private static func line(_ row: CheckedRow, _ style: Style) -> String {
        let bytes = (try? row.message.message.encoded()) ?? []
        let head = "row \(row.order.row.number)  \(ByteCount(row.messageLength))  "
        let text = head + bytes.spacedHex
        return style.isTerminal ? text.cut(to: style.width) : text
    }

    private static func summary(_ check: PlanCheck, more: Int, seconds: Double) -> String {
        var lines = more > 0 ? ["… and \(more) more"] : []
        let count = check.goodRowCount
        let lengths = check.messageLengths ?? 0...0
        let span = lengths.count == 1 ? "\(lengths.lowerBound)" : "\(lengths.lowerBound) to \(lengths.upperBound)"
        lines.append("\(count) \(count == 1 ? "row is" : "rows are") right; messages of \(span) bytes.")
        let fits = check.fits.filter(\.fits).map(\.tag.chip)
        lines.append("The longest fits \(fits.isEmpty ? "no tag" : fits.joined(separator: ", ")).")
        let time = Duration.seconds(seconds.rounded(.up)).formatted(
            .units(allowed: [.days, .hours, .minutes, .seconds]))
        lines.append(
            "On the reader it takes about \(time), and as long again to lay the tags on one by one, or longer.")
        lines.append("Nothing was written, and no journal begun.")
        return lines.joined(separator: "\n")
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

    init(_ row: CheckedRow) throws {
        self.row = row.order.row.number
        line = row.order.row.line
        messageLength = row.messageLength
        message = try row.message.message.encoded().hex
    }
}

/// The whole in JSON.
private struct PlanReport: Encodable {
    let schema = 1
    let event = "plan"
    let plan: String
    let sha256: String
    let rows: Int
    let shortest: Int
    let longest: Int
    let fits: [String]
    let seconds: Double

    init(_ plan: PlanIdentity, _ check: PlanCheck, seconds: Double) {
        self.plan = plan.file
        sha256 = plan.sha256
        rows = check.goodRowCount
        shortest = check.messageLengths?.lowerBound ?? 0
        longest = check.messageLengths?.upperBound ?? 0
        fits = check.fits.filter(\.fits).map(\.tag.chip)
        self.seconds = seconds
    }
}
