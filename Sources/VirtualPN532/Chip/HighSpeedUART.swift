// The PN532's HSU interface: commands, acknowledgements and answers — NXP UM0701-02

/// Transfers frames between a byte stream and the chip.
///
/// Only one thread may use it.
final class HighSpeedUART {
    private enum State {
        case idle
        case waiting(until: Field.Instant?)
        case answering(HostFrame, at: Field.Instant)
    }

    private let chip: PN532
    private let faults: FaultCounter
    private let statistics: StatisticsCounter
    private let latency: Latency
    private let now: () -> Field.Instant
    /// The action after each command, before the command's answer is sent.
    private let afterCommand: () -> Void
    private var parser = HostFrameParser()
    private var state = State.idle
    private var lastAnswer: HostFrame?
    /// The time of the host's first byte; nil before.
    private var beginning: Field.Instant?
    /// The speed of the chip's side of the line.
    private(set) var speed = LineSpeed.afterReset
    /// How long the serial line was busy with the bytes since the last answer.
    private var lineTime = Duration.zero
    /// Whether a tag answered the last command and is active.
    private var reachedTag = false
    /// The speed to change to when the host acknowledges the answer to SetSerialBaudRate; nil if no change is pending.
    private var nextSpeed: LineSpeed?

    init(
        model: ChipModel = .pn532, field: Field, antenna: Antenna? = nil, faults: FaultCounter,
        statistics: StatisticsCounter, latency: Latency, now: @escaping () -> Field.Instant,
        afterCommand: @escaping () -> Void = {}
    ) {
        chip = PN532(
            model: model, field: field, antenna: antenna, faults: faults, statistics: statistics, latency: latency,
            now: now)
        (self.faults, self.statistics, self.latency) = (faults, statistics, latency)
        (self.now, self.afterCommand) = (now, afterCommand)
    }

    /// The time at which to call ``resume()`` if nothing happens before; nil if no call is needed.
    var wakeUpTime: Field.Instant? {
        let time: Field.Instant? =
            switch state {
            case .idle: nil
            case .waiting(let time): time
            case .answering(_, let time): time
            }
        return [time, chip.listenTime].compactMap { $0 }.min()
    }

    /// The descriptor that becomes readable when ``resume()`` has something to do; −1 if there is none.
    var antennaDescriptor: Int32 { chip.antenna?.descriptor ?? -1 }

    /// Whether the chip waits for an acknowledgement and changes its speed after it.
    var awaitsNewSpeed: Bool { nextSpeed != nil }

    /// Processes bytes from the host.
    ///
    /// Bytes that the host sends at a speed other than the chip's are garbage. A pseudo-terminal reports the host's
    /// speed at the time of reading. An acknowledgement that is read at the new speed may therefore have been sent at
    /// the old one. The chip accepts it unless ``notice(_:)`` has found that the host changed its speed first.
    ///
    /// - Parameters:
    ///   - bytes: the bytes as read from the pseudo-terminal.
    ///   - hostSpeed: the speed of the host's side of the line; nil if it is none of the chip's speeds.
    /// - Returns: the bytes to send: acknowledgements, and each answer that is due.
    func receive(_ bytes: [UInt8], at hostSpeed: LineSpeed? = LineSpeed.afterReset) -> [UInt8] {
        let mayBeEarlier = nextSpeed != nil && hostSpeed == nextSpeed && bytes.starts(with: HostFrame.ack.encoded)
        guard hostSpeed == speed || mayBeEarlier else {
            parser.reset()
            return []
        }
        parser.append(bytes)
        lineTime += speed.time(ofBytes: bytes.count)
        let beginning = beginning ?? now()
        self.beginning = beginning
        var output: [UInt8] = []
        while let frame = parser.next() {
            if !faults.isMute, !faults.sleeps(after: now() - beginning) { output += receive(frame) }
        }
        return output
    }

