// Finding targets — NXP UM0701-02, InListPassiveTarget and InAutoPoll

/// The technologies of passive targets.
///
/// The raw value is BrTy in InListPassiveTarget.
enum PassiveTechnology: UInt8 {
    case typeA106 = 0x00
    case feliCa212 = 0x01
    case feliCa424 = 0x02
    case typeB106 = 0x03
    case jewel106 = 0x04

    var modulation: Modulation {
        switch self {
        case .typeA106: .typeA106
        case .feliCa212: .feliCa212
        case .feliCa424: .feliCa424
        case .typeB106: .typeB106
        case .jewel106: .type1
        }
    }
}

/// The command data of InListPassiveTarget: `MaxTg BrTy [InitiatorData]`.
struct ListRequest {
    let maximumTargets: Int
    let technology: PassiveTechnology
    let initiatorData: [UInt8]

    init?(_ data: [UInt8]) {
        guard data.count >= 2, (1...2).contains(data[0]), let technology = PassiveTechnology(rawValue: data[1]) else {
            return nil
        }
        maximumTargets = Int(data[0])
        self.technology = technology
        initiatorData = Array(data.dropFirst(2))
        let isValid =
            switch technology {
            case .typeA106: initiatorData.count <= 12
            case .feliCa212, .feliCa424: initiatorData.count == 5
            case .typeB106: (1...2).contains(initiatorData.count)
            case .jewel106: initiatorData.isEmpty
            }
        guard isValid else { return nil }
    }
}

extension PN532 {
    /// The maximum number of attempts that can have different results.
    ///
    /// The first attempt may fail and only move a tag from ACTIVE to IDLE.
    private static let usefulTries = 3

    /// Returns `4B NbTg [Tg1 TargetData1 …]`, or nil to keep looking for a target.
    func list(_ request: ListRequest) -> [UInt8]? {
        carrier(true)
        (slots, selected) = ([:], nil)
        let tries = passiveActivationRetries == 0xFF ? Self.usefulTries : Int(passiveActivationRetries) + 1
        for number in 0..<tries where number < Self.usefulTries || radio.mayHearMore {
            let found = activate(request)
            if !found.isEmpty {
                return [CommandCode.inListPassiveTarget.rawValue + 1, UInt8(found.count)] + found.flatMap { $0 }
            }
        }
        return passiveActivationRetries == 0xFF ? nil : [CommandCode.inListPassiveTarget.rawValue + 1, 0x00]
    }

    /// Activates up to the requested number of targets, and returns each of them as `Tg TargetData`.
    private func activate(_ request: ListRequest) -> [[UInt8]] {
        registers.set(request.technology.modulation)
        var found: [[UInt8]] = []
        func add(_ slot: Slot) {
            let number = UInt8(found.count + 1)
            slots[number] = slot
            selected = number
            found.append([number] + slot.target.targetData)
        }
        switch request.technology {
        case .feliCa212, .feliCa424:
            radio.pollFeliCa(request.initiatorData, request.technology.modulation).prefix(request.maximumTargets)
                .forEach { add(Slot(target: .feliCa($0))) }
        case .jewel106:
            if let target = radio.activateType1() { add(Slot(target: .type1(target))) }
        case .typeA106, .typeB106:
            for _ in 0..<request.maximumTargets {
                suspendSelected()
                guard let slot = activateNext(request) else { break }
                add(slot)
            }
        }
        return found
    }

    private func activateNext(_ request: ListRequest) -> Slot? {
        request.technology == .typeB106
            ? activateTypeB(applicationFamily: request.initiatorData[0])
            : activateTypeA(request.initiatorData, sendsRATS: parameters & Self.automaticRATS != 0)
    }

