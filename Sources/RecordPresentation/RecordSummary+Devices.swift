// Handovers, devices and signatures as text

import Hexadecimal
import NDEF

extension RecordSummary {
    static func words(for handover: HandoverRecord, in message: NDEFMessage) -> Words {
        let names = handover.carriers.map { carrier in
            message.carrier(carrier).map { Self.carrier(message.records[$0]) }
                ?? "a carrier that is not in the message"
        }
        let notes = handover.carriers.map { carrier in
            let place =
                message.carrier(carrier).map { "record \($0 + 1)" } ?? "ID \(RecordField.text(carrier.reference))"
            let more =
                carrier.auxiliary.isEmpty
                ? "" : " with \(carrier.auxiliary.map(RecordField.text).joined(separator: ", "))"
            return "\(place) \(state(carrier.state))\(more)"
        }
        let failure = handover.failure.map { "error \($0.reason)" + ($0.data.isEmpty ? "" : " (\($0.data.spacedHex))") }
        return (
            "Handover \(handover.role)", names.isEmpty ? "no carrier" : names.joined(separator: ", "),
            notes + [failure ?? "", "version \(handover.versionText)"]
        )
    }

    private static func state(_ state: HandoverRecord.Carrier.PowerState) -> String {
        switch state {
        case .inactive: "off"
        case .active: "on"
        case .activating: "turning on"
        case .unknown: "state unknown"
        }
    }

    private static func carrier(_ record: NDEFRecord) -> String {
        switch record.carrierName {
        case "bluetooth": "Bluetooth"
        case "bluetoothLE": "Bluetooth LE"
        case "wifi": "Wi-Fi"
        case let other: other
        }
    }

    static func words(for device: BluetoothRecord) -> Words {
        let address = device.address?.spacedHex.replacing(" ", with: ":") ?? ""
        let kind = device.transport == .classic ? "Bluetooth" : "Bluetooth LE"
        let notes = [
            device.name == nil ? "" : address, device.isAddressRandom ? "random address" : "",
            device.deviceClassBytes.map { "class \($0.hex)" } ?? "",
        ]
        return (kind, device.name ?? (address.isEmpty ? "no address" : address), notes)
    }

    static func words(for signature: SignatureRecord) -> Words {
        let method = signature.methodName ?? "method \(signature.method.hex)"
        var notes = [signature.hashName ?? "hash \(signature.hash.hex)"]
        if signature.signatureURI == nil { notes.append("\(ByteCount(signature.signature.count))") }
        if !signature.certificates.isEmpty {
            let format = signature.certificateFormatName ?? "format \(signature.certificateFormat)"
            let lengths = signature.certificates.map { "\($0.count)" }.joined(separator: ", ")
            notes.append("\(signature.certificates.count) \(format) certificates of \(lengths) bytes")
        }
        notes += [
            signature.certificateURI.map { "more certificates at \($0)" } ?? "", "version \(signature.versionText)",
            "not verified",
        ]
        let place = signature.signatureURI.map { " at \($0)" } ?? ""
        return ("Signature", signature.method == 0 && place.isEmpty ? "no signature" : method + place, notes)
    }

    static func words(for device: DeviceInformationRecord) -> Words {
        let names = [device.vendor, device.model].compactMap(\.self).joined(separator: " ")
        return (
            "Device", names.isEmpty ? "no name" : names,
            [
                device.name.map { "“\($0)”" } ?? "", device.uuid.map { "UUID \($0.hex)" } ?? "",
                device.firmware.map { "firmware \($0)" } ?? "",
            ]
        )
    }
}
