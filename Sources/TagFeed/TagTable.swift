// The tags found by a scan, as a table with one line per tag — RFC 4180; Docs/CommandLine.md, scan

package import Foundation
package import SafeTag
import SpreadsheetText
import TagTypes
import Terminal

/// The header and the lines of the table, as comma-separated values.
package enum TagTable {
    private static let columns = [
        "time", "reader", "uid", "type", "chip", "ndefStatus", "messageLength", "uri", "text", "error", "message",
    ]
    private static let lineEnd = "\r\n"

    /// The first line of the table, with its line break.
    package static let header = columns.joined(separator: ",") + lineEnd

    /// Returns the line for a tag, with its line break.
    ///
    /// Control characters, including line breaks, are escaped as on a terminal, so a tag always takes one line. If the
    /// tag could not be read, `failure` contains the name and the message of the error. Otherwise, it is nil.
    package static func line(
        _ reading: TagReading, at time: Date, failure: (name: String, message: String)?
    ) -> String {
        let tag = TagSummary(reading)
        let cells = [
            time.inRFC3339, reading.reader, tag.uid, tag.type, tag.chip, "\(reading.state.status)",
            "\(reading.state.messageLength ?? 0)", tag.uri, tag.text, failure?.name ?? "", failure?.message ?? "",
        ]
        return cells.map { SpreadsheetCell.text(TerminalText.escaped($0)) }.joined(separator: ",") + lineEnd
    }
}
