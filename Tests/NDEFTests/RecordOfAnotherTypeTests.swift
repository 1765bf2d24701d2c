// Content types that are asked to decode a record of another type

import NDEF
import Testing

@Suite struct RecordOfAnotherTypeTests {
    private static let record = NDEFRecord(tnf: .wellKnown, type: Array("x".utf8), payload: [1, 2, 3])

    @Test func aContentRefusesARecordOfAnotherType() {
        let decoders: [(NDEFRecord) throws -> Void] = [
            { _ = try HandoverRecord(record: $0) }, { _ = try BluetoothRecord(record: $0) },
            { _ = try HandoverCarrierRecord(record: $0) }, { _ = try DeviceInformationRecord(record: $0) },
            { _ = try SignatureRecord(record: $0) }, { _ = try WiFiRecord(record: $0) },
            { _ = try SmartPosterRecord(record: $0) }, { _ = try MIMERecord(record: $0) },
        ]
        for decode in decoders { #expect(throws: ContentError.self) { try decode(Self.record) } }
    }
}
