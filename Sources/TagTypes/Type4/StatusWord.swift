// SW1 and SW2, the status in the answers of a card — ISO/IEC 7816-4, Status Bytes

/// The two status bytes that end an R-APDU.
public struct StatusWord: RawRepresentable, Hashable, Sendable {
    /// The status word as a number, with SW1 in the high byte and SW2 in the low byte.
    public let rawValue: UInt16

    /// Creates a status word from SW1 in the high byte and SW2 in the low byte.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ value: UInt16) { rawValue = value }

    /// The command was carried out normally.
    public static let success = StatusWord(0x9000)
    /// The command failed without a precise diagnosis — ISO/IEC 7816-4.
    static let noDiagnosis = StatusWord(0x6F00)
    /// The end of the file was reached before Ne bytes.
    static let endOfFile = StatusWord(0x6282)
    /// The last command of the chain was expected.
    static let lastCommandExpected = StatusWord(0x6883)
    /// The file or application was not found.
    public static let fileNotFound = StatusWord(0x6A82)

    /// The first status byte, SW1.
    public var sw1: UInt8 { UInt8(rawValue >> 8) }
    /// The second status byte, SW2.
    public var sw2: UInt8 { UInt8(rawValue & 0xFF) }

    /// The meaning of the status word, as a clause.
    public var meaning: String {
        switch rawValue {
        case 0x9000: "success"
        case 0x6282: "end of file reached"
        case 0x6581: "memory failure"
        case 0x6700: "wrong length"
        case 0x6881: "logical channel not supported"
        case 0x6882: "secure messaging not supported"
        case 0x6883: "last command of the chain expected"
        case 0x6884: "command chaining not supported"
        case 0x6981: "command incompatible with file structure"
        case 0x6982: "security status not satisfied"
        case 0x6983: "authentication method blocked"
        case 0x6985: "conditions of use not satisfied"
        case 0x6986: "command not allowed, no file selected"
        case 0x6A80: "incorrect parameters in the data field"
        case 0x6A81: "function not supported"
        case 0x6A82: "file or application not found"
        case 0x6A84: "not enough memory in the file"
        case 0x6A86: "incorrect parameters P1-P2"
        case 0x6A87: "Lc inconsistent with P1-P2"
        case 0x6B00: "wrong parameters P1-P2"
        case 0x6D00: "instruction not supported"
        case 0x6E00: "class not supported"
        case 0x6F00: "no precise diagnosis"
        case 0x9100: "success"
        case 0x910E: "out of memory"
        case 0x911C: "command not supported"
        case 0x911E: "wrong authentication code"
        case 0x9140: "no such key"
        case 0x917E: "wrong length"
        case 0x919D: "permission denied"
        case 0x919E: "wrong parameters"
        case 0x91AD: "delayed after wrong keys; try again later"
        case 0x91AE: "authentication needed"
        case 0x91AF: "more follows: send AF"
        case 0x91BE: "outside the file"
        case 0x91CA: "another command is not complete"
        case 0x91DE: "it exists already"
        case 0x91F0: "file not found"
        default:
            switch sw1 {
            // Like an Le of 00, an SW2 of 00 stands for 256 — ISO/IEC 7816-4, 5.3.4.
            case 0x61: "\(sw2 == 0 ? 256 : Int(sw2)) more bytes available"
            case 0x6C: "wrong Le, \(sw2 == 0 ? 256 : Int(sw2)) bytes available"
            default: "no meaning known"
            }
        }
    }
}
