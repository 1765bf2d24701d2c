// How far a plan has come, for a person

import Foundation
import Hexadecimal
package import Provisioning
package import Terminal

extension ProvisionStatus {
    /// For a person.
    package func text(_ style: Style) -> String {
        var lines = [
            style.paint(TerminalText.escaped(plan.file), .heading),
            counts.text,
            style.paint("started \(begun.formatted(.iso8601)), journal \(TerminalText.escaped(name))", .faint),
        ]
        if !open.isEmpty { lines.append("") }
        for row in open {
            let tag = row.tag.map { "\($0.uid.hex)  \(TerminalText.escaped($0.chip))" } ?? ""
            let reason = row.reason.map { "  " + TerminalText.escaped($0) } ?? ""
            let station = row.station.map { "  at \(TerminalText.escaped($0))" } ?? ""
            lines.append("row \(row.row.number)  \(row.state.rawValue)  \(tag)\(station)\(reason)")
        }
        if !open.isEmpty {
            lines.append("Place these tags on the reader again, or free a row:  nfctool provision release ROW")
        }
        if !quarantined.isEmpty { lines += ["", "Tags in quarantine, which get no row:"] }
        for tag in quarantined {
            lines.append("\(tag.uid.hex)  \(TerminalText.escaped(tag.chip))  \(TerminalText.escaped(tag.reason))")
        }
        return style.isTerminal
            ? lines.map { $0.fitted(to: style.width) }.joined(separator: "\n") : lines.joined(separator: "\n")
    }
}
