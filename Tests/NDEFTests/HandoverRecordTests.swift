import NDEF
import Testing

/// Messages as ndeflib 0.3.3 writes them.
let handoverSelectBytes = hex(
    """
    91 02 17 48 73 15  91 02 04 61 63 01 01 30 00  51 02 08 61 63 00 01 77 01 03 61 75 78
    5A 20 16 01 61 70 70 6C 69 63 61 74 69 6F 6E 2F 76 6E 64 2E 62 6C 75 65 74 6F 6F 74 68 2E 65 70 2E 6F 6F 62 30
    16 00 03 02 01 3C 0D 00  04 0D 04 04 24  08 09 48 65 61 64 73 65 74
    """)
let handoverRequestBytes = hex(
    """
    91 02 11 48 72 13  91 02 02 63 72 12 34  51 02 04 61 63 02 01 61 00
    59 02 1B 01 48 63 61 02 17 61 70 70 6C 69 63 61 74 69 6F 6E 2F 76 6E 64 2E 77 66 61 2E 77 73 63 01 02
    """)
let handoverErrorBytes = hex("D1 02 09 48 73 12  D1 03 02 65 72 72 01 64")
let lowEnergyBytes = hex(
    """
    D2 20 12 61 70 70 6C 69 63 61 74 69 6F 6E 2F 76 6E 64 2E 62 6C 75 65 74 6F 6F 74 68 2E 6C 65 2E 6F 6F 62
    08 1B 05 04 03 02 01 C0 01  02 1C 00  05 09 4C 61 6D 70
    """)
let signatureBytes = hex(
    "D1 03 22 53 69 67 20 0B 02 00 03 01 02 03 82 00 02 AA BB 00 01 CC 00 10 68 74 74 70 3A 2F 2F 63 2E 65 78 61 6D 70 6C 65"
)
let signatureURIBytes = hex(
    "D1 03 16 53 69 67 20 85 02 00 10 68 74 74 70 3A 2F 2F 73 2E 65 78 61 6D 70 6C 65 00")
let deviceInformationBytes = hex(
    """
    D1 02 2E 44 69 00 04 41 63 6D 65 01 06 44 6F 6F 72 20 35 02 05 66 72 6F 6E 74
    03 10 12 34 56 78 12 34 56 78 12 34 56 78 12 34 56 78 04 05 31 2E 30 2E 33
    """)
let deviceMessages = [
    handoverSelectBytes, handoverRequestBytes, handoverErrorBytes, lowEnergyBytes, signatureBytes, signatureURIBytes,
    deviceInformationBytes,
]

@Suite struct HandoverRecordTests {
    private let headset = BluetoothRecord(
        transport: .classic, classicAddress: hex("00 0D 3C 01 02 03"),
        structures: [
            .init(type: 0x0D, data: [0x04, 0x04, 0x24]), .init(type: 0x09, data: Array("Headset".utf8)),
        ])

    @Test func aSelectNamesItsCarriersAndTheirRecords() throws {
        let message = try NDEFMessage(bytes: handoverSelectBytes)
        let handover = HandoverRecord(
            role: .select,
            carriers: [
                .init(state: .active, reference: [0x30]),
                .init(state: .inactive, reference: [0x77], auxiliary: [Array("aux".utf8)]),
            ])
        #expect(message.records.map(\.content) == [.handover(handover), .bluetooth(headset)])
        #expect(handover.versionText == "1.5")
        #expect(handover.carriers.map(message.carrier) == [1, nil])
        #expect(try handover.record() == message.records[0])
        #expect(try headset.record().payload == message.records[1].payload)
        #expect(headset.name == "Headset" && headset.deviceClass == 0x240404 && !headset.isAddressRandom)
        #expect(BluetoothRecord(address: hex("00 0D 3C 01 02 03"), name: "Headset").name == "Headset")
    }

    @Test func aRequestHasACollisionNumberAndCarriersToChooseFrom() throws {
        let message = try NDEFMessage(bytes: handoverRequestBytes)
        let handover = HandoverRecord(
            role: .request, version: 0x13, carriers: [.init(state: .activating, reference: [0x61])],
            collisionNumber: 0x1234)
        let carrier = HandoverCarrierRecord(
            format: .media, type: Array("application/vnd.wfa.wsc".utf8), data: [1, 2])
        #expect(message.records.map(\.content) == [.handover(handover), .handoverCarrier(carrier)])
        #expect(message.carrier(handover.carriers[0]) == 1)
        #expect(try handover.record() == message.records[0])
        #expect(try carrier.record().payload == message.records[1].payload)
    }

    @Test func aFailureIsKept() throws {
        let handover = HandoverRecord(
            role: .select, version: 0x12, carriers: [], failure: .init(reason: 1, data: [100]))
        #expect(try NDEFMessage(bytes: handoverErrorBytes).records.map(\.content) == [.handover(handover)])
    }

    @Test func aLowEnergyDeviceHasItsAddressAmongTheStructures() throws {
        guard case .bluetooth(let lamp) = try NDEFMessage(bytes: lowEnergyBytes).records[0].content else {
            Issue.record("no Bluetooth record")
            return
        }
        #expect(lamp.transport == .lowEnergy && lamp.name == "Lamp" && lamp.isAddressRandom)
        #expect(lamp.address == hex("C0 01 02 03 04 05") && lamp.deviceClass == nil)
        #expect(try NDEFMessage(records: [lamp.record()]).encoded() == lowEnergyBytes)
    }

