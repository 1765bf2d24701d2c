// Records as people see them

import NDEF
import RecordPresentation
import Terminal
import Testing

@testable import nfctool

@Suite struct RecordTableTests {
    @Test func inAPipeEachRecordIsOneWholeLine() {
        #expect(
            RecordTable(Samples.all, style: .plain).text == #"""
                 1  Text             Hello  (en)
                 2  URI              https://example.com
                 3  Smart poster     https://example.com  (“Hi” en, action save)
                 4  Wi-Fi            Guests  (password hidden, wpa2, aes)
                 5  Media            BEGIN:VCARD\r\n  (text/vcard, 13 bytes)
                 6  Media            89 50  (image/png, 2 bytes)
                 7  External         01  (example.com:door, 1 byte)
                 8  Android app      org.example
                 9  URI              urn:x
                10  Empty            no content
                11  Unknown          FF  (1 byte)
                12  Handover select  no carrier  (version 1.5)
                13  Malformed        The text's language code needs 63 bytes; 0 are left.  (type T, 1 byte of payload, id hex:07)
                """#)
        let long = NDEFRecord(tnf: .unknown, type: [], payload: [UInt8](repeating: 0xAA, count: 900))
        #expect(RecordTable([long], style: .plain).text.count { $0 == "A" } == 1800)
    }

    /// Folded lines, groups and parameters — RFC 6350, sections 3.2 and 3.3; RFC 5545.
    @Test(
        arguments: [
            (
                "text/vcard",
                "BEGIN:VCARD\r\nFN:Ada\\, Countess\r\n  of Lovelace\r\n"
                    + "item1.TEL;TYPE=work:+44 20\r\nEMAIL:a@b.c\r\nEND:VCARD",
                "1  Contact  Ada, Countess of Lovelace  (+44 20, a@b.c, text/vcard, 97 bytes)"
            ),
            (
                "text/x-vCard", "BEGIN:VCARD\nN:Lovelace;Ada;;;\nEND:VCARD",
                "1  Contact  Lovelace Ada  (text/x-vCard, 39 bytes)"
            ),
            (
                "text/calendar",
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Tea\nDTSTART;TZID=UTC:20260101T120000\nEND:VEVENT",
                "1  Event  Tea  (20260101T120000, text/calendar, 84 bytes)"
            ),
            (
                "text/vcard", "\u{FEFF}BEGIN:VCARD\r\nFN:Ada\r\nEND:VCARD",
                "1  Contact  Ada  (text/vcard, 33 bytes)"
            ),
            ("text/vcard", "BEGIN:VCARD\nTEL:1\n", "1  Media  BEGIN:VCARD\\nTEL:1\\n  (text/vcard, 18 bytes)"),
        ])
    func aCardIsShownByItsName(type: String, text: String, line: String) {
        let record = NDEFRecord(tnf: .media, type: Array(type.utf8), payload: Array(text.utf8))
        let shown = RecordTable([record], style: .plain).text
        #expect(shown.split(separator: " ").joined(separator: " ") == line.split(separator: " ").joined(separator: " "))
    }

    @Test func onATerminalALongValueWraps() {
        let record = URIRecord(uri: "https://example.com/" + String(repeating: "abcdefghi/", count: 5)).record()
        #expect(
            RecordTable([Samples.hello, record], style: .terminal(40)).text.withoutColours == """
                 1 │ Text │ Hello  en
                 2 │ URI  │ https://example.com/abcdefgh
                   │      │ i/abcdefghi/abcdefghi/abcdef
                   │      │ ghi/abcdefghi/
                """)
    }

    @Test func wideCharactersAndEmojiKeepTheColumns() throws {
        let record = try TextRecord(text: String(repeating: "日本👋🏽", count: 40)).record()
        for line in RecordTable([Samples.uri, record], style: .terminal(30)).text.withoutColours.split(separator: "\n")
        {
            #expect(line.columns <= 30)
            #expect(line.prefix(12).filter { $0 == "│" }.count == 2)
        }
    }

    @Test func aVeryLongValueEndsInAnEllipsis() {
        let record = NDEFRecord(tnf: .unknown, type: [], payload: [UInt8](repeating: 0xAA, count: 900))
        let lines = RecordTable([record], style: .terminal()).text.withoutColours.split(separator: "\n")
        #expect(lines.count == 9)
        #expect(lines[7].hasSuffix("…"))
        #expect(lines[8].hasSuffix("900 bytes"))
    }

    @Test func noRecordsAreNoTable() { #expect(RecordTable([], style: .terminal()).text.isEmpty) }
}
