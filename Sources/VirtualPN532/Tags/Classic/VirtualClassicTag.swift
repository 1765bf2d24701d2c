// A virtual MIFARE Classic — NXP MF1ICS20, MF1S50yyX, MF1S70yyX; MF1P(H)x1, security level 1

import Synchronization

/// A MIFARE Classic with keys, access conditions and value blocks; also a MIFARE Plus in security level 1, or a copy whose
/// block 0 can be written.
///
/// Safe to use from any thread. The cipher itself is not simulated, only what it makes of a frame: after an
/// authentication the card understands ciphered frames alone. After a NAK, a wrong key or a garbled frame it is back in
/// IDLE or HALT, and mute until it is selected again.
public final class VirtualClassicTag: TypeACardTag, PersistentTag, CipheringTag, BackdoorTag {
    /// ATQA as sent, low byte first.
    public let sensRes: [UInt8]
    /// The UID: 4 or 7 bytes.
    public let nfcID1: [UInt8]
    /// SAK.
    public let selRes: UInt8

    /// What RATS is answered with; nil for a card that does not know it.
    let ats: [UInt8]?
    /// Whether it is a copy of the first generation.
    let hasBackdoor: Bool
    private let card: Mutex<ClassicCard>

    /// A card with this UID, of 4 or 7 bytes, and memory.
    ///
    /// ATQA and SAK are by default those of a card of this size. An ATS is the answer to RATS; nil, or one whose length
    /// byte is wrong, makes a card that does not know RATS. A card with a backdoor is a copy of the first generation.
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

    /// The whole memory in blocks of 16 bytes, keys included.
    public var contents: [UInt8] { memory.bytes }

    /// Counts the changes of the non-volatile memory.
    public var generation: Int { card.withLock { $0.generation } }

    /// Puts bytes into the memory as the factory can, past all keys and access conditions.
    /// - Parameters:
    ///   - bytes: what lies beyond the end of the memory is left out.
    ///   - block: the number of the 16-byte block to begin with, 0 or more.
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
