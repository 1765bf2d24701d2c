// A Type 4 Tag once it is activated — NFC Forum Type 4 Tag over ISO/IEC 14443-4, type A or B

/// ISO-DEP blocks below, the NDEF tag application above.
struct Type4Card: Sendable {
    /// Frame delay time, n = 9: 1236 carrier cycles.
    static let frameDelay = Duration.nanoseconds(91_150)
    /// Assumed: no data sheet gives a card's time for a command.
    ///
    /// Both are far below FWT (38.7 ms with FWI 7).
    private static let commandTime = Duration.microseconds(500)
    private static let updateTime = Duration.milliseconds(5)

    var link: ISODEPLink
    var application: NDEFApplication {
        didSet { if application.ndefFile != oldValue.ndefFile { generation += 1 } }
    }
    private(set) var generation = 0
    private var noise: TearNoise

    init(_ link: ISODEPLink, _ configuration: Type4Configuration, content: [UInt8], seed: [UInt8]) {
        var application = NDEFApplication(configuration: configuration)
        application.store(content)
        (self.link, self.application) = (link, application)
        noise = TearNoise(seed: seed)
    }

    mutating func powerOff() {
        link.close()
        application.powerOff()
    }

    /// A block in the PROTOCOL state; S(DESELECT) closes the link.
    mutating func receive(_ frame: [UInt8], isPowerFailing: Bool) -> TagReply {
        switch link.receive(frame) {
        case .ignored:
            return TagReply(.silence)
        case .block(let block):
            return TagReply(.bytes(block), delay: Self.frameDelay)
        case .deselected(let block):
            powerOff()
            return TagReply(.bytes(block), delay: Self.frameDelay)
        case .command(let command):
            let generationBefore = generation
            var noise = noise
            let response = application.execute(command) { count in
                isPowerFailing ? Int.random(in: 0...count, using: &noise) : count
            }
            self.noise = noise
            let delay = generation == generationBefore ? Self.commandTime : Self.updateTime
            return TagReply(.bytes(link.respond(response)), delay: delay)
        }
    }
}
