// The contactless front end: frames on the air to all tags in the field — ISO/IEC 14443-3 type A, 106 kbit/s

/// A frame on the air.
struct AirFrame: Hashable {
    var bytes: [UInt8]
    /// Valid bits of the last byte; 0 is all eight.
    var lastBits = 0
    /// Only a ``CipheringTag`` makes sense of it.
    var isCiphered = false

    /// Bits on the air: nine per byte with its parity, and start and end of frame.
    var bitCount: Int { lastBits == 0 ? 9 * bytes.count + 2 : 9 * max(bytes.count - 1, 0) + lastBits + 2 }

    /// `bytes` followed by CRC_A.
    static func withCRC(_ bytes: [UInt8]) -> AirFrame { AirFrame(bytes: bytes + CRCA.checksum(bytes)) }
}

/// What the receiver heard after a frame.
enum AirAnswer: Hashable {
    case silence
    case frame(AirFrame)
    /// Tags answered differently: the first bit that differs, and all bits, 1 where any tag sent 1.
    case collision(bit: Int, [UInt8])
}

/// Sends frames to the tags, keeps time, and lets the faults happen.
final class Radio {
    static let senseRequest: UInt8 = 0x26
    static let wakeUpRequest: UInt8 = 0x52
    static let haltCommand: [UInt8] = [0x50, 0x00]
    /// SEL of the cascade levels 1 to 3.
    static let selectCodes: [UInt8] = [0x93, 0x95, 0x97]
    static let cascadeTag: UInt8 = 0x88
    /// NVB of SELECT: all 40 bits follow.
    static let allBits: UInt8 = 0x70
    /// SAK bit 3: the UID is not complete.
    static let cascadeBit: UInt8 = 0x04
    /// How long the firmware waits for answers during activation.
    static let activationTimeout = Duration.milliseconds(1)
    /// One bit: 128 carrier periods of 13.56 MHz.
    private static let bitTime = Duration.nanoseconds(9_440)
    /// Frame delay time of a tag: 1172 carrier periods.
    private static let frameDelay = Duration.nanoseconds(86_430)

    private let field: Field
    private let faults: FaultCounter
    private let statistics: StatisticsCounter
    private let now: () -> Field.Instant
    private var known: [any VirtualTag] = []
    /// READY tags and the cascade level, from 0, at which they are.
    private var readyLevels: [ObjectIdentifier: Int] = [:]
    /// The tag that was selected last, while it listens.
    private var active: (any VirtualTag)?
    private(set) var isOn = false
    /// Air time since ``takeElapsed()``.
    private var elapsed = Duration.zero

    init(field: Field, faults: FaultCounter, statistics: StatisticsCounter, now: @escaping () -> Field.Instant) {
        (self.field, self.faults, self.statistics, self.now) = (field, faults, statistics, now)
    }

    /// Switches the carrier; without it the tags lose their state.
    func setCarrier(_ isOn: Bool) {
        if !isOn { forget(known) }
        self.isOn = isOn
    }

    /// The modelled time since the last call.
    func takeElapsed() -> Duration {
        defer { elapsed = .zero }
        return elapsed
    }

    /// Sends a frame and listens for at most `timeout`.
    /// - Parameter isCommand: false for RATS and S-blocks, which faults do not count.
    func exchange(_ frame: AirFrame, timeout: Duration, isCommand: Bool = true) -> AirAnswer {
        notePresence()
        let (answer, delay) = isOn ? deliver(frame, isCommand: isCommand) : (.silence, .zero)
        account(frame, answer, delay: delay, timeout: timeout)
        return answer
    }

    private func account(_ frame: AirFrame, _ answer: AirAnswer, delay: Duration, timeout: Duration) {
        var time = Self.bitTime * frame.bitCount
        var received = 0
        switch answer {
        case .silence: time += timeout
        case .frame(let answer):
            received = answer.bytes.count
            time += Self.frameDelay + delay + Self.bitTime * answer.bitCount
        case .collision(_, let bytes):
            received = bytes.count
            time += Self.frameDelay + Self.bitTime * AirFrame(bytes: bytes).bitCount
        }
        elapsed += time
        statistics.update { statistics in
            statistics.rfFrames += received > 0 ? 2 : 1
            statistics.rfBytesSent += frame.bytes.count
            statistics.rfBytesReceived += received
            statistics.modelledTime += time
        }
    }