    @Test func aSignatureNamesMethodAndCertificates() throws {
        let signature = SignatureRecord(
            method: 0x0B, signature: [1, 2, 3], certificates: [[0xAA, 0xBB], [0xCC]], certificateURI: "http://c.example"
        )
        #expect(try NDEFMessage(bytes: signatureBytes).records.map(\.content) == [.signature(signature)])
        #expect(signature.methodName == "ECDSA-P256" && signature.hashName == "SHA-256")
        #expect(try NDEFMessage(records: [signature.record()]).encoded() == signatureBytes)
        let elsewhere = SignatureRecord(method: 5, signatureURI: "http://s.example")
        #expect(try NDEFMessage(bytes: signatureURIBytes).records.map(\.content) == [.signature(elsewhere)])
        #expect(try NDEFMessage(records: [elsewhere.record()]).encoded() == signatureURIBytes)
    }

    @Test func aSignatureOfVersion1HasAnotherLayoutAndIsLeftAlone() {
        let payload: [UInt8] = [0x01, 0x04, 0x00]
        #expect(NDEFRecord.of(.wellKnown, type: Array("Sig".utf8), payload).content == .other(payload))
    }

    @Test func deviceInformationHasNames() throws {
        guard case .deviceInformation(let device) = try NDEFMessage(bytes: deviceInformationBytes).records[0].content
        else {
            Issue.record("no device information")
            return
        }
        #expect(device.vendor == "Acme" && device.model == "Door 5" && device.name == "front")
        #expect(device.firmware == "1.0.3" && device.uuid?.count == 16)
        #expect(try NDEFMessage(records: [device.record()]).encoded() == deviceInformationBytes)
    }

    @Test(arguments: [
        ("Hs", "", "The handover's payload is empty."),
        ("Hs", "15 D1", "In the handover's message: TYPE_LENGTH at offset 1 needs 1 byte; 0 are left."),
        ("Hr", "12 D1 02 01 63 72 01", "The handover's collision resolution is not 2 bytes."),
        ("Hs", "15 D1 02 00 61 63", "The handover's carrier is empty."),
        ("Hs", "15 D1 02 02 61 63 01 05", "A reference of the handover's carrier needs 5 bytes; 0 are left."),
        (
            "Hs", "15 D1 02 03 61 63 01 01 30",
            "The handover's carrier does not state the number of its auxiliary data references."
        ),
        ("Hs", "15 D1 02 04 61 63 01 01 30 FF", "A reference of the handover's carrier needs 1 byte; 0 are left."),
        ("Hs", "15 D1 03 00 65 72 72", "The handover's error is empty."),
        ("Hc", "02", "The handover carrier is shorter than 2 bytes."),
        ("Hc", "02 05 61", "The handover carrier's type needs 5 bytes; 1 is left."),
        ("Sig", "20", "The signature's method is missing."),
        ("Sig", "20 04 02 FF FF 01", "The signature needs 65535 bytes; 1 is left."),
        ("Sig", "20 84 02 00 01 FF 00", "The signature's URI is not UTF-8."),
        ("Sig", "20 04 02 00 00 0F", "A certificate's length is missing."),
        ("Di", "00", "An element of the device information has no length."),
        ("Di", "00 09 41", "An element of the device information needs 9 bytes; 1 is left."),
    ])
    func invalidPayloadsAreMalformed(type: String, payload: String, reason: String) {
        let record = NDEFRecord.of(.wellKnown, type: Array(type.utf8), hex(payload))
        #expect(record.content == .malformed(reason: reason))
    }

    @Test(arguments: [
        ("08 00 01 02 03 04 05", "The Bluetooth record needs 8 bytes; 7 are left."),
        ("07 00 01 02 03 04 05 06", "The Bluetooth record's length is 7; expected 8 to 8 bytes."),
        ("FF FF 01 02 03 04 05 06", "The Bluetooth record's length is 65535; expected 8 to 8 bytes."),
        ("0A 00 01 02 03 04 05 06 09 09", "A Bluetooth data structure needs 9 bytes; 1 is left."),
    ])
    func invalidBluetoothPayloadsAreMalformed(payload: String, reason: String) {
        let type = Array("application/vnd.bluetooth.ep.oob".utf8)
        #expect(NDEFRecord.of(.media, type: type, hex(payload)).content == .malformed(reason: reason))
    }

    @Test func valuesThatDoNotFitARecordAreRefused() {
        let long = [UInt8](repeating: 0, count: 256)
        #expect(throws: ContentError.self) {
            try HandoverRecord(role: .select, carriers: [.init(reference: long)]).record()
        }
        #expect(throws: ContentError.self) { try HandoverCarrierRecord(format: .media, type: long).record() }
        #expect(throws: ContentError.self) { try BluetoothRecord(address: [1]).record() }
        #expect(throws: ContentError.self) {
            try BluetoothRecord(address: [1, 2, 3, 4, 5, 6], name: String(repeating: "x", count: 255)).record()
        }
        #expect(throws: ContentError.self) {
            try SignatureRecord(certificates: Array(repeating: [], count: 16)).record()
        }
        #expect(throws: ContentError.self) {
            try DeviceInformationRecord(elements: [.init(type: 0, value: long)]).record()
        }
    }
}
