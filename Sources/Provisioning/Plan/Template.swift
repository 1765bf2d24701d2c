// Text with placeholders that a row and a tag fill in — Docs/CommandLine.md, provision

import Composing
import Hexadecimal
import NDEF

/// A value of a record option with placeholders: `https://example.com/{id}?tag={uid}`.
///
/// Placeholders: `{column}` · `{column:raw}` · `{uid}` · `{uid:lower}` · `{n}`, the row's number · `{n:05}`, with
/// leading zeros · `{random:32}`, 32 random digits, the same everywhere in a row · `{uid:mirror}` and
/// `{counter:mirror}`, filled in by the chip · `{{` and `}}` for braces. Inserted text is not read as a template again.
struct Template: Hashable, Sendable {
    enum Piece: Hashable, Sendable {
        case literal(String)
        case column(String, isRaw: Bool)
        case uid(isLowercase: Bool)
        case number(width: Int)
        case random(RowToken)
        case mirror(MirrorPlaceholder)
        /// A placeholder that is filled in by a tag that signs its URL.
        case dynamic(String)
    }

    /// The way in which column values are escaped in an option's value.
    private enum Encoding {
        case plain
        /// Percent-encoding of all but unreserved characters — RFC 3986, section 2.1.
        case percent
        /// A `\` before each `;`, `,` and `\`.
        case parts
        /// A `\` before each `;`, `,`, `:`, `"` and `\`, as in the text of a Wi-Fi QR code.
        case code
    }

    /// The placeholders that the tool fills in, without braces.
    static let toolPlaceholders = ["uid", "uid:lower", "n", "n:05", "random:32", "uid:mirror", "counter:mirror"]
    /// The permitted widths of `{n:0…}`.
    ///
    /// Every number has fewer than 20 digits.
    private static let numberWidths = 1...20

    let name: RecordOption.Name
    let pieces: [Piece]
    private let encoding: Encoding
    /// The special form of DATA that the template itself uses: a file, or hexadecimal text.
    private let data: DataForms

    /// Parses the template in an option's value.
    ///
    /// If `isDynamic` is true, the value is a URL that the tag fills in and signs. Throws ``PlanError`` for an invalid
    /// brace or placeholder, and for `@-`, because standard input cannot be read for each row.
    init(_ text: String, of name: RecordOption.Name, isDynamic: Bool = false) throws(PlanError) {
        self.name = name
        pieces = try Self.pieces(of: text, name, isDynamic)
        // Only text before the first placeholder certainly belongs to the template itself.
        let beginning = if case .literal(let text) = pieces.first { text } else { "" }
        switch RecordComposer.data(in: beginning, of: name) {
        case let data? where data.utf8.starts(with: "@".utf8): self.data = .file
        case let data? where data.utf8.starts(with: "hex:".utf8): self.data = .hexText
        default: data = []
        }
        encoding =
            switch name {
            case .uri, .smartPoster: .percent
            // The name of a file must not be escaped.
            case .wifi where WiFiCredential.isCode(beginning): .code
            case .wifi where data != .file: .parts
            case .vcard where BusinessCard.isFields(beginning): .parts
            case .mail, .bluetooth: .parts
            default: .plain
            }
        guard text != "@-", !(data == .file && RecordComposer.data(in: beginning, of: name) == "@-") else {
            throw PlanError(
                .badTemplate(name, reason: "Standard input cannot be read for each row. Use a file: @FILE"))
        }
    }

    /// The end of a placeholder whose cell is not percent-encoded.
    static let raw = ":raw"

    /// Checks that no column is in a place where escaping would break the value.
    ///
    /// This is called after the columns are checked, because an unknown column is a different error.
    func checkPlaces() throws(PlanError) {
        if encoding == .percent, case .column(let column, isRaw: false) = pieces.first, !hasColon {
            let option = pieces.contains(where: \.isOfDynamicURL) ? DynamicRecipe.option : name.option
            throw PlanError(
                .badTemplate(
                    name,
                    reason: "{\(column)} at the start is percent-encoded, including https://. "
                        + "Use \(option) '{\(column):raw}\(pieces.count > 1 ? "…" : "")'."))
        }
        if let column = columnInPlaceOfPart {
            throw PlanError(
                .badTemplate(
                    name,
                    reason:
                        "{\(column)} is used where a field name such as \(encoding == .code ? "S:" : "ssid=") belongs, "
                        + "so the ; and \(encoding == .code ? ":" : "=") in it would become part of a value. Write {\(column):raw}."
                ))
        }
    }

