// A virtual card of applications, type B — ISO/IEC 7816-4 over ISO/IEC 14443-4

import Synchronization

/// A type B card with the applications and commands of ``VirtualApplicationCard``.
///
/// Safe to use from any thread. Once ATTRIB was answered only ISO-DEP blocks count until S(DESELECT) or the end of the
/// field.
public final class VirtualApplicationCardB: TypeBTag {
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

    // MARK: TypeBTag

    /// PUPI.
    public var identifier: [UInt8] { pupi }

    /// The end of the field: volatile state is lost.
    public func fieldOff() { card.withLock { $0.powerOff() } }

    /// Whether a frame is an I- or R-block for this card.
    public func isCommand(_ frame: [UInt8]) -> Bool { card.withLock { $0.isCommand(frame) } }

    /// A frame without CRC_B.
    public func receive(_ frame: [UInt8]) -> TagReply { card.withLock { $0.receive(frame) } }

    /// A frame during whose execution power fails.
    public func receiveTorn(_ frame: [UInt8]) { card.withLock { $0.receiveTorn(frame) } }
}
