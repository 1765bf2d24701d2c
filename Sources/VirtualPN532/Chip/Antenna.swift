// An antenna that is coupled to the antenna of another reader — ISO/IEC 14443-2

import Glibc

/// The antenna of a virtual reader or phone, coupled to the antenna of another one.
///
/// If one side is a target, the other side sees it as a tag in its field. Both sides work the same way, and either may
/// come first, leave and return. An antenna belongs to one ``VirtualReader`` or ``VirtualPhone``.
public final class Antenna: @unchecked Sendable {  // Mutable state is confined to the owner's thread.
    /// An event that the initiator on the other side caused at this antenna's target.
    enum Event: Hashable {
        /// A frame to answer with ``answer(_:with:)``, which takes the frame's number.
        case frame(number: UInt8, [UInt8])
        case fieldOff
    }

    private let line: AntennaLine
    private var listener: AntennaSignal.Listener?
    private var epoch: UInt8 = 0
    private var events: [Event] = []
    /// The other side's target as a tag; nil if the other side is not a target.
    private var tag: CoupledTag?
    /// How long the tag stays out of reach after a fault; nil if it is within reach.
    private var absence: Absence?
    private var frameNumber: UInt8 = 0
    private var answer: TagAnswer?

    private enum Absence {
        case until(Field.Instant)
        case untilNext
    }

    /// The maximum number of events that are kept.
    ///
    /// The limit is never reached in normal operation, because the other side waits for an answer after each frame.
    private static let maximumEvents = 16
    /// The maximum number of signals that one call processes.
    private static let budget = 64
    /// The maximum time to wait for an answer.
    ///
    /// A chip in target mode answers much sooner, even if only with S(WTX). The rest is a margin for the scheduler.
    private static let patience = Duration.seconds(5)

    /// The time between attempts to connect while two other antennas use the name.
    private static let pause = Duration.milliseconds(50)

    init(_ line: AntennaLine) { self.line = line }

    /// Creates an antenna that is coupled to the antenna of the same name in any process of the same user.
    ///
    /// - Parameter name: the common name of both antennas, 1 to 64 bytes.
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

    /// Creates two antennas that are coupled to each other.
    ///
    /// - Throws: ``VirtualReaderError/noAntenna(_:)``.
    public static func pair() throws(VirtualReaderError) -> (Antenna, Antenna) {
        let (one, other) = try AntennaLine.pair()
        return (Antenna(one), Antenna(other))
    }

    /// The descriptor that becomes readable when ``update()`` has something to process; −1 if there is none.
    var descriptor: Int32 { line.descriptor }

    /// The time at which to call ``update()`` even if nothing became readable; nil if that is not needed.
    var retryTime: ContinuousClock.Instant? { line.isAdrift ? .now + Self.pause : nil }

    func close() {
        line.close()
        (tag, listener, events) = (nil, nil, [])
    }

    /// Processes the signals from the other side without blocking.
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

    /// Waits for a signal from the other side, at most until the deadline and at most 60 s.
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

// The antenna as a target.
extension Antenna {
    /// Starts to listen as a new target, which the other side can find and select.
    func listen(sensRes: [UInt8], nfcID1: [UInt8], selRes: UInt8) {
        epoch &+= 1
        events = []
        let listener = AntennaSignal.Listener(epoch: epoch, sensRes: sensRes, nfcID1: nfcID1, selRes: selRes)
        self.listener = listener
        send(.listening(listener))
    }

    func stopListening() {
        guard listener != nil else { return }
        (listener, events) = (nil, [])
        send(.silent)
    }

    /// Returns the events since the last call, and forgets them.
    func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    func answer(_ number: UInt8, with answer: TagAnswer) { send(.answer(number: number, answer)) }
}

// The antenna as an initiator.
extension Antenna {
    /// The other side's target, if it is within reach.
    func present(at now: Field.Instant) -> CoupledTag? {
        switch absence {
        case .until(let time) where time <= now: absence = nil
        case .until, .untilNext: return nil
        case nil: break
        }
        return tag
    }

    /// The time at which a lost tag returns; nil if no tag returns by itself.
    var nextChange: Field.Instant? { if case .until(let time) = absence { time } else { nil } }

    /// Takes the tag out of reach for the duration `back`.
    ///
    /// If `back` is nil, the tag returns when it listens again.
    func lose(at now: Field.Instant, back: Duration?) {
        absence = back.map { .until(now + $0) } ?? .untilNext
    }

    func isCurrent(_ tag: CoupledTag) -> Bool { self.tag === tag }

    /// Sends a frame to the target and waits for the answer, for at most 5 s.
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

    func transmit(_ frame: [UInt8], to tag: CoupledTag) {
        guard isCurrent(tag) else { return }
        frameNumber &+= 1
        send(.frame(epoch: tag.epoch, number: frameNumber, frame))
    }

    /// Reports to the target that the initiator's field was switched off.
    func fieldWentOff(for tag: CoupledTag) { if isCurrent(tag) { send(.fieldOff(epoch: tag.epoch)) } }
}
