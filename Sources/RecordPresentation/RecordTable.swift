// The records of a message as a table for people

package import NDEF
package import Terminal

/// A table of records with number, kind and value.
///
/// The value is the last column and has no border after it, so that no character width can break the table.
package struct RecordTable {
    /// The maximum number of lines for a value.
    ///
    /// A longer value is cut.
    private static let maxLines = 8
    private static let minValueWidth = 16

    private let summaries: [RecordSummary]
    private let style: Style

    package init(_ records: [NDEFRecord], style: Style) {
        summaries = RecordSummary.all(records, showsSecrets: style.showsSecrets)
        self.style = style
    }

    /// The table, without a newline at its end.
    ///
    /// Empty if there are no records. If the output is not a terminal, each record is one line that is not cut.
    package var text: String {
        let kindWidth = summaries.map(\.kind.columns).max() ?? 0
        let numberWidth = "\(summaries.count)".count
        return summaries.enumerated().flatMap { index, summary in
            let number = "\(index + 1)".leading(numberWidth)
            let kind = summary.kind.padded(to: kindWidth)
            guard style.isTerminal else { return ["\(number)  \(kind)  \(Self.line(summary))"] }
            return lines(number: number, kind: kind, summary)
        }.joined(separator: "\n")
    }

    private static func line(_ summary: RecordSummary) -> String {
        let notes = summary.notes.isEmpty ? "" : "(" + summary.notes.joined(separator: ", ") + ")"
        return [summary.value, notes].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private func lines(number: String, kind: String, _ summary: RecordSummary) -> [String] {
        let bar = style.isDecorated ? " " + style.paint("│", .faint) + " " : "  "
        let first = " " + style.paint(number, .faint) + bar + style.paint(kind, .heading) + bar
        let next = " " + "".padded(to: number.columns) + bar + "".padded(to: kind.columns) + bar
        let taken = 1 + number.columns + kind.columns + 2 * (style.isDecorated ? 3 : 2)
        return values(summary, width: max(style.width - taken, Self.minValueWidth))
            .enumerated().map { index, value in (index == 0 ? first : next) + value }
    }

    /// Returns the lines of the value, and the notes after or below it.
    private func values(_ summary: RecordSummary, width: Int) -> [String] {
        let value = summary.value.wrapped(to: width, limit: Self.maxLines)
        let painted = value.map { style.paint($0, summary.ink) }
        guard !summary.notes.isEmpty else { return painted }
        let notes = summary.notes.joined(separator: style.glyph(" · ", plain: ", "))
        let gap = summary.value.isEmpty ? "" : "  "
        if value.count == 1, value[0].columns + gap.count + notes.columns <= width {
            return [painted[0] + gap + style.paint(notes, .faint)]
        }
        let below = notes.wrapped(to: width, limit: Self.maxLines).map { style.paint($0, .faint) }
        return (summary.value.isEmpty ? [] : painted) + below
    }
}
