// Tags and records to show

import NDEF
import ReaderInterface
import SafeTag
import TagTypes

enum Samples {
    static let target = Target.nfcA(
        NFCATarget(sensRes: [0x00, 0x44], selRes: 0x00, nfcID1: [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80]))
    static let chip = Chip(name: "NTAG215", evidence: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x11, 0x03])
    static let hello = NDEFRecord(tnf: .wellKnown, type: [0x54], payload: [0x02] + Array("enHello".utf8))
    static let uri = NDEFRecord(tnf: .wellKnown, type: [0x55], payload: [0x04] + Array("example.com".utf8))
    /// A URI and a title: Smart Poster RTD.
    static let poster = NDEFRecord(
        tnf: .wellKnown, type: Array("Sp".utf8),
        payload: [0x91, 0x01, 0x0C, 0x55, 0x04] + Array("example.com".utf8) + [0x11, 0x01, 0x05, 0x54, 0x02]
            + Array("enHi".utf8) + [0x51, 0x03, 0x01] + Array("act".utf8) + [0x01])
    /// An SSID, its key, WPA2-Personal (0020h) and AES (0008h): Wi-Fi Simple Configuration 2.0.5.
    static let wifi = NDEFRecord(
        tnf: .media, type: Array("application/vnd.wfa.wsc".utf8),
        payload: [0x10, 0x0E, 0x00, 0x24, 0x10, 0x45, 0x00, 0x06] + Array("Guests".utf8) + [
            0x10, 0x03, 0x00, 0x02, 0x00, 0x20,
        ]
            + [0x10, 0x0F, 0x00, 0x02, 0x00, 0x08, 0x10, 0x27, 0x00, 0x0A] + Array("top secret".utf8))
    static let vcard = NDEFRecord(tnf: .media, type: Array("text/vcard".utf8), payload: Array("BEGIN:VCARD\r\n".utf8))
    static let image = NDEFRecord(tnf: .media, type: Array("image/png".utf8), payload: [0x89, 0x50])
    static let external = NDEFRecord(tnf: .external, type: Array("example.com:door".utf8), payload: [0x01])
    static let app = NDEFRecord(tnf: .external, type: Array("android.com:pkg".utf8), payload: Array("org.example".utf8))
    static let absoluteURI = NDEFRecord(tnf: .absoluteURI, type: Array("urn:x".utf8), payload: [])
    static let empty = NDEFRecord(tnf: .empty, type: [], payload: [])
    static let unknown = NDEFRecord(tnf: .unknown, type: [], payload: [0xFF])
    static let handover = NDEFRecord(tnf: .wellKnown, type: Array("Hs".utf8), payload: [0x15])
    static let malformed = NDEFRecord(tnf: .wellKnown, type: [0x54], identifier: [0x07], payload: [0x3F])

    static let all = [
        hello, uri, poster, wifi, vcard, image, external, app, absoluteURI, empty, unknown, handover, malformed,
    ]

    static func reading(
        _ state: NDEFState, _ records: [NDEFRecord] = [], chip: Chip? = chip, isVerified: Bool? = nil
    ) -> TagReading {
        TagReading(
            reader: "virtual", target: target, chip: chip, state: state, bytes: [],
            message: NDEFMessage(records: records),
            isVerified: isVerified)
    }

    static func writable(_ length: Int) -> NDEFState {
        NDEFState(status: .readWrite, capacity: 492, messageLength: length)
    }
}
