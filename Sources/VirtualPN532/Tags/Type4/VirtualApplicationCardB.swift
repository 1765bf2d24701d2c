// A virtual card of applications, type B — ISO/IEC 7816-4 over ISO/IEC 14443-4

import Synchronization

/// A type B card with the applications and commands of ``VirtualApplicationCard``.
///
/// Safe to use from any thread. Once ATTRIB was answered only ISO-DEP blocks count until S(DESELECT) or the end of the
/// field.
public final class VirtualApplicationCardB: TypeBCardTag {
    /// PUPI of now: 4 bytes.
    public var pupi: [UInt8] { card.withLock { $0.pupi } }
    /// What the card grants; historical bytes and frame size are of type A.
    public let configuration: ApplicationCardConfiguration
    private let card: Mutex<TypeBCard<ApplicationCard>>

    /// - Parameters:
    ///   - pupi: 4 bytes.
    ///   - renewsPUPI: whether it has another PUPI each time it gets power.
    ///   - applicationData: 4 bytes of ATQB, the first of them AFI.
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

    /// Nothing is ever written.
    public var generation: Int { 0 }

    func withCard<Result: Sendable>(_ body: (inout TypeBCard<ApplicationCard>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
