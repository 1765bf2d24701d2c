// A card that supports ISO-DEP and has an application — ISO/IEC 14443-4, type A or B

/// An application that executes the commands in the blocks of ISO-DEP.
protocol CardApplication: Sendable {
    var generation: Int { get }
    /// Handles the loss of the field, or a deselection of the card.
    mutating func powerOff()
    /// Receives the incomplete command after each chained block except the last.
    mutating func begin(_ command: [UInt8])
    /// Executes a command, and returns its answer.
    ///
    /// Power may fail during a write. `stored` receives the length of the write in bytes, and returns how many of these
    /// bytes reach the memory.
    mutating func execute(_ command: [UInt8], stored: @escaping @Sendable (Int) -> Int) -> [UInt8]
    /// The duration of the last command; nil if no data sheet specifies it.
    var commandTime: Duration? { get }
}

extension CardApplication {
    mutating func begin(_: [UInt8]) {}
    var commandTime: Duration? { nil }
}

/// A card that consists of the block protocol and an application.
struct ISODEPCard<Application: CardApplication>: Sendable {
    /// The frame delay time for n = 9: 1236 carrier periods.
    static var frameDelay: Duration { .nanoseconds(91_150) }
    /// The default duration of a command that does not change the memory.
    ///
    /// Assumed, as is `updateTime`: no data sheet specifies how long a card takes for a command. Both times are far
    /// below the FWT (38.7 ms with FWI 7).
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
            // A torn write stores only its first bytes. Their number is random.
            let fraction = isPowerFailing ? Double.random(in: 0...1, using: &noise) : 1
            let response = application.execute(command) { Int((Double($0) * fraction).rounded()) }
            let delay = generation == application.generation ? Self.commandTime : Self.updateTime
            return TagReply(.bytes(link.respond(response)), delay: application.commandTime ?? delay)
        }
    }
}