    // MARK: Presence

    private func notePresence() {
        let present = field.present(at: now())
        forget(known.filter { tag in !present.contains { $0 === tag } })
        known = present
    }

    private func forget(_ tags: [any VirtualTag]) {
        for tag in tags {
            tag.fieldOff()
            readyLevels[ObjectIdentifier(tag)] = nil
            if active === tag { active = nil }
        }
    }

    private func lose(_ tag: any VirtualTag) {
        field.lose(tag, at: now(), back: faults.faults.back)
        notePresence()
    }

    // MARK: Frames by kind

    private func deliver(_ frame: AirFrame, isCommand: Bool) -> (AirAnswer, Duration) {
        let bytes = frame.bytes
        if frame.isCiphered {
            deselect(known.filter(isReady))
            return command(frame, isCounted: isCommand)
        }
        if bytes.count == 1, frame.lastBits == 7, [Self.senseRequest, Self.wakeUpRequest].contains(bytes[0]) {
            return (poll(wakeUp: bytes[0] == Self.wakeUpRequest), .zero)
        }
        if bytes.count >= 2, let level = Self.selectCodes.firstIndex(of: bytes[0]), bytes[1] < Self.allBits {
            return (anticollision(level: level, prefix: Array(bytes.dropFirst(2)), validBits: bytes[1]), .zero)
        }
        guard frame.lastBits == 0, let data = CRCA.stripped(bytes) else {
            deselect(known)
            return (.silence, .zero)
        }
        if data.count == 7, data[1] == Self.allBits, let level = Self.selectCodes.firstIndex(of: data[0]) {
            return (select(level: level, cascade: Array(data[2...])), .zero)
        }
        deselect(known.filter(isReady))
        if data == Self.haltCommand {
            known.forEach { $0.halt() }
            active = nil
            return (.silence, .zero)
        }
        return command(AirFrame(bytes: data), isCounted: isCommand)
    }

    private func isReady(_ tag: any VirtualTag) -> Bool { readyLevels[ObjectIdentifier(tag)] != nil }

    private func deselect(_ tags: [any VirtualTag]) {
        for tag in tags {
            tag.deselect()
            readyLevels[ObjectIdentifier(tag)] = nil
            noteFallBack(of: tag)
        }
    }

    /// A tag without ISO-DEP listens no longer; with it, it may be past ACTIVE, where such frames mean nothing.
    private func noteFallBack(of tag: any VirtualTag) {
        if active === tag, tag.selRes & TypeATarget.isoDEPBit == 0 { active = nil }
    }

    private func poll(wakeUp: Bool) -> AirAnswer {
        var answers: [[UInt8]] = []
        for tag in known {
            let answered = tag.poll(wakeUp: wakeUp)
            readyLevels[ObjectIdentifier(tag)] = answered ? 0 : nil
            if answered { answers.append(tag.sensRes) }
            noteFallBack(of: tag)
        }
        return Self.superposed(answers)
    }

    /// The CLn of a READY tag and its check byte at one cascade level: 5 bytes.
    private func cascade(of tag: any VirtualTag, level: Int) -> [UInt8] {
        let part = Array(tag.cascadeUID.dropFirst(4 * level).prefix(4))
        return part + [part.reduce(0, ^)]
    }

