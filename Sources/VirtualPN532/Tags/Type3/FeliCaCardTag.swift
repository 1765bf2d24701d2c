// A FeliCa tag made of a card — JIS X 6319-4

/// What all FeliCa tags do: they hand frames and the field on to their card.
protocol FeliCaCardTag: FeliCaTag {
    associatedtype Memory: FeliCaMemory

    /// IDm: 8 bytes.
    var idm: [UInt8] { get }

    /// The card behind its lock.
    func withCard<Result: Sendable>(_ body: (inout FeliCaCard<Memory>) -> Result) -> Result
}

extension FeliCaCardTag {
    /// PMm: 8 bytes.
    public var pmm: [UInt8] { withCard { $0.identity.pmm } }

    /// Counts the changes of the non-volatile memory.
    public var generation: Int { withCard { $0.generation } }

    var memory: Memory { withCard { $0.memory } }

    // MARK: FeliCaTag

    /// IDm.
    public var identifier: [UInt8] { idm }

    /// The end of the field: volatile state is lost.
    public func fieldOff() { withCard { $0.powerOff() } }

    /// Whether a frame is a read or write with this tag's IDm.
    public func isCommand(_ frame: [UInt8]) -> Bool { withCard { $0.isCommand(frame) } }

    /// Polling, Read and Write Without Encryption.
    public func receive(_ frame: [UInt8]) -> TagReply { withCard { $0.receive(frame, isPowerFailing: false) } }

    /// A frame during whose execution power fails.
    public func receiveTorn(_ frame: [UInt8]) {
        withCard {
            _ = $0.receive(frame, isPowerFailing: true)
            $0.powerOff()
        }
    }
}
