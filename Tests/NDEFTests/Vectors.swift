// Messages with their source. "CTS" is Android's NdefTest.java (tests/tests/ndef), testValidParsing and testToByteArray
import NDEF
import Testing

struct ValidMessage: CustomTestStringConvertible, Sendable {
    let source: String
    let bytes: [UInt8]
    let records: [NDEFRecord]

    init(_ source: String, _ bytes: String, _ records: NDEFRecord...) {
        self.init(source, hex(bytes), records)
    }

    init(_ source: String, _ bytes: [UInt8], _ records: [NDEFRecord]) {
        self.source = source
        self.bytes = bytes
        self.records = records
    }

    var testDescription: String { source }
}

extension NDEFRecord {
    static let none = NDEFRecord(tnf: .empty, type: [], payload: [])

    static func of(
        _ tnf: TypeNameFormat, type: [UInt8] = [], id: [UInt8] = [], _ payload: [UInt8] = []
    ) -> NDEFRecord {
        NDEFRecord(tnf: tnf, type: type, identifier: id, payload: payload)
    }
}

private let counted = (0..<256).map { UInt8($0 % 8 + 1) }

/// Messages in the form in which the encoder writes them.
let canonicalMessages = [
    ValidMessage("CTS short record", "D0 00 00", .none),
    ValidMessage("CTS short record with payload", "D1 00 03 01 02 03", .of(.wellKnown, [1, 2, 3])),
    ValidMessage("CTS payload and type", "D1 01 03 09 01 02 03", .of(.wellKnown, type: [9], [1, 2, 3])),
    ValidMessage("CTS one byte of ID", "D9 00 00 01 00", .of(.wellKnown, id: [0])),
    ValidMessage("CTS ID, TNF unknown", "DD 00 00 01 09", .of(.unknown, id: [9])),
    ValidMessage("CTS type", "D4 01 00 09", .of(.external, type: [9])),
    ValidMessage("CTS payload, TNF unknown", "D5 00 01 09", .of(.unknown, [9])),
    ValidMessage("CTS type and ID", "D9 01 03 01 08 09 01 02 03", .of(.wellKnown, type: [8], id: [9], [1, 2, 3])),
    ValidMessage("CTS 2 records", "90 00 00 50 00 00", .none, .none),
    ValidMessage("CTS 3 records", "90 00 00 10 00 00 50 00 00", .none, .none, .none),
    ValidMessage("CTS 256 byte payload", hex("C5 00 00 00 01 00") + counted, [.of(.unknown, counted)]),
    ValidMessage("255 byte payload", hex("D5 00 FF") + counted.dropLast(), [.of(.unknown, counted.dropLast())]),
    ValidMessage("CTS 255 byte type", hex("D2 FF 00") + counted.dropLast(), [.of(.media, type: counted.dropLast())]),
    ValidMessage("CTS 255 byte ID", hex("DA 00 00 FF") + counted.dropLast(), [.of(.media, id: counted.dropLast())]),
    ValidMessage(
        "CTS Smart Poster", "D1 02 0F 53 70 D1 01 0B 55 01 67 6F 6F 67 6C 65 2E 63 6F 6D",
        .of(.wellKnown, type: Array("Sp".utf8), hex("D1 01 0B 55 01 67 6F 6F 67 6C 65 2E 63 6F 6D"))),
    ValidMessage("TNF 7, which Android keeps", "D7 00 01 2A", .of(.reserved, [0x2A])),
    ValidMessage(
        "ndeflib 0.3.3, a media record with ID and an external record",
        "9A 0A 03 02 74 65 78 74 2F 70 6C 61 69 6E 69 64 78 78 78 54 0D 02 65 78 61 6D 70 6C 65 2E 63 6F 6D 3A 74 01 02",
        .of(.media, type: Array("text/plain".utf8), id: Array("id".utf8), Array("xxx".utf8)),
        .of(.external, type: Array("example.com:t".utf8), [1, 2])),
]

/// Messages that the encoder would write differently: chunks, long forms, an ID field without ID.
let otherMessages = [
    ValidMessage("CTS full length record", "C0 00 00 00 00 00", .none),
    ValidMessage("CTS IL with an empty ID", "D8 00 00 00", .none),
    ValidMessage("CTS full length, one byte of ID", "C9 00 00 00 00 00 01 00", .of(.wellKnown, id: [0])),
    ValidMessage(
        "CTS full length, type and ID", "C9 01 00 00 00 03 01 08 09 01 02 03",
        .of(.wellKnown, type: [8], id: [9], [1, 2, 3])),
    ValidMessage("CTS 2 chunks", "B5 00 01 01 56 00 01 02", .of(.unknown, [1, 2])),
    ValidMessage("CTS 3 chunks", "B5 00 00 36 00 01 01 56 00 01 02", .of(.unknown, [1, 2])),
    ValidMessage(
        "CTS chunks, type and ID", "BA 01 00 01 08 09 36 00 01 01 56 00 01 02", .of(.media, type: [8], id: [9], [1, 2])
    ),
    ValidMessage(
        "CTS 3 records, 7 chunks",
        """
        B4 01 01 21 01  36 00 02 02 03  16 00 01 04
        10 00 00
        32 01 02 21 0B 0C  36 00 01 0D  56 00 01 0E
        """,
        .of(.external, type: [0x21], [1, 2, 3, 4]), .none, .of(.media, type: [0x21], [11, 12, 13, 14])),
    ValidMessage(
        "CTS 255 byte payload", hex("C5 00 00 00 00 FF") + counted.dropLast(), [.of(.unknown, counted.dropLast())]),
    ValidMessage("Empty record in empty chunks", "B0 00 00 56 00 00", .none),
    ValidMessage("A chunk in the long form", "B5 00 01 01 46 00 00 00 00 01 02", .of(.unknown, [1, 2])),
]