    /// The column that stands where a field name belongs, for example in a Wi-Fi network, or nil if there is none.
    ///
    /// Escaping would turn the whole cell into a single value.
    private var columnInPlaceOfPart: String? {
        guard [.parts, .code].contains(encoding), name == .wifi || name == .vcard else { return nil }
        let sign: Character = encoding == .code ? ":" : "="
        var isName = true
        var isEscaped = false
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let text):
                // The colon of the prefix WIFI: does not end a field name.
                for letter in encoding == .code && index == 0 ? text.drop(while: { $0 != ":" }).dropFirst() : text[...]
                {
                    if !isEscaped, letter == ";" { isName = true }
                    if !isEscaped, letter == sign { isName = false }
                    isEscaped = letter == "\\" && !isEscaped
                }
            case .column(let column, isRaw: false): if isName { return column }
            // A raw value may contain the field name, or even the whole network.
            case .column(_, isRaw: true): isName = false
            case .uid, .number, .random, .mirror, .dynamic: break
            }
        }
        return nil
    }

    private var hasColon: Bool {
        pieces.contains { if case .literal(let text) = $0 { text.utf8.contains(UInt8(ascii: ":")) } else { false } }
    }

    /// Whether a column must not have this name.
    static func isReserved(_ column: String) -> Bool {
        ["uid", "n"].contains(column) || ["uid:", "n:", "counter:"].contains { column.hasPrefix($0) }
            || RowToken.isColumn(column)
    }

    /// Whether the template names a file whose content is the value.
    var isOfFile: Bool { data == .file }

    /// Whether the tool or the tag fills in the tag's UID.
    var isOfUID: Bool {
        pieces.contains {
            switch $0 {
            case .uid, .dynamic("uid"), .dynamic("picc"): true
            default: false
            }
        }
    }

    /// Whether cells become part of a URI.
    var isOfURI: Bool { encoding == .percent }

    var tokens: [RowToken] { pieces.compactMap { if case .random(let token) = $0 { token } else { nil } } }

    var columns: [String] {
        pieces.compactMap { if case .column(let name, _) = $0 { name } else { nil } }
    }

    /// The option with only the chip's placeholders filled in.
    ///
    /// This is enough to determine the mirror content.
    var skeleton: RecordOption {
        let parts = pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .mirror(let placeholder): placeholder.rawValue
            // Insert a separator, so that `{uid:mirror}{n}{counter:mirror}` does not count as one mirror.
            case .column, .uid, .number, .random, .dynamic: "\u{0}"
            }
        }
        return RecordOption(name: name, value: parts.joined())
    }

    /// Returns the option with its value for a row and a tag.
    ///
    /// `filler` replaces each byte that a chip mirrors. Throws ``PlanError`` if the row has no value for a column.
    func option(for row: PlanRow, uid: [UInt8], filler: UInt8) throws(PlanError) -> RecordOption {
        var text: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .literal(let literal): text += literal.utf8
            case .column(let column, let isRaw):
                let value = try value(of: column, in: row)
                if isRaw { text += value.utf8 } else { append(value, to: &text) }
            case .uid(let isLowercase): text += (isLowercase ? uid.hex.lowercased() : uid.hex).utf8
            case .number(let width):
                // The number in a range is stored as a column of the row.
                let digits = (row[RangeRows.column] ?? String(row.number)).utf8
                text += repeatElement(UInt8(ascii: "0"), count: max(0, width - digits.count))
                text += digits
            case .random(let token): text += try value(of: token.column, in: row).utf8
            case .mirror(let placeholder): text += repeatElement(filler, count: placeholder.length)
            case .dynamic(let placeholder): text += "{\(placeholder)}".utf8
            }
        }
        return RecordOption(name: name, value: String(decoding: text, as: UTF8.self), data: data)
    }

    private func value(of column: String, in row: PlanRow) throws(PlanError) -> String {
        guard let value = row[column] else {
            throw PlanError(
                line: row.line, .unknownColumn(name, placeholder: column, known: row.fields.map(\.name)))
        }
        return value
    }

    private func append(_ value: String, to text: inout [UInt8]) {
        switch encoding {
        case .plain: text += value.utf8
        case .parts, .code:
            let escaped = encoding == .code ? ";,:\"\\" : ";,\\"
            for byte in value.utf8 {
                if escaped.utf8.contains(byte) { text.append(UInt8(ascii: "\\")) }
                text.append(byte)
            }
        case .percent:
            for byte in value.utf8 {
                if Self.isUnreserved(byte) {
                    text.append(byte)
                } else {
                    text.append(UInt8(ascii: "%"))
                    text += byte.hex.utf8
                }
            }
        }
    }

    /// Whether the byte is an unreserved character — RFC 3986, section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

