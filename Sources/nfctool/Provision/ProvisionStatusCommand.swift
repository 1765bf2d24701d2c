// nfctool provision status: how far a plan has come

import ArgumentParser
import Foundation
import Hexadecimal
import Provisioning
import Terminal

struct ProvisionStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how far a plan has come, also while another nfctool works on it.",
        discussion: "Without a name it is the only journal in this folder.")

    @Argument(help: "The plan, or its journal.")
    var plan: String?

    @OptionGroup var journal: JournalArgument
    @OptionGroup(title: HelpText.shared) var output: PrintOptions

    func run() throws {
        let file = try journal.file(of: journal.plan(or: plan))
        let status = try ProvisionStatus(ProvisionJournal.openForReading(file), name: file.lastPathComponent)
        if output.json {
            try JSONLine.print(status)
        } else {
            StandardOutput.print(status.text(.standardOutput))
        }
    }
}

extension ProvisionStatus {
    /// For a person.
    func text(_ style: Style) -> String {
        var lines = [
            style.paint(TerminalText.escaped(plan.file), .heading),
            counts.text,
            style.paint("begun \(begun.formatted(.iso8601)), journal \(TerminalText.escaped(name))", .faint),
        ]
        if !open.isEmpty { lines.append("") }
        for row in open {
            let tag = row.tag.map { "\($0.uid.hex)  \(TerminalText.escaped($0.chip))" } ?? ""
            let reason = row.reason.map { "  " + TerminalText.escaped($0) } ?? ""
            lines.append("row \(row.row.number)  \(row.state.rawValue)  \(tag)\(reason)")
        }
        if !open.isEmpty {
            lines.append("Place these tags on the reader again, or free a row:  nfctool provision release ROW")
        }
        if !quarantined.isEmpty { lines += ["", "Tags in quarantine, which get no row:"] }
        for tag in quarantined {
            lines.append("\(tag.uid.hex)  \(TerminalText.escaped(tag.chip))  \(TerminalText.escaped(tag.reason))")
        }
        return lines.joined(separator: "\n")
    }
}

extension ProvisionStatus: Encodable {
    private enum Key: CodingKey {
        case schema, event, plan, sha256, begun, rows, provisioned, verified, locked, pending, bound, written, proven,
            sealed, failed, open,
            quarantined
    }

    private struct OpenRow: Encodable {
        let row: Int
        let line: Int
        let state: RowState
        let uid: String?
        let message: String?
    }

    private struct QuarantinedTag: Encodable {
        let uid: String
        let chip: String
        let error: String
        let message: String
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode("status", forKey: .event)
        try container.encode(plan.file, forKey: .plan)
        try container.encode(plan.sha256, forKey: .sha256)
        try container.encode(begun.formatted(.iso8601), forKey: .begun)
        try container.encode(counts.rows, forKey: .rows)
        try container.encode(counts.provisioned, forKey: .provisioned)
        try container.encode(counts.verified, forKey: .verified)
        try container.encode(counts.locked, forKey: .locked)
        let keys: [(RowState, Key)] = [
            (.pending, .pending), (.bound, .bound), (.written, .written), (.proven, .proven), (.sealed, .sealed),
            (.failed, .failed),
        ]
        for (state, key) in keys { try container.encode(counts.states[state, default: 0], forKey: key) }
        try container.encode(
            open.map {
                OpenRow(
                    row: $0.row.number, line: $0.row.line, state: $0.state, uid: $0.tag?.uid.hex, message: $0.reason)
            }, forKey: .open)
        try container.encode(
            quarantined.map { QuarantinedTag(uid: $0.uid.hex, chip: $0.chip, error: $0.cause, message: $0.reason) },
            forKey: .quarantined)
    }
}
