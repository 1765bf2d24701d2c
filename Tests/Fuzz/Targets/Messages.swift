// NDEF messages, their records, and how they are presented — NFC Forum NDEF 1.0; Docs/JSON.md

import Foundation
import Hexadecimal
import NDEF
import PhoneLint
import RecordPresentation

extension FuzzTarget {
    static let messages = [
        FuzzTarget("ndef", seeds: try messageSeeds()) { bytes in
            guard let message = try? NDEFMessage(bytes: bytes) else { return }
            let encoded = try message.encoded()
            try require(encoded.count <= bytes.count, "the message is longer after encoding")
            try require(try NDEFMessage(bytes: encoded) == message, "the message differs after encoding")
            for record in message.records { try checkContent(of: record) }
            try present(message)
        },
        FuzzTarget("record", seeds: try recordSeeds()) { bytes in
            var tape = Tape(bytes)
            let (tnf, type) = recordTypes[tape.number(below: recordTypes.count)]
            let identifier = tape.byte() & 1 == 0 ? [] : tape.bytes()
            let record = NDEFRecord(
                tnf: tnf, type: type.isEmpty ? tape.bytes() : Array(type.utf8), identifier: identifier,
                payload: tape.remainder())
            try checkContent(of: record)
            try present(NDEFMessage(records: [record]))
        },
        FuzzTarget("message-json", seeds: try jsonSeeds()) { bytes in
            guard let message = try? MessageJSON.message(bytes) else { return }
            guard let encoded = try? message.encoded() else { return }
            try require(try NDEFMessage(bytes: encoded).records == message.records, "the records differ after encoding")
            try checkJSON(of: message)
        },
    ]

    /// The types with a decoder, and an empty type, for which the input also contains the type.
    private static let recordTypes: [(TypeNameFormat, String)] = [
        (.wellKnown, "T"), (.wellKnown, "U"), (.wellKnown, "Sp"), (.wellKnown, "Hs"), (.wellKnown, "Hr"),
        (.wellKnown, "Hc"), (.wellKnown, "Hm"), (.wellKnown, "Hi"), (.wellKnown, "Sig"), (.wellKnown, "Di"),
        (.media, "application/vnd.wfa.wsc"), (.media, "application/vnd.bluetooth.ep.oob"),
        (.media, "application/vnd.bluetooth.le.oob"), (.media, "text/vcard"), (.media, "text/calendar"),
        (.external, "android.com:pkg"),
        (.external, "example.com:x"), (.absoluteURI, "https://example.com"), (.unknown, ""), (.wellKnown, ""),
        (.media, ""), (.external, ""), (.absoluteURI, ""),
    ]

    /// Checks that content that is decoded, encoded and decoded again is the same.
    private static func checkContent(of record: NDEFRecord) throws {
        let rewritten: NDEFRecord? =
            switch record.content {
            // The encoder requires a language, but the decoder does not.
            case .text(let text): text.language.isEmpty ? nil : try text.record()
            case .uri(let uri): uri.record()
            case .smartPoster(let poster):
                poster.titles.allSatisfy { !$0.language.isEmpty } ? try poster.record() : nil
            case .mime(let mime): try mime.record()
            case .external(let external): try external.record()
            case .app(let app): try app.record()
            case .absoluteURI(let uri): try uri.record()
            case .wifi(let wifi): try wifi.record()
            case .handover(let handover): try handover.record()
            case .handoverCarrier(let carrier): try carrier.record()
            case .bluetooth(let device): try device.record()
            case .signature(let signature): try signature.record()
            case .deviceInformation(let device): try device.record()
            case .empty, .unknown, .other, .malformed: nil
            }
        guard let rewritten else { return }
        try require(rewritten.content == record.content, "\(record.content) became \(rewritten.content)")
    }

    private static func present(_ message: NDEFMessage) throws {
        for showsSecrets in [false, true] { _ = RecordSummary.all(message.records, showsSecrets: showsSecrets) }
        _ = PhoneLint().findings(in: message)
        _ = PhoneLint().findings(beforeWriting: message)
        try checkJSON(of: message)
    }

