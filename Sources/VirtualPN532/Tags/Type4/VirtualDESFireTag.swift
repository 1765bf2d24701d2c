// A virtual MIFARE DESFire EV1 — NXP MF3ICDx21_41_81

import Synchronization

/// A MIFARE DESFire with applications, keys and files.
///
/// The tag is safe to use from any thread. After it has answered RATS, it accepts only ISO-DEP blocks until
/// S(DESELECT) or the loss of the field.
public final class VirtualDESFireTag: TypeACardTag, PersistentTag {
    /// The ATS of a DESFire: FSC 64, FWI 8.
    static let desfireATS: [UInt8] = [0x06, 0x75, 0x77, 0x81, 0x02, 0x80]

    /// ATQA in the order in which it is sent: low byte first.
    public let sensRes: [UInt8]
    /// The UID: 7 bytes.
    public let nfcID1: [UInt8]
    /// The SAK.
    ///
    /// The default contains the bit for ISO-DEP.
    public let selRes: UInt8

    let ats: [UInt8]
    private let card: Mutex<TypeACard<DESFireCard>>

    init(nfcID1: [UInt8], memory: DESFireMemory, ats: [UInt8], sensRes: [UInt8] = [0x44, 0x03], selRes: UInt8 = 0x20) {
        (self.nfcID1, self.sensRes, self.selRes, self.ats) = (nfcID1, sensRes, selRes, ats)
        card = Mutex(TypeACard(ats: ats, DESFireCard(memory: memory), seed: nfcID1))
    }

    var memory: DESFireMemory { card.withLock { $0.application.memory } }

    /// The number of changes to the non-volatile memory.
    public var generation: Int { card.withLock { $0.application.generation } }

    /// Returns the content of the file with this ISO/IEC 7816-4 identifier.
    ///
    /// If several applications contain such a file, the one in the first of them is returned.
    /// - Parameter isoIdentifier: two bytes, high byte first. `E1 04` is the NDEF file.
    /// - Returns: the whole file, or nil if no application contains it.
    public func file(_ isoIdentifier: [UInt8]) -> [UInt8]? {
        memory.applications.lazy.flatMap(\.files).first { $0.isoIdentifier == isoIdentifier }?.content
    }

    func withCard<Result: Sendable>(_ body: (inout TypeACard<DESFireCard>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
