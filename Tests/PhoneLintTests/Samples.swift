// Messages and tags to check

import Chips
import NDEF
import PhoneLint

/// Returns the bytes of hexadecimal text.
///
/// Spaces are only for readability.
func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { $0 != " " }
    return stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(digits.dropFirst($0).prefix(2), radix: 16)
    }
}

extension NDEFRecord {
    static func uri(_ uri: String) -> NDEFRecord { URIRecord(uri: uri).record() }
    static func app(_ package: String) -> NDEFRecord {
        NDEFRecord(tnf: .external, type: Array("android.com:pkg".utf8), payload: Array(package.utf8))
    }
    static func text(_ text: String, _ language: String = "en") -> NDEFRecord {
        NDEFRecord(
            tnf: .wellKnown, type: hex("54"),
            payload: [UInt8(language.utf8.count)] + Array(language.utf8) + Array(text.utf8))
    }
    static func media(_ type: String, _ payload: [UInt8] = [1]) -> NDEFRecord {
        NDEFRecord(tnf: .media, type: Array(type.utf8), payload: payload)
    }
    static func poster(_ records: NDEFRecord...) throws -> NDEFRecord {
        NDEFRecord(
            tnf: .wellKnown, type: hex("5370"), payload: try NDEFMessage(records: records).encoded())
    }
    static let empty = NDEFRecord(tnf: .empty, type: [], payload: [])
    static let page = NDEFRecord.uri("https://example.com")
    static let external = NDEFRecord(tnf: .external, type: Array("example.com:door".utf8), payload: [1])
    /// A Bluetooth device, without a Handover Select record.
    static let device = NDEFRecord.media("application/vnd.bluetooth.ep.oob", hex("0800 030201 0D0000"))
    /// An SSID, WPA2-Personal, AES and a key: Wi-Fi Simple Configuration 2.0.5.
    static let wifi = NDEFRecord.media(
        "application/vnd.wfa.wsc", hex("100E 0017 1045 0003 414243 1003 0002 0020 100F 0002 0008 1027 0000"))
}

extension TagFacts {
    /// An NTAG213 as delivered: NXP NTAG213/215/216 data sheet, memory content at delivery.
    static let ntag213 = TagFacts(
        kind: .type2, chip: .ntag213, status: .readWrite, capabilityContainer: hex("E1101200"),
        dataArea: hex("0103A00C 340300FE"), isLocked: false)

    func with(_ change: (inout TagFacts) -> Void) -> TagFacts {
        var facts = self
        change(&facts)
        return facts
    }
}

extension Finding {
    /// The rule, severity, phones and record in the form of a test's row.
    var row: String {
        let place = record.map { " \($0)" } ?? ""
        return "\(rule) \(severity) \(phones.map(\.rawValue).joined(separator: ","))\(place)"
    }
}
