// A virtual card with applications, type B — ISO/IEC 7816-4 over ISO/IEC 14443-4

import Synchronization

/// A type B card with the applications and commands of ``VirtualApplicationCard``.
///
/// The tag is safe to use from any thread. After it has answered ATTRIB, it accepts only ISO-DEP blocks until
/// S(DESELECT) or the loss of the field.
public final class VirtualApplicationCardB: TypeBCardTag {
    /// The current PUPI, 4 bytes.
    public var pupi: [UInt8] { card.withLock { $0.pupi } }
    /// The properties of the card.
    ///
    /// The historical bytes and the FSCI apply only to type A.
    public let configuration: ApplicationCardConfiguration
    private let card: Mutex<TypeBCard<ApplicationCard>>

    /// Creates a card with this PUPI.
    ///
    /// - Parameters:
    ///   - pupi: the PUPI, 4 bytes.
    ///   - renewsPUPI: whether the PUPI changes each time the card gets power.
    ///   - applicationData: the application data in ATQB, 4 bytes. The first byte is the AFI.
    ///   - configuration: applications and limits.
    public init(
        pupi: [UInt8], renewsPUPI: Bool = false, applicationData: [UInt8] = [0x00, 0x00, 0x00, 0x00],
        configuration: ApplicationCardConfiguration = ApplicationCardConfiguration()
    ) {
        self.configuration = configuration
        card = Mutex(
            TypeBCard(
                pupi: pupi, renewsPUPI: renewsPUPI, applicationData: applicationData,
                protocolInfo: VirtualType4BTag.deliveredInfo,
                ApplicationCard(configuration)))
    }

    /// Always 0, because the card never changes its memory.
    public var generation: Int { 0 }

    func withCard<Result: Sendable>(_ body: (inout TypeBCard<ApplicationCard>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
