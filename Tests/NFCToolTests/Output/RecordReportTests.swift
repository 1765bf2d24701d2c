// Records in JSON, as Docs/JSON.md promises

import Chance
import NDEF
import RecordPresentation
import Terminal
import Testing

@testable import nfctool

@Suite struct RecordReportTests {
    @Test(arguments: [
        (
            Samples.hello,
            #"{"content":{"encoding":"UTF-8","kind":"text","language":"en","text":"Hello"},"id":"","payload":"02656E48656C6C6F","tnf":1,"type":"T"}"#
        ),
        (
            Samples.uri,
            #"{"content":{"kind":"uri","uri":"https://example.com"},"id":"","payload":"046578616D706C652E636F6D","tnf":1,"type":"U"}"#
        ),
        (
            Samples.malformed,
            #"{"content":{"kind":"malformed","reason":"The text's language code needs 63 bytes; 0 are left."},"id":"hex:07","payload":"3F","tnf":1,"type":"T"}"#
        ),
        (Samples.empty, #"{"content":{"kind":"empty"},"id":"","payload":"","tnf":0,"type":""}"#),
    ])
    func recordIsAnObject(_ record: NDEFRecord, _ expected: String) throws {
        #expect(try JSONLine.string(RecordReport(record)) == expected)
    }

    @Test(arguments: [
        (
            Samples.poster,
            #"{"action":"save","icons":[],"kind":"smartPoster","titles":[{"language":"en","text":"Hi"}],"uri":"https://example.com"}"#
        ),
        (
            Samples.wifi,
            #"{"kind":"wifi","networks":[{"auth":"wpa2","encryption":"aes","password":"top secret","ssid":"Guests"}]}"#
        ),
        (Samples.vcard, #"{"kind":"mime","mimeType":"text/vcard","text":"BEGIN:VCARD\r\n"}"#),
        (Samples.image, #"{"data":"8950","kind":"mime","mimeType":"image/png"}"#),
        (Samples.external, #"{"data":"01","domain":"example.com","kind":"external","type":"door"}"#),
        (Samples.app, #"{"kind":"app","package":"org.example"}"#),
        (Samples.absoluteURI, #"{"kind":"absoluteURI","uri":"urn:x"}"#),
        (Samples.unknown, #"{"data":"FF","kind":"unknown"}"#),
        (Samples.handover, #"{"carriers":[],"kind":"handover","role":"select","version":"1.5"}"#),
    ])
    func contentHasTheFieldsOfItsKind(_ record: NDEFRecord, _ expected: String) throws {
        #expect(try JSONLine.string(RecordReport(record)).hasPrefix(#"{"content":\#(expected),"id""#))
    }

    /// Groups, parameters, escapes, components, telephone numbers in the form of URIs, time zones, alarms — RFC 6350,
    /// RFC 5545.
    @Test(
        arguments: [
            (
                "text/vcard",
                [
                    "BEGIN:VCARD", "N:Lovelace;Ada;;;", "FN:Ada Lovelace", "ORG:Engines\\, Ltd;Research",
                    "TITLE:Countess",
                    "item1.TEL;TYPE=\"work:x\":+44 20", "TEL;VALUE=uri:tel:+44-77", "EMAIL:ada@example.com",
                    "URL:https://example.com/?a;b", "ADR:;;12 Main St;London;;W1;", "NOTE:Line 1\\nLine 2", "END:VCARD",
                ],
                "contact",
                #"""
                {"addresses":["12 Main St, London, W1"],"emails":["ada@example.com"],"familyName":"Lovelace",\#
                "givenName":"Ada","name":"Ada Lovelace","notes":["Line 1\nLine 2"],"organizations":["Engines, Ltd, Research"],\#
                "phones":["+44 20","+44-77"],"titles":["Countess"],"urls":["https://example.com/?a;b"]}
                """#
            ),
            (
                "text/vcard", ["BEGIN:VCARD", "ORG:Engines", "END:VCARD"], "contact",
                #"""
                {"addresses":[],"emails":[],"name":"Engines","notes":[],"organizations":["Engines"],"phones":[],\#
                "titles":[],"urls":[]}
                """#
            ),
            (
                "text/calendar",
                [
                    "BEGIN:VCALENDAR", "BEGIN:VTIMEZONE", "DTSTART:19700101T000000", "END:VTIMEZONE", "BEGIN:VEVENT",
                    "BEGIN:VALARM", "DESCRIPTION:Beep", "END:VALARM", "SUMMARY:Tea", "LOCATION:Garden\\; left",
                    "DTSTART;TZID=Europe/London:20260101T120000", "DTEND:20260101T130000", "END:VEVENT",
                    "END:VCALENDAR",
                ],
                "event",
                #"""
                {"end":"20260101T130000","location":"Garden; left","start":"20260101T120000","summary":"Tea",\#
                "timeZone":"Europe/London"}
                """#
            ),
        ] as [(String, [String], String, String)])
    func aCardHasItsFields(type: String, lines: [String], member: String, expected: String) throws {
        let text = lines.joined(separator: "\r\n")
        let record = NDEFRecord(tnf: .media, type: Array(type.utf8), payload: Array(text.utf8))
        #expect(try JSONLine.string(RecordReport(record)).hasPrefix(#"{"content":{"\#(member)":\#(expected),"kind""#))
    }

    @Test(arguments: [
        ("", ""), ("text/plain", "text/plain"), (" ~", " ~"), ("hex:", "hex:6865783A"), ("Hex:", "Hex:"),
        ("ü", "hex:C3BC"), ("\u{7F}", "hex:7F"), ("\n", "hex:0A"),
    ])
    func typeAndIDAreTextWhenPrintableASCII(_ text: String, _ expected: String) {
        #expect(RecordField.text(Array(text.utf8)) == expected)
    }

    @Test func ssidThatIsNotUTF8IsHexadecimal() {
        #expect(RecordField.utf8([0xFF, 0xFE]) == "hex:FFFE")
        #expect(RecordField.utf8(Array("hex:FF".utf8)) == "hex:6865783A4646")
        #expect(RecordField.utf8(Array("Café".utf8)) == "Café")
    }

    @Test(
        arguments: [
            (0x0000, nil), (0x0001, "open"), (0x0020, "wpa2"), (0x0022, "wpa-wpa2"), (0x0010, "wpa2-enterprise"),
            (0x8020, "wpa2-0x8000"),
        ] as [(UInt16, String?)])
    func authenticationHasTheWordsOfTheOption(_ rawValue: UInt16, _ expected: String?) {
        #expect(WiFiCredential.AuthenticationType(rawValue: rawValue).name == expected)
    }

    @Test func anyBytesMakeARecordThatCanBeShown() throws {
        var generator = SplitMix(state: 0x4E46_4354)
        for _ in 0..<2_000 {
            let record = NDEFRecord(
                tnf: TypeNameFormat(rawValue: UInt8.random(in: 0...7, using: &generator)) ?? .unknown,
                type: generator.bytes(upTo: 4, like: ["T", "U", "Sp", "a/b", "a:b", "application/vnd.wfa.wsc"]),
                identifier: generator.bytes(upTo: 3, like: [""]), payload: generator.bytes(upTo: 40, like: []))
            #expect(try JSONLine.string(RecordReport(record)).hasSuffix("}"))
            for style in [Style.plain, .terminal(20), .terminal()] {
                let text = RecordTable([record], style: style).text.withoutColours
                #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
            }
        }
    }
}

extension SplitMix {
    /// Returns random bytes, or one of the texts.
    fileprivate mutating func bytes(upTo count: Int, like texts: [String]) -> [UInt8] {
        if Bool.random(using: &self), let text = texts.randomElement(using: &self) { return Array(text.utf8) }
        return (0..<Int.random(in: 0...count, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}
