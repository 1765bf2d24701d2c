// Random digits of a row: `{random:32}` — Docs/CommandLine.md, provision

/// Random digits in a row, which the journal keeps as a column of the same name: `random:32`.
///
/// They are drawn when the row comes into the journal, so they are on the disk before any tag is touched, and a tag that
/// comes back gets the same again.
struct RowToken: Hashable, Sendable {
    /// How many digits there are: 4 bits each.
    let length: Int

    /// With fewer digits than 16, two of a million rows could get the same; more than 64 are more than any key has.
    static let lengths = 16...64
    private static let prefix = "random:"

    /// The token that stands between braces; nil for a length that there is not.
    init?(placeholder: String) {
        guard placeholder.hasPrefix(Self.prefix), let length = Int(placeholder.dropFirst(Self.prefix.count)),
            Self.lengths.contains(length), placeholder == Self.prefix + "\(length)"
        else { return nil }
        self.length = length
    }

    /// The column that holds it.
    var column: String { Self.prefix + "\(length)" }

    /// Whether a column's name is one of a token, or looks like it.
    static func isColumn(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// Where digits come from.
    enum Digits: Sendable {
        /// The system's generator for cryptography: getrandom(2).
        case drawn
        /// Zeros, where nothing is kept of the row.
        case sample
    }

    /// The digits: `0` to `9` and `a` to `f`.
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
    /// The row with its tokens after its own columns.
    func with(_ tokens: [RowToken], _ digits: RowToken.Digits) -> PlanRow {
        guard !tokens.isEmpty else { return self }
        let fields = fields + tokens.map { PlanField(name: $0.column, value: $0.text(digits)) }
        return PlanRow(number: number, line: line, fields: fields)
    }

    /// The row as it stands in its plan.
    var withoutTokens: PlanRow {
        guard fields.contains(where: { RowToken.isColumn($0.name) }) else { return self }
        return PlanRow(number: number, line: line, fields: fields.filter { !RowToken.isColumn($0.name) })
    }
}
