// The cost of the work on the virtual reader

import Synchronization

/// The counts and times since the reader started, or since the last reset.
public struct Statistics: Hashable, Sendable {
    /// The number of host commands that the chip answered.
    public var exchanges = 0
    /// The number of host commands for each command code, including unanswered ones.
    public var commands: [UInt8: Int] = [:]
    /// The number of host commands that carried bytes to a tag: InDataExchange and InCommunicateThru.
    public var tagExchanges: Int {
        [CommandCode.inDataExchange, .inCommunicateThru].reduce(0) { $0 + commands[$1.rawValue, default: 0] }
    }
    /// The number of frames to activated tags, except RATS, PPS, HLTA and S-blocks.
    public var tagCommands = 0
    /// The number of frames on the air, in both directions.
    public var rfFrames = 0
    /// The number of bytes that the reader sent on the air, including the CRC.
    public var rfBytesSent = 0
    /// The number of bytes that the tags sent on the air, including the CRC.
    public var rfBytesReceived = 0
    /// The number of frames from the reader that the tags did not understand because of ``Coupling``.
    public var framesLost = 0
    /// The number of answers from tags that the reader did not understand because of ``Coupling``.
    public var answersLost = 0
    /// The modelled time: 2 ms for each exchange, and the time for the bytes on the serial line, the bits on the air,
    /// the tags' own work and the RF time-outs.
    public var modelledTime = Duration.zero
    /// The part of ``modelledTime`` for the bytes on the serial line, in both directions.
    public var lineTime = Duration.zero
    /// The part of ``modelledTime`` for exchanges in which a tag answered, without the serial line.
    ///
    /// A host cannot avoid this time. It can avoid the rest, for example polls of an empty field and settings of the
    /// chip.
    public var tagTime = Duration.zero
    /// The counts at the end of the exchange that first activated a tag; nil before.
    ///
    /// The difference between these and later counts is the cost of the work with the tag.
    public private(set) var opening: Opening?

    /// The part of the counts for opening the reader and finding the first tag.
    public struct Opening: Hashable, Sendable {
        /// The number of exchanges until the first tag was found.
        public var exchanges = 0
        /// The part of ``Statistics/modelledTime`` until the first tag was found.
        public var modelledTime = Duration.zero
        /// The part of ``Statistics/lineTime`` until the first tag was found.
        public var lineTime = Duration.zero
        /// The part of ``Statistics/tagTime`` until the first tag was found.
        public var tagTime = Duration.zero

        /// Creates counts of zero.
        public init() {}
    }

    /// Creates statistics with all counts zero.
    public init() {}

    /// Records that an exchange that activated a tag has ended.
    ///
    /// Only the first call has an effect.
    mutating func endOpening() {
        guard opening == nil else { return }
        var opening = Opening()
        (opening.exchanges, opening.modelledTime) = (exchanges, modelledTime)
        (opening.lineTime, opening.tagTime) = (lineTime, tagTime)
        self.opening = opening
    }

    /// The modelled time in which the chip and the host process one command and its answer.
    static let exchangeTime = Duration.milliseconds(2)
}

/// Statistics that the chip updates and any thread may read.
package final class StatisticsCounter: Sendable {
    package init() {}

    private let state = Mutex(Statistics())

    package var value: Statistics { state.withLock { $0 } }

    func reset() { state.withLock { $0 = Statistics() } }

    func update(_ body: (inout Statistics) -> Void) { state.withLock { body(&$0) } }
}
