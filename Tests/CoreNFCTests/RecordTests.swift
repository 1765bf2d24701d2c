// Records and messages under Apple's names — NFC Forum NDEF, RTD Text, RTD URI

import CoreNFC
import Foundation
import Testing

@Suite struct RecordTests {
    @Test func theRawValuesAreTheSpecifications() {
        let formats: [NFCTypeNameFormat] = [
            .empty, .nfcWellKnown, .media, .absoluteURI, .nfcExternal, .unknown, .unchanged,
        ]
        #expect(formats.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
        #expect([NFCNDEFStatus.notSupported, .readWrite, .readOnly].map(\.rawValue) == [1, 2, 3])
        #expect(NFCTypeNameFormat(rawValue: 7) == nil)
    }

    @Test func aDescriptionHasTheFormThatIOSPrints() {
        let record = NFCNDEFPayload(
            format: .nfcWellKnown, type: Data("T".utf8), identifier: Data(), payload: Data([0x02, 0x6A, 0x61]))
        #expect("\(record)" == "TNF=1, Payload Type=<54>, Payload ID=<>, Payload=<026a61>")
        #expect("\(NFCNDEFMessage(records: [record, record]))" == "\(record)\n\(record)")
    }

    static let texts = ["", "Hello", "Grüße, 世界 🙂", "\u{FEFF}mark", String(repeating: "x", count: 1000)]

    @Test(arguments: texts)
    func aTextIsWrittenInUTF8AndReadBack(_ text: String) throws {
        let record = try #require(
            NFCNDEFPayload.wellKnownTypeTextPayload(string: text, locale: Locale(identifier: "de_CH")))
        #expect(record.typeNameFormat == .nfcWellKnown)
        #expect(record.type == Data([0x54]))
        #expect(record.identifier.isEmpty)
        #expect(record.payload == Data([0x02, 0x64, 0x65] + Array(text.utf8)))
        #expect(record.wellKnownTypeTextPayload().0 == text)
        #expect(record.wellKnownTypeTextPayload().1?.identifier == "de")
        #expect(record.wellKnownTypeURIPayload() == nil)
    }

    /// Text payloads from other programs — NFC Forum RTD Text.
    @Test(arguments: [
        ("02 65 6E 68 69", "hi"), ("82 65 6E 00 68 00 69", "hi"), ("82 65 6E FE FF 00 68 00 69", "hi"),
        ("82 65 6E FF FE 68 00 69 00", "hi"), ("00 68 69", "hi"), ("02 65 6E", ""),
        // Invalid: no bytes, a language that extends beyond the end, a client's text without status byte, half a UTF-16
        // unit.
        ("", nil), ("05 65 6E", nil), ("68 69", nil), ("82 65 6E 00", nil), ("02 65 6E FF FE", nil),
    ])
    func aTextIsReadInEveryEncodingOrNotAtAll(_ payload: String, _ text: String?) {
        let record = NFCNDEFPayload(
            format: .nfcWellKnown, type: Data("T".utf8), identifier: Data(), payload: Data(hex: payload))
        let found = record.wellKnownTypeTextPayload()
        #expect(found.0 == text)
        #expect((found.1 == nil) == (text == nil))
    }

    /// Abbreviations — NFC Forum RTD URI, table 3.
    @Test(arguments: [
        ("https://www.example.com/", "02"), ("http://example.com", "03"), ("https://example.com/a?b=c#d", "04"),
        ("tel:+1555", "05"), ("mailto:a@example.com", "06"), ("urn:nfc:x", "23"), ("geo:1,2", "00"),
    ])
    func aURLIsAbbreviatedAndReadBack(_ text: String, _ code: String) throws {
        let url = try #require(URL(string: text))
        let record = try #require(NFCNDEFPayload.wellKnownTypeURIPayload(url: url))
        #expect(record.payload.prefix(1) == Data(hex: code))
        #expect(record.wellKnownTypeURIPayload() == url)
        #expect(NFCNDEFPayload.wellKnownTypeURIPayload(string: text)?.payload == record.payload)
        #expect(record.wellKnownTypeTextPayload() == (nil, nil))
    }

    @Test func aURIThatNoURLCanHoldIsStoredInUTF8() throws {
        let record = try #require(NFCNDEFPayload.wellKnownTypeURIPayload(string: "https://例え.jp/ü"))
        #expect(record.payload == Data([0x04] + Array("例え.jp/ü".utf8)))
        #expect(NFCNDEFPayload.wellKnownTypeURIPayload(string: "") == nil)
    }

    @Test(arguments: ["", "00", "00 FF FE", "04 FF"])
    func aBrokenURIIsNoURL(_ payload: String) {
        let record = NFCNDEFPayload(
            format: .nfcWellKnown, type: Data("U".utf8), identifier: Data(), payload: Data(hex: payload))
        #expect(record.wellKnownTypeURIPayload() == nil)
    }

    /// Codes from 24 on are reserved, and stand for no abbreviation — NFC Forum RTD URI, table 3.
    @Test(arguments: ["24", "FF"])
    func aReservedAbbreviationIsNone(_ code: String) {
        let record = NFCNDEFPayload(
            format: .nfcWellKnown, type: Data("U".utf8), identifier: Data(), payload: Data(hex: code) + Data("a:b".utf8)
        )
        #expect(record.wellKnownTypeURIPayload()?.absoluteString == "a:b")
    }

    @Test(arguments: [NFCTypeNameFormat.media, .nfcExternal, .absoluteURI, .unknown])
    func theGettersAnswerOnlyForWellKnownTypes(_ format: NFCTypeNameFormat) {
        let text = NFCNDEFPayload(
            format: format, type: Data("T".utf8), identifier: Data(), payload: Data([0x02, 0x65, 0x6E, 0x61]))
        let uri = NFCNDEFPayload(
            format: format, type: Data("U".utf8), identifier: Data(), payload: Data([0x03, 0x61]))
        #expect(text.wellKnownTypeTextPayload() == (nil, nil))
        #expect(uri.wellKnownTypeURIPayload() == nil)
    }

    @Test func aLocaleWithoutALanguageGivesEnglish() throws {
        let record = NFCNDEFPayload.wellKnownTypeTextPayload(string: "a", locale: Locale(identifier: ""))
        #expect(try #require(record).payload == Data([0x02, 0x65, 0x6E, 0x61]))
    }

    @Test func aRecordIsArchivedWithAllItsParts() throws {
        for value in UInt8(0)...6 {
            let record = NFCNDEFPayload(
                format: try #require(NFCTypeNameFormat(rawValue: value)), type: Data([1]), identifier: Data([2, 3]),
                payload: Data([4, 5, 6]))
            let data = try NSKeyedArchiver.archivedData(withRootObject: record, requiringSecureCoding: true)
            let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: NFCNDEFPayload.self, from: data)
            #expect(copy?.description == record.description)
        }
    }

    @Test func aSubclassMakesItsOwnKind() {
        final class Payload: NFCNDEFPayload, @unchecked Sendable {}
        let record: Payload? = Payload.wellKnownTypeURIPayload(string: "a:b")
        #expect(record != nil)
    }
}

