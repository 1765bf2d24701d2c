// Random digits of a row: `{random:32}` — Docs/CommandLine.md, provision

/// Random digits of a row, which the journal stores as a column of the same name, such as `random:32`.
///
/// The digits are drawn when the row is added to the journal, so they are on disk before any tag is touched. A tag that
/// is placed again gets the same digits.
struct RowToken: Hashable, Sendable {
    /// The number of hexadecimal digits.
    let length: Int

    /// The permitted numbers of digits.
    ///
    /// With fewer than 16 digits, two of a million rows might get the same digits. No key has more than 64 digits.
    static let lengths = 16...64
    private static let prefix = "random:"

    /// Parses a placeholder, given without braces.
    ///
    /// The result is nil if it is not a token, or if its length is not permitted.
    init?(placeholder: String) {
        guard placeholder.hasPrefix(Self.prefix), let length = Int(placeholder.dropFirst(Self.prefix.count)),
            Self.lengths.contains(length), placeholder == Self.prefix + "\(length)"
        else { return nil }
        self.length = length
    }

    var column: String { Self.prefix + "\(length)" }

    /// Whether a column's name is or looks like the name of a token.
    static func isColumn(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// The source of the digits.
    enum Digits: Sendable {
        /// The system's cryptographic generator, getrandom(2).
        case drawn
        /// Zeros, for rows that are not stored.
        case sample
    }

    /// Returns digits from a source: `0` to `9` and `a` to `f`.
    func text(_ digits: Digits) -> String {
        var random = SystemRandomNumberGenerator()
        let letters = Array("0123456789abcdef".utf8)
        let text = (0..<length).map { _ in
            switch digits {
            case .drawn: letters[Int.random(in: 0..<letters.count, using: &random)]
            case .sample: letters[0]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension PlanRow {
    /// Returns the row with its tokens appended to its columns.
    func with(_ tokens: [RowToken], _ digits: RowToken.Digits) -> PlanRow {
        guard !tokens.isEmpty else { return self }
        let fields = fields + tokens.map { PlanField(name: $0.column, value: $0.text(digits)) }
        return PlanRow(number: number, line: line, fields: fields)
    }

    func withDigits(of other: PlanRow) -> PlanRow {
        PlanRow(
            number: number, line: line,
            fields: fields.map { field in
                guard RowToken.isColumn(field.name), let digits = other[field.name] else { return field }
                return PlanField(name: field.name, value: digits)
            })
    }

    /// The row as it is written in its plan, without tokens.
    var withoutTokens: PlanRow {
        guard fields.contains(where: { RowToken.isColumn($0.name) }) else { return self }
        return PlanRow(number: number, line: line, fields: fields.filter { !RowToken.isColumn($0.name) })
    }
}