    /// Selects a type A tag, and sends RATS if `sendsRATS` is true and the tag supports ISO-DEP.
    ///
    /// Returns nil if no tag was activated.
    func activateTypeA(_ cascadeUID: [UInt8], sendsRATS: Bool) -> Slot? {
        switch radio.activateTypeA(cascadeUID) {
        case .failure(let status):
            // If a short frame is left in the FIFO, hosts conclude that no tag answered REQA.
            contactlessUART.leave(status == .timeout ? [Radio.senseRequest] : [])
            return nil
        case .success(var target):
            contactlessUART.leave([])
            guard target.isISODEP, sendsRATS else { return Slot(target: .typeA(target)) }
            let rats = AirFrame.withCRC(ISODEPInitiator.rats)
            guard case .frame(let frame) = radio.exchange(rats, timeout: retryTimeout, isCommand: false),
                let ats = frame.data, ats.count == Int(ats[0])
            else { return nil }
            target.ats = ats
            return Slot(target: .typeA(target), link: ISODEPInitiator(ats: ats))
        }
    }

    /// Finds a type B tag that is not in HALT, and activates it with ATTRIB.
    ///
    /// Returns nil if no tag was activated.
    func activateTypeB(applicationFamily: UInt8) -> Slot? {
        for target in radio.requestTypeB(applicationFamily: applicationFamily, wakesUp: false) {
            if let slot = attribute(target) { return slot }
        }
        return nil
    }

    /// Wakes a type B tag by its PUPI, and activates it with ATTRIB.
    ///
    /// Returns nil if the tag does not answer.
    func activateTypeB(_ target: TypeBTarget) -> Slot? {
        radio.requestTypeB(applicationFamily: 0x00, wakesUp: true).first { $0.pupi == target.pupi }.flatMap(attribute)
    }

    private func attribute(_ target: TypeBTarget) -> Slot? {
        guard let target = radio.attribute(target) else { return nil }
        return Slot(target: .typeB(target), link: target.link)
    }

    /// Moves the selected target to HALT.
    ///
    /// The chip sends S(DESELECT) to an ISO-DEP target, and HLTA or HLTB to another type A or type B target. Targets of
    /// other types have no HALT state.
    func suspendSelected() {
        guard let number = selected, var slot = slots[number] else { return }
        selected = nil
        if let rates = slot.link?.bitRates {
            slot.link?.deselect(over: radio)
            slots[number] = slot
            if rates != .standard { registers.set(.standard) }
            return
        }
        switch slot.target {
        case .typeA:
            _ = radio.exchange(typeAFrame(Radio.haltCommand, to: number), timeout: Radio.activationTimeout)
            slots[number]?.isCiphered = false
        case .typeB(let target): radio.halt(target)
        case .feliCa, .type1: break
        }
    }

    /// Returns `61 NbTg [Type1 Length1 Data1 …]`, or nil to continue polling.
    func poll(_ request: AutoPollRequest, isLast: Bool) -> [UInt8]? {
        carrier(true)
        (slots, selected) = ([:], nil)
        let code = CommandCode.inAutoPoll.rawValue + 1
        for technology in request.technologies {
            guard let (type, slot) = poll(technology, request) else { continue }
            slots = [1: slot]
            selected = 1
            let data = [0x01] + slot.target.targetData
            return [code, 0x01, type, UInt8(truncatingIfNeeded: data.count)] + data
        }
        return isLast ? [code, 0x00] : nil
    }

    /// Returns a target of this technology with its type, or nil if none with a requested type was found.
    private func poll(_ technology: PassiveTechnology, _ request: AutoPollRequest) -> (UInt8, Slot)? {
        registers.set(technology.modulation)
        for _ in 0..<Self.usefulTries {
            let slot: Slot? =
                switch technology {
                case .typeA106: activateTypeA([], sendsRATS: request.wantsISODEPTypeA)
                case .typeB106: activateTypeB(applicationFamily: 0x00)
                case .feliCa212, .feliCa424:
                    radio.pollFeliCa(FeliCaTarget.anySystem, technology.modulation).first
                        .map { Slot(target: .feliCa($0)) }
                case .jewel106: radio.activateType1().map { Slot(target: .type1($0)) }
                }
            guard let slot else { continue }
            let type = AutoPollRequest.type(of: slot, technology)
            if request.accepts(type, technology) { return (type, slot) }
        }
        return nil
    }
}
