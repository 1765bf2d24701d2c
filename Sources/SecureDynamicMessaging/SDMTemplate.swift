// A URL template with placeholders for the values that the tag fills in — NXP NT4H2421Gx 9.3, AN12196

/// A URL with placeholders: `https://example.com/?e={picc}&c={mac}`.
///
/// The placeholders are `{uid}`, `{counter}`, `{picc}`, `{file:32}` with the number of hexadecimal digits, and `{mac}`.
/// The text that the MAC covers begins at `{signed}`. Without `{signed}`, it begins at `{file:N}`, and without both, at
/// `{mac}`. In the last case, the MAC covers only the UID and the counter.
public struct SDMTemplate: Hashable, Sendable {
    /// The template as text.
    public let text: String

    enum Piece: Hashable, Sendable {
        case literal(String)
        case part(SDMPart, digits: Int)
        case signed
    }

    let pieces: [Piece]

    /// The maximum number of digits of encrypted file data that fit into a file of 256 bytes.
    private static let longestFile = 448

    /// Whether encrypted file data can have this number of digits.
    static func isFileLength(_ digits: Int) -> Bool { 1...longestFile ~= digits && digits.isMultiple(of: 32) }

    /// Parses a template.
    /// - Throws: ``SDMError/badTemplate(_:)``, ``SDMError/templateLacks(_:)``.
    public init(_ text: String) throws(SDMError) {
        var pieces: [Piece] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { throw .badTemplate(String(rest[open...])) }
            if open > rest.startIndex { pieces.append(.literal(String(rest[..<open]))) }
            let word = rest[rest.index(after: open)..<close]
            guard let piece = Self.piece(word), !pieces.contains(where: { Self.isSame($0, piece) }) else {
                throw .badTemplate("{\(word)}")
            }
            pieces.append(piece)
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.literal(String(rest))) }
        self.text = text
        self.pieces = pieces
        guard has(.mac) else { throw .templateLacks(.mac) }
        guard has(.picc) || has(.uid) else { throw .templateLacks(.picc) }
        guard !has(.picc) || !has(.uid) && !has(.counter) else { throw .badTemplate(has(.uid) ? "{uid}" : "{counter}") }
    }

    private func has(_ part: SDMPart) -> Bool { pieces.contains { Self.isSame($0, .part(part, digits: 0)) } }

    private static func piece(_ word: Substring) -> Piece? {
        if word == "signed" { return .signed }
        let words = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = words.first, let part = SDMPart(rawValue: String(name)) else { return nil }
        if let digits = part.digits { return words.count == 1 ? .part(part, digits: digits) : nil }
        guard words.count == 2, let digits = Int(words[1]), isFileLength(digits) else { return nil }
        return .part(part, digits: digits)
    }

    private static func isSame(_ first: Piece, _ second: Piece) -> Bool {
        switch (first, second) {
        case (.signed, .signed): true
        case (.part(let first, _), .part(let second, _)): first == second
        default: false
        }
    }
}
