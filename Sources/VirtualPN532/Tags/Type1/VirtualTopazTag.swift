// A virtual Topaz 96 or Topaz 512 — NFC Forum Type 1 Tag, Broadcom BCM20203T96 and BCM20203T512

import Synchronization

/// A Type 1 Tag with the command set, lock bits and one-time programmable bits of its chip.
///
/// The tag is safe to use from any thread. No supported file format can store it, so its content is lost when the
/// program ends.
public final class VirtualTopazTag: Type1Tag {
    /// The first four bytes of the UID, as RID reports them.
    public let identifier: [UInt8]

    private let card: Mutex<TopazCard>

    init(memory: TopazMemory) {
        identifier = memory[0..<TopazCard.uidEchoSize]
        card = Mutex(TopazCard(memory: memory))
    }

    /// The content of the whole memory, starting with block 0.
    public var contents: [UInt8] { card.withLock { $0.memory.bytes } }

    /// The number of changes to the non-volatile memory.
    public var generation: Int { card.withLock { $0.generation } }

    /// Writes bytes to the memory regardless of lock bits and one-time programmable bits, as in the factory.
    /// - Parameters:
    ///   - bytes: the bytes to write. Those that do not fit into the memory are dropped.
    ///   - block: the number of the first 8-byte block, 0 or more.
    public func store(_ bytes: [UInt8], at block: Int) {
        card.withLock { $0.memory.store(bytes, at: block * TopazMemory.blockSize) }
    }

    // MARK: VirtualTag

    /// Handles the loss of the field: the tag is no longer READY.
    public func fieldOff() { card.withLock { $0.powerOff() } }

    /// Handles SENS_REQ or ALL_REQ.
    ///
    /// The tag always answers.
    public func poll(wakeUp: Bool) -> Bool {
        card.withLock { $0.poll() }
        return true
    }

    /// Whether a frame is a command for this tag.
    ///
    /// Every command except RID contains the tag's UID.
    public func isCommand(_ frame: [UInt8]) -> Bool { card.withLock { $0.isCommand(frame) } }

    /// Handles a command that includes the UID echo.
    ///
    /// The radio has checked and removed CRC_B.
    public func receive(_ frame: [UInt8]) -> TagReply { card.withLock { $0.receive(frame) } }

    /// Handles a command, but power fails during the execution.
    public func receiveTorn(_ frame: [UInt8]) { card.withLock { $0.receiveTorn(frame) } }
}
