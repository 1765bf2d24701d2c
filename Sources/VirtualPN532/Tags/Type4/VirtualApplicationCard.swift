// A virtual card of applications, type A — ISO/IEC 7816-4 over ISO/IEC 14443-4

import Synchronization

/// A type A card with applications to select, which answer test commands (``VirtualApplicationCardB`` is type B).
///
/// - `00 A4 04 …` selects by a full or partial name.
/// - `80 E0 00 00 Lc data Le` gives its data back.
/// - `80 E1 P1 P2 Le` gives P1P2 bytes `00 01 02 …`.
///
/// Safe to use from any thread. Once RATS was answered only ISO-DEP blocks count, until S(DESELECT) or the end of the
/// field.
public final class VirtualApplicationCard: TypeACardTag {
    /// ATQA as sent, low byte first.
    public let sensRes: [UInt8]
    /// The UID: 4, 7 or 10 bytes.
    public let nfcID1: [UInt8]
    /// SAK: ISO-DEP.
    public let selRes: UInt8 = 0x20
    /// What the card says and grants.
    public let configuration: ApplicationCardConfiguration
    private let card: Mutex<TypeACard<ApplicationCard>>

    /// - Parameters:
    ///   - nfcID1: 4, 7 or 10 bytes; those of 4 that begin with 08 are random numbers, which here stay the same.
    ///   - configuration: applications, historical bytes and limits.
    public init(nfcID1: [UInt8], configuration: ApplicationCardConfiguration = ApplicationCardConfiguration()) {
        (self.nfcID1, self.configuration) = (nfcID1, configuration)
        // Bit frame anticollision; bits 8 and 7 tell the size of the UID.
        sensRes = [UInt8(truncatingIfNeeded: (nfcID1.count - 4) / 3) << 6 | 0x04, 0x00]
        card = Mutex(TypeACard(ats: configuration.ats, ApplicationCard(configuration), seed: nfcID1))
    }

    /// Nothing is ever written.
    public var generation: Int { 0 }

    func withCard<Result: Sendable>(_ body: (inout TypeACard<ApplicationCard>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
