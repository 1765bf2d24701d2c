// A virtual FeliCa Standard card — JIS X 6319-4; Sony, FeliCa Card User's Manual

import Synchronization

/// A FeliCa Standard card with its systems and all commands that require no authentication.
///
/// The tag is safe to use from any thread. The IDm in a command selects the system.
public final class VirtualFeliCaStandardTag: FeliCaTag {
    /// The PMm of cards with system 0003.
    private static let deliveredPMm: [UInt8] = [0x10, 0x0B, 0x4B, 0x42, 0x84, 0x85, 0xD0, 0xFF]

    /// The IDm of system 0: 8 bytes.
    public let idm: [UInt8]
    private let card: Mutex<FeliCaStandardCard>

    /// Creates a card with its systems.
    ///
    /// - Parameters:
    ///   - idm: the IDm of system 0, 8 bytes. The first byte must be below 10 (hexadecimal), because its upper four
    ///     bits are the system number.
    ///   - specification: the card's ciphers and operating system versions.
    ///   - systems: 1 to 16 systems, starting with the system that a Polling with wildcards finds.
    public init(
        idm: [UInt8], specification: FeliCaSpecification = FeliCaSpecification(),
        systems: [FeliCaSystem] = [transport, ndef]
    ) {
        self.idm = idm
        card = Mutex(
            FeliCaStandardCard(idm: idm, pmm: Self.deliveredPMm, specification: specification, systems: systems))
    }

    /// The systems with their current content.
    public var systems: [FeliCaSystem] { card.withLock { $0.systems } }

    /// Changes the content of a system regardless of access conditions, as in the factory.
    ///
    /// Systems cannot be added or removed.
    public func change(_ number: Int, _ body: @Sendable (inout FeliCaSystem) -> Void) {
        card.withLock { $0.change { if $0.indices.contains(number) { body(&$0[number]) } } }
    }

    // MARK: Systems

    /// A system 0003 similar to that of a transport card.
    ///
    /// - `008B`: 1 block with attributes, read-only
    /// - `090F`: 20 blocks with the last journeys, cyclic and read-only
    /// - `1009`: 4 blocks, readable and writable
    /// - `104D`: 3 blocks, cyclic, readable and writable
    /// - `0048`, `0088`, `090C`: accessible only after authentication
    public static var transport: FeliCaSystem {
        let blank = [UInt8](repeating: 0, count: FeliCaCommand.blockSize)
        var system = FeliCaSystem(code: 0x0003)
        system.register(0x0048, content: [blank])
        system.register(0x0088, 0x008B, content: [[UInt8](repeating: 0x8B, count: FeliCaCommand.blockSize)])
        // Each journey costs 100. From the newest journey to the oldest, the number decreases and the balance
        // increases.
        let journeys = (0..<20).map { index in
            let (number, balance) = (UInt16(20 - index), UInt16(1000 + 100 * index))
            return [0x16, 0x01, 0x00, 0x02, 0x35, 0x75, 0x01, 0x02, 0x03, 0x04] + balance.littleEndianBytes
                + [0x00] + number.bigEndianBytes + [0x00]
        }
        system.register(0x090C, 0x090F, content: journeys)
        system.register(0x1009, content: [[UInt8]](repeating: blank, count: 4))
        system.register(0x104D, content: [[UInt8]](repeating: blank, count: 3))
        return system
    }

    /// A system 12FC with an empty message: 1024 bytes for NDEF data in services `0009` and `000B`.
    public static var ndef: FeliCaSystem {
        let attributes = Type3Attributes(
            nbr: UInt8(FeliCaStandardCard.mostRead), nbw: UInt8(FeliCaStandardCard.mostWritten), nmaxb: 64)
        let blank = [UInt8](repeating: 0, count: FeliCaCommand.blockSize)
        var system = FeliCaSystem(code: 0x12FC)
        system.register(
            0x0009, 0x000B, content: [attributes.bytes] + [[UInt8]](repeating: blank, count: Int(attributes.nmaxb)))
        return system
    }

    // MARK: FeliCaTag

    /// The IDm of system 0.
    public var identifier: [UInt8] { idm }

    /// The number of changes to the non-volatile memory.
    public var generation: Int { card.withLock { $0.generation } }

    /// Handles the loss of the field, which has no effect: in Mode 0, the card has no volatile state.
    public func fieldOff() {}

    /// Whether a frame is a command that contains one of this card's IDms.
    public func isCommand(_ frame: [UInt8]) -> Bool { card.withLock { $0.isCommand(frame) } }

    /// Handles all commands, including Polling.
    public func receive(_ frame: [UInt8]) -> TagReply {
        card.withLock { $0.receive(frame, isPowerFailing: false) }
    }

    /// Handles a frame, but power fails during the execution.
    public func receiveTorn(_ frame: [UInt8]) { card.withLock { _ = $0.receive(frame, isPowerFailing: true) } }
}
