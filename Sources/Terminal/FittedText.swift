// Text for people, broken at spaces to fit a terminal

extension StringProtocol {
    /// The text as lines of at most `width` columns, broken at spaces, with continuation lines indented like the first
    /// line.
    ///
    /// A word is never broken, because it may be a file name or an address to copy. Two consecutive spaces set off a
    /// command: it gets its own line, which is not broken. Lines with wider gaps are rows of a table, and not changed.
    package func fitted(to width: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { FittedLine(String($0), width: width).text }.joined(separator: "\n")
    }

    /// The rows of a list, broken at spaces into lines of at most `width` columns, with continuation lines indented.
    package func fittedRows(to width: Int) -> String {
        let indent = 4
        return split(separator: "\n", omittingEmptySubsequences: false).map { row in
            row.wrapped(to: width, indent: indent).joined(separator: "\n" + String(repeating: " ", count: indent))
        }.joined(separator: "\n")
    }
}

/// A line that is broken at its spaces.
private struct FittedLine {
    /// Words that stay on one line.
    private struct Part {
        let text: Substring
        /// Whether two spaces set the words off.
        var isSetOff = false
    }

    private let line: String
    private let width: Int

    init(_ line: String, width: Int) { (self.line, self.width) = (line, width) }

    var text: String {
        let indent = line.prefix { $0 == " " }
        let words = line.dropFirst(indent.count)
        guard line.columns > width, indent.count < width / 2, !words.contains("   ") else { return line }
        let pieces = Self.pieces(of: words)
        let hasOneCommand = pieces.count == 2
        let room = hasOneCommand ? Int.max : width - indent.count - 2
        let parts = Self.words(pieces[0]) + pieces.dropFirst().flatMap { Self.parts(of: $0, room: room) }
        var lines: [String] = []
        for part in parts {
            let longer = "\(lines.last ?? "")\(part.isSetOff ? "  " : " ")\(part.text)"
            if lines.isEmpty || longer.columns > width || part.isSetOff && hasOneCommand {
                lines.append("\(indent)\(part.isSetOff ? "  " : "")\(part.text)")
            } else {
                lines[lines.count - 1] = longer
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The text between gaps of two spaces.
    private static func pieces(of words: Substring) -> [Substring] {
        var pieces: [Substring] = []
        var rest = words
        while let gap = rest.firstRange(of: "  ") {
            pieces.append(rest[..<gap.lowerBound])
            rest = rest[gap.upperBound...]
        }
        return pieces + [rest]
    }

    private static func words(_ text: Substring) -> [Part] {
        text.split(separator: " ", omittingEmptySubsequences: false).map { Part(text: $0) }
    }

    /// The parts of a piece that two spaces set off: a command of at most `room` columns stays on one line.
    ///
    /// A sentence may go on after the command, set off by a space before its comma or semicolon: ` , or …`.
    private static func parts(of piece: Substring, room: Int) -> [Part] {
        let signs = [" , ", " ; "].compactMap { piece.firstRange(of: $0) }
        let sign = signs.min { $0.lowerBound < $1.lowerBound }.flatMap { sign in
            // A quoted argument may contain the same characters.
            piece[..<sign.lowerBound].contains("'") ? nil : sign
        }
        // The sign belongs to the command's line, the space after it does not.
        let end = sign.map { piece.index(before: $0.upperBound) }
        let command = piece[..<(end ?? piece.endIndex)]
        var parts = command.columns > room ? words(command) : [Part(text: command)]
        parts[0].isSetOff = true
        return parts + (sign.map { words(piece[$0.upperBound...]) } ?? [])
    }
}
