// A virtual card with applications, type A — ISO/IEC 7816-4 over ISO/IEC 14443-4

import Synchronization

/// A type A card with selectable applications that answer test commands.
///
/// ``VirtualApplicationCardB`` is the same card with type B.
///
/// - `00 A4 04 …` selects an application by its full or partial name.
/// - `80 E0 00 00 Lc data Le` returns the data in the command.
/// - `80 E1 P1 P2 Le` returns as many bytes as P1 and P2 specify: `00 01 02 …`.
///
/// The tag is safe to use from any thread. After it has answered RATS, it accepts only ISO-DEP blocks until S(DESELECT)
/// or the loss of the field.
public final class VirtualApplicationCard: TypeACardTag {
    /// ATQA in the order in which it is sent: low byte first.
    public let sensRes: [UInt8]
    /// The UID: 4, 7 or 10 bytes.
    public let nfcID1: [UInt8]
    /// The SAK, which contains the bit for ISO-DEP.
    public let selRes: UInt8 = 0x20
    /// The properties of the card.
    public let configuration: ApplicationCardConfiguration
    private let card: Mutex<TypeACard<ApplicationCard>>

    /// Creates a card with this UID.
    ///
    /// - Parameters:
    ///   - nfcID1: the UID, 4, 7 or 10 bytes. A 4-byte UID that starts with 08 stays the same, although a real card
    ///     would change it at each activation.
    ///   - configuration: applications, historical bytes and limits.
    public init(nfcID1: [UInt8], configuration: ApplicationCardConfiguration = ApplicationCardConfiguration()) {
        (self.nfcID1, self.configuration) = (nfcID1, configuration)
        // The card supports bit frame anticollision. Bits 8 and 7 indicate the size of the UID.
        sensRes = [UInt8(truncatingIfNeeded: (nfcID1.count - 4) / 3) << 6 | 0x04, 0x00]
        card = Mutex(TypeACard(ats: configuration.ats, ApplicationCard(configuration), seed: nfcID1))
    }

    /// Always 0, because the card never changes its memory.
    public var generation: Int { 0 }

    func withCard<Result: Sendable>(_ body: (inout TypeACard<ApplicationCard>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
