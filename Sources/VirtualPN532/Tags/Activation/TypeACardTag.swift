// A type A tag that consists of a card — ISO/IEC 14443-3 type A

/// The card of a type A tag, protected by the tag's mutex.
protocol TypeAPICC: Sendable {
    /// The bit rates that the reader selected.
    var bitRates: BitRates { get }
    /// Handles the loss of the field: volatile state is lost.
    mutating func powerOff()
    /// Handles REQA or WUPA.
    ///
    /// Returns whether the card answers.
    mutating func poll(wakeUp: Bool) -> Bool
    /// Handles the selection of another tag.
    mutating func deselect()
    /// Handles SELECT with the card's UID.
    mutating func select()
    /// Handles HLTA.
    mutating func halt()
    /// Handles a frame, without CRC_A.
    mutating func receive(_ frame: [UInt8]) -> TagReply
    /// Handles a frame during which power fails.
    mutating func receiveTorn(_ frame: [UInt8])
    /// Handles a frame with an error.
    mutating func receiveGarbled() -> TagReply
}

extension TypeAPICC {
    /// The bit rates of a card without a block protocol.
    var bitRates: BitRates { .standard }

    /// Falls back without an answer, like a card without NAK.
    mutating func receiveGarbled() -> TagReply {
        deselect()
        return TagReply(.silence)
    }
}

/// The common part of all type A tags: they pass frames and the loss of the field to their card.
protocol TypeACardTag: RatedTag {
    associatedtype Card: TypeAPICC

    /// Calls `body` with the card while the tag's mutex is locked.
    func withCard<Result: Sendable>(_ body: (inout Card) -> Result) -> Result
}

extension TypeACardTag {
    var bitRates: BitRates { withCard { $0.bitRates } }

    /// Handles the loss of the field: volatile state is lost.
    public func fieldOff() { withCard { $0.powerOff() } }

    /// Handles REQA or WUPA.
    ///
    /// Returns whether the tag answers.
    public func poll(wakeUp: Bool) -> Bool { withCard { $0.poll(wakeUp: wakeUp) } }

    /// Handles the selection of another tag.
    public func deselect() { withCard { $0.deselect() } }

    /// Handles SELECT with this tag's UID.
    public func select() { withCard { $0.select() } }

    /// Handles HLTA.
    public func halt() { withCard { $0.halt() } }

    /// Handles a frame, without CRC_A.
    public func receive(_ frame: [UInt8]) -> TagReply { withCard { $0.receive(frame) } }

    /// Handles a frame during which power fails.
    public func receiveTorn(_ frame: [UInt8]) { withCard { $0.receiveTorn(frame) } }

    /// Handles a frame with an error.
    public func receiveGarbled() -> TagReply { withCard { $0.receiveGarbled() } }
}