@Suite struct MessageTests {
    /// One message each — NFC Forum NDEF, record layout.
    ///
    /// The last two have chunks and a long payload length.
    static let messages: [(String, [String])] = [
        ("D1 01 04 54 02 65 6E 61", ["02656e61"]),
        ("D0 00 00", [""]),
        ("91 01 01 55 00 51 01 02 55 03 61", ["00", "0361"]),
        ("D9 01 01 02 54 69 64 00", ["00"]),
        ("B5 00 01 61 56 00 01 62", ["6162"]),
        ("C1 01 00 00 00 01 54 00", ["00"]),
    ]

    @Test(arguments: messages)
    func aMessageIsDecodedIntoItsRecords(_ bytes: String, _ payloads: [String]) throws {
        let message = try #require(NFCNDEFMessage(data: Data(hex: bytes)))
        #expect(message.records.map { $0.payload.map { String(format: "%02x", $0) }.joined() } == payloads)
    }

    @Test(arguments: messages.map(\.0))
    func aMessageCutAnywhereIsNone(_ bytes: String) {
        let data = Data(hex: bytes)
        for length in 0..<data.count { #expect(NFCNDEFMessage(data: data.prefix(length)) == nil) }
        #expect(NFCNDEFMessage(data: data + [0x00]) == nil)
    }

    @Test(arguments: [
        "51 01 01 54 00",  // no MB
        "91 01 01 54 00",  // no ME
        "D0 01 00 54",  // an empty record with a type
        "D5 01 00 54",  // an unknown record with a type
        "D6 00 01 00",  // a message that begins with a later chunk
        "F1 01 01 54 00",  // CF in the record that ends the message
        "91 01 01 54 00 D1 01 01 54 00",  // MB twice
        "D1 01 FF 54 00",  // PAYLOAD_LENGTH beyond the end
        "C1 01 FF FF FF FF 54 00",  // 4 GB of payload
    ])
    func bytesThatAreNotOneMessageAreNone(_ bytes: String) {
        #expect(NFCNDEFMessage(data: Data(hex: bytes)) == nil)
    }

    @Test func aSliceOfDataIsAMessageToo() {
        let data = Data(hex: "FF FF D1 01 04 54 02 65 6E 61")
        #expect(NFCNDEFMessage(data: data.dropFirst(2))?.text == "a")
    }

    @Test func theLengthIsThatOnATag() throws {
        #expect(NFCNDEFMessage(records: []).length == 0)
        #expect(try message("a").length == 8)
        let long = NFCNDEFPayload(
            format: .unknown, type: Data(), identifier: Data([1]), payload: Data(count: 256), chunkSize: 16)
        #expect(NFCNDEFMessage(records: [long]).length == 1 + 1 + 4 + 1 + 1 + 256)
        #expect(NFCNDEFMessage(NDEFRecords: [long, long]).records.count == 2)
    }

    @Test func aMessageIsArchivedWithItsRecords() throws {
        for count in 0...3 {
            let original = NFCNDEFMessage(records: try (0..<count).flatMap { try message("\($0)").records })
            let data = try NSKeyedArchiver.archivedData(withRootObject: original, requiringSecureCoding: true)
            let copy = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NFCNDEFMessage.self, from: data))
            #expect(copy.description == original.description)
            #expect(copy.records.count == count)
        }
    }
}

extension Data {
    /// Bytes from hexadecimal digits, separated by spaces.
    init(hex: String) {
        self.init(hex.split(separator: " ").compactMap { UInt8($0, radix: 16) })
    }
}
