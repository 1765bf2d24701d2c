// A virtual NTAG 424 DNA — NXP NT4H2421Gx, AN12196

import Synchronization

/// A Type 4 Tag with five AES keys, three files and Secure Dynamic Messaging.
///
/// The tag is safe to use from any thread. After RATS, it answers only ISO-DEP blocks until S(DESELECT) or until the
/// field is switched off.
public final class VirtualNTAG424Tag: TypeACardTag, PersistentTag {
    /// The ATS at delivery — table 4: FSC 128, FWI 7.
    static let ats: [UInt8] = [0x06, 0x77, 0x77, 0x71, 0x02, 0x80]
    /// The ATQA for the chip's own UID (0344) and for a random UID (0304), low byte first.
    private static let doubleSizeResponse: [UInt8] = [0x44, 0x03]
    private static let singleSizeResponse: [UInt8] = [0x04, 0x03]

    /// The SAK, which contains the bit for ISO-DEP.
    public let selRes: UInt8 = 0x20
    /// The chip's own 7-byte UID, even while the chip shows a random UID.
    public let identifier: [UInt8]

    private let card: Mutex<TypeACard<NTAG424Card>>

    init(memory: NTAG424Memory) {
        identifier = memory.uid
        card = Mutex(TypeACard(ats: Self.ats, NTAG424Card(memory: memory), seed: memory.uid))
    }

    /// ATQA in the order in which it is sent: low byte first.
    public var sensRes: [UInt8] {
        withCard { $0.application.randomID == nil ? Self.doubleSizeResponse : Self.singleSizeResponse }
    }

    /// The UID that the chip shows: its own 7 bytes, or a 4-byte random UID if that is configured.
    public var nfcID1: [UInt8] { withCard { [identifier] in $0.application.randomID ?? identifier } }

    var memory: NTAG424Memory { withCard { $0.application.memory } }

    /// The number of changes to the non-volatile memory.
    public var generation: Int { withCard { $0.application.generation } }

    /// Returns the static content of the file with this ISO/IEC 7816-4 identifier.
    /// - Parameter isoIdentifier: two bytes, high byte first. `E1 04` is the NDEF file.
    /// - Returns: the whole file, without the data that Secure Dynamic Messaging inserts. The result is nil if there is
    ///   no such file.
    public func file(_ isoIdentifier: [UInt8]) -> [UInt8]? {
        memory.files.first { $0.isoIdentifier == isoIdentifier }?.content
    }

    /// Handles the loss of the field.
    ///
    /// The volatile state is lost. If random UIDs are switched on, a new one is generated.
    public func fieldOff() {
        withCard {
            $0.powerOff()
            $0.application.drawRandomID()
        }
    }

    func withCard<Result: Sendable>(_ body: (inout TypeACard<NTAG424Card>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
