// Type A frames: polling, anticollision and selection — ISO/IEC 14443-3 type A

extension Radio {
    static let senseRequest: UInt8 = 0x26
    static let wakeUpRequest: UInt8 = 0x52
    static let haltCommand: [UInt8] = [0x50, 0x00]
    static let selectCodes: [UInt8] = [0x93, 0x95, 0x97]
    static let cascadeTag: UInt8 = 0x88
    /// The NVB of SELECT, which means that all 40 bits follow.
    static let allBits: UInt8 = 0x70
    /// SAK bit 3, which means that the UID is not complete.
    static let cascadeBit: UInt8 = 0x04
    /// The ATQA of a Type 1 Tag in the order in which it is sent: low byte first.
    ///
    /// A Type 1 Tag takes no part in anticollision.
    static let type1SensRes: [UInt8] = [0x00, 0x0C]

    func deliverTypeA(_ frame: AirFrame, isCommand: Bool) -> Heard {
        let bytes = frame.bytes
        if frame.isCiphered { return deliverMessage(Message(ciphered: bytes), isCommand: isCommand) }
        if bytes.count == 1, frame.lastBits == 7, [Self.senseRequest, Self.wakeUpRequest].contains(bytes[0]) {
            return Heard(poll(wakeUp: bytes[0] == Self.wakeUpRequest))
        }
        if bytes.count == 1, frame.lastBits == 7 {
            let isAnswered = typeATags.contains { ($0 as? any BackdoorTag)?.receiveShortFrame(bytes[0]) ?? false }
            // For tags without a backdoor, this short frame is invalid.
            return isAnswered ? Heard(.frame(AirFrame(bytes: [0x0A], lastBits: 4))) : deliverGarbledTypeA()
        }
        if bytes.count >= 2, let level = Self.selectCodes.firstIndex(of: bytes[0]), bytes[1] < Self.allBits {
            return Heard(anticollision(level: level, prefix: Array(bytes.dropFirst(2)), validBits: bytes[1]))
        }
        guard let message = Message(frame) else { return deliverGarbledTypeA() }
        let data = message.bytes
        if data.count == 7, data[1] == Self.allBits, let level = Self.selectCodes.firstIndex(of: data[0]) {
            return Heard(select(level: level, cascade: Array(data[2...])))
        }
        if data == Self.haltCommand {
            deselect(typeATags.filter(isReady))
            typeATags.forEach { $0.halt() }
            active = nil
            return Heard(.silence)
        }
        return deliverMessage(message, isCommand: isCommand)
    }

    /// Delivers a frame with an error to the type A tags.
    ///
    /// READY and ACTIVE tags return to IDLE or HALT, and the ACTIVE tag may answer with a NAK.
    func deliverGarbledTypeA() -> Heard {
        let active = active
        deselect(typeATags.filter { $0 !== active })
        guard let active else { return Heard(.silence) }
        let reply = active.receiveGarbled()
        readyLevels[ObjectIdentifier(active)] = nil
        noteFallBack(of: active)
        return heard([reply], .typeA106).first ?? Heard(.silence)
    }

    /// Delivers a frame that is neither for polling nor for selection.
    ///
    /// READY tags treat this frame as an error.
    private func deliverMessage(_ message: Message, isCommand: Bool) -> Heard {
        deselect(typeATags.filter(isReady))
        let tags = listeners(at: message.modulation)
        guard let active, isCommand, tags.contains(where: { $0 === active }) else {
            return answers(to: message, from: tags).first ?? Heard(.silence)
        }
        return command(message, to: active, among: tags, onNAK: refusal(by: active))
    }

    /// Delivers a frame at a higher bit rate.
    ///
    /// Tags that did not agree on this bit rate treat the frame as an error.
    func deliverFastTypeA(_ frame: AirFrame, isCommand: Bool) -> Heard {
        let tags = listeners(at: frame.modulation)
        deselect(typeATags.filter { tag in !tags.contains { $0 === tag } })
        guard let message = Message(frame) else { return Heard(.silence) }
        return deliverMessage(message, isCommand: isCommand)
    }

    /// Returns the type A tags that understand frames with this modulation.
    ///
    /// A tag understands only the bit rate that it agreed on.
    private func listeners(at modulation: Modulation) -> [any TypeATag] {
        let others = ratedTags.filter { $0.bitRates.toTag != .kbps106 }
        if modulation == .typeA106, others.isEmpty { return typeATags }
        return typeATags.filter { tag in
            let rates = others.first { $0 === tag }?.bitRates ?? .standard
            return rates.toTag.modulation == modulation
        }
    }