    private struct Report: Encodable { let records: [RecordReport] }

    /// Checks that the JSON of a message is read as the same message.
    private static func checkJSON(of message: NDEFMessage) throws {
        let json = try JSONEncoder().encode(Report(records: message.recordReports))
        do {
            let again = try MessageJSON.message(Array(json))
            try require(again == message, "another message is read from \(String(decoding: json, as: UTF8.self))")
        } catch let error as MessageJSONError {
            throw Finding("\(error) for \(String(decoding: json, as: UTF8.self))")
        }
    }

    /// Messages that other targets use as seeds.
    static func messageSeeds() throws -> [[UInt8]] {
        let poster = SmartPosterRecord(
            uri: "https://example.com", titles: [TextRecord(text: "Hi")], action: .execute, mimeType: "a/b", size: 9,
            icons: [MIMERecord(mimeType: "image/png", data: [1, 2, 3])])
        let records: [NDEFRecord] = [
            URIRecord(uri: "https://example.com").record(), try TextRecord(text: "Hello").record(),
            try TextRecord(text: "ø", language: "da", encoding: .utf16).record(), try poster.record(),
            try MIMERecord(mimeType: "text/plain", data: [0x41]).record(),
            try ExternalRecord(domain: "example.com", type: "x", data: [1]).record(),
            try AndroidApplicationRecord(package: "com.example.app").record(),
            try WiFiRecord(networks: [
                WiFiCredential(
                    ssid: Array("Guests".utf8), networkKey: Array("correct horse".utf8), authentication: .wpa2Personal,
                    encryption: .aes)
            ]).record(),
            try BluetoothRecord(address: [1, 2, 3, 4, 5, 6], name: "Box").record(),
            try MIMERecord(mimeType: "text/vcard", data: Array(vcard.utf8)).record(),
            try MIMERecord(mimeType: "text/calendar", data: Array(calendar.utf8)).record(),
            NDEFRecord(tnf: .empty, type: [], payload: []), NDEFRecord(tnf: .unknown, type: [], payload: [1]),
        ]
        let long = NDEFRecord(tnf: .unknown, type: [], payload: [UInt8](repeating: 7, count: 300))
        return try records.map { try NDEFMessage(records: [$0]).encoded() }
            + [
                NDEFMessage(records: records).encoded(), NDEFMessage(records: [long]).encoded(),
                // Handover select with one carrier, and a record in chunks.
                octets("9102 0A 4873 15 D10204 616301013000 5A0C03 6170706C2F78 30 0102030405"),
                octets("B50102 5501 61 3600 01 62 5600 01 63"),
                octets("D101 04 54 02 65 6E 61"), octets("D10207 4469 00 01 41 01 01 42 43"),
                octets("D1031A 536967 20 00 02 10 0102030405060708090A0B0C0D0E0F10 00 00 00 00 00"),
            ]
    }

    private static let vcard =
        "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\\, Lovelace\r\nTEL;TYPE=cell:+44\r\n 20\r\nEMAIL:a@example.com\r\nEND:VCARD\r\n"
    private static let calendar =
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;TZID=UTC:20260101T100000Z\r\nSUMMARY:A\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

    private static func recordSeeds() throws -> [[UInt8]] {
        try messageSeeds().flatMap { bytes -> [[UInt8]] in
            guard let message = try? NDEFMessage(bytes: bytes) else { return [] }
            return message.records.compactMap { record in
                let index = recordTypes.firstIndex { $0.0 == record.tnf && Array($0.1.utf8) == record.type }
                return index.map { [UInt8($0), 0] + record.payload }
            }
        }
    }

    private static func jsonSeeds() throws -> [[UInt8]] {
        try messageSeeds().compactMap { bytes in
            guard let message = try? NDEFMessage(bytes: bytes) else { return nil }
            return Array(try JSONEncoder().encode(Report(records: message.recordReports)))
        } + [Array(#"{"records":[{"content":{"kind":"text","text":"Hi","language":"en"}}]}"#.utf8)]
    }
}
