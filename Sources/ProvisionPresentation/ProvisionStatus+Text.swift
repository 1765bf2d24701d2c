// The progress of a plan, as text for users

import Foundation
import Hexadecimal
package import Provisioning
package import Terminal

extension ProvisionStatus {
    /// Returns the status as text for users.
    ///
    /// Commands in the advice end with `journal`, the options that name the journal, such as ` --plan tags.csv`.
    package func text(_ style: Style, naming journal: String = "") -> String {
        let fit = { (line: String) in style.isTerminal ? line.fitted(to: style.width) : line }
        let started = begun.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current))
        var lines = [
            style.paint(TerminalText.escaped(plan.file), .heading),
            fit(
                counts.text(
                    beingWritten: beingWritten,
                    verified: open.count { $0.state == .proven && openBeingWritten.contains($0.row.number) })),
            style.paint(fit("started \(started), journal \(TerminalText.escaped(name))"), .faint),
        ]
        if !open.isEmpty { lines.append("") }
        for row in open {
            let tag = row.tag.map { "\($0.uid.hex)  \(TerminalText.escaped($0.chip))" } ?? ""
            let reason = row.reason.map { "  " + TerminalText.escaped($0) } ?? ""
            let station = row.station.map { "  at \(TerminalText.escaped($0))" } ?? ""
            let state = openBeingWritten.contains(row.row.number) ? "being written" : row.state.words()
            lines.append(fit("row \(row.row.number)  \(state)  \(tag)\(station)\(reason)"))
        }
        if open.contains(where: { !openBeingWritten.contains($0.row.number) }) {
            lines.append(
                fit(
                    "Place these tags on the reader again"
                        + (isWorker ? ", or free a row:  nfctool provision release ROW\(journal)" : ".")))
        }
        if !changed.isEmpty { lines += ["", "Tags that no longer hold their rows:"] }
        for row in changed {
            let tag = row.tag.map { "\($0.uid.hex)  \(TerminalText.escaped($0.chip))" } ?? ""
            let station = row.station.map { "  at \(TerminalText.escaped($0))" } ?? ""
            lines.append(fit("row \(row.row.number)  \(tag)\(station)  \(TerminalText.escaped(row.reason ?? ""))"))
        }
        if !quarantined.isEmpty { lines += ["", "Tags in quarantine, which get no row:"] }
        for tag in quarantined {
            lines.append(fit("\(tag.uid.hex)  \(TerminalText.escaped(tag.chip))  \(TerminalText.escaped(tag.reason))"))
        }
        return lines.joined(separator: "\n")
    }
}
