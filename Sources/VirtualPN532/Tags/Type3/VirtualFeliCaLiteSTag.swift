// A virtual FeliCa Lite-S — JIS X 6319-4, Sony RC-S966

import Synchronization

/// A FeliCa Lite-S with its blocks, memory configuration (MC) and write counter.
///
/// The tag is safe to use from any thread. A change to MC takes effect at the next power-up. MACs are not calculated,
/// so reads and writes with MAC_A fail as they would with a wrong key.
public final class VirtualFeliCaLiteSTag: FeliCaCardTag, PersistentTag {
    private let card: Mutex<FeliCaCard<FeliCaLiteSMemory>>
    /// IDm: 8 bytes.
    public let idm: [UInt8]

    /// Creates a tag in delivery state.
    public convenience init(idm: [UInt8]) { self.init(idm: idm, memory: FeliCaLiteSMemory(idm: idm)) }

    init(idm: [UInt8], pmm: [UInt8] = FeliCaLiteSMemory.pmm, memory: FeliCaLiteSMemory) {
        self.idm = idm
        card = Mutex(FeliCaCard(idm: idm, pmm: pmm, memory: memory))
    }

    /// The 16 bytes of a block, even if commands cannot read it.
    ///
    /// All bytes are zero if there is no such block.
    public subscript(block: Int) -> [UInt8] { card.withLock { $0.memory[block] } }

    /// Writes a 16-byte block regardless of locks, as in the factory.
    ///
    /// The change takes effect immediately.
    public func store(_ data: [UInt8], at block: Int) { card.withLock { $0.change { $0.store(data, at: block) } } }

    func withCard<Result: Sendable>(_ body: (inout FeliCaCard<FeliCaLiteSMemory>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
