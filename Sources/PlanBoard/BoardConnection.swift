// One browser that is connected — RFC 9112, 9.6; recv(2), send(2)

import Glibc

/// A connection, from its request to its end; it never waits.
struct BoardConnection {
    enum Phase {
        /// The head of its request has not come whole.
        case asking
        /// Gets an answer, and then the end.
        case answering
        /// Gets each event; the number of the last one.
        case streaming(event: Int)
        /// Has everything: waits until the other side knows.
        case closing
        case ended
    }

    let socket: Int32
    private(set) var phase = Phase.asking
    /// When it is ended; nil for a stream that has all events.
    private(set) var deadline: ContinuousClock.Instant?
    private var received: [UInt8] = []
    private var unsent: ArraySlice<UInt8> = []
    /// Bytes that came after the head.
    private var surplus = 0
    /// Whether the other side sends nothing more.
    private var isSilent = false

    /// How long a head may take, an answer or an event, and the end.
    static let (patience, sendingPatience) = (Duration.seconds(10), Duration.seconds(20))
    private static let closingPatience = Duration.seconds(2)
    /// A connection that sends more than this after its head is ended.
    private static let mostSurplus = 65536

    init(_ socket: Int32, now: ContinuousClock.Instant) {
        self.socket = socket
        deadline = now + Self.patience
    }

    var isEnded: Bool { if case .ended = phase { true } else { false } }
    var isStream: Bool { if case .streaming = phase { true } else { false } }
    /// Whether it may be ended in favour of another one: it asked nothing, or has its answer.
    var isIdle: Bool {
        switch phase {
        case .asking, .closing, .ended: true
        case .answering, .streaming: false
        }
    }
    var awaited: Int16 { Int16((isSilent ? 0 : POLLIN) | (unsent.isEmpty ? 0 : POLLOUT)) }

    /// Reads what is there, and sends what can be sent.
    ///
    /// Calls `answer` once the head of a request is complete.
    mutating func serve(now: ContinuousClock.Instant, _ answer: (_ head: [UInt8]) -> (BoardAnswer, isHead: Bool)) {
        receive()
        if case .asking = phase {
            if let head = BoardGuard.Request.head(of: received) {
                let (answer, isHead) = answer(head)
                begin(answer, isHead: isHead, now: now)
            } else if received.count >= BoardGuard.Request.longestHead {
                begin(.refusal(431, "Request Header Fields Too Large"), isHead: false, now: now)
            }
        }
        // A browser that leaves a stream says nothing more; one that asks may say so at once.
        if isSilent, unsent.isEmpty || isStream { end() }
        send(now: now)
    }

    /// Tells a stream an event, once it has the ones before.
    mutating func tell(_ event: BoardFeed.Event, now: ContinuousClock.Instant) {
        guard case .streaming(let last) = phase, event.number > last, unsent.isEmpty else { return }
        phase = .streaming(event: event.number)
        unsent = BoardAnswer.event(event.text)[...]
        deadline = now + Self.sendingPatience
        send(now: now)
    }

    /// Ends it when its time is over.
    mutating func expire(now: ContinuousClock.Instant) {
        guard let deadline, deadline <= now else { return }
        // What a browser does not take is not kept for it by the system either: it is told by a reset.
        var linger = linger(l_onoff: unsent.isEmpty ? 0 : 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        end()
    }

    mutating func end() {
        guard !isEnded else { return }
        close(socket)
        phase = .ended
    }

    private mutating func begin(_ answer: BoardAnswer, isHead: Bool, now: ContinuousClock.Instant) {
        received = []
        phase = answer.content == nil && !isHead ? .streaming(event: 0) : .answering
        unsent = answer.bytes(withContent: !isHead)[...]
        deadline = now + Self.sendingPatience
    }

    private mutating func receive() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !isEnded, !isSilent {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count >= 0 else { return end() }
            isSilent = count == 0
            if case .asking = phase {
                received += buffer[..<min(count, BoardGuard.Request.longestHead - received.count)]
                if received.count >= BoardGuard.Request.longestHead { return }
            } else {
                surplus += count
                if surplus > Self.mostSurplus { return end() }
            }
        }
    }

    private mutating func send(now: ContinuousClock.Instant) {
        while !unsent.isEmpty, !isEnded {
            let count = unsent.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return end() }
            unsent = unsent.dropFirst(count)
        }
        switch phase {
        case .streaming where unsent.isEmpty: deadline = nil
        case .answering:
            // Closing at once would take the answer away from a browser that still sends: RFC 9112, 9.6.
            shutdown(socket, Int32(SHUT_WR))
            phase = .closing
            deadline = now + Self.closingPatience
        case .asking, .streaming, .closing, .ended: break
        }
    }
}
