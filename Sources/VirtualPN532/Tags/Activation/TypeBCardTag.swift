// A type B tag that consists of a card — ISO/IEC 14443-3 type B

/// The common part of all type B tags: they pass frames and the loss of the field to their card.
protocol TypeBCardTag: TypeBTag {
    associatedtype Application: CardApplication

    /// The PUPI, 4 bytes.
    var pupi: [UInt8] { get }

    /// Calls `body` with the card while the tag's mutex is locked.
    func withCard<Result: Sendable>(_ body: (inout TypeBCard<Application>) -> Result) -> Result
}

extension TypeBCardTag {
    /// The PUPI.
    public var identifier: [UInt8] { pupi }

    /// Handles the loss of the field: volatile state is lost.
    public func fieldOff() { withCard { $0.powerOff() } }

    /// Whether a frame is an I- or R-block for this card.
    public func isCommand(_ frame: [UInt8]) -> Bool { withCard { $0.isCommand(frame) } }

    /// Handles a frame, without CRC_B.
    public func receive(_ frame: [UInt8]) -> TagReply { withCard { $0.receive(frame) } }

    /// Handles a frame during which power fails.
    public func receiveTorn(_ frame: [UInt8]) { withCard { $0.receiveTorn(frame) } }
}