extension Template {
    private static func pieces(
        of text: String, _ name: RecordOption.Name, _ isDynamic: Bool
    ) throws(PlanError) -> [Piece] {
        let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == open || byte == close, rest.first == byte {
                guard !isDynamic else {
                    throw PlanError(.badTemplate(name, reason: "A URL that a tag signs cannot contain braces."))
                }
                literal.append(byte)
                rest = rest.dropFirst()
            } else if byte == open {
                guard let end = rest.firstIndex(of: close) else {
                    throw PlanError(.badTemplate(name, reason: "A { is not closed. Write {{ for a brace."))
                }
                if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
                literal = []
                let word = String(decoding: rest[..<end], as: UTF8.self)
                pieces.append(isDynamic && Self.isDynamic(word) ? .dynamic(word) : try piece(word, name))
                if isDynamic, let last = pieces.last, last.isOfChip {
                    throw PlanError(.badTemplate(name, reason: "{\(word)} cannot be used in a URL that a tag signs."))
                }
                rest = rest[end...].dropFirst()
            } else if byte == close {
                throw PlanError(.badTemplate(name, reason: "Unexpected }. Write }} for a brace."))
            } else {
                literal.append(byte)
            }
        }
        if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
        return pieces
    }

    private static func piece(_ text: String, _ name: RecordOption.Name) throws(PlanError) -> Piece {
        if let mirror = MirrorPlaceholder(rawValue: "{\(text)}") { return .mirror(mirror) }
        switch text {
        case "": throw PlanError(.badTemplate(name, reason: "There is nothing between { and }. Write {{}} for braces."))
        case "uid": return .uid(isLowercase: false)
        case "uid:lower": return .uid(isLowercase: true)
        case "n": return .number(width: 1)
        default: break
        }
        if text.hasPrefix("n:") {
            let width = text.dropFirst(2)
            guard width.utf8.first == UInt8(ascii: "0"), let digits = Int(width), numberWidths.contains(digits) else {
                throw PlanError(
                    .badTemplate(
                        name,
                        reason: "{\(text)} does not set the width of a number. Use {n:01} to {n:020}, such as {n:05}."))
            }
            return .number(width: digits)
        }
        if RowToken.isColumn(text) {
            guard let token = RowToken(placeholder: text) else {
                let lengths = RowToken.lengths
                throw PlanError(
                    .badTemplate(
                        name,
                        reason:
                            "{\(text)} does not set the number of random digits. Use {random:\(lengths.lowerBound)} to "
                            + "{random:\(lengths.upperBound)}, such as {random:32}."))
            }
            return .random(token)
        }
        guard !isReserved(text) else {
            throw PlanError(.unknownColumn(name, placeholder: text, known: []))
        }
        return text.hasSuffix(raw)
            ? .column(String(text.dropLast(raw.count)), isRaw: true) : .column(text, isRaw: false)
    }
}

extension Template.Piece {
    fileprivate var isOfDynamicURL: Bool { if case .dynamic = self { true } else { false } }

    /// Whether the piece is the UID, or content mirrored by a chip without keys.
    fileprivate var isOfChip: Bool {
        switch self {
        case .uid, .mirror: true
        default: false
        }
    }
}
