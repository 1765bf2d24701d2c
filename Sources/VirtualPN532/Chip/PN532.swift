// The PN532 without its host interface — NXP UM0701-02, firmware 1.6

/// The chip: it executes commands and keeps its state between them.
///
/// Only one thread may use it.
///
/// This class does not handle host frames, acknowledgements or a serial line. It can be used with any transport that
/// carries `D4 …` to a PN532.
package final class PN532 {
    package typealias Instant = Field.Instant

    package enum Progress: Hashable {
        /// The answer, which contains the response code and the data but not TFI.
        case answer([UInt8])
        /// The command is not finished.
        ///
        /// Call ``PN532/resume()`` when the field changes, and at the given time if it is not nil.
        case waiting(until: Instant?)
        /// The command is unknown or malformed, so the host gets an error frame.
        case syntaxError

        static func answer(_ code: CommandCode, _ data: [UInt8]) -> Progress { .answer([code.rawValue + 1] + data) }
    }

    enum Waiting {
        case listing(ListRequest)
        case polling(AutoPollRequest, deadline: Instant?)
        /// TgInitAsTarget waits until an initiator activates the chip.
        case asTarget
        /// TgGetData and TgGetInitiatorCommand wait until the initiator sends something.
        case targetData, initiatorCommand
        /// TgSetData waits until the initiator has received all blocks.
        case sending
    }

    struct Slot {
        var target: Target
        var link: ISODEPInitiator?
        /// Whether frames are enciphered because the target has been authenticated.
        var isCiphered = false
    }

    /// The flag of SetParameters for automatic RATS.
    ///
    /// After reset, ATR_RES and RATS are automatic.
    static let automaticRATS: UInt8 = 0x10
    private static let parametersAfterReset: UInt8 = 0x14
    /// The time between two attempts if the number of attempts is not limited (assumed).
    private static let pollingPeriod = Duration.milliseconds(5)

    let model: ChipModel
    let radio: Radio
    let field: Field
    let antenna: Antenna?
    let now: () -> Instant
    var registers = RegisterMap()
    var contactlessUART = ContactlessUART()
    var parameters = PN532.parametersAfterReset
    /// RFConfiguration item 5: the number of retries of a passive activation.
    ///
    /// FF means no limit.
    var passiveActivationRetries: UInt8 = 0xFF
    /// RFConfiguration item 5: the number of retries of a PPS (from memory).
    ///
    /// FF means no limit, but all values above 3 are treated as 3.
    var pslRetries: UInt8 = 0x01
    /// RFConfiguration item 4: the number of retries of InCommunicateThru.
    var communicationRetries: UInt8 = 0
    /// RFConfiguration item 2: the time-out of InDataExchange and InCommunicateThru.
    var retryTimeout = PN532.timeout(index: 0x0A)
    /// The values of P3, P7 and I0I1, as last written.
    var ports: [UInt8] = [0x3F, 0x06, 0x00]
    /// The targets by their numbers, 1 and 2.
    var slots: [UInt8: Slot] = [:]
    var selected: UInt8?
    /// The chip's state as a target since TgInitAsTarget; nil if it is not a target.
    var target: TargetMode?
    private var waiting: Waiting?

    package init(
        model: ChipModel = .pn532, field: Field, antenna: Antenna? = nil, faults: FaultCounter,
        statistics: StatisticsCounter, latency: Latency = .none, now: @escaping () -> Instant
    ) {
        (self.model, self.field, self.antenna, self.now) = (model, field, antenna, now)
        radio = Radio(
            field: field, antenna: antenna, faults: faults, statistics: statistics, latency: latency, now: now)
    }

    /// Executes a command.
    ///
    /// If an earlier command still waits, it is dropped.
    ///
    /// - Parameter command: the command code and the data, without TFI.
    /// - Returns: the answer, `waiting`, or a syntax error. Commands that this model does not support are syntax errors
    ///   too.
    package func execute(_ command: [UInt8]) -> Progress {
        abort()
        guard let first = command.first, let code = CommandCode(rawValue: first), model.knows(code) else {
            return .syntaxError
        }
        let data = Array(command.dropFirst())
        if let answer = ownAnswer(of: model, to: code, data) { return answer }
        switch code {
        case .inListPassiveTarget:
            guard let request = ListRequest(data) else { return .syntaxError }
            return attempt(.listing(request))
        case .inAutoPoll:
            guard let request = AutoPollRequest(data) else { return .syntaxError }
            return attempt(.polling(request, deadline: request.duration.map { now() + $0 }))
        case .tgInitAsTarget:
            guard let request = TargetRequest(data) else { return .syntaxError }
            beginTarget(request)
            return attempt(.asTarget)
        case .tgGetData: return attempt(.targetData)
        case .tgGetInitiatorCommand: return attempt(.initiatorCommand)
        case .tgSetData:
            guard let answer = setTargetData(data, isComplete: true) else { return attempt(.sending) }
            return .answer([first + 1] + answer)
        default:
            guard let answer = answer(to: code, data) else { return .syntaxError }
            return .answer([first + 1] + answer)
        }
    }

    /// Tries the waiting command again.
    ///
    /// Returns nil if no command is waiting.
    func resume() -> Progress? { waiting.map(attempt) }

    package func abort() {
        if case .asTarget = waiting { endTarget() }
        waiting = nil
    }

    private func attempt(_ command: Waiting) -> Progress {
        waiting = nil
        var deadline: Instant?
        switch command {
        case .listing(let request):
            field.noteLook(at: now())
            if let answer = list(request) { return .answer(answer) }
        case .polling(let request, let end):
            field.noteLook(at: now())
            if let answer = poll(request, isLast: end.map { now() >= $0 } ?? false) { return .answer(answer) }
            deadline = end
        case .asTarget: if let answer = activation { return .answer(.tgInitAsTarget, answer) }
        case .targetData: if let answer = targetData { return .answer(.tgGetData, answer) }
        case .initiatorCommand: if let answer = nextInitiatorCommand { return .answer(.tgGetInitiatorCommand, answer) }
        case .sending: if let answer = sentTargetData { return .answer(.tgSetData, answer) }
        }
        waiting = command
        field.noteWatch(at: now())
        let nextTry = radio.mayHearMore ? now() + Self.pollingPeriod : nil
        return .waiting(until: [deadline, field.nextChange, antenna?.nextChange, nextTry].compactMap { $0 }.min())
    }

    /// Returns the data of an answer to a command that never waits, or nil for a syntax error.
    private func answer(to code: CommandCode, _ data: [UInt8]) -> [UInt8]? {
        switch code {
        case .diagnose: diagnose(data)
        case .getFirmwareVersion: data.isEmpty ? model.firmwareVersion : nil
        case .getGeneralStatus: data.isEmpty ? generalStatus : nil
        case .readRegister: readRegister(data)
        case .writeRegister: writeRegister(data)
        case .readGPIO: data.isEmpty ? ports : nil
        case .writeGPIO: writeGPIO(data)
        case .setSerialBaudRate: data.count == 1 && data[0] <= 8 ? [] : nil
        case .setParameters: setParameters(data)
        case .samConfiguration: samConfiguration(data)
        case .powerDown: powerDown(data)
        case .rfConfiguration: rfConfiguration(data)
        case .inDataExchange: inDataExchange(data)
        case .inCommunicateThru: inCommunicateThru(data)
        case .inDeselect: inDeselect(data, releases: false)
        case .inRelease: inDeselect(data, releases: true)
        case .inSelect: inSelect(data)
        case .inPSL: inPSL(data)
        case .inATR, .inJumpForDEP, .inJumpForPSL: data.count >= 2 ? [ChipStatus.timeout.rawValue] : nil
        case .tgGetTargetStatus: data.isEmpty ? target?.status ?? [0x00, 0x00] : nil
        case .tgResponseToInitiator: respondToInitiator(data)
        case .tgSetMetaData: setTargetData(data, isComplete: false)
        // General bytes are used only by NFC-DEP, which the simulation does not support.
        case .tgSetGeneralBytes: [ChipStatus.notAcceptableInContext.rawValue]
        // The regulation test transmits until the next command and never answers. The simulation has nothing to
        // transmit.
        case .rfRegulationTest, .inListPassiveTarget, .inAutoPoll, .tgInitAsTarget, .tgGetData, .tgGetInitiatorCommand,
            .tgSetData:
            nil
        }
    }

    /// Switches the carrier on or off.
    ///
    /// When the carrier is switched off, all targets are lost. When it is switched on, the chip leaves target mode.
    func carrier(_ isOn: Bool) {
        if isOn { endTarget() }
        radio.setCarrier(isOn)
        registers.setCarrier(isOn)
        if !isOn { (slots, selected) = ([:], nil) }
    }

    /// Returns the time-out for the value n in RFConfiguration: 100 µs × 2^(n − 1).
    ///
    /// 0 means that there is no time-out. It is treated as the longest time-out.
    static func timeout(index: UInt8) -> Duration {
        .microseconds(100) * (1 << Int((1...16).contains(index) ? index - 1 : 15))
    }
}
