import NDEF
import Testing

struct TextRow: CustomTestStringConvertible, Sendable {
    let source: String
    let payload: [UInt8]
    let content: TextRecord

    init(_ source: String, _ payload: String, _ text: String, _ language: String, _ encoding: TextRecord.Encoding) {
        self.source = source
        self.payload = hex(payload)
        content = TextRecord(text: text, language: language, encoding: encoding)
    }

    var record: NDEFRecord { .of(.wellKnown, type: hex("54"), payload) }
    var message: [UInt8] { hex("D1 01") + [UInt8(payload.count)] + hex("54") + payload }
    var testDescription: String { source }
}

let textRows = [
    TextRow("ndeflib", "02 65 6E 48 65 6C 6C 6F", "Hello", "en", .utf8),
    TextRow("Text RTD: no text at all", "02 65 6E", "", "en", .utf8),
    TextRow("RFC 5646 tag with region", "05 70 74 2D 42 52 4F 6C C3 A1", "Olá", "pt-BR", .utf8),
    TextRow(
        "UTF-16 without mark, big-endian (Unicode: U+1F600 is D83D DE00)",
        "82 64 65 00 47 00 72 00 F6 00 DF 00 65 00 20 D8 3D DE 00", "Größe 😀", "de", .utf16),
    TextRow("UTF-8 keeps U+FEFF, which is no mark there", "02 65 6E EF BB BF 61", "\u{FEFF}a", "en", .utf8),
    TextRow(
        "UTF-16 mark before a text that begins with U+FEFF", "82 65 6E FE FF FE FF 00 61", "\u{FEFF}a", "en", .utf16),
    TextRow(
        "UTF-16 mark before a text that begins with the mark's mirror image U+FFFE", "82 65 6E FE FF FF FE 00 61",
        "\u{FFFE}a", "en", .utf16),
]

@Suite struct TextRecordTests {
    @Test(arguments: textRows)
    func textRoundTripsByteForByte(_ row: TextRow) throws {
        #expect(try TextRecord(record: row.record) == row.content)
        #expect(Array(try TextRecord(record: row.record).text.unicodeScalars) == Array(row.content.text.unicodeScalars))
        #expect(try row.content.record() == row.record)
        #expect(row.record.content == .text(row.content))
    }

    @Test(arguments: [
        TextRow(
            "ndeflib, UTF-16 with little-endian mark",
            "82 64 65 FF FE 47 00 72 00 F6 00 DF 00 65 00 20 00 3D D8 00 DE", "Größe 😀", "de", .utf16),
        TextRow("UTF-16 with big-endian mark", "82 65 6E FE FF 00 41", "A", "en", .utf16),
        TextRow("UTF-16 mark alone", "82 65 6E FF FE", "", "en", .utf16),
        TextRow("reserved bit 6 is ignored", "42 65 6E 41", "A", "en", .utf8),
        TextRow("no language code", "00 41", "A", "", .utf8),
    ])
    func textInOtherFormsIsRead(_ row: TextRow) throws {
        #expect(try TextRecord(record: row.record) == row.content)
    }

    @Test(arguments: [
        ("", "The text's payload is empty."),
        ("02 65", "The text's language code needs 2 bytes; 1 is left."),
        ("3F", "The text's language code needs 63 bytes; 0 are left."),
        ("02 65 F6 41", "The text's language code is not printable ASCII."),
        ("02 65 6E C3", "The text is not UTF-8."),
        ("02 65 6E C0 80", "The text is not UTF-8."),
        ("02 65 6E ED A0 80", "The text is not UTF-8."),
        ("02 65 6E F4 90 80 80", "The text is not UTF-8."),
        ("82 65 6E 00", "The UTF-16 text has an odd number of bytes."),
        ("82 65 6E D8 3D", "The text is not valid UTF-16: it contains an unpaired surrogate."),
        ("82 65 6E DE 00 00 41", "The text is not valid UTF-16: it contains an unpaired surrogate."),
        ("82 65 6E FF FE 3D D8 41 00", "The text is not valid UTF-16: it contains an unpaired surrogate."),
    ])
    func brokenTextIsMalformedWithAReason(payload: String, reason: String) {
        #expect(NDEFRecord.of(.wellKnown, type: hex("54"), hex(payload)).content == .malformed(reason: reason))
    }

    @Test(arguments: ["", String(repeating: "x", count: 64), "dé", "e\u{0}"])
    func languageCodeThatDoesNotFitIsNotWritten(_ language: String) {
        let error = #expect(throws: ContentError.self) { try TextRecord(text: "x", language: language).record() }
        #expect(error?.reason == "The text's language code must be 1 to 63 characters of ASCII.")
    }

    @Test func languageCodeOf63CharactersFits() throws {
        let text = TextRecord(text: "x", language: String(repeating: "x", count: 63), encoding: .utf16)
        #expect(try TextRecord(record: text.record()) == text)
    }
}
