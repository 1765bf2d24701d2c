// An antenna in the field of another reader's — ISO/IEC 14443-2, seen from either side

import Glibc

/// The antenna of a virtual reader or phone, held to that of another.
///
/// What one of the two is as a target, the other has as a tag in its field. Both do the same, and either may come
/// first, go, and come again. An antenna belongs to one ``VirtualReader`` or ``VirtualPhone``.
public final class Antenna: @unchecked Sendable {  // What varies belongs to its owner's one thread.
    /// What the other side does to this one as a target.
    enum Event: Hashable {
        /// A frame, which ``answer(_:with:)`` is to answer by its number.
        case frame(number: UInt8, [UInt8])
        case fieldOff
    }

    private let line: AntennaLine
    private var listener: AntennaSignal.Listener?
    private var epoch: UInt8 = 0
    private var events: [Event] = []
    /// The other side as a tag.
    private var tag: CoupledTag?
    /// When the tag, which a fault took away, is back; nil inside: when it listens anew.
    private var absence: Absence?
    private var frameNumber: UInt8 = 0
    private var answer: TagAnswer?

    private enum Absence {
        case until(Field.Instant)
        case untilNext
    }

    /// Events that are kept; the other side waits for an answer after each frame.
    private static let maximumEvents = 16
    /// Signals that are taken in at once.
    private static let budget = 64
    /// How long an answer is waited for.
    ///
    /// A chip that serves its target answers far sooner, by S(WTX) if nothing else; the time is for the scheduler.
    private static let patience = Duration.seconds(1)

    /// Between attempts to find a place beside two others.
    private static let pause = Duration.milliseconds(50)

    init(_ line: AntennaLine) { self.line = line }

    /// An antenna that is held to another of the same name, in this process or in another one of this user.
    /// - Parameter name: 1 to 64 bytes.
    /// - Throws: ``VirtualReaderError/badValue(option:value:expected:)``.
    public convenience init(named name: String) throws(VirtualReaderError) {
        guard AntennaLine.nameLength.contains(name.utf8.count) else {
            let range = AntennaLine.nameLength
            throw .badValue(
                option: "antenna", value: name,
                expected: "a name of \(range.lowerBound) to \(range.upperBound) bytes")
        }
        self.init(AntennaLine(name: name))
    }

    /// Two antennas held together.
    /// - Throws: ``VirtualReaderError/noAntenna(_:)``.
    public static func pair() throws(VirtualReaderError) -> (Antenna, Antenna) {
        let (one, other) = try AntennaLine.pair()
        return (Antenna(one), Antenna(other))
    }

    /// What becomes readable when there is something to ``update()``; −1 when nothing will.
    var descriptor: Int32 { line.descriptor }

    /// When ``update()`` is to be called although nothing became readable.
    var retryTime: ContinuousClock.Instant? { line.isAdrift ? .now + Self.pause : nil }

    /// Takes the antenna away from the other.
    func close() {
        line.close()
        (tag, listener, events) = (nil, nil, [])
    }

    /// Takes in what came from the other side; never waits.
    func update() {
        connect()
        for _ in 0..<Self.budget {
            switch line.receive() {
            case .packet(let packet): if let signal = AntennaSignal(packet) { take(signal) }
            case .nothing: return
            case .gone:
                (tag, absence) = (nil, nil)
                if listener != nil { note(.fieldOff) }
                connect()
            }
        }
    }

    /// Waits for something to take in.
    func wait(until deadline: ContinuousClock.Instant) {
        let rest = max(.zero, min((retryTime.map { min($0, deadline) } ?? deadline) - .now, .seconds(60)))
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, Int32((rest / .milliseconds(1)).rounded(.up)))
    }

    private func connect() {
        if line.connect(), let listener { send(.listening(listener)) }
    }

    private func send(_ signal: AntennaSignal) { line.send(signal.encoded) }

    private func take(_ signal: AntennaSignal) {
        switch signal {
        case .listening(let listener):
            tag = CoupledTag(listener, antenna: self)
            absence = nil
        case .silent: tag = nil
        case .frame(let epoch, let number, let bytes):
            guard listener?.epoch == epoch else { return send(.answer(number: number, .silence)) }
            note(.frame(number: number, bytes))
        case .fieldOff(let epoch): if listener?.epoch == epoch { note(.fieldOff) }
        case .answer(let number, let answer): if number == frameNumber { self.answer = answer }
        }
    }

    private func note(_ event: Event) {
        if events.count == Self.maximumEvents { events.removeFirst() }
        events.append(event)
    }
}

// As a target.
extension Antenna {
    /// Can be found and selected from now on, as a target that was not there before.
    func listen(sensRes: [UInt8], nfcID1: [UInt8], selRes: UInt8) {
        epoch &+= 1
        events = []
        let listener = AntennaSignal.Listener(epoch: epoch, sensRes: sensRes, nfcID1: nfcID1, selRes: selRes)
        self.listener = listener
        send(.listening(listener))
    }

    /// Is no target any more.
    func stopListening() {
        guard listener != nil else { return }
        (listener, events) = (nil, [])
        send(.silent)
    }

    /// What happened since the last call.
    func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    /// Answers a frame.
    func answer(_ number: UInt8, with answer: TagAnswer) { send(.answer(number: number, answer)) }
}

// As an initiator.
extension Antenna {
    /// The other side's target, while it is in reach.
    func present(at now: Field.Instant) -> CoupledTag? {
        switch absence {
        case .until(let time) where time <= now: absence = nil
        case .until, .untilNext: return nil
        case nil: break
        }
        return tag
    }

    /// When a lost tag is back.
    var nextChange: Field.Instant? { if case .until(let time) = absence { time } else { nil } }

    /// The tag is out of reach until `back` has passed, or until it listens anew.
    func lose(at now: Field.Instant, back: Duration?) {
        absence = back.map { .until(now + $0) } ?? .untilNext
    }

    /// Whether this is the target that listens now.
    func isCurrent(_ tag: CoupledTag) -> Bool { self.tag === tag }

    /// Sends a frame to the target and waits for the answer.
    func exchange(_ frame: [UInt8], with tag: CoupledTag) -> TagAnswer {
        guard isCurrent(tag) else { return .silence }
        frameNumber &+= 1
        answer = nil
        send(.frame(epoch: tag.epoch, number: frameNumber, frame))
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            update()
            if let answer { return answer }
            guard isCurrent(tag) else { break }
            wait(until: deadline)
        }
        return .silence
    }

    /// Sends a frame to the target that has no answer.
    func transmit(_ frame: [UInt8], to tag: CoupledTag) {
        guard isCurrent(tag) else { return }
        frameNumber &+= 1
        send(.frame(epoch: tag.epoch, number: frameNumber, frame))
    }

    /// Tells the target that the field went off.
    func fieldWentOff(for tag: CoupledTag) { if isCurrent(tag) { send(.fieldOff(epoch: tag.epoch)) } }
}
