// A line in several colours that has not been fitted to a width yet

/// Pieces of text with their colours, safe to print.
///
/// Colours occupy no columns, so a line must be cut to its width before it is painted.
package struct InkedText: Hashable, Sendable {
    private struct Piece: Hashable, Sendable {
        var text: String
        let inks: [Ink]
    }

    private var pieces: [Piece]

    /// Creates a line with one piece, in which control characters are escaped.
    package init(_ text: some StringProtocol, _ inks: Ink...) {
        pieces = [Piece(text: TerminalText.escaped(text), inks: inks)]
    }

    package var columns: Int { pieces.reduce(0) { $0 + $1.text.columns } }

    /// Returns the text, cut to `width` columns with an ellipsis at its end if it is longer.
    package func cut(to width: Int) -> InkedText {
        guard columns > width else { return self }
        var (line, left) = (InkedText(""), width)
        for var piece in pieces {
            let columns = piece.text.columns
            if columns >= left { piece.text = left > 0 ? piece.text.prefix(columns: left - 1) + "…" : "" }
            line.pieces.append(piece)
            guard columns < left else { break }
            left -= columns
        }
        return line
    }

    /// Returns the text, broken at spaces into lines of at most `width` columns.
    ///
    /// All lines except the first are indented.
    package func wrapped(to width: Int, indent: Int) -> [InkedText] {
        var rest = pieces[...]
        let texts = pieces.map(\.text).joined().wrapped(to: max(1, width), indent: indent)
        return texts.enumerated().map { number, text in
            var line = InkedText(number == 0 ? "" : String(repeating: " ", count: indent))
            // Remove the space at which the previous line was broken.
            if number > 0, rest.first?.text.hasPrefix(" ") == true {
                rest[rest.startIndex].text.removeFirst()
            }
            var left = text.count
            while left > 0, let piece = rest.first {
                line.pieces.append(Piece(text: String(piece.text.prefix(left)), inks: piece.inks))
                let isUsedUp = piece.text.count <= left
                if isUsedUp { rest.removeFirst() } else { rest[rest.startIndex].text.removeFirst(left) }
                left -= min(left, piece.text.count)
            }
            // An empty piece would hide the space at the start of the next piece.
            while rest.first?.text.isEmpty == true { rest.removeFirst() }
            return line
        }
    }

    /// Returns the text, padded on the right with spaces to `width` columns.
    package func padded(to width: Int) -> InkedText {
        self + InkedText(String(repeating: " ", count: max(0, width - columns)))
    }

    package func painted(_ style: Style) -> String {
        pieces.map { piece in piece.inks.reduce(piece.text) { style.paint($0, $1) } }.joined()
    }

    package static func + (one: InkedText, other: InkedText) -> InkedText {
        var line = one
        line.pieces += other.pieces
        return line
    }

    package static func += (one: inout InkedText, other: InkedText) { one.pieces += other.pieces }
}