    /// Returns the bytes to send now: a delayed answer, or the answer to a command that waited for a tag or an
    /// initiator.
    func resume() -> [UInt8] {
        chip.listen()
        switch state {
        case .idle: return []
        case .answering(let frame, let time):
            guard time <= now() else { return [] }
            return send(frame)
        case .waiting:
            guard let progress = chip.resume() else { return [] }
            return proceed(progress, since: now())
        }
    }

    /// Records the speed of the host's side while the host sends nothing.
    ///
    /// If the host changed its speed before it sent the acknowledgement, no acknowledgement can arrive at the chip's
    /// speed any more.
    func notice(_ hostSpeed: LineSpeed?) {
        if hostSpeed != speed { nextSpeed = nil }
    }

    /// Discards an unfinished frame and completes a change of the speed, because the host's program closed the line.
    func lineClosed() {
        parser.reset()
        lineOpened()
    }

    /// Completes a change of the speed because the host's program opened the line again.
    ///
    /// When pyserial closes a port, it discards the bytes that it has not sent. A UART has sent the acknowledgement by
    /// then, but a pseudo-terminal may not have passed it on.
    func lineOpened() { changeSpeed() }

    private func changeSpeed() {
        speed = nextSpeed ?? speed
        nextSpeed = nil
    }

    /// Decouples the antenna because the chip loses its power.
    func powerOff() { chip.antenna?.close() }

    private func receive(_ frame: HostFrame) -> [UInt8] {
        switch frame {
        case .ack:
            // An acknowledgement before the answer to SetSerialBaudRate cancels the command.
            if case .idle = state {} else { nextSpeed = nil }
            chip.abort()
            state = .idle
            changeSpeed()
            return []
        case .nack:
            return lastAnswer?.encoded ?? []
        case .information(let data):
            state = .idle
            nextSpeed = nil
            let ack = HostFrame.ack.encoded
            lineTime += speed.time(ofBytes: ack.count)
            guard data.first == HostFrame.fromHost, data.count >= 2 else { return ack + send(.syntaxError) }
            statistics.update { $0.commands[data[1], default: 0] += 1 }
            if faults.isHung { return ack }
            // The computing time of the simulation does not count as the chip's time.
            let arrival = now()
            let progress = chip.execute(Array(data.dropFirst()))
            if case .answer = progress, data[1] == CommandCode.setSerialBaudRate.rawValue {
                nextSpeed = data.last.flatMap(LineSpeed.init(rawValue:))
            }
            return ack + proceed(progress, since: arrival)
        }
    }

    private func proceed(_ progress: PN532.Progress, since beginning: Field.Instant) -> [UInt8] {
        afterCommand()
        let (airTime, withTag) = chip.radio.takeElapsed()
        let elapsed = Statistics.exchangeTime + airTime
        if withTag { statistics.update { $0.tagTime += elapsed } }
        reachedTag = withTag && chip.selected != nil
        let frame: HostFrame
        switch progress {
        case .waiting(let time):
            state = .waiting(until: time)
            return []
        case .answer(let data): frame = .information([HostFrame.toHost] + data)
        case .syntaxError: frame = .syntaxError
        }
        guard !faults.isHung else {
            state = .idle
            return []
        }
        guard latency == .real else { return send(frame) }
        state = .answering(frame, at: beginning + elapsed + lineTime + speed.time(ofBytes: frame.encoded.count))
        return []
    }

    private func send(_ frame: HostFrame) -> [UInt8] {
        state = .idle
        lastAnswer = frame
        var bytes = frame.encoded
        lineTime += speed.time(ofBytes: bytes.count)
        statistics.update { statistics in
            statistics.exchanges += 1
            statistics.modelledTime += Statistics.exchangeTime + lineTime
            statistics.lineTime += lineTime
            if reachedTag { statistics.endOpening() }
        }
        reachedTag = false
        lineTime = .zero
        // The last two bytes are DCS and the postamble.
        if faults.takeCorruption() { bytes[bytes.count - 2] ^= 0xFF }
        return bytes
    }
}
