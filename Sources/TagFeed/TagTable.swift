// The tags of a scan as a table with one line per tag — RFC 4180; Docs/CommandLine.md, scan

package import Foundation
package import SafeTag
import SpreadsheetText
import TagTypes
import Terminal

/// Lines of comma-separated values.
package enum TagTable {
    private static let columns = [
        "time", "reader", "uid", "type", "chip", "ndefStatus", "messageLength", "uri", "text", "error", "message",
    ]
    private static let lineEnd = "\r\n"

    /// The first line, with its line break.
    package static let header = columns.joined(separator: ",") + lineEnd

    /// The line of a tag, with its line break.
    ///
    /// Control characters, including line breaks, are escaped as on a terminal, so a tag always takes one line.
    /// `failure` is the name and message of the error for a tag that could not be read, nil for any other tag.
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
