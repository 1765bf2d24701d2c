// A virtual Topaz 96 or Topaz 512 — NFC Forum Type 1 Tag, Broadcom BCM20203T96 and BCM20203T512

import Synchronization

/// A Type 1 Tag with the command set, locks and one-time bits of its chip.
///
/// Safe to use from any thread. No file format here holds such a tag: it lives as long as its program.
public final class VirtualTopazTag: Type1Tag {
    /// The first four bytes of the UID, as RID tells them.
    public let identifier: [UInt8]

    private let card: Mutex<TopazCard>

    init(memory: TopazMemory) {
        identifier = memory[0..<TopazCard.uidEchoSize]
        card = Mutex(TopazCard(memory: memory))
    }

    /// The whole memory, block 0 first.
    public var contents: [UInt8] { card.withLock { $0.memory.bytes } }

    /// Counts the changes of the non-volatile memory.
    public var generation: Int { card.withLock { $0.generation } }

    /// Puts bytes into the memory as the factory can, past all locks and one-time bits.
    /// - Parameters:
    ///   - bytes: what lies beyond the end of the memory is left out.
    ///   - block: the number of the 8-byte block to begin with, 0 or more.
    public func store(_ bytes: [UInt8], at block: Int) {
        card.withLock { $0.memory.store(bytes, at: block * TopazMemory.blockSize) }
    }

    // MARK: VirtualTag

    /// The end of the field.
    public func fieldOff() { card.withLock { $0.powerOff() } }

    /// SENS_REQ or ALL_REQ.
    public func poll(wakeUp: Bool) -> Bool {
        card.withLock { $0.poll() }
        return true
    }

    /// Every command but RID names the tag by its UID.
    public func isCommand(_ frame: [UInt8]) -> Bool { card.withLock { $0.isCommand(frame) } }

    /// A command with the UID echo, without CRC_B.
    public func receive(_ frame: [UInt8]) -> TagReply { card.withLock { $0.receive(frame) } }

    /// A command during whose execution power fails.
    public func receiveTorn(_ frame: [UInt8]) { card.withLock { $0.receiveTorn(frame) } }
}
