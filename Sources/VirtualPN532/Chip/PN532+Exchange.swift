// Communication with targets — NXP UM0701-02, InDataExchange, InCommunicateThru, InSelect, InDeselect, InRelease, InPSL

extension PN532 {
    /// The bit in Tg and in the status byte that announces more data.
    private static let moreInformation: UInt8 = 0x40

    /// InDataExchange: `Tg [DataOut]` → `Status [DataIn]`.
    func inDataExchange(_ data: [UInt8]) -> [UInt8]? {
        guard let tg = data.first else { return nil }
        let number = tg & 0x07
        let payload = Array(data.dropFirst())
        do throws(ChipStatus) {
            try ensureSelected(number)
            guard var link = slots[number]?.link else {
                return [ChipStatus.success.rawValue] + (try exchange(payload, withTarget: number))
            }
            defer { slots[number]?.link = link }
            let answer = try link.exchange(payload, hasMore: tg & Self.moreInformation != 0, over: radio)
            return [link.hasMore ? Self.moreInformation : 0x00] + answer
        } catch {
            return [error.rawValue]
        }
    }

    /// Sends one command to a target without ISO-DEP, in a frame of the target's technology.
    private func exchange(_ command: [UInt8], withTarget number: UInt8) throws(ChipStatus) -> [UInt8] {
        guard !command.isEmpty else { throw .invalidParameter }
        switch slots[number]?.target {
        case nil: throw .notAcceptableInContext
        case .typeA: return try mifare(command, of: number)
        case .type1(let target):
            return try Type1Initiator(uid: target.jewelID).exchange(command, timeout: retryTimeout, over: radio)
        case .typeB: return try Self.checked(exchange(AirFrame.withCRC(command, .typeB106)).data)
        case .feliCa(let target):
            // The host's data and the answer both include the length byte.
            return try Self.checked(exchange(AirFrame.withCRC(command, target.modulation)).data)
        }
    }

    static func checked(_ data: [UInt8]?) throws(ChipStatus) -> [UInt8] {
        guard let data else { throw .crcError }
        return data
    }

    func exchange(_ frame: AirFrame) throws(ChipStatus) -> AirFrame {
        switch radio.exchange(frame, timeout: retryTimeout) {
        case .silence: throw .timeout
        case .collision: throw .crcError
        case .garbled(_, let status): throw status
        case .frame(let frame): return frame
        }
    }

    /// InCommunicateThru: `DataOut` → `Status [DataIn]`.
    ///
    /// The registers determine the CRC, the number of bits in the last byte, and the modulation.
    func inCommunicateThru(_ data: [UInt8]) -> [UInt8]? {
        guard !data.isEmpty else { return nil }
        if !radio.isOn { carrier(true) }
        registers.setRxLastBits(0)
        guard let modulation = registers.modulation else { return [ChipStatus.timeout.rawValue] }
        let checksum = modulation.checksum
        let frame = AirFrame(
            bytes: registers.addsCRC ? data + checksum(data) : data, lastBits: registers.txLastBits,
            modulation: modulation)
        var answer = radio.exchange(frame, timeout: retryTimeout)
        for _ in 0..<communicationRetries {
            guard answer.isError else { break }
            answer = radio.exchange(frame, timeout: retryTimeout)
        }
        switch answer {
        case .silence: return [ChipStatus.timeout.rawValue]
        case .collision: return [ChipStatus.collision.rawValue]
        case .garbled(let frame, let status):
            registers.setRxLastBits(frame.lastBits)
            return [status.rawValue]
        case .frame(let frame):
            registers.setRxLastBits(frame.lastBits)
            let received = registers.checksCRC ? checksum.stripped(frame.bytes) : frame.bytes
            guard let received else { return [ChipStatus.crcError.rawValue] }
            guard received.count <= ISODEPInitiator.chunkSize else { return [ChipStatus.bufferOverflow.rawValue] }
            return [ChipStatus.success.rawValue] + received
        }
    }

    /// InDeselect and InRelease: `Tg`, where 0 means all targets.
    ///
    /// InRelease also forgets the target.
    func inDeselect(_ data: [UInt8], releases: Bool) -> [UInt8]? {
        guard data.count == 1, data[0] <= 2 else { return nil }
        let number = data[0]
        if releases { endTarget() }
        guard number == 0 || slots[number] != nil else { return [ChipStatus.notAcceptableInContext.rawValue] }
        if number == 0 || selected == number { suspendSelected() }
        if releases { slots = number == 0 ? [:] : slots.filter { $0.key != number } }
        return [ChipStatus.success.rawValue]
    }

    /// InSelect: `Tg`.
    func inSelect(_ data: [UInt8]) -> [UInt8]? {
        guard data.count == 1 else { return nil }
        do throws(ChipStatus) {
            try ensureSelected(data[0])
            return [ChipStatus.success.rawValue]
        } catch {
            return [error.rawValue]
        }
    }

    /// InPSL: `Tg BRit BRti`.
    ///
    /// The chip sends a PPS to an ISO-DEP target of type A, and answers 01 if there is no answer (as in libfreefare's
    /// issue 110). Other targets keep their bit rate, so only 106 kbit/s is accepted for them.
    func inPSL(_ data: [UInt8]) -> [UInt8]? {
        guard data.count == 3 else { return nil }
        guard let slot = slots[data[0]] else { return [ChipStatus.notAcceptableInContext.rawValue] }
        guard let toTag = BitRate(rawValue: data[1]), let toReader = BitRate(rawValue: data[2]) else {
            return [ChipStatus.invalidParameter.rawValue]
        }
        let rates = BitRates(toTag: toTag, toReader: toReader)
        guard case .typeA = slot.target, slot.link != nil else {
            return [(rates == .standard ? ChipStatus.success : .notAllowedInConfiguration).rawValue]
        }
        do throws(ChipStatus) {
            try select(rates, of: data[0])
            return [ChipStatus.success.rawValue]
        } catch {
            return [error.rawValue]
        }
    }

    private func select(_ rates: BitRates, of number: UInt8) throws(ChipStatus) {
        try ensureSelected(number)
        guard var link = slots[number]?.link else { throw .notAcceptableInContext }
        guard rates != link.bitRates else { return }
        try link.select(rates, retries: Int(min(pslRetries, 3)), over: radio)
        slots[number]?.link = link
        registers.set(rates)
    }

    /// Selects a listed target, and wakes it by its identifier if it is in HALT.
    private func ensureSelected(_ number: UInt8) throws(ChipStatus) {
        guard let slot = slots[number] else { throw .notAcceptableInContext }
        guard selected != number else { return }
        suspendSelected()
        registers.set(slot.target.modulation)
        switch slot.target {
        case .typeA(let target):
            guard let woken = activateTypeA(target.cascadeUID, sendsRATS: slot.link != nil) else { throw .timeout }
            slots[number] = woken
        case .typeB(let target):
            guard let woken = activateTypeB(target) else { throw .timeout }
            slots[number] = woken
        case .feliCa, .type1:
            // FeliCa and Type 1 Tags answer every frame that contains their identifier.
            break
        }
        selected = number
    }
}