    func answerModulation(of message: Message, among tags: [any VirtualTag]) -> Modulation {
        guard [.typeA106, .typeA212, .typeA424].contains(message.modulation) else { return message.modulation }
        let fast = ratedTags.first { rated in
            rated.bitRates != .standard && tags.contains { $0 === rated }
        }
        return fast?.bitRates.toReader.modulation ?? .typeA106
    }

    /// Returns the answer of a tag that refuses a command: a NAK, after which the tag is in IDLE.
    ///
    /// An ISO-DEP tag has no NAK, so it stays silent.
    private func refusal(by tag: any TypeATag) -> AirAnswer {
        if tag.selRes & TypeATarget.isoDEPBit != 0 { return .silence }
        deselect([tag])
        return .frame(AirFrame(bytes: [0x00], lastBits: 4))
    }

    private func isReady(_ tag: any TypeATag) -> Bool { readyLevels[ObjectIdentifier(tag)] != nil }

    func deselect(_ tags: [any TypeATag]) {
        for tag in tags {
            tag.deselect()
            readyLevels[ObjectIdentifier(tag)] = nil
            noteFallBack(of: tag)
        }
    }

    /// Clears ``active`` if this tag no longer listens because it returned to IDLE or HALT.
    ///
    /// An ISO-DEP tag in the PROTOCOL state does not return.
    private func noteFallBack(of tag: any TypeATag) {
        if active === tag, tag.selRes & TypeATarget.isoDEPBit == 0 { active = nil }
    }

    private func poll(wakeUp: Bool) -> AirAnswer {
        var answers: [[UInt8]] = []
        for tag in typeATags {
            let answered = tag.poll(wakeUp: wakeUp)
            readyLevels[ObjectIdentifier(tag)] = answered ? 0 : nil
            if answered { answers.append(tag.sensRes) }
            noteFallBack(of: tag)
        }
        answers += type1Tags.filter { $0.poll(wakeUp: wakeUp) }.map { _ in Self.type1SensRes }
        return Self.superposed(answers)
    }

    /// Returns the 5 bytes that a READY tag sends at one cascade level: CLn and its check byte.
    private func cascade(of tag: any TypeATag, level: Int) -> [UInt8] {
        let part = Array(tag.cascadeUID.dropFirst(4 * level).prefix(4))
        return part + [part.reduce(0, ^)]
    }

    /// Returns the tags' answer to an anticollision frame: the bits after the prefix.
    ///
    /// The bits of the first byte keep their positions, as with RxAlign.
    private func anticollision(level: Int, prefix: [UInt8], validBits: UInt8) -> AirAnswer {
        let bits = (Int(validBits >> 4) - 2) * 8 + Int(validBits & 0x07)
        guard (0..<40).contains(bits), prefix.count == (bits + 7) / 8 else {
            deselect(typeATags)
            return .silence
        }
        var answers: [[UInt8]] = []
        for tag in typeATags where readyLevels[ObjectIdentifier(tag)] == level {
            let cascade = cascade(of: tag, level: level)
            guard (0..<bits).allSatisfy({ cascade.bit($0) == prefix.bit($0) }) else { continue }
            var rest = Array(cascade[(bits / 8)...])
            rest[0] &= 0xFF << UInt8(bits % 8)
            answers.append(rest)
        }
        return Self.superposed(answers)
    }

    private func select(level: Int, cascade: [UInt8]) -> AirAnswer {
        var answers: [[UInt8]] = []
        for tag in typeATags {
            guard readyLevels[ObjectIdentifier(tag)] == level, self.cascade(of: tag, level: level) == cascade else {
                deselect([tag])
                continue
            }
            let isComplete = tag.cascadeUID.count == 4 * (level + 1)
            readyLevels[ObjectIdentifier(tag)] = isComplete ? nil : level + 1
            if isComplete {
                tag.select()
                active = tag
            }
            let selRes = isComplete ? tag.selRes : Self.cascadeBit
            answers.append([selRes] + Checksum.typeA([selRes]))
        }
        return Self.superposed(answers)
    }
}

extension TypeATag {
    /// The UID including its cascade tags: 4, 8 or 12 bytes.
    var cascadeUID: [UInt8] {
        let uid = nfcID1
        switch uid.count {
        case 7: return [Radio.cascadeTag] + uid
        case 10: return [Radio.cascadeTag] + uid[0..<3] + [Radio.cascadeTag] + uid[3...]
        default: return uid
        }
    }
}
