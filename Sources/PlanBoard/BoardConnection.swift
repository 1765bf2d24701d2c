// A connection to a browser — RFC 9112, 9.6; recv(2), send(2)

import Glibc

/// A connection, from its request to its end.
///
/// Its functions never block.
struct BoardConnection {
    enum Phase {
        /// The head of the request has not arrived completely.
        case asking
        /// The answer is being sent. The connection ends after it.
        case answering
        /// Events are sent. The value is the number of the last event.
        case streaming(event: Int)
        /// Everything has been sent. The connection waits until the other side has closed it too.
        case closing
        case ended
    }

    let socket: Int32
    private(set) var phase = Phase.asking
    /// The time at which the connection is ended, or nil for a stream that has nothing to send.
    private(set) var deadline: ContinuousClock.Instant?
    private var received: [UInt8] = []
    private var unsent: ArraySlice<UInt8> = []
    /// The number of bytes received after the head of the request.
    private var surplus = 0
    /// Whether the other side has stopped sending.
    private var isSilent = false

    /// The time limits for receiving a head, for sending an answer or an event, and for closing.
    static let (patience, sendingPatience) = (Duration.seconds(10), Duration.seconds(20))
    private static let closingPatience = Duration.seconds(2)
    /// The maximum number of bytes after the head of the request.
    ///
    /// If a browser sends more, the connection is ended.
    private static let mostSurplus = 65536

    init(_ socket: Int32, now: ContinuousClock.Instant) {
        self.socket = socket
        deadline = now + Self.patience
    }

    var isEnded: Bool { if case .ended = phase { true } else { false } }
    var isStream: Bool { if case .streaming = phase { true } else { false } }
    /// Whether the connection may be ended in favour of another one: the browser has not sent its whole request, or has
    /// received its answer.
    var isIdle: Bool {
        switch phase {
        case .asking, .closing, .ended: true
        case .answering, .streaming: false
        }
    }
    var awaited: Int16 { Int16((isSilent ? 0 : POLLIN) | (unsent.isEmpty ? 0 : POLLOUT)) }

    /// Reads and sends as much as possible without blocking.
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
        // A browser that stops sending while it receives a stream has disconnected. Other browsers may stop sending as
        // soon as their request is sent.
        if isSilent, unsent.isEmpty || isStream { end() }
        send(now: now)
    }

    /// Sends an event to a stream, if all earlier ones have been sent.
    mutating func tell(_ event: BoardFeed.Event, now: ContinuousClock.Instant) {
        guard case .streaming(let last) = phase, event.number > last, unsent.isEmpty else { return }
        phase = .streaming(event: event.number)
        unsent = BoardAnswer.event(event.text)[...]
        deadline = now + Self.sendingPatience
        send(now: now)
    }

    /// Ends the connection if its deadline has passed.
    mutating func expire(now: ContinuousClock.Instant) {
        guard let deadline, deadline <= now else { return }
        // Also discard data that the system has not sent yet. The browser then gets a reset.
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
            // If the connection were closed now, a browser that is still sending would lose the answer — RFC 9112, 9.6.
            shutdown(socket, Int32(SHUT_WR))
            phase = .closing
            deadline = now + Self.closingPatience
        case .asking, .streaming, .closing, .ended: break
        }
    }
}
