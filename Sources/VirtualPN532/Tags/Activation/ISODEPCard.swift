// A card that supports ISO-DEP, with any application — ISO/IEC 14443-4, type A or B

/// An application that answers the commands of the block protocol.
protocol CardApplication: Sendable {
    /// The number of changes to the non-volatile memory.
    var generation: Int { get }
    /// Handles the loss of the field, or a deselection of the card.
    mutating func powerOff()
    /// Receives the part of a chained command that has arrived so far.
    mutating func begin(_ command: [UInt8])
    /// Executes a command, and returns its answer.
    ///
    /// Power may fail during a write. `stored` receives the length of the write and returns how many bytes reach the
    /// memory.
    mutating func execute(_ command: [UInt8], stored: @escaping @Sendable (Int) -> Int) -> [UInt8]
    /// The duration of the last command, or nil if no data sheet specifies it.
    var commandTime: Duration? { get }
}

extension CardApplication {
    mutating func begin(_: [UInt8]) {}
    var commandTime: Duration? { nil }
}

/// A card with ISO-DEP blocks as its transport and an application.
struct ISODEPCard<Application: CardApplication>: Sendable {
    /// Frame delay time, n = 9: 1236 carrier cycles.
    static var frameDelay: Duration { .nanoseconds(91_150) }
    /// The default time for a command.
    ///
    /// Assumed: no data sheet specifies a card's time for a command.
    ///
    /// This time and `updateTime` are far below FWT (38.7 ms with FWI 7).
    private static var commandTime: Duration { .microseconds(500) }
    private static var updateTime: Duration { .milliseconds(5) }

    var link: ISODEPLink
    var application: Application
    private var noise: TearNoise

    init(_ link: ISODEPLink, _ application: Application, seed: [UInt8]) {
        (self.link, self.application) = (link, application)
        noise = TearNoise(seed: seed)
    }

    mutating func powerOff() {
        link.close()
        application.powerOff()
    }

    /// Handles a block in the PROTOCOL state.
    ///
    /// S(DESELECT) closes the link.
    mutating func receive(_ frame: [UInt8], isPowerFailing: Bool) -> TagReply {
        switch link.receive(frame) {
        case .ignored:
            return TagReply(.silence)
        case .block(let block):
            if !link.unfinished.isEmpty { application.begin(link.unfinished) }
            return TagReply(.bytes(block), delay: Self.frameDelay)
        case .deselected(let block):
            powerOff()
            return TagReply(.bytes(block), delay: Self.frameDelay)
        case .command(let command):
            let generation = application.generation
            // A torn write stores only the first bytes, a random number of them.
            let fraction = isPowerFailing ? Double.random(in: 0...1, using: &noise) : 1
            let response = application.execute(command) { Int((Double($0) * fraction).rounded()) }
            let delay = generation == application.generation ? Self.commandTime : Self.updateTime
            return TagReply(.bytes(link.respond(response)), delay: application.commandTime ?? delay)
        }
    }
}
