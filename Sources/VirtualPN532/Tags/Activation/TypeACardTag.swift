// A type A tag as a card behind a mutex — ISO/IEC 14443-3 type A

/// The state machine of a type A tag.
///
/// The tag's mutex protects it.
protocol TypeAPICC: Sendable {
    var bitRates: BitRates { get }
    /// Handles the loss of the field: all volatile state is lost.
    mutating func powerOff()
    /// Handles REQA or WUPA, and returns whether the card answers.
    mutating func poll(wakeUp: Bool) -> Bool
    /// Handles a garbled frame, or the end of an anticollision in which another UID was selected.
    mutating func deselect()
    mutating func select()
    mutating func halt()
    /// Handles a frame whose CRC_A has been checked and removed.
    mutating func receive(_ frame: [UInt8]) -> TagReply
    /// Handles a frame, but power fails during the execution.
    mutating func receiveTorn(_ frame: [UInt8])
    mutating func receiveGarbled() -> TagReply
}

extension TypeAPICC {
    /// The bit rates of a card without a block protocol.
    var bitRates: BitRates { .standard }

    /// Returns to IDLE or HALT without an answer, as a card without NAK does.
    mutating func receiveGarbled() -> TagReply {
        deselect()
        return TagReply(.silence)
    }
}

/// A type A tag that passes frames and the loss of the field to its card.
protocol TypeACardTag: RatedTag {
    associatedtype Card: TypeAPICC

    /// Calls `body` with the card while the tag's mutex is locked.
    func withCard<Result: Sendable>(_ body: (inout Card) -> Result) -> Result
}

extension TypeACardTag {
    var bitRates: BitRates { withCard { $0.bitRates } }

    /// Handles the loss of the field: all volatile state is lost.
    public func fieldOff() { withCard { $0.powerOff() } }

    /// Handles REQA or WUPA, and returns whether the tag answers.
    public func poll(wakeUp: Bool) -> Bool { withCard { $0.poll(wakeUp: wakeUp) } }

    /// Handles a garbled frame, or the end of an anticollision in which another UID was selected.
    public func deselect() { withCard { $0.deselect() } }

    /// Handles SELECT with this tag's UID.
    public func select() { withCard { $0.select() } }

    /// Handles HLTA.
    public func halt() { withCard { $0.halt() } }

    /// Handles a frame whose CRC_A has been checked and removed.
    public func receive(_ frame: [UInt8]) -> TagReply { withCard { $0.receive(frame) } }

    /// Handles a frame, but power fails during the execution.
    public func receiveTorn(_ frame: [UInt8]) { withCard { $0.receiveTorn(frame) } }

    /// Handles a frame with an error.
    public func receiveGarbled() -> TagReply { withCard { $0.receiveGarbled() } }
}
