// A virtual ISO 15693 tag (NFC Forum Type 5 Tag) — ISO/IEC 15693-3

import Synchronization
public import VirtualPN532

/// A vicinity card with the commands, locks and memory of its chip.
///
/// The tag is safe to use from any thread. ``receive(_:)`` accepts requests without CRC: flags, command code, UID
/// (least significant byte first), parameters. An empty request is the separate EOF that writes with the option flag
/// require.
public final class VirtualISO15693Tag: VirtualTag {
    /// The UID with the byte E0 first, 8 bytes.
    public let uid: [UInt8]
    /// The chip.
    public let chip: ISO15693Chip
    private let card: Mutex<ISO15693Card>

    /// Creates a tag in delivery state.
    /// - Parameters:
    ///   - chip: the chip.
    ///   - serial: the serial number. Tags with the same chip and different serial numbers have different UIDs.
    ///   - isFormatted: whether the tag has a capability container and an empty message.
    public convenience init(chip: ISO15693Chip, serial: UInt16 = 1, isFormatted: Bool = false) {
        var memory = ISO15693Memory(chip: chip, uid: Self.uid(chip, serial))
        if isFormatted { memory.bytes.replaceSubrange(0..<chip.emptyMessage.count, with: chip.emptyMessage) }
        self.init(memory: memory)
    }

    init(memory: ISO15693Memory) {
        (uid, chip) = (memory.uid, memory.chip)
        card = Mutex(ISO15693Card(memory: memory))
    }

    private static func uid(_ chip: ISO15693Chip, _ serial: UInt16) -> [UInt8] {
        let end = [UInt8(serial >> 8), UInt8(serial & 0xFF)]
        return chip.uidPrefix + [UInt8](repeating: 0x57, count: 8 - chip.uidPrefix.count - end.count) + end
    }

    /// The tag's identifier in lists, which is its UID.
    public var identifier: [UInt8] { uid }
    /// The number of changes to the memory.
    public var generation: Int { card.withLock { $0.generation } }
    /// The content of the whole memory, starting with block 0.
    public var contents: [UInt8] { memory.bytes }
    /// For each block, whether it is locked.
    public var lockedBlocks: [Bool] { memory.isLocked }
    /// The application family identifier.
    public var afi: UInt8 { memory.afi }
    /// The data storage format identifier.
    public var dsfid: UInt8 { memory.dsfid }

    /// Writes bytes to the memory regardless of locks, as in the factory.
    /// - Parameters:
    ///   - bytes: the bytes to write. Those that do not fit into the memory are dropped.
    ///   - block: the number of the first block, 0 or more.
    public func store(_ bytes: [UInt8], at block: Int) {
        card.withLock { card in
            let start = block * chip.blockSize
            guard start < card.memory.bytes.count else { return }
            let bytes = bytes.prefix(card.memory.bytes.count - start)
            card.memory.bytes.replaceSubrange(start..<(start + bytes.count), with: bytes)
        }
    }

    /// Handles the loss of power: all volatile state is lost.
    public func fieldOff() { card.withLock { $0.powerOff() } }
    /// Handles a request, and returns the answer.
    public func receive(_ frame: [UInt8]) -> TagReply { card.withLock { $0.receive(frame) } }
    /// Handles a request, but power fails during the execution.
    public func receiveTorn(_ frame: [UInt8]) { card.withLock { $0.receiveTorn(frame) } }

    var memory: ISO15693Memory { card.withLock { $0.memory } }
}
