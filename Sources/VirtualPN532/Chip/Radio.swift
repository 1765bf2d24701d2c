// The contactless front end: frames to all tags in the field, and the faults

/// Sends frames to the tags, measures their time on the air, and applies the faults.
final class Radio {
    /// How long the firmware waits for an answer during activation.
    static let activationTimeout = Duration.milliseconds(1)

    private let field: Field
    private let antenna: Antenna?
    private let faults: FaultCounter
    private let statistics: StatisticsCounter
    private let latency: Latency
    private let now: () -> Field.Instant
    /// By how much the modelled time is ahead of the host's clock.
    private var ahead = Duration.zero
    private var interference = Interference()
    private var known: [any VirtualTag] = []
    /// The time at which each known tag arrived in the field.
    private var arrivals: [ObjectIdentifier: Field.Instant] = [:]
    /// The time of the first frame after each known tag arrived.
    private var firstFrames: [ObjectIdentifier: Field.Instant] = [:]
    private var poweredSince: Field.Instant?
    /// The known tags that have had power for longer than they are mute.
    private var listening: [any VirtualTag] = []
    /// The tags in ``listening``, grouped by technology.
    private(set) var typeATags: [any TypeATag] = []
    private(set) var typeBTags: [any TypeBTag] = []
    private(set) var feliCaTags: [any FeliCaTag] = []
    private(set) var type1Tags: [any Type1Tag] = []
    /// The ISO-DEP tags among ``typeATags``.
    private(set) var ratedTags: [any RatedTag] = []
    /// The cascade level of each READY type A tag, counted from 0.
    var readyLevels: [ObjectIdentifier: Int] = [:]
    /// The type A tag that was selected last; nil when it no longer listens.
    var active: (any TypeATag)?
    private(set) var isOn = false
    /// The time on the air since the last call of ``takeElapsed()``.
    private var elapsed = Duration.zero
    private var heardTag = false

    init(
        field: Field, antenna: Antenna? = nil, faults: FaultCounter, statistics: StatisticsCounter,
        latency: Latency = .none, now: @escaping () -> Field.Instant
    ) {
        (self.antenna, self.latency) = (antenna, latency)
        (self.field, self.faults, self.statistics, self.now) = (field, faults, statistics, now)
    }

    /// Switches the carrier on or off.
    ///
    /// When the carrier is switched off, the tags lose their state.
    func setCarrier(_ isOn: Bool) {
        if !isOn { forget(known) }
        poweredSince = isOn ? poweredSince ?? time : nil
        self.isOn = isOn
        if isOn { notePresence() }
    }

    /// The tags' clock: the host's clock plus the modelled time that was not actually waited for.
    private var time: Field.Instant { now() + ahead }

    /// Returns the modelled time since the last call, and whether a tag answered in that time.
    func takeElapsed() -> (time: Duration, withTag: Bool) {
        ahead = latency == .real ? .zero : ahead + Statistics.exchangeTime
        defer { (elapsed, heardTag) = (.zero, false) }
        return (elapsed, heardTag)
    }

    /// Sends a frame, listens for at most `timeout`, and returns the first answer or silence.
    ///
    /// Faults depend on the number of commands. `isCommand` is false for frames that are not counted, such as RATS and
    /// S-blocks.
    func exchange(_ frame: AirFrame, timeout: Duration, isCommand: Bool = true) -> AirAnswer {
        exchangeInSlots(frame, timeout: timeout, isCommand: isCommand).first ?? .silence
    }

    /// Sends a frame, listens in all time slots, and returns the answers in order.
    func exchangeInSlots(_ frame: AirFrame, timeout: Duration, isCommand: Bool) -> [AirAnswer] {
        notePresence()
        let heard = isOn ? send(frame, isCommand: isCommand) : []
        account(frame, heard, timeout: timeout)
        return heard.map(\.answer)
    }

    private func account(_ frame: AirFrame, _ heard: [Heard], timeout: Duration) {
        let modulation = frame.modulation
        var time = modulation.bitTime * frame.bitCount
        if heard.isEmpty { time += timeout }
        var received = 0
        for heard in heard {
            switch heard.answer {
            case .silence: time += timeout
            case .frame(let answer), .garbled(let answer, _):
                received += answer.bytes.count
                time += modulation.frameDelay + heard.delay + answer.modulation.bitTime * answer.bitCount
            case .collision(_, let bytes):
                received += bytes.count
                time += modulation.frameDelay + modulation.bitTime * modulation.bitCount(bytes: bytes.count)
            }
        }
        elapsed += time
        ahead += time
        if received > 0 { heardTag = true }
        statistics.update { statistics in
            statistics.rfFrames += received > 0 ? 1 + heard.count : 1
            statistics.rfBytesSent += frame.bytes.count
            statistics.rfBytesReceived += received
            statistics.modelledTime += time
        }
    }

    // MARK: Presence

