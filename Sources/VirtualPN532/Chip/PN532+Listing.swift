// Finding targets — NXP UM0701-02, InListPassiveTarget and InAutoPoll

/// What the chip can look for: BrTy of InListPassiveTarget.
enum PassiveTechnology: UInt8 {
    case typeA106 = 0x00
    case feliCa212 = 0x01
    case feliCa424 = 0x02
    case typeB106 = 0x03
    case jewel106 = 0x04
}

/// InListPassiveTarget: `MaxTg BrTy [InitiatorData]`.
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

/// InAutoPoll: `PollNr Period Type1 [… Type15]`.
struct AutoPollRequest {
    /// Unit of Period.
    private static let period = Duration.milliseconds(150)
    /// Type: generic passive 106 kbit/s type A.
    static let genericTypeA: UInt8 = 0x00
    /// Type: MIFARE card.
    static let mifare: UInt8 = 0x10
    /// Type: passive 106 kbit/s ISO/IEC 14443-4A.
    static let isoDEPTypeA: UInt8 = 0x20

    let types: [UInt8]
    let wantsTypeA: Bool
    let wantsISODEP: Bool
    /// How long to poll; nil is for ever.
    let duration: Duration?

    init?(_ data: [UInt8]) {
        guard (3...17).contains(data.count), data[0] != 0, (1...15).contains(data[1]) else { return nil }
        types = Array(data.dropFirst(2))
        wantsISODEP = types.contains(Self.isoDEPTypeA) || types.contains(Self.genericTypeA)
        wantsTypeA = wantsISODEP || types.contains(Self.mifare)
        duration = data[0] == 0xFF ? nil : Self.period * (Int(data[0]) * Int(data[1]) * types.count)
    }
}

extension PN532 {
    /// Tries that make a difference: the first may only send a tag back from ACTIVE to IDLE.
    private static let usefulTries = 3

    /// `4B NbTg [Tg1 TargetData1 …]`, or nil to go on looking.
    func list(_ request: ListRequest) -> [UInt8]? {
        carrier(true)
        (slots, selected) = ([:], nil)
        let tries = min(Int(passiveActivationRetries) + 1, Self.usefulTries)
        for _ in 0..<tries {
            let found = activate(request)
            if !found.isEmpty {
                return [CommandCode.inListPassiveTarget.rawValue + 1, UInt8(found.count)] + found.flatMap { $0 }
            }
        }
        return passiveActivationRetries == 0xFF ? nil : [CommandCode.inListPassiveTarget.rawValue + 1, 0x00]
    }

    /// Activates up to the wanted number of targets; each found one is `Tg TargetData`.
    private func activate(_ request: ListRequest) -> [[UInt8]] {
        guard request.technology == .typeA106 else { return [] }
        var found: [[UInt8]] = []
        for number in 1...UInt8(request.maximumTargets) {
            suspendSelected()
            guard let slot = activateTypeA(request.initiatorData, sendsRATS: parameters & Self.automaticRATS != 0)
            else {
                break
            }
            slots[number] = slot
            selected = number
            found.append([number] + slot.target.targetData)
        }
        return found
    }

    /// Selects a type A tag, and sends RATS if it is to.
    func activateTypeA(_ cascadeUID: [UInt8], sendsRATS: Bool) -> Slot? {
        switch radio.activateTypeA(cascadeUID) {
        case .failure(let status):
            // Hosts take a short frame left in the FIFO as the sign that no tag answered REQA.
            if status == .timeout { registers[RegisterMap.fifoData] = Radio.senseRequest }
            return nil
        case .success(var target):
            registers.setTypeA106()
            registers[RegisterMap.fifoData] = 0x00
            guard target.isISODEP, sendsRATS else { return Slot(target: target) }
            let rats = AirFrame.withCRC(ISODEPInitiator.rats)
            guard case .frame(let frame) = radio.exchange(rats, timeout: retryTimeout, isCommand: false),
                let ats = CRCA.stripped(frame.bytes), ats.count == Int(ats[0])
            else { return nil }
            target.ats = ats
            return Slot(target: target, link: ISODEPInitiator(ats: ats))
        }
    }

    /// Sends the selected target to HALT: S(DESELECT) for ISO-DEP, HLTA else.
    func suspendSelected() {
        guard let number = selected, var slot = slots[number] else { return }
        if slot.link == nil {
            var halt = AirFrame.withCRC(Radio.haltCommand)
            halt.isCiphered = slot.isCiphered
            _ = radio.exchange(halt, timeout: Radio.activationTimeout)
            slots[number]?.isCiphered = false
        } else {
            slot.link?.deselect(over: radio)
            slots[number] = slot
        }
        selected = nil
    }

    /// `61 NbTg [Type1 Length1 Data1 …]`, or nil to go on polling.
    func poll(_ request: AutoPollRequest, isLast: Bool) -> [UInt8]? {
        carrier(true)
        (slots, selected) = ([:], nil)
        let code = CommandCode.inAutoPoll.rawValue + 1
        for _ in 0..<(request.wantsTypeA ? Self.usefulTries : 0) {
            guard let slot = activateTypeA([], sendsRATS: request.wantsISODEP) else { continue }
            let type = slot.link != nil ? AutoPollRequest.isoDEPTypeA : AutoPollRequest.mifare
            guard request.types.contains(type) || request.types.contains(AutoPollRequest.genericTypeA) else { continue }
            slots = [1: slot]
            selected = 1
            let data = [0x01] + slot.target.targetData
            return [code, 0x01, type, UInt8(truncatingIfNeeded: data.count)] + data
        }
        return isLast ? [code, 0x00] : nil
    }
}
