// A type B tag as a card behind a mutex — ISO/IEC 14443-3 type B

/// A type B tag that passes frames and the loss of the field to its card.
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

    /// Handles the loss of the field: all volatile state is lost.
    public func fieldOff() { withCard { $0.powerOff() } }

    /// Whether a frame is an I-block or an R-block for this card.
    public func isCommand(_ frame: [UInt8]) -> Bool { withCard { $0.isCommand(frame) } }

    /// Handles a frame whose CRC_B has been checked and removed.
    public func receive(_ frame: [UInt8]) -> TagReply { withCard { $0.receive(frame) } }

    /// Handles a frame, but power fails during the execution.
    public func receiveTorn(_ frame: [UInt8]) { withCard { $0.receiveTorn(frame) } }
}