    /// Notes which tags arrived in the field or left it.
    func notePresence() {
        var present = field.present(at: now())
        if let coupled = antenna?.present(at: now()) { present.append(coupled) }
        if !present.elementsEqual(known, by: ===) {
            let gone = known.filter { tag in !present.contains { $0 === tag } }
            forget(gone)
            for tag in gone {
                arrivals[ObjectIdentifier(tag)] = nil
                firstFrames[ObjectIdentifier(tag)] = nil
            }
            for tag in present where arrivals[ObjectIdentifier(tag)] == nil { arrivals[ObjectIdentifier(tag)] = time }
            known = present
        }
        let coupling = faults.faults.coupling
        let awake = known.filter { isAwake($0, coupling) }
        guard !awake.elementsEqual(listening, by: ===) else { return }
        listening = awake
        typeATags = awake.compactMap { $0 as? any TypeATag }
        typeBTags = awake.compactMap { $0 as? any TypeBTag }
        feliCaTags = awake.compactMap { $0 as? any FeliCaTag }
        type1Tags = awake.compactMap { $0 as? any Type1Tag }
        ratedTags = typeATags.compactMap { tag in
            tag.selRes & TypeATarget.isoDEPBit == 0 ? nil : tag as? any RatedTag
        }
    }

    private func isAwake(_ tag: any VirtualTag, _ coupling: Coupling) -> Bool {
        let muted = coupling.mutedTime(of: tag, latency: latency)
        guard muted > .zero else { return true }
        guard let poweredSince, let arrival = arrivals[ObjectIdentifier(tag)] else { return false }
        return max(poweredSince, arrival) + muted <= time
    }

    private func isBeingPlaced(_ tag: any VirtualTag, _ coupling: Coupling) -> Bool {
        guard let edge = coupling.edge, let firstFrame = firstFrames[ObjectIdentifier(tag)] else { return false }
        return time < firstFrame + edge
    }

    /// Whether another attempt can find a tag that this one did not find, even if the field does not change.
    var mayHearMore: Bool {
        let coupling = faults.faults.coupling
        return listening.count < known.count
            || !known.isEmpty && (coupling.bitErrorRate > 0 || known.contains { isBeingPlaced($0, coupling) })
    }

    private func forget(_ tags: [any VirtualTag]) {
        for tag in tags {
            tag.fieldOff()
            readyLevels[ObjectIdentifier(tag)] = nil
            if active === tag { active = nil }
        }
    }

    private func lose(_ tag: any VirtualTag) {
        if tag is CoupledTag {
            antenna?.lose(at: now(), back: faults.faults.back)
        } else {
            field.lose(tag, at: now(), back: faults.faults.back)
        }
        notePresence()
    }

    // MARK: Lost frames

    /// Sends a frame to the tags of its technology.
    ///
    /// The frame and the answers may be lost.
    private func send(_ frame: AirFrame, isCommand: Bool) -> [Heard] {
        for tag in known where firstFrames[ObjectIdentifier(tag)] == nil { firstFrames[ObjectIdentifier(tag)] = time }
        let tags = listeners(to: frame.modulation)
        let coupling = faults.faults.coupling
        let isAtEdge = tags.contains { isBeingPlaced($0, coupling) }
        let heard: [Heard]
        if !tags.isEmpty, interference.loses(frame, coupling, isAtEdge: isAtEdge) {
            statistics.update { $0.framesLost += 1 }
            heard = deliverGarbled(frame, isCommand: isCommand)
        } else {
            heard = deliver(frame, isCommand: isCommand)
        }
        return heard.map { heard in
            guard case .frame(let answer) = heard.answer,
                interference.loses(answer, coupling, isAtEdge: isAtEdge)
            else { return heard }
            statistics.update { $0.answersLost += 1 }
            return Heard(interference.remains(of: answer), heard.delay)
        }
    }

    private func listeners(to modulation: Modulation) -> [any VirtualTag] {
        switch modulation {
        // Type 1 Tags answer the polls of type A, and frames to Type 1 Tags disturb type A tags.
        case .typeA106, .typeA212, .typeA424, .type1: typeATags + type1Tags
        case .typeB106: typeBTags
        case .feliCa212, .feliCa424: feliCaTags
        }
    }

    /// Delivers what is left of a lost frame.
    ///
    /// Type A tags that noticed the start of the frame treat it as an error; other tags ignore it.
    private func deliverGarbled(_ frame: AirFrame, isCommand: Bool) -> [Heard] {
        if isCommand { noteUse(of: frame) }
        switch frame.modulation {
        case .typeA106, .typeA212, .typeA424, .type1:
            return interference.hidesBeginning() ? [] : [deliverGarbledTypeA()]
        case .typeB106, .feliCa212, .feliCa424: return []
        }
    }

    /// Records that the host still uses the active tag, although the tag did not understand the frame.
    private func noteUse(of frame: AirFrame) {
        if active != nil { field.noteUse(frame.bytes, at: now()) }
    }

    // MARK: Frames by technology

