// A virtual MIFARE Plus EV1 in security level 3 — NXP MF1P(H)x1; AN10833 for the activation

import Synchronization

/// A MIFARE Plus that can be activated and reports its version, but refuses all commands that require keys.
///
/// The tag is safe to use from any thread. After it has answered RATS, it accepts only ISO-DEP blocks until
/// S(DESELECT) or the loss of the field.
public final class VirtualMIFAREPlusTag: TypeACardTag {
    /// The ATS: FSC 64, FWI 8, CIDs, and historical bytes.
    ///
    /// The historical bytes identify a MIFARE card with virtual card architecture (C1 05 21 30).
    static let ats: [UInt8] = [0x0C, 0x75, 0x77, 0x80, 0x02, 0xC1, 0x05, 0x21, 0x30, 0x00, 0x77, 0xC1]

    /// The ATQA of a card with 4 KiB, low byte first.
    ///
    /// The ATQA is `42 00` for a 7-byte UID and `02 00` for a 4-byte UID.
    public let sensRes: [UInt8]
    /// The UID: 4 or 7 bytes.
    public let nfcID1: [UInt8]
    /// The SAK, which contains the bit for ISO-DEP, but not those for MIFARE Classic.
    public let selRes: UInt8 = 0x20
    private let card: Mutex<TypeACard<MIFAREPlusCard>>

    /// Creates a card with this UID.
    ///
    /// - Parameter nfcID1: 4 or 7 bytes.
    public init(nfcID1: [UInt8]) {
        self.nfcID1 = nfcID1
        sensRes = [nfcID1.count == 7 ? 0x42 : 0x02, 0x00]
        card = Mutex(TypeACard(ats: Self.ats, MIFAREPlusCard(uid: nfcID1), seed: nfcID1))
    }

    /// Always 0, because the card never changes its memory.
    public var generation: Int { 0 }

    func withCard<Result: Sendable>(_ body: (inout TypeACard<MIFAREPlusCard>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
