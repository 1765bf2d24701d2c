// The text record (`T`) — NFC Forum Text Record Type Definition 1.0

/// Text in one language.
///
/// The payload is `status (1: bit 7 UTF-16, bits 5 to 0 length of the language code), language code, text`.
public struct TextRecord: Hashable, Sendable {
    static let type = Array("T".utf8)

    /// The encoding in which the text is stored.
    public enum Encoding: Hashable, Sendable {
        /// UTF-8.
        case utf8
        /// UTF-16.
        ///
        /// Text is read as big-endian unless a byte order mark says otherwise. It is written as big-endian, with a mark
        /// only if it starts with U+FEFF or U+FFFE.
        case utf16
    }

    private static let utf16Flag: UInt8 = 0x80
    private static let languageLengthMask: UInt8 = 0x3F
    private static let byteOrderMark: UInt16 = 0xFEFF

    /// The text, without a byte order mark.
    public var text: String
    /// The language code, such as `en` or `pt-BR`: an IANA language tag (RFC 5646) of 1 to 63 ASCII characters.
    ///
    /// In a record that was read from a tag, the code may be empty.
    public var language: String
    /// The encoding in which the text is stored.
    public var encoding: Encoding

    /// Creates the content of a Text record without checking its parts.
    public init(text: String, language: String = "en", encoding: Encoding = .utf8) {
        self.text = text
        self.language = language
        self.encoding = encoding
    }

    /// Parses a record with TNF 1 and type `T`.
    public init(record: NDEFRecord) throws(ContentError) {
        guard record.tnf == .wellKnown, record.type == Self.type else { throw ContentError("Not a Text record.") }
        guard let status = record.payload.first else { throw ContentError("The text's payload is empty.") }
        let languageLength = Int(status & Self.languageLengthMask)
        let body = record.payload.dropFirst()
        guard languageLength <= body.count else {
            let shortage = NDEFError.shortage(needed: languageLength, left: body.count)
            throw ContentError("The text's language code \(shortage)")
        }
        language = try String(printableASCII: body.prefix(languageLength), "The text's language code")
        encoding = status & Self.utf16Flag == 0 ? .utf8 : .utf16
        let characters = body.dropFirst(languageLength)
        text =
            switch encoding {
            case .utf8: try String(utf8: characters, "The text")
            case .utf16: try Self.utf16Text(characters)
            }
    }

    /// Encodes the text as a record.
    /// - Throws: ``ContentError`` if the language code does not consist of 1 to 63 ASCII characters.
    public func record() throws(ContentError) -> NDEFRecord {
        let language = Array(self.language.utf8)
        guard (1...63).contains(language.count), language.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw ContentError("The text's language code must be 1 to 63 characters of ASCII.")
        }
        let status = UInt8(truncatingIfNeeded: language.count) | (encoding == .utf16 ? Self.utf16Flag : 0)
        let characters =
            switch encoding {
            case .utf8: Array(text.utf8)
            case .utf16: Self.utf16Bytes(text)
            }
        return NDEFRecord(tnf: .wellKnown, type: Self.type, payload: [status] + language + characters)
    }

    private static func utf16Text(_ bytes: ArraySlice<UInt8>) throws(ContentError) -> String {
        guard bytes.count.isMultiple(of: 2) else { throw ContentError("The UTF-16 text has an odd number of bytes.") }
        var units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        if units.first == byteOrderMark.byteSwapped { units = units.map(\.byteSwapped) }
        if units.first == byteOrderMark { units.removeFirst() }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw ContentError("The text is not valid UTF-16: it contains an unpaired surrogate.")
        }
        return text
    }

    private static func utf16Bytes(_ text: String) -> [UInt8] {
        // A reader would mistake U+FEFF or U+FFFE at the start of the text for a byte order mark, so a mark is added
        // before it.
        let looksMarked = text.utf16.first.map { [byteOrderMark, byteOrderMark.byteSwapped].contains($0) } ?? false
        let mark = looksMarked ? [byteOrderMark] : []
        return (mark + text.utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
}
