// Possible errors in a reply of a PN532 — NXP UM0701-02, frames, and the status byte of its commands

import Chance

/// Changes more than half of the replies at random, with a seed.
struct ReplyMutation {
    private var chance: SplitMix
    private let isNADOnly: Bool

    init(seed: UInt64) { (chance, isNADOnly) = (SplitMix(state: seed), false) }

    /// Sets the NAD bit in the status of every answer of a tag, which makes libnfc call `abort()`.
    ///
    /// This mutation is not random.
    static let nad = ReplyMutation()

    private init() { (chance, isNADOnly) = (SplitMix(state: 0), true) }

    /// The codes of the PN532's replies that begin with a status: InDataExchange, InCommunicateThru — NXP UM0701-02,
    /// 7.3.8, 7.3.9.
    private static let tagReplies: Set<UInt8> = [0x41, 0x43]

    /// Returns the frame in the form in which it arrives.
    ///
    /// Empty if it does not arrive.
    mutating func changed(_ frame: [UInt8]) -> [UInt8] {
        if isNADOnly {
            let data = Array(frame.dropFirst(5).dropLast(2))
            guard data.count > 2, Self.tagReplies.contains(data[1]) else { return frame }
            return Self.frame(data.prefix(2) + [data[2] | 0x80] + data.dropFirst(3))
        }
        guard frame.count > 6, number(5) < 3 else { return frame }
        let isLong = frame[3] == 0xFF && frame[4] == 0xFF
        let data = Array(frame.dropFirst(isLong ? 8 : 5).dropLast(2))
        switch number(16) {
        case 0: return flipped(frame)
        case 1: return Array(frame.prefix(number(frame.count)))
        case 2: return Self.frame(flipped(data, from: 2))
        // The byte after TFI and code is the status of most commands: NAD, MI and the error code. NAD is set only
        // rarely, because it makes libnfc abort().
        case 3, 4: return Self.frame(status(data, mask: number(24) == 0 ? 0xFF : 0x7F))
        case 5: return Self.frame(Array(data.prefix(number(data.count + 1))))
        case 6: return Self.frame(data + (0..<number(256)).map { _ in byte() })
        case 7: return Self.frame(replaced(data, at: 0))
        case 8: return Self.frame(replaced(data, at: 1))
        case 9: return replaced(frame, at: 3)
        case 10: return replaced(frame, at: frame.count - 2)
        case 11: return Self.frame([0x7F])
        case 12: return frame + frame
        // Lengths in the data of a target: NFCID1 and ATS.
        case 13: return Self.frame(replaced(replaced(data, at: 7), at: min(data.count - 1, 15)))
        case 14: return (0..<number(40)).map { _ in byte() } + frame
        default: return number(8) == 0 ? [] : Self.frame((0..<number(265)).map { _ in byte() })
        }
    }

    static func frame(_ data: [UInt8]) -> [UInt8] {
        let length: [UInt8]
        if data.count <= 0xFE {
            length = [UInt8(data.count), 0 &- UInt8(data.count)]
        } else {
            let (high, low) = (UInt8(truncatingIfNeeded: data.count >> 8), UInt8(truncatingIfNeeded: data.count))
            length = [0xFF, 0xFF, high, low, 0 &- (high &+ low)]
        }
        return [0x00, 0x00, 0xFF] + length + data + [0 &- data.reduce(0, &+), 0x00]
    }

    private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &chance) }

    private mutating func byte() -> UInt8 { UInt8.random(in: .min ... .max, using: &chance) }

    private mutating func flipped(_ bytes: [UInt8], from start: Int = 0) -> [UInt8] {
        guard bytes.count > start else { return bytes }
        var bytes = bytes
        bytes[start + number(bytes.count - start)] ^= 1 << UInt8(number(8))
        return bytes
    }

    private mutating func status(_ data: [UInt8], mask: UInt8) -> [UInt8] {
        guard data.count > 2 else { return data }
        var data = data
        data[2] = byte() & mask
        return data
    }

    private mutating func replaced(_ bytes: [UInt8], at index: Int) -> [UInt8] {
        guard bytes.indices.contains(index) else { return bytes }
        var bytes = bytes
        bytes[index] = byte()
        return bytes
    }
}
