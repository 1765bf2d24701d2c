// A type A tag made of a card — ISO/IEC 14443-3 type A

/// What a type A tag is behind its lock.
protocol TypeAPICC: Sendable {
    /// The end of the field: volatile state is lost.
    mutating func powerOff()
    /// REQA or WUPA; whether it answers.
    mutating func poll(wakeUp: Bool) -> Bool
    /// The selection went to another tag.
    mutating func deselect()
    /// SELECT with its UID.
    mutating func select()
    /// HLTA.
    mutating func halt()
    /// A frame without CRC_A.
    mutating func receive(_ frame: [UInt8]) -> TagReply
    /// A frame during whose execution power fails.
    mutating func receiveTorn(_ frame: [UInt8])
    /// A frame with an error.
    mutating func receiveGarbled() -> TagReply
}

extension TypeAPICC {
    /// Falls back, and says nothing: so a card without NAK does.
    mutating func receiveGarbled() -> TagReply {
        deselect()
        return TagReply(.silence)
    }
}

/// What all type A tags do: they hand frames and the field on to their card.
protocol TypeACardTag: TypeATag {
    associatedtype Card: TypeAPICC

    /// The card behind its lock.
    func withCard<Result: Sendable>(_ body: (inout Card) -> Result) -> Result
}

extension TypeACardTag {
    /// The end of the field: volatile state is lost.
    public func fieldOff() { withCard { $0.powerOff() } }

    /// REQA or WUPA.
    public func poll(wakeUp: Bool) -> Bool { withCard { $0.poll(wakeUp: wakeUp) } }

    /// The selection went to another tag.
    public func deselect() { withCard { $0.deselect() } }

    /// SELECT with this tag's UID.
    public func select() { withCard { $0.select() } }

    /// HLTA.
    public func halt() { withCard { $0.halt() } }

    /// A frame without CRC_A.
    public func receive(_ frame: [UInt8]) -> TagReply { withCard { $0.receive(frame) } }

    /// A frame during whose execution power fails.
    public func receiveTorn(_ frame: [UInt8]) { withCard { $0.receiveTorn(frame) } }

    /// A frame with an error.
    public func receiveGarbled() -> TagReply { withCard { $0.receiveGarbled() } }
}
