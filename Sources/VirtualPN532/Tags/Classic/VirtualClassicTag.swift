// A virtual MIFARE Classic — NXP MF1ICS20, MF1S50yyX, MF1S70yyX; MF1P(H)x1, security level 1

import Synchronization

/// A MIFARE Classic with keys, access conditions and value blocks.
///
/// It can also be a MIFARE Plus in security level 1, or a copy whose block 0 can be written.
///
/// The tag is safe to use from any thread. The simulation does not encipher frames, but only marks them as enciphered:
/// after an authentication, the card understands only marked frames. After a NAK, a wrong key or a garbled frame, the
/// card returns to IDLE or HALT and does not answer until it is selected again.
public final class VirtualClassicTag: TypeACardTag, PersistentTag, CipheringTag, BackdoorTag {
    /// ATQA in the order in which it is sent: low byte first.
    public let sensRes: [UInt8]
    /// The UID: 4 or 7 bytes.
    public let nfcID1: [UInt8]
    /// The SAK.
    public let selRes: UInt8

    /// The answer to RATS; nil for a card that does not support RATS.
    let ats: [UInt8]?
    let hasBackdoor: Bool
    private let card: Mutex<ClassicCard>

    /// Creates a card with this memory and this UID of 4 or 7 bytes.
    ///
    /// By default, ATQA and SAK are those of a card of this size. `ats` is the answer to RATS. If it is nil or has a
    /// wrong length byte, the card does not support RATS. A card with a backdoor is a first-generation copy.
    init(
        nfcID1: [UInt8], memory: ClassicMemory, sensRes: [UInt8]? = nil, selRes: UInt8? = nil, ats: [UInt8]? = nil,
        hasBackdoor: Bool = false
    ) {
        self.nfcID1 = nfcID1
        self.ats = ats.flatMap { $0.count > 1 && Int($0[0]) == $0.count ? $0 : nil }
        self.hasBackdoor = hasBackdoor
        self.sensRes = sensRes ?? memory.layout.sensRes(uidLength: nfcID1.count)
        self.selRes = selRes ?? memory.layout.selRes
        card = Mutex(ClassicCard(memory: memory, uid: nfcID1, ats: self.ats, hasBackdoor: hasBackdoor))
    }

    /// The content of the whole memory in blocks of 16 bytes, including the keys.
    public var contents: [UInt8] { memory.bytes }

    /// The number of changes to the non-volatile memory.
    public var generation: Int { card.withLock { $0.generation } }

    /// Writes bytes to the memory regardless of keys and access conditions, as in the factory.
    /// - Parameters:
    ///   - bytes: the bytes to write. Those that do not fit into the memory are dropped.
    ///   - block: the number of the first 16-byte block, 0 or more.
    public func store(_ bytes: [UInt8], at block: Int) {
        card.withLock { $0.memory.store(bytes, at: block) }
    }

    var memory: ClassicMemory { card.withLock { $0.memory } }

    // MARK: BackdoorTag

    func receiveShortFrame(_ code: UInt8) -> Bool { card.withLock { $0.receiveShortFrame(code) } }

    // MARK: CipheringTag

    func receiveCiphered(_ frame: [UInt8]) -> TagReply { card.withLock { $0.receiveCiphered(frame) } }

    func receiveCipheredTorn(_ frame: [UInt8]) { card.withLock { $0.tear { $0.receiveCiphered(frame) } } }

    func withCard<Result: Sendable>(_ body: (inout ClassicCard) -> Result) -> Result { card.withLock { body(&$0) } }
}
