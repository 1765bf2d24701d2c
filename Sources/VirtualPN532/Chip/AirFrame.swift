// Frames on the air — ISO/IEC 14443-2 and -3, JIS X 6319-4

/// The bit rate and coding of a frame on the air.
enum Modulation: Hashable, CaseIterable {
    case typeA106, typeA212, typeA424, typeB106, feliCa212, feliCa424
    /// Type A at 106 kbit/s, but with CRC_B.
    ///
    /// The first byte of a command is a frame of 7 bits, and each other byte is a frame without parity.
    case type1

    var checksum: Checksum {
        switch self {
        case .typeA106, .typeA212, .typeA424: .typeA
        case .typeB106, .type1: .typeB
        case .feliCa212, .feliCa424: .feliCa
        }
    }

    /// The duration of one bit: 128, 64 or 32 carrier periods of 13.56 MHz.
    var bitTime: Duration {
        switch self {
        case .typeA106, .typeB106, .type1: .nanoseconds(9_440)
        case .typeA212, .feliCa212: .nanoseconds(4_720)
        case .typeA424, .feliCa424: .nanoseconds(2_360)
        }
    }

    /// The shortest time between a command and its answer.
    ///
    /// Type A: 1172 carrier periods, which is assumed for all bit rates. Type B: TR0 and TR1, 1024 + 1280 carrier
    /// periods. FeliCa: 0, because the tag itself adds the 2.417 ms before the first time slot of Polling.
    var frameDelay: Duration {
        switch self {
        case .typeA106, .typeA212, .typeA424, .type1: .nanoseconds(86_430)
        case .typeB106: .nanoseconds(169_912)
        case .feliCa212, .feliCa424: .zero
        }
    }

    /// CIU_TxMode: speed (bits 4–6) and framing (bits 0–1).
    var registerBits: UInt8 {
        switch self {
        case .typeA106, .type1: 0x00
        case .typeA212: 0x10
        case .typeA424: 0x20
        case .typeB106: 0x03
        case .feliCa212: 0x12
        case .feliCa424: 0x22
        }
    }

    /// The number of bits on the air of a frame with `bytes` whole bytes.
    ///
    /// Type A: nine per byte with its parity bit, plus start and end. Type B: ten per character, SOF 12, EOF 10.
    /// FeliCa: eight per byte, preamble 48, sync code 16.
    func bitCount(bytes: Int) -> Int {
        switch self {
        case .typeA106, .typeA212, .typeA424, .type1: 9 * bytes + 2
        case .typeB106: 10 * bytes + 22
        case .feliCa212, .feliCa424: 8 * bytes + 64
        }
    }
}

struct AirFrame: Hashable {
    var bytes: [UInt8]
    /// The number of valid bits in the last byte; 0 means all eight.
    var lastBits = 0
    var modulation = Modulation.typeA106
    /// Whether the frame is enciphered.
    ///
    /// Only a ``CipheringTag`` understands an enciphered frame.
    var isCiphered = false

    var bitCount: Int {
        lastBits == 0
            ? modulation.bitCount(bytes: bytes.count)
            : modulation.bitCount(bytes: max(bytes.count - 1, 0)) + lastBits
    }

    /// Returns a frame that contains `bytes` followed by their checksum.
    static func withCRC(_ bytes: [UInt8], _ modulation: Modulation = .typeA106) -> AirFrame {
        AirFrame(bytes: bytes + modulation.checksum(bytes), modulation: modulation)
    }

    /// The bytes without the checksum, or nil if the checksum is wrong.
    var data: [UInt8]? { lastBits == 0 ? modulation.checksum.stripped(bytes) : nil }
}

/// The content of a frame that is delivered to a tag.
struct Message: Hashable {
    /// The bytes without the checksum; for an enciphered frame, all bytes.
    let bytes: [UInt8]
    let modulation: Modulation
    private let isCiphered: Bool

    /// Creates a message from a frame that is not enciphered, or returns nil if the frame's checksum is wrong.
    init?(_ frame: AirFrame) {
        guard let data = frame.data else { return nil }
        (bytes, modulation, isCiphered) = (data, frame.modulation, false)
    }

    /// Creates a message from the bytes of an enciphered type A frame.
    init(ciphered bytes: [UInt8]) { (self.bytes, modulation, isCiphered) = (bytes, .typeA106, true) }

    /// Delivers the message to a tag, and returns the tag's answer.
    ///
    /// A tag without a cipher does not answer an enciphered message.
    func deliver(to tag: any VirtualTag) -> TagReply {
        guard isCiphered else { return tag.receive(bytes) }
        return (tag as? any CipheringTag)?.receiveCiphered(bytes) ?? TagReply(.silence)
    }

    /// Delivers the message to a tag that loses power while it executes the command.
    func tear(at tag: any VirtualTag) {
        guard isCiphered else { return tag.receiveTorn(bytes) }
        (tag as? any CipheringTag)?.receiveCipheredTorn(bytes)
    }
}

/// The result of a frame, as the reader's receiver reports it.
enum AirAnswer: Hashable {
    case silence
    case frame(AirFrame)
    case garbled(AirFrame, ChipStatus)
    /// Different answers from several tags.
    ///
    /// The values are the position of the first bit in which the answers differ, and all bits. A bit is 1 if any tag
    /// sent 1.
    case collision(bit: Int, [UInt8])

    /// Whether the answer is silence, or an error that the receiver detected.
    var isError: Bool {
        switch self {
        case .silence, .garbled: true
        case .frame, .collision: false
        }
    }
}