    private func deliver(_ frame: AirFrame, isCommand: Bool) -> [Heard] {
        switch frame.modulation {
        case .typeA106: return [deliverTypeA(frame, isCommand: isCommand)]
        case .typeA212, .typeA424: return [deliverFastTypeA(frame, isCommand: isCommand)]
        case .typeB106: return deliver(frame, to: typeBTags, isCommand: isCommand)
        case .feliCa212, .feliCa424: return deliver(frame, to: feliCaTags, isCommand: isCommand)
        case .type1:
            // For type A tags, the short frame of a Type 1 command is an error.
            deselect(typeATags)
            return deliver(frame, to: type1Tags, isCommand: isCommand)
        }
    }

    private func deliver(_ frame: AirFrame, to tags: [any AddressedTag], isCommand: Bool) -> [Heard] {
        guard let message = Message(frame) else { return [] }
        // These tags decide for themselves whether they answer a frame.
        guard isCommand, let addressed = tags.first(where: { $0.isCommand(message.bytes) }) else {
            return answers(to: message, from: tags)
        }
        return [command(message, to: addressed, among: tags, onNAK: .silence)]
    }

    // MARK: Commands and their faults

    /// Counts a command, applies the faults to it, and returns the answer.
    ///
    /// `onNAK` is the answer if the fault `nak` occurs.
    func command(
        _ message: Message, to tag: any VirtualTag, among tags: [any VirtualTag],
        onNAK nak: @autoclosure () -> AirAnswer
    ) -> Heard {
        field.noteUse(message.bytes, at: now())
        statistics.update { $0.tagCommands += 1 }
        let (number, faults) = faults.countCommand()
        if faults.strikes(faults.tear, at: number) {
            message.tear(at: tag)
            lose(tag)
            return Heard(.silence)
        }
        if faults.strikes(faults.nak, at: number) { return Heard(nak()) }
        var heard = answers(to: message, from: tags).first ?? Heard(.silence)
        if faults.strikes(faults.crc, at: number), case .frame(var frame) = heard.answer,
            let last = frame.bytes.popLast()
        {
            frame.bytes.append(last ^ 0xFF)
            // A 4-bit answer has no CRC that could be wrong, so it arrives with one bit too many.
            frame.lastBits = frame.lastBits == 4 ? 5 : 0
            heard.answer = .frame(frame)
        }
        if faults.strikes(faults.loss, at: number) { lose(tag) }
        return heard
    }

    /// Delivers a message to the tags, and returns their answers in the order of the time slots.
    func answers(to message: Message, from tags: [any VirtualTag]) -> [Heard] {
        // The answer to a PPS is still sent at the old bit rate.
        let modulation = answerModulation(of: message, among: tags)
        return heard(tags.map { message.deliver(to: $0) }, modulation)
    }

    /// Combines the tags' replies in each time slot, and returns the results in the order of the slots.
    func heard(_ replies: [TagReply], _ modulation: Modulation) -> [Heard] {
        var slots: [Int: (frames: [AirFrame], delay: Duration)] = [:]
        for reply in replies {
            let frame: AirFrame
            switch reply.answer {
            case .silence: continue
            case .bytes(let bytes): frame = .withCRC(bytes, modulation)
            case .bare(let bytes): frame = AirFrame(bytes: bytes, modulation: modulation)
            case .nibble(let nibble): frame = AirFrame(bytes: [nibble & 0x0F], lastBits: 4)
            }
            slots[reply.slot, default: ([], .zero)].frames.append(frame)
            slots[reply.slot, default: ([], .zero)].delay = max(slots[reply.slot]?.delay ?? .zero, reply.delay)
        }
        return slots.sorted { $0.key < $1.key }.map { _, slot in
            let isEqual = slot.frames.allSatisfy { $0 == slot.frames[0] }
            return Heard(isEqual ? .frame(slot.frames[0]) : Self.superposed(slot.frames.map(\.bytes)), slot.delay)
        }
    }

    static func superposed(_ answers: [[UInt8]]) -> AirAnswer {
        guard let first = answers.first else { return .silence }
        let length = answers.map(\.count).max() ?? 0
        let sum = (0..<length).map { index in answers.reduce(0) { $0 | ($1.indices.contains(index) ? $1[index] : 0) } }
        let differing = (0..<(8 * length)).first { bit in answers.contains { $0.bit(bit) != first.bit(bit) } }
        return differing.map { .collision(bit: $0, sum) } ?? .frame(AirFrame(bytes: sum))
    }
}

/// An answer as received, and the delay before it.
struct Heard {
    var answer: AirAnswer
    var delay: Duration

    init(_ answer: AirAnswer, _ delay: Duration = .zero) { (self.answer, self.delay) = (answer, delay) }
}

extension [UInt8] {
    /// Returns the bit at this position in the order of transmission, lowest bit first; false after the last byte.
    func bit(_ index: Int) -> Bool { index / 8 < count && self[index / 8] >> UInt8(index % 8) & 1 == 1 }
}
