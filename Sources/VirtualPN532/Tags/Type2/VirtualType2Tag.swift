// A virtual NTAG or MIFARE Ultralight — NFC Forum Type 2 Tag, NXP data sheets

import Synchronization

/// A Type 2 Tag with the command set, locks, password and counters of its chip.
///
/// The tag is safe to use from any thread. After a NAK or an unknown command, it returns to IDLE or HALT and does not
/// answer until it is selected again.
public final class VirtualType2Tag: TypeACardTag, PersistentTag {
    /// ATQA in the order in which it is sent: low byte first.
    public let sensRes: [UInt8]
    /// The UID: 7 bytes.
    public let nfcID1: [UInt8]
    /// SAK.
    public let selRes: UInt8

    let chip: Type2Chip
    private let card: Mutex<Type2Card>

    init(nfcID1: [UInt8], sensRes: [UInt8] = [0x44, 0x00], selRes: UInt8 = 0x00, memory: Type2Memory) {
        (self.nfcID1, self.sensRes, self.selRes) = (nfcID1, sensRes, selRes)
        chip = memory.chip
        card = Mutex(Type2Card(memory: memory))
    }

    /// The content of the whole memory in blocks of 4 bytes, including PWD, PACK and keys, which READ does not return.
    public var contents: [UInt8] { memory.bytes }

    /// Counters 0 to 2, with 24 bits each.
    ///
    /// An NTAG21x has only counter 2, its NFC counter. The 16-bit counters of an Ultralight C and an NTAG203 are in
    /// block 41.
    public var counters: [UInt32] { memory.counters }

    /// Whether the host has sent the right password, or authenticated with the key, since the tag was selected.
    public var isAuthenticated: Bool { card.withLock { $0.isAuthenticated } }

    /// The number of changes to the non-volatile memory.
    public var generation: Int { card.withLock { $0.generation } }

    /// Writes bytes to the memory regardless of locks and one-time programmable bits, as in the factory.
    /// - Parameters:
    ///   - bytes: the bytes to write. Those that do not fit into the memory are dropped.
    ///   - block: the number of the first 4-byte block, 0 or more.
    public func store(_ bytes: [UInt8], at block: Int) {
        card.withLock { $0.store(bytes, at: block) }
    }

    /// The differences between this chip and the NXP chip with the same memory layout.
    ///
    /// They may be changed at any time, but ``Type2Variant/hasLockControlTLV`` has an effect only when a tag is
    /// created.
    public var variant: Type2Variant {
        get { card.withLock { $0.variant } }
        set { card.withLock { $0.variant = newValue } }
    }

    /// Turns a tag in delivery state into a tag of another manufacturer.
    func deliver(as variant: Type2Variant) {
        self.variant = variant
        if !variant.hasLockControlTLV { card.withLock { $0.memory.removeLockControlTLV() } }
    }

    var memory: Type2Memory { card.withLock { $0.memory } }

    func withCard<Result: Sendable>(_ body: (inout Type2Card) -> Result) -> Result { card.withLock { body(&$0) } }
}
