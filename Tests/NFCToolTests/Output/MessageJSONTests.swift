// The JSON that `ndef decode --json` prints, and messages created from it again

import Chance
import Foundation
import Hexadecimal
import NDEF
import RecordPresentation
import Terminal
import Testing

@Suite struct MessageJSONTests {
    private struct Printed: Encodable {
        let records: [RecordReport]
    }

    private static func json(_ message: NDEFMessage) throws -> String {
        try JSONLine.string(Printed(records: message.recordReports))
    }

    private static func message(_ json: String) throws(MessageJSONError) -> NDEFMessage {
        try MessageJSON.message(Array(json.utf8))
    }

    private static let devices = [
        "D1021748731591020461630101300051020861630001770103617578",
        "9102114872139102026372123451020461630201610059021B0148636102176170706C69636174696F6E2F766E642E7766612E7773630102",
        "D220126170706C69636174696F6E2F766E642E626C7565746F6F74682E6C652E6F6F62081B0504030201C001021C0005094C616D70",
        "D10322536967200B020003010203820002AABB0001CC0010687474703A2F2F632E6578616D706C65",
        "D1022E4469000441636D650106446F6F722035020566726F6E740310123456781234567812345678123456780405312E302E33",
    ]

    static let messages: [NDEFMessage] =
        [NDEFMessage(records: Samples.all)] + Samples.all.map { NDEFMessage(records: [$0]) }
        + devices.compactMap { text in
            (try? HexText.bytes(text.utf8)).flatMap { try? NDEFMessage(bytes: $0) }
        }

    @Test(arguments: messages)
    func everyRecordIsTheSameAfterJSON(message: NDEFMessage) throws {
        #expect(try Self.message(Self.json(message)) == message)
    }

    @Test func allSamplesAreThere() { #expect(Self.messages.count == Samples.all.count + 6) }

    @Test func contentAloneMakesARecord() throws {
        var made: Set<String> = []
        for message in Self.messages where message.records.count == 1 {
            var object = try Outcome.object(Self.json(message))
            guard var record = (object["records"] as? [[String: Any]])?.first,
                let kind = (record["content"] as? [String: Any])?["kind"] as? String
            else { continue }
            record["payload"] = nil
            object["records"] = [record]
            let json = String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
            guard let again = try? Self.message(json) else { continue }
            // The parts of a poster may be in another order, and a URI may be stored in a shorter form.
            #expect(again.records.map(\.content) == message.records.map(\.content))
            made.insert(kind)
        }
        #expect(
            made == [
                "text", "uri", "absoluteURI", "smartPoster", "mime", "external", "app", "bluetooth", "empty", "unknown",
            ])
    }

    @Test(arguments: [
        ("", "The text is not valid JSON."), ("[]", "There is no list of records."),
        (#"{"records":1}"#, "There is no list of records."),
        (#"{"records":[1]}"#, "Record 1: A record must be an object."),
        (#"{"records":[{}]}"#, "Record 1: A record needs payload or content."),
        (#"{"records":[{"payload":""}]}"#, "Record 1: tnf must be a number from 0 to 7."),
        (#"{"records":[{"payload":"","tnf":8}]}"#, "Record 1: tnf must be a number from 0 to 7."),
        (#"{"records":[{"payload":"","tnf":1.5}]}"#, "Record 1: tnf must be a number from 0 to 7."),
        (#"{"records":[{"payload":"0","tnf":1}]}"#, "Record 1: payload must be text in hexadecimal."),
        (
            #"{"records":[{"payload":"","tnf":1,"type":"hex:0"}]}"#,
            "Record 1: In type, the text after \"hex:\" is not hexadecimal."
        ),
        (
            #"{"records":[{"payload":"0061","tnf":1,"type":"U","content":{"kind":"uri","uri":"b"}}]}"#,
            "Record 1: content and payload contradict each other. Leave one of them out."
        ),
        (#"{"records":[{"content":{"kind":"uri"}}]}"#, "Record 1: The content has no uri."),
        (
            #"{"records":[{"content":{"kind":"uri","uri":"a:b"},"type":"T"}]}"#,
            "Record 1: type does not match the content. Leave it out."
        ),
        (
            #"{"records":[{"content":{"kind":"handover"}}]}"#,
            "Record 1: A record of kind handover cannot be made from its content alone. Add tnf, type and payload."
        ),
        (
            #"{"records":[{"content":{"kind":"bluetooth","address":"000D3C010203","transport":"clasic"}}]}"#,
            "Record 1: address cannot be in such a record, or contradicts the rest of its content."
        ),
        (
            #"{"records":[{"content":{"kind":"text","text":"a","encoding":"utf-16"}}]}"#,
            "Record 1: encoding cannot be in such a record, or contradicts the rest of its content."
        ),
        (
            #"{"records":[{"content":{"kind":"uri","uri":"a:b","tittle":"x"}}]}"#,
            "Record 1: tittle cannot be in such a record, or contradicts the rest of its content."
        ),
        (
            #"{"records":[{"content":{"kind":"smartPoster","uri":"a:b","size":-1}}]}"#,
            "Record 1: size must be a number from 0 to 4294967295."
        ),
        (
            #"{"records":[{"content":{"kind":"mime","mimeType":"a/b","text":"a","data":"62"}}]}"#,
            "Record 1: data cannot be in such a record, or contradicts the rest of its content."
        ),
    ])
    func invalidJSONIsRefusedWithAReason(json: String, expected: String) {
        #expect(throws: MessageJSONError.self) { try Self.message(json) }
        do throws(MessageJSONError) {
            _ = try Self.message(json)
        } catch {
            #expect(error.description == expected)
        }
    }

    @Test func aDeviceIsMadeOfItsAddressAndName() throws {
        let json = #"{"records":[{"content":{"kind":"bluetooth","address":"00:0d:3c:01:02:03","name":"Headset"}}]}"#
        let device = BluetoothRecord(address: [0x00, 0x0D, 0x3C, 0x01, 0x02, 0x03], name: "Headset")
        #expect(try Self.message(json).records.map(\.content) == [.bluetooth(device)])
    }

    /// 3,600 carriers, each of which claims to be the handover itself.
    @Test(.timeLimit(.minutes(5))) func aHandoverThatRefersToItselfIsDescribedOnce() throws {
        let carrier: [UInt8] = [0x02, 0x04, 0x61, 0x63, 0x01, 0x01, 0x30, 0x00]
        // MB of the first record, and ME of the last one.
        let payload = [0x15, 0x91] + carrier + (0..<3600).flatMap { [$0 < 3599 ? 0x11 : 0x51] + carrier }
        let record = NDEFRecord(tnf: .wellKnown, type: Array("Hs".utf8), identifier: [0x30], payload: payload)
        let message = NDEFMessage(records: [record])
        #expect(try Self.json(message).contains(#""carrier":"Hs""#))
    }

    @Test func noChangedJSONTraps() throws {
        var random = SplitMix(state: 0x4A53_4F4E)
        let original = Array(try Self.json(Self.messages[0]).utf8)
        var refused = 0
        for _ in 0..<500 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
            }
            do { _ = try MessageJSON.message(bytes) } catch { refused += 1 }
        }
        #expect(refused > 300)
    }
}
