// The JSON of handovers, devices and signatures — Docs/JSON.md, Records

import Hexadecimal
import NDEF

struct CarrierReport: Encodable {
    private let carrier: String?
    /// The number of the record, starting at 1, or nil if there is no such record.
    private let record: Int?
    private let state: String
    private let reference: String
    private let auxiliary: [String]

    init(_ carrier: HandoverRecord.Carrier, in message: NDEFMessage) {
        let index = message.carrier(carrier)
        self.carrier = index.map { message.records[$0].carrierName }
        record = index.map { $0 + 1 }
        state = "\(carrier.state)"
        reference = RecordField.text(carrier.reference)
        auxiliary = carrier.auxiliary.map(RecordField.text)
    }
}

extension NDEFRecord {
    /// The carrier that a record describes: `bluetooth`, `bluetoothLE`, `wifi`, or the record's type.
    var carrierName: String {
        // This property is read for all carriers of a message. Decoding the content of each carrier would be too
        // expensive, and a carrier may be the handover itself.
        if tnf == .media, let transport = BluetoothRecord.Transport(of: self) {
            return transport == .classic ? "bluetooth" : "bluetoothLE"
        }
        if tnf == .media, type == WiFiRecord.type { return "wifi" }
        return RecordField.text((try? HandoverCarrierRecord(record: self))?.type ?? type)
    }
}

struct HandoverFailureReport: Encodable {
    private let reason: UInt8
    private let data: String

    init(_ failure: HandoverRecord.Failure) {
        reason = failure.reason
        data = failure.data.hex
    }
}

struct BluetoothReport: Encodable {
    private struct Structure: Encodable {
        let type: UInt8
        let data: String
    }

    private let transport: String
    private let address: String?
    private let randomAddress: Bool?
    private let name: String?
    private let deviceClass: String?
    private let structures: [Structure]

    init(_ device: BluetoothRecord) {
        transport = "\(device.transport)"
        address = device.address?.hex
        randomAddress = device.isAddressRandom ? true : nil
        name = device.name
        deviceClass = device.deviceClassBytes?.hex
        structures = device.structures.map { Structure(type: $0.type, data: $0.data.hex) }
    }
}

extension BluetoothRecord {
    /// The class of device as 3 bytes, most significant byte first, or nil if there is none.
    var deviceClassBytes: [UInt8]? {
        deviceClass.map { number in [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    }
}

struct SignatureReport: Encodable {
    private let version: String
    private let method: String
    private let hash: String
    private let signature: String?
    private let signatureURI: String?
    private let certificateFormat: String
    private let certificates: [String]
    private let certificateURI: String?

    init(_ signature: SignatureRecord) {
        version = signature.versionText
        method = signature.methodName ?? "0x" + signature.method.hex
        hash = signature.hashName ?? "0x" + signature.hash.hex
        self.signature = signature.signatureURI == nil ? signature.signature.hex : nil
        signatureURI = signature.signatureURI
        certificateFormat = signature.certificateFormatName ?? "0x" + signature.certificateFormat.hex
        certificates = signature.certificates.map(\.hex)
        certificateURI = signature.certificateURI
    }
}

struct DeviceReport: Encodable {
    private let vendor: String?
    private let model: String?
    private let name: String?
    private let uuid: String?
    private let firmware: String?

    init(_ device: DeviceInformationRecord) {
        vendor = device.vendor
        model = device.model
        name = device.name
        uuid = device.uuid?.hex
        firmware = device.firmware
    }
}
