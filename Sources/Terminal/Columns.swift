// The columns that text occupies on a terminal — Unicode Standard Annex #11, East Asian Width; UTS #51, emoji
// presentation

extension Character {
    /// The maximum number of columns that terminals use for this character.
    ///
    /// Terminals differ for joined emoji, and too small a number would break a table.
    package var columns: Int {
        var columns = 0
        for scalar in unicodeScalars { columns += scalar.value == 0xFE0F ? max(0, 2 - columns) : scalar.columns }
        return columns
    }
}

extension StringProtocol {
    /// The number of columns that the text occupies on a terminal.
    package var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Returns the text, padded on the left with spaces to `width` columns.
    package func leading(_ width: Int) -> String { String(repeating: " ", count: Swift.max(0, width - columns)) + self }

    /// Returns the text, padded on the right with spaces to `width` columns.
    package func padded(to width: Int) -> String {
        String(self) + String(repeating: " ", count: Swift.max(0, width - columns))
    }

    /// Returns the text, cut to `width` columns with an ellipsis at its end if it is longer.
    package func cut(to width: Int) -> String {
        guard columns > width else { return String(self) }
        return prefix(columns: width - 1) + "…"
    }

    /// Returns the text, cut to `width` columns with an ellipsis in its middle if it is longer.
    ///
    /// Both ends stay visible, because the names of two readers may differ at either end.
    package func cutInTheMiddle(to width: Int) -> String {
        guard columns > width else { return String(self) }
        let end = String(String(reversed()).prefix(columns: Swift.max(0, width / 2)).reversed())
        return prefix(columns: Swift.max(0, width - 1 - end.columns)) + "…" + end
    }

    /// Returns the longest prefix that occupies at most `width` columns.
    package func prefix(columns width: Int) -> Self.SubSequence {
        var left = width
        return prefix { character in
            left -= character.columns
            return left >= 0
        }
    }

    /// Returns the text as lines of at most `width` columns, broken at spaces if possible.
    ///
    /// If there are more lines than `limit`, the last one is cut. All lines except the first are shorter by `indent`
    /// columns, so that the caller can indent them.
    package func wrapped(to width: Int, indent: Int = 0, limit: Int = .max) -> [String] {
        var lines: [String] = []
        var rest = self[...]
        while !rest.isEmpty {
            let width = lines.isEmpty ? width : Swift.max(1, width - indent)
            let line = lines.count == limit - 1 ? rest.prefix(width * 2) : rest.line(columns: width)
            lines.append(line.cut(to: width))
            guard lines.count < limit else { break }
            rest = rest[line.endIndex...]
            // Drop the space at which the line is broken.
            if rest.first == " " { rest = rest.dropFirst() }
        }
        return lines.isEmpty ? [""] : lines
    }

    private func line(columns width: Int) -> Self.SubSequence {
        let line = prefix(columns: width)
        // Take at least one character, even if it is wider than the line.
        guard !line.isEmpty else { return prefix(1) }
        guard line.endIndex < endIndex, self[line.endIndex] != " ", let blank = line.lastIndex(of: " ") else {
            return line
        }
        // Never break a word that fits on its own line.
        let word = self[index(after: blank)...].prefix { $0 != " " }
        return line[..<blank].columns * 2 > width || word.columns <= width ? line[..<blank] : line
    }
}

extension Unicode.Scalar {
    /// East Asian Width W and F.
    ///
    /// Emoji are recognised by their own property.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7AF, 0xF900...0xFAFF, 0xFE10...0xFE1F, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFF,
    ]
    private static let regionalIndicators: ClosedRange<UInt32> = 0x1F1E6...0x1F1FF

    fileprivate var columns: Int {
        if value < 0x300 { return 1 }
        // Two regional indicators form one flag.
        if Self.regionalIndicators ~= value { return 1 }
        if properties.isEmojiPresentation || Self.wide.contains(where: { $0 ~= value }) { return 2 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }
}
