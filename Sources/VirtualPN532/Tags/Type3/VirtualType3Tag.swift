// A generic virtual Type 3 Tag — NFC Forum Type 3 Tag

import Synchronization

/// A generic Type 3 Tag with a selectable size and selectable block limits for its commands.
///
/// The tag is safe to use from any thread. Polling finds it under system 12FC.
public final class VirtualType3Tag: FeliCaCardTag, PersistentTag {
    private let card: Mutex<FeliCaCard<Type3Memory>>
    /// IDm: 8 bytes.
    public let idm: [UInt8]

    /// PMm with the response times of FeliCa Lite-S, and an IC code that no manufacturer uses.
    private static let pmm: [UInt8] = [0x00, 0xFF, 0x00, 0x00, 0x00, 0x01, 0x43, 0x00]

    /// Creates a tag with an empty NDEF message.
    ///
    /// - Parameters:
    ///   - idm: the IDm, 8 bytes. The IDms of Type 3 Tags start with `02 FE`.
    ///   - nbr: the maximum number of blocks in one read command, 1 to 15.
    ///   - nbw: the maximum number of blocks in one write command, 1 to 13.
    ///   - nmaxb: the number of 16-byte blocks for NDEF data.
    public convenience init(idm: [UInt8], nbr: UInt8 = 12, nbw: UInt8 = 8, nmaxb: UInt16 = 64) {
        let memory = Type3Memory(Type3Attributes(nbr: nbr, nbw: nbw, nmaxb: nmaxb))
        self.init(idm: idm, pmm: Self.pmm, memory: memory)
    }

    init(idm: [UInt8], pmm: [UInt8], memory: Type3Memory) {
        self.idm = idm
        card = Mutex(FeliCaCard(idm: idm, pmm: pmm, memory: memory))
    }

    /// The content of all blocks in order, starting with the attribute information block.
    public var contents: [UInt8] { card.withLock { $0.memory.blocks.flatMap { $0 } } }

    /// Writes a 16-byte block regardless of access conditions, as in the factory.
    ///
    /// Does nothing if there is no such block, or if the data does not have 16 bytes.
    public func store(_ data: [UInt8], at block: Int) {
        guard data.count == FeliCaCommand.blockSize else { return }
        card.withLock { $0.change { if $0.exists(block) { $0.write(data, to: block) } } }
    }

    func withCard<Result: Sendable>(_ body: (inout FeliCaCard<Type3Memory>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
