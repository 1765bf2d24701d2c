// A type A card that speaks ISO-DEP, whatever it says above — ISO/IEC 14443-3 and 14443-4

/// What answers the commands that the block protocol brings.
protocol CardApplication: Sendable {
    /// Counts the changes of the non-volatile memory.
    var generation: Int { get }
    /// The field went off, or the card was deselected.
    mutating func powerOff()
    /// Executes a command.
    /// - Parameter stored: how many of a write's bytes reach the memory.
    mutating func execute(_ command: [UInt8], stored: @escaping @Sendable (Int) -> Int) -> [UInt8]
}

/// Activation and block protocol around an application.
struct ISODEPCard<Application: CardApplication>: Sendable {
    private static var frameDelay: Duration { .nanoseconds(91_150) }
    /// Assumed as for a Type 4 Tag.
    private static var commandTime: Duration { .microseconds(500) }
    private static var updateTime: Duration { .milliseconds(5) }
    private static var haltCommand: [UInt8] { [0x50, 0x00] }

    private var activation = ActivationState()
    private var link: ISODEPLink
    var application: Application
    private var noise: TearNoise

    init(ats: [UInt8], application: Application, seed: [UInt8]) {
        link = ISODEPLink(ats: ats)
        self.application = application
        noise = TearNoise(seed: seed)
    }

    mutating func powerOff() {
        activation.powerOff()
        link.close()
        application.powerOff()
    }

    mutating func poll(wakeUp: Bool) -> Bool { link.isOpen ? false : activation.poll(wakeUp: wakeUp) }

    mutating func deselect() { if !link.isOpen { activation.fallBack() } }

    mutating func select() { activation.select() }

    mutating func halt() { if !link.isOpen { activation.halt() } }

    mutating func receive(_ frame: [UInt8]) -> TagReply { receive(frame) { $0 } }

    /// Of a write a random beginning is stored, and nothing is answered.
    mutating func receiveTorn(_ frame: [UInt8]) {
        let fraction = Double.random(in: 0...1, using: &noise)
        _ = receive(frame) { Int((Double($0) * fraction).rounded()) }
        powerOff()
    }

    private mutating func receive(_ frame: [UInt8], stored: @escaping @Sendable (Int) -> Int) -> TagReply {
        guard activation.isActive else { return TagReply(.silence) }
        guard link.isOpen else {
            if let ats = link.answerToSelect(frame) { return TagReply(.bytes(ats), delay: Self.frameDelay) }
            if frame == Self.haltCommand { activation.halt() } else { activation.fallBack() }
            return TagReply(.silence)
        }
        switch link.receive(frame) {
        case .ignored:
            return TagReply(.silence)
        case .block(let block):
            return TagReply(.bytes(block), delay: Self.frameDelay)
        case .deselected(let block):
            link.close()
            application.powerOff()
            activation.halt()
            return TagReply(.bytes(block), delay: Self.frameDelay)
        case .command(let command):
            let generation = application.generation
            let response = application.execute(command, stored: stored)
            let delay = generation == application.generation ? Self.commandTime : Self.updateTime
            return TagReply(.bytes(link.respond(response)), delay: delay)
        }
    }
}
