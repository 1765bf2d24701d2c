// A type B tag made of a card — ISO/IEC 14443-3 type B

/// What all type B tags do: they hand frames and the field on to their card.
protocol TypeBCardTag: TypeBTag {
    associatedtype Application: CardApplication

    /// PUPI: 4 bytes.
    var pupi: [UInt8] { get }

    /// The card behind its lock.
    func withCard<Result: Sendable>(_ body: (inout TypeBCard<Application>) -> Result) -> Result
}

extension TypeBCardTag {
    /// PUPI.
    public var identifier: [UInt8] { pupi }

    /// The end of the field: volatile state is lost.
    public func fieldOff() { withCard { $0.powerOff() } }

    /// Whether a frame is an I- or R-block for this card.
    public func isCommand(_ frame: [UInt8]) -> Bool { withCard { $0.isCommand(frame) } }

    /// A frame without CRC_B.
    public func receive(_ frame: [UInt8]) -> TagReply { withCard { $0.receive(frame) } }

    /// A frame during whose execution power fails.
    public func receiveTorn(_ frame: [UInt8]) { withCard { $0.receiveTorn(frame) } }
}