    /// Answers with the bits after the prefix; the first byte keeps its bit positions, as with RxAlign.
    private func anticollision(level: Int, prefix: [UInt8], validBits: UInt8) -> AirAnswer {
        let bits = (Int(validBits >> 4) - 2) * 8 + Int(validBits & 0x07)
        guard (0..<40).contains(bits), prefix.count == (bits + 7) / 8 else {
            deselect(known)
            return .silence
        }
        var answers: [[UInt8]] = []
        for tag in known where readyLevels[ObjectIdentifier(tag)] == level {
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
        for tag in known {
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
            answers.append([selRes] + CRCA.checksum([selRes]))
        }
        return Self.superposed(answers)
    }

    // MARK: Commands and their faults

    /// A frame to an activated tag: without CRC_A in the clear, whole when it is ciphered.
    private func command(_ data: AirFrame, isCounted: Bool) -> (AirAnswer, Duration) {
        guard let active, isCounted else { return answer(to: data) }
        field.noteUse(data.bytes, at: now())
        statistics.update { $0.tagCommands += 1 }
        let (number, faults) = faults.countCommand()
        if faults.strikes(faults.tear, at: number) {
            receiveTorn(data, by: active)
            lose(active)
            return (.silence, .zero)
        }
        if faults.strikes(faults.nak, at: number) {
            if active.selRes & TypeATarget.isoDEPBit != 0 { return (.silence, .zero) }
            deselect([active])
            return (.frame(AirFrame(bytes: [0x00], lastBits: 4)), .zero)
        }
        var (answer, delay) = answer(to: data)
        if faults.strikes(faults.crc, at: number), case .frame(var frame) = answer, let last = frame.bytes.popLast() {
            // A nibble has no CRC: it arrives with a bit too many.
            answer = .frame(AirFrame(bytes: frame.bytes + [last ^ 0xFF], lastBits: frame.lastBits == 4 ? 5 : 0))
        }
        if faults.strikes(faults.loss, at: number) { lose(active) }
        return (answer, delay)
    }

    private func receive(_ frame: AirFrame, by tag: any VirtualTag) -> TagReply {
        guard frame.isCiphered else { return tag.receive(frame.bytes) }
        return (tag as? any CipheringTag)?.receiveCiphered(frame.bytes) ?? TagReply(.silence)
    }

    private func receiveTorn(_ frame: AirFrame, by tag: any VirtualTag) {
        guard frame.isCiphered else { return tag.receiveTorn(frame.bytes) }
        (tag as? any CipheringTag)?.receiveCipheredTorn(frame.bytes)
    }

    private func answer(to data: AirFrame) -> (AirAnswer, Duration) {
        var frames: [AirFrame] = []
        var delay = Duration.zero
        for tag in known {
            let reply = receive(data, by: tag)
            switch reply.answer {
            case .silence: continue
            case .bytes(let bytes): frames.append(.withCRC(bytes))
            case .bare(let bytes): frames.append(AirFrame(bytes: bytes))
            case .nibble(let nibble): frames.append(AirFrame(bytes: [nibble & 0x0F], lastBits: 4))
            }
            delay = max(delay, reply.delay)
        }
        guard let first = frames.first else { return (.silence, delay) }
        let isEqual = frames.allSatisfy { $0 == first }
        return (isEqual ? .frame(first) : Self.superposed(frames.map(\.bytes)), delay)
    }

    /// Several tags' answers heard at once.
    private static func superposed(_ answers: [[UInt8]]) -> AirAnswer {
        guard let first = answers.first else { return .silence }
        let length = answers.map(\.count).max() ?? 0
        let sum = (0..<length).map { index in answers.reduce(0) { $0 | ($1.indices.contains(index) ? $1[index] : 0) } }
        let differing = (0..<(8 * length)).first { bit in answers.contains { $0.bit(bit) != first.bit(bit) } }
        return differing.map { .collision(bit: $0, sum) } ?? .frame(AirFrame(bytes: sum))
    }
}

extension VirtualTag {
    /// The UID with its cascade tags: 4, 8 or 12 bytes.
    var cascadeUID: [UInt8] {
        let uid = nfcID1
        switch uid.count {
        case 7: return [Radio.cascadeTag] + uid
        case 10: return [Radio.cascadeTag] + uid[0..<3] + [Radio.cascadeTag] + uid[3...]
        default: return uid
        }
    }
}

extension [UInt8] {
    /// A bit in the order of transmission, lowest first; false beyond the end.
    func bit(_ index: Int) -> Bool { index / 8 < count && self[index / 8] >> UInt8(index % 8) & 1 == 1 }
}
