// The chip's commands as a target — NXP UM0701-02, TgInitAsTarget to TgSetMetaData

extension PN532 {
    /// The flag fISO14443-4_PICC of SetParameters: the chip itself answers RATS and handles blocks.
    private static let emulatesPICC: UInt8 = 0x20
    private static let moreInformation: UInt8 = 0x40
    /// The mode in the answer to TgInitAsTarget for an ISO/IEC 14443-4 PICC.
    ///
    /// The bits for 106 kbit/s and type A framing are zero.
    private static let piccMode: UInt8 = 0x08
    private static let chunkSize = 262

    /// Enters target mode.
    ///
    /// The command is answered later, when an initiator activates the chip.
    func beginTarget(_ request: TargetRequest) {
        carrier(false)
        registers.set(.typeA106)
        let servesISODEP = parameters & Self.emulatesPICC != 0
        if let target, target.listensOn(request, servesISODEP: servesISODEP) { return }
        endTarget()
        guard let antenna else { return }
        target = TargetMode(request, servesISODEP: servesISODEP, antenna: antenna)
    }

    func endTarget() {
        target?.end()
        target = nil
    }

    /// Notes which tags arrived or left, and hears the signals of the other side's antenna.
    ///
    /// A tag that arrives has power at once, not only from the next frame.
    func listen() {
        radio.notePresence()
        guard let antenna else { return }
        antenna.update()
        for event in antenna.takeEvents() { target?.hear(event, at: now()) }
        target?.extendWaitingTime(at: now())
    }

    /// The time at which to call ``listen()`` even if no signal has arrived; nil if no call is needed.
    var listenTime: Instant? { [target?.deadline, antenna?.retryTime].compactMap { $0 }.min() }

    /// The answer to TgInitAsTarget: `Mode InitiatorCommand`, or nil until an initiator has activated the chip.
    var activation: [UInt8]? {
        guard let target, target.state == .activated, !target.isKnownToHost else { return nil }
        target.isKnownToHost = true
        return [target.isPICC ? Self.piccMode : 0x00] + target.initiatorCommand
    }

    /// The answer to TgGetData: `Status DataIn`, or nil until data has arrived.
    var targetData: [UInt8]? {
        guard let target, target.state != .listening, target.isPICC else { return [Self.notAcceptable] }
        guard target.isServed else { return [ChipStatus.released.rawValue] }
        return target.takeReceived(atMost: Self.chunkSize).map { [$0.hasMore ? Self.moreInformation : 0x00] + $0.bytes }
    }

    /// The answer to TgGetInitiatorCommand: `Status InitiatorCommand`, or nil until a command has arrived.
    var nextInitiatorCommand: [UInt8]? {
        guard let target, target.state != .listening, !target.isPICC else { return [Self.notAcceptable] }
        guard target.isServed else { return [ChipStatus.released.rawValue] }
        guard let frame = target.takeReceived(atMost: Self.chunkSize)?.bytes else { return nil }
        registers.setRxLastBits(0)
        return [ChipStatus.success.rawValue] + frame + (registers.checksCRC ? [] : Checksum.typeA(frame))
    }

    /// TgSetData and TgSetMetaData: `DataOut` → `Status`, or nil while blocks still have to be sent.
    func setTargetData(_ data: [UInt8], isComplete: Bool) -> [UInt8]? {
        guard data.count <= Self.chunkSize else { return [ChipStatus.invalidParameter.rawValue] }
        guard let target, target.state != .listening, target.isPICC else { return [Self.notAcceptable] }
        guard target.isServed else { return [ChipStatus.released.rawValue] }
        do throws(ChipStatus) {
            try target.respond(data, isComplete: isComplete)
            return isComplete ? sentTargetData : [ChipStatus.success.rawValue]
        } catch {
            return [error.rawValue]
        }
    }

    /// The answer to TgSetData after all blocks were sent; nil before.
    var sentTargetData: [UInt8]? {
        guard let target, target.isServed else { return [ChipStatus.released.rawValue] }
        return target.isSending ? nil : [ChipStatus.success.rawValue]
    }

    /// TgResponseToInitiator: `TgResponse` → `Status`.
    ///
    /// The registers determine the CRC and the number of bits in the last byte.
    func respondToInitiator(_ data: [UInt8]) -> [UInt8]? {
        guard !data.isEmpty else { return nil }
        guard data.count <= Self.chunkSize + 2 else { return [ChipStatus.invalidParameter.rawValue] }
        guard let target, target.state != .listening, !target.isPICC else { return [Self.notAcceptable] }
        guard target.isServed else { return [ChipStatus.released.rawValue] }
        switch registers.txLastBits {
        case 4 where data.count == 1: target.respond(.nibble(data[0]))
        case 0: target.respond(registers.addsCRC ? .bytes(data) : .bare(data))
        // A single nibble is the only frame with an incomplete byte that initiators in the simulation accept.
        default: target.respond(.silence)
        }
        return [ChipStatus.success.rawValue]
    }

    private static let notAcceptable = ChipStatus.notAcceptableInContext.rawValue
}
