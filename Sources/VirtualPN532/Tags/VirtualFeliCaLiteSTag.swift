// A virtual FeliCa Lite-S — JIS X 6319-4, Sony RC-S966

import Synchronization

/// A FeliCa Lite-S with its blocks, its memory configuration (MC) and its write counter.
///
/// Safe to use from any thread. A change of MC is in force after the field was off. MACs are not calculated: see
/// ``VirtualFeliCaLiteSTag/receive(_:)``.
public final class VirtualFeliCaLiteSTag: FeliCaTag, PersistentTag {
    private let card: Mutex<FeliCaCard<FeliCaLiteSMemory>>
    /// IDm: 8 bytes.
    public let idm: [UInt8]

    /// A tag as delivered.
    public convenience init(idm: [UInt8]) { self.init(idm: idm, memory: FeliCaLiteSMemory(idm: idm)) }

    init(idm: [UInt8], pmm: [UInt8] = FeliCaLiteSMemory.pmm, memory: FeliCaLiteSMemory) {
        self.idm = idm
        card = Mutex(FeliCaCard(idm: idm, pmm: pmm, memory: memory))
    }

    /// PMm: 8 bytes.
    public var pmm: [UInt8] { card.withLock(\.pmm) }

    /// The sixteen bytes of a block as they are, secret or not; zeros where there is none.
    public subscript(block: Int) -> [UInt8] { card.withLock { $0.memory[block] } }

    /// Counts the changes of the non-volatile memory.
    public var generation: Int { card.withLock(\.generation) }

    /// Puts a block of sixteen bytes into the memory as the factory can, past all locks; in force at once.
    public func store(_ data: [UInt8], at block: Int) { card.withLock { $0.change { $0.store(data, at: block) } } }

    var memory: FeliCaLiteSMemory { card.withLock(\.memory) }

    // MARK: FeliCaTag

    /// IDm.
    public var identifier: [UInt8] { idm }

    /// The end of the field: volatile state is lost, and MC comes into force.
    public func fieldOff() { card.withLock { $0.powerOff() } }

    /// Whether a frame is a read or write with this tag's IDm.
    public func isCommand(_ frame: [UInt8]) -> Bool { card.withLock { $0.isCommand(frame) } }

    /// Polling, Read and Write Without Encryption; those with MAC_A fail as with a wrong key.
    public func receive(_ frame: [UInt8]) -> TagReply {
        card.withLock { $0.receive(frame, isPowerFailing: false) }
    }

    /// A frame during whose execution power fails.
    public func receiveTorn(_ frame: [UInt8]) {
        card.withLock {
            _ = $0.receive(frame, isPowerFailing: true)
            $0.powerOff()
        }
    }
}
