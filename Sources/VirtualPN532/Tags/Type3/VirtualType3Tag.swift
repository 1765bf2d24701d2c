// A virtual Type 3 Tag of no make in particular — NFC Forum Type 3 Tag

import Synchronization

/// A Type 3 Tag with an empty NDEF message, as large and as fast as one likes.
///
/// Safe to use from any thread. Polling finds it by system 12FC.
public final class VirtualType3Tag: FeliCaCardTag, PersistentTag {
    private let card: Mutex<FeliCaCard<Type3Memory>>
    /// IDm: 8 bytes.
    public let idm: [UInt8]

    /// Response times as FeliCa Lite-S has them, an IC code of nobody.
    private static let pmm: [UInt8] = [0x00, 0xFF, 0x00, 0x00, 0x00, 0x01, 0x43, 0x00]

    /// - Parameters:
    ///   - idm: 8 bytes; those of Type 3 Tags begin with `02 FE`.
    ///   - nbr: most blocks in one read: 1 to 15.
    ///   - nbw: most blocks in one write: 1 to 13.
    ///   - nmaxb: blocks of 16 bytes for NDEF data.
    public convenience init(idm: [UInt8], nbr: UInt8 = 12, nbw: UInt8 = 8, nmaxb: UInt16 = 64) {
        let memory = Type3Memory(Type3Attributes(nbr: nbr, nbw: nbw, nmaxb: nmaxb))
        self.init(idm: idm, pmm: Self.pmm, memory: memory)
    }

    init(idm: [UInt8], pmm: [UInt8], memory: Type3Memory) {
        self.idm = idm
        card = Mutex(FeliCaCard(idm: idm, pmm: pmm, memory: memory))
    }

    /// The blocks in order, that of the attributes first.
    public var contents: [UInt8] { card.withLock { $0.memory.blocks.flatMap { $0 } } }

    /// Puts a block of sixteen bytes into the memory as the factory can; a block that is not there is left out.
    public func store(_ data: [UInt8], at block: Int) {
        guard data.count == FeliCaCommand.blockSize else { return }
        card.withLock { $0.change { if $0.exists(block) { $0.write(data, to: block) } } }
    }

    func withCard<Result: Sendable>(_ body: (inout FeliCaCard<Type3Memory>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
