// The common part of FeliCa tags — JIS X 6319-4

/// A FeliCa tag that passes frames and the loss of the field to its card.
protocol FeliCaCardTag: FeliCaTag {
    associatedtype Memory: FeliCaMemory

    /// IDm: 8 bytes.
    var idm: [UInt8] { get }

    /// Calls `body` with the card while the tag's mutex is locked.
    func withCard<Result: Sendable>(_ body: (inout FeliCaCard<Memory>) -> Result) -> Result
}

extension FeliCaCardTag {
    /// PMm: 8 bytes.
    public var pmm: [UInt8] { withCard { $0.identity.pmm } }

    /// The number of changes to the non-volatile memory.
    public var generation: Int { withCard { $0.generation } }

    var memory: Memory { withCard { $0.memory } }

    // MARK: FeliCaTag

    /// IDm.
    public var identifier: [UInt8] { idm }

    /// Handles the loss of the field: all volatile state is lost.
    public func fieldOff() { withCard { $0.powerOff() } }

    /// Whether a frame is a read or write command with this tag's IDm.
    public func isCommand(_ frame: [UInt8]) -> Bool { withCard { $0.isCommand(frame) } }

    /// Handles Polling, Read Without Encryption and Write Without Encryption.
    public func receive(_ frame: [UInt8]) -> TagReply { withCard { $0.receive(frame, isPowerFailing: false) } }

    /// Handles a frame, but power fails during the execution.
    public func receiveTorn(_ frame: [UInt8]) {
        withCard {
            _ = $0.receive(frame, isPowerFailing: true)
            $0.powerOff()
        }
    }
}
