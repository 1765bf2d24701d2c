// A Type 1 Tag kept in memory — NFC Forum T1T, Command Set and Memory Structure
import ReaderInterface

@testable import TagTypes

/// A Topaz on a reader that supports its commands.
///
/// The input is command, address and data, and the output is data.
final class Type1Card: Card {
    enum Reader {
        /// A PN532, according to nfcpy: RSEG for segment 0, and the 8-byte commands through its registers.
        case pn532
        /// An RC-S956, according to nfcpy: no 8-byte commands.
        case rcS956
    }

    static let uid = bytes("8A4A4CD2")

    var memory: [UInt8]
    let header: [UInt8]
    let reader: Reader
    /// Whether block E accepts more bits, which is not the case on many Topaz tags.
    var isLockWritable = true
    private(set) var writes: [Int] = []

    init(header: String, blocks: Int, head: String, message: [UInt8]?, reader: Reader = .pn532) {
        self.header = bytes(header)
        self.reader = reader
        memory = Array(repeating: 0, count: blocks * 8)
        memory.replaceSubrange(0..<8, with: Self.uid + bytes("9C398025"))
        // LOCK-0 and LOCK-1 from the factory: blocks 0, D and E.
        memory.replaceSubrange(112..<114, with: [0x01, 0x60])
        let data = bytes(head) + (message.map { tlv($0) } ?? [])
        let addresses = (8..<memory.count).filter { !(104..<128).contains($0) }
        for (address, byte) in zip(addresses, data) { memory[address] = byte }
    }

    static func topaz96(_ message: [UInt8]? = []) -> Type1Card {
        Type1Card(header: "1148", blocks: 15, head: message == nil ? "" : "E1100E00", message: message)
    }

    static func topaz512(_ message: [UInt8]? = [], reader: Reader = .pn532) -> Type1Card {
        Type1Card(
            header: "124C", blocks: 64, head: message == nil ? "" : "E1103F00 0103F23033 0203F00203", message: message,
            reader: reader)
    }

    func reset() {}

    private var isDynamic: Bool { header[0] & 0x0F != 1 }

    func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
        switch framing {
        case .handled:
            guard let code = command.first, [0x00, 0x01, 0x53, 0x1A].contains(code) || command == [0x10, 0x00]
            else { return nil }
            return carryOut(command)
        case .raw:
            // Whole frames: command, address, 8 bytes of data, UID.
            guard reader == .pn532, let code = command.first, [0x02, 0x54, 0x1B].contains(code),
                command.suffix(4) == Self.uid[...], command.count == 14
            else { return nil }
            return carryOut(Array(command.prefix(code == 0x02 ? 2 : 10))).map { [command[1]] + $0 }
        }
    }

    private func carryOut(_ command: [UInt8]) -> [UInt8]? {
        switch (command.first, command.count) {
        case (0x00, 1): return header + memory.prefix(120)
        case (0x01, 2): return Int(command[1]) < min(memory.count, 128) ? [memory[Int(command[1])]] : nil
        case (0x10, 2) where isDynamic: return read(Int(command[1] >> 4) * 128, 128)
        case (0x02, 2) where isDynamic: return read(Int(command[1]) * 8, 8)
        case (0x53, 3), (0x1A, 3):
            guard command[1] < 128 else { return nil }
            return write([command[2]], at: Int(command[1]), erases: command[0] == 0x53)
        case (0x54, 10), (0x1B, 10):
            guard isDynamic else { return nil }
            return write(Array(command[2...]), at: Int(command[1]) * 8, erases: command[0] == 0x54)
        default: return nil
        }
    }

    /// Returns bytes of the memory.
    ///
    /// Dynamic memory answers for every address, and missing memory reads as zero.
    private func read(_ address: Int, _ count: Int) -> [UInt8] {
        (address..<address + count).map { $0 < memory.count ? memory[$0] : 0 }
    }

    private func write(_ bytes: [UInt8], at address: Int, erases: Bool) -> [UInt8]? {
        let block = address / 8
        guard block != 0, block != 0x0D, address + bytes.count <= memory.count, !isLocked(block) else { return nil }
        writes.append(address)
        for (address, byte) in zip(address..., bytes) {
            // Blocks E and F hold one-time bits.
            let isOneTime = 112..<128 ~= address
            if isOneTime, !isLockWritable { continue }
            memory[address] = erases && !isOneTime ? byte : memory[address] | byte
        }
        return Array(memory[address..<address + bytes.count])
    }

    private func isLocked(_ block: Int) -> Bool {
        if block < 13 { return (UInt16(memory[112]) | UInt16(memory[113]) << 8) & 1 << UInt16(block) != 0 }
        guard isDynamic, block >= 16 else { return false }
        return memory[122 + (block - 16) / 8] & 1 << UInt8((block - 16) % 8) != 0
    }
}

extension Type1Card: TearableCard {}

extension Target {
    /// A Topaz: SENS_RES 0C00 and the UID as RID gives it.
    static let type1 = Target.jewel(JewelTarget(sensRes: [0x0C, 0x00], uid: Type1Card.uid))
}
