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
    /// Random bytes, or one of the texts.
    fileprivate mutating func bytes(upTo count: Int, like texts: [String]) -> [UInt8] {
        if Bool.random(using: &self), let text = texts.randomElement(using: &self) { return Array(text.utf8) }
        return (0..<Int.random(in: 0...count, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}
