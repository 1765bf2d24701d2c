// Commands of the chip as a target — NXP UM0701-02, TgInitAsTarget to TgSetMetaData

extension PN532 {
    /// SetParameters, fISO14443-4_PICC: the chip answers RATS and blocks itself.
    private static let emulatesPICC: UInt8 = 0x20
    /// Status byte: more information follows.
    private static let moreInformation: UInt8 = 0x40
    /// Mode of TgInitAsTarget's answer: ISO/IEC 14443-4 PICC; 106 kbit/s and type A framing are zero.
    private static let piccMode: UInt8 = 0x08
    /// Data bytes of one command or answer.
    private static let chunkSize = 262

    /// Goes into target mode; the answer comes with an initiator.
    func beginTarget(_ request: TargetRequest) {
        carrier(false)
        registers.set(.typeA106)
        let servesISODEP = parameters & Self.emulatesPICC != 0
        if let target, target.listensOn(request, servesISODEP: servesISODEP) { return }
        endTarget()
        guard let antenna else { return }
        target = TargetMode(request, servesISODEP: servesISODEP, antenna: antenna)
    }

    /// Goes out of target mode.
    func endTarget() {
        target?.end()
        target = nil
    }

    /// Takes in what the other side of the antenna does.
    func listen() {
        guard let antenna else { return }
        antenna.update()
        for event in antenna.takeEvents() { target?.hear(event, at: now()) }
        target?.extendWaitingTime(at: now())
    }

    /// When ``listen()`` is to be called although nothing came.
    var listenTime: Instant? { [target?.deadline, antenna?.retryTime].compactMap { $0 }.min() }

    /// TgInitAsTarget: `Mode InitiatorCommand`, or nil until an initiator came.
    var activation: [UInt8]? {
        guard let target, target.state == .activated, !target.isKnownToHost else { return nil }
        target.isKnownToHost = true
        return [target.isPICC ? Self.piccMode : 0x00] + target.initiatorCommand
    }

    /// TgGetData: `Status DataIn`, or nil until something came.
    var targetData: [UInt8]? {
        guard let target, target.state != .listening, target.isPICC else { return [Self.notAcceptable] }
        guard target.isServed else { return [ChipStatus.released.rawValue] }
        return target.takeReceived(atMost: Self.chunkSize).map { [$0.hasMore ? Self.moreInformation : 0x00] + $0.bytes }
    }

    /// TgGetInitiatorCommand: `Status InitiatorCommand`, or nil until something came.
    var nextInitiatorCommand: [UInt8]? {
        guard let target, target.state != .listening, !target.isPICC else { return [Self.notAcceptable] }
        guard target.isServed else { return [ChipStatus.released.rawValue] }
        guard let frame = target.takeReceived(atMost: Self.chunkSize)?.bytes else { return nil }
        registers.setRxLastBits(0)
        return [ChipStatus.success.rawValue] + frame + (registers.checksCRC ? [] : Checksum.typeA(frame))
    }

    /// TgSetData and TgSetMetaData: `DataOut` → `Status`, or nil while blocks are left to send.
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

    /// TgSetData's answer once all blocks are sent.
    var sentTargetData: [UInt8]? {
        guard let target, target.isServed else { return [ChipStatus.released.rawValue] }
        return target.isSending ? nil : [ChipStatus.success.rawValue]
    }

    /// TgResponseToInitiator: `TgResponse` → `Status`; CRC and bits of the last byte as the registers rule.
    func respondToInitiator(_ data: [UInt8]) -> [UInt8]? {
        guard !data.isEmpty else { return nil }
        guard data.count <= Self.chunkSize + 2 else { return [ChipStatus.invalidParameter.rawValue] }
        guard let target, target.state != .listening, !target.isPICC else { return [Self.notAcceptable] }
        guard target.isServed else { return [ChipStatus.released.rawValue] }
        switch registers.txLastBits {
        case 4 where data.count == 1: target.respond(.nibble(data[0]))
        case 0: target.respond(registers.addsCRC ? .bytes(data) : .bare(data))
        // No other frame of whole bytes and some bits has a meaning for an initiator here.
        default: target.respond(.silence)
        }
        return [ChipStatus.success.rawValue]
    }

    private static let notAcceptable = ChipStatus.notAcceptableInContext.rawValue
}
