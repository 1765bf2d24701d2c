// A virtual FeliCa Lite-S — JIS X 6319-4, Sony RC-S966

import Synchronization

/// A FeliCa Lite-S with its blocks, its memory configuration (MC) and its write counter.
///
/// Safe to use from any thread. A change of MC comes into force after the field was off. MACs are not calculated: reads
/// and writes with MAC_A fail as with a wrong key.
public final class VirtualFeliCaLiteSTag: FeliCaCardTag, PersistentTag {
    private let card: Mutex<FeliCaCard<FeliCaLiteSMemory>>
    /// IDm: 8 bytes.
    public let idm: [UInt8]

    /// A tag as delivered.
    public convenience init(idm: [UInt8]) { self.init(idm: idm, memory: FeliCaLiteSMemory(idm: idm)) }

    init(idm: [UInt8], pmm: [UInt8] = FeliCaLiteSMemory.pmm, memory: FeliCaLiteSMemory) {
        self.idm = idm
        card = Mutex(FeliCaCard(idm: idm, pmm: pmm, memory: memory))
    }

    /// The sixteen bytes of a block as they are, secret or not; zeros where there is none.
    public subscript(block: Int) -> [UInt8] { card.withLock { $0.memory[block] } }

    /// Puts a block of sixteen bytes into the memory as the factory can, past all locks; in force at once.
    public func store(_ data: [UInt8], at block: Int) { card.withLock { $0.change { $0.store(data, at: block) } } }

    func withCard<Result: Sendable>(_ body: (inout FeliCaCard<FeliCaLiteSMemory>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
