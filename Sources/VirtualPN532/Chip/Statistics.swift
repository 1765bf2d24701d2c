// What a piece of work cost on the virtual reader

import Synchronization

/// Counts since the reader began, or since the last reset.
public struct Statistics: Hashable, Sendable {
    /// Host commands the chip answered.
    public var exchanges = 0
    /// Host commands by command code, answered or not.
    public var commands: [UInt8: Int] = [:]
    /// Host commands that carried bytes to an activated tag: InDataExchange and InCommunicateThru.
    public var tagExchanges: Int {
        [CommandCode.inDataExchange, .inCommunicateThru].reduce(0) { $0 + commands[$1.rawValue, default: 0] }
    }
    /// Frames to activated tags (RATS, HLTA and S-blocks aside).
    public var tagCommands = 0
    /// Frames on the air, both ways.
    public var rfFrames = 0
    /// Bytes the reader sent on the air, CRC included.
    public var rfBytesSent = 0
    /// Bytes the tags sent on the air, CRC included.
    public var rfBytesReceived = 0
    /// Frames of the reader that the tags did not understand, by ``Coupling``.
    public var framesLost = 0
    /// Answers of tags that the reader did not understand, by ``Coupling``.
    public var answersLost = 0
    /// 2 ms per exchange, the bits on the air, the tags' own times and the RF time-outs.
    public var modelledTime = Duration.zero
    /// The part of ``modelledTime`` that belongs to exchanges in which a tag answered: what no host can save, whereas
    /// polls of an empty field and settings of the chip are its own.
    public var tagTime = Duration.zero

    /// All zero.
    public init() {}

    /// Modelled cost of one command and its answer on the host link.
    static let exchangeTime = Duration.milliseconds(2)
}

/// Statistics that the chip updates and any thread reads.
package final class StatisticsCounter: Sendable {
    /// All zero.
    package init() {}

    private let state = Mutex(Statistics())

    package var value: Statistics { state.withLock { $0 } }

    func reset() { state.withLock { $0 = Statistics() } }

    func update(_ body: (inout Statistics) -> Void) { state.withLock { body(&$0) } }
}
