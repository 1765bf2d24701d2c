// Accepts connections from browsers and serves them on one thread — accept(2), poll(2), RFC 9112, 9.5

import Foundation
import Glibc
import Synchronization

/// Serves a limited number of connections, regardless of which clients connect and what they send.
///
/// A browser has a short time to send its request, whose length is limited, and a short time to receive the answer. If
/// there are too many connections, an idle one is ended to make room for the next.
final class BoardListener: Sendable {
    /// The port that the listener uses, which the system may have chosen.
    let port: UInt16
    private let socket: Int32
    private let address: BoardAddress
    private let server: BoardServer
    /// The pipe that wakes the listener: a byte that is written to it ends the wait.
    private let bell: (reading: Int32, writing: Int32)
    private let isOver = Atomic(false)

    static let mostConnections = 256
    /// The maximum number of streams.
    ///
    /// A stream gets events until its browser disconnects.
    static let mostStreams = 200
    /// How long to accept no connections after the system had no resources for another one.
    private static let pause = Duration.milliseconds(500)
    private static let mostAcceptedAtOnce = 64

    /// Starts to listen.
    ///
    /// - Throws: `addressTaken`, `notAllowed`, `unusable`.
    init(_ address: BoardAddress, _ server: BoardServer) throws(BoardError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(address) }
        for end in ends { Self.prepare(end) }
        do {
            (socket, port) = try Self.listen(on: address)
        } catch {
            for end in ends { close(end) }
            throw error
        }
        bell = (ends[0], ends[1])
        self.address = address
        self.server = server
    }

    deinit { for descriptor in [socket, bell.reading, bell.writing] { close(descriptor) } }

    /// Serves until ``end()``, or until its task is cancelled.
    ///
    /// - Throws: `unusable` if the system removes the address.
    func run() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                Thread.detachNewThread {
                    let failure = self.serve()
                    if let failure { continuation.resume(throwing: failure) } else { continuation.resume() }
                }
            }
        } onCancel: {
            end()
        }
    }

    /// Wakes the listener's thread, which sends the current state to the browsers.
    func ring() {
        var byte: UInt8 = 0
        // If the pipe is full, the thread already has a signal.
        _ = write(bell.writing, &byte, 1)
    }

    /// Ends the listener and all connections.
    func end() {
        isOver.store(true, ordering: .sequentiallyConsistent)
        ring()
    }

    // MARK: On the listener's thread

    private func serve() -> BoardError? {
        var connections: [BoardConnection] = []
        defer { for index in connections.indices { connections[index].end() } }
        // Until this time, no connection is accepted, because the system has no resources for one.
        var pauseEnd: ContinuousClock.Instant?
        while !isOver.load(ordering: .sequentiallyConsistent) {
            var awaited = [pollfd(fd: bell.reading, events: Int16(POLLIN), revents: 0)]
            awaited.append(pollfd(fd: pauseEnd == nil ? socket : -1, events: Int16(POLLIN), revents: 0))
            awaited += connections.map { pollfd(fd: $0.socket, events: $0.awaited, revents: 0) }
            let first = (connections.compactMap(\.deadline) + [pauseEnd].compactMap(\.self)).min()
            _ = poll(&awaited, nfds_t(awaited.count), Self.milliseconds(until: first))
            let now = ContinuousClock.now
            if awaited[0].revents != 0 { silence() }
            for index in connections.indices {
                if awaited[index + 2].revents != 0 { serve(&connections, index, now) }
                connections[index].expire(now: now)
            }
            if let event = server.feed.latest {
                for index in connections.indices { connections[index].tell(event, now: now) }
            }
            if let end = pauseEnd, end <= now { pauseEnd = nil }
            connections.removeAll(where: \.isEnded)
            if awaited[1].revents != 0 {
                switch accept(&connections, now) {
                case .done: break
                case .noRoom: pauseEnd = now + Self.pause
                case .failed(let code):
                    return .unusable(address, reason: String(cString: strerror(code)))
                }
            }
        }
        return nil
    }

    private enum Acceptance {
        case done, noRoom
        case failed(Int32)
    }

    private func accept(_ connections: inout [BoardConnection], _ now: ContinuousClock.Instant) -> Acceptance {
        for _ in 0..<Self.mostAcceptedAtOnce {
            let descriptor = Glibc.accept(socket, nil, nil)
            guard descriptor >= 0 else {
                switch errno {
                case EAGAIN: return .done
                case EBADF, EINVAL, ENOTSOCK, EFAULT, EOPNOTSUPP: return .failed(errno)
                case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                    // Ending an idle connection makes room for the next one.
                    if let oldest = connections.firstIndex(where: \.isIdle) { connections[oldest].end() }
                    connections.removeAll(where: \.isEnded)
                    return .noRoom
                // The connection ended before it was accepted: accept(2), "Error handling".
                default: continue
                }
            }
            if connections.count >= Self.mostConnections {
                // End the oldest idle connection first.
                guard let oldest = connections.firstIndex(where: \.isIdle) else {
                    close(descriptor)
                    continue
                }
                connections[oldest].end()
                connections.remove(at: oldest)
            }
            Self.prepare(descriptor)
            Self.limit(descriptor)
            connections.append(BoardConnection(descriptor, now: now))
            serve(&connections, connections.count - 1, now)
        }
        return .done
    }

    private func serve(_ connections: inout [BoardConnection], _ index: Int, _ now: ContinuousClock.Instant) {
        let streams = connections.count(where: \.isStream)
        connections[index].serve(now: now) { head in
            guard let request = BoardGuard.Request(head: head) else {
                return (.refusal(400, "Bad Request"), false)
            }
            var answer = server.answer(request)
            if answer.content == nil, streams >= Self.mostStreams {
                answer = .refusal(503, "Service Unavailable", [("Retry-After", "10")])
            }
            return (answer, request.method == "HEAD")
        }
        if let event = server.feed.latest { connections[index].tell(event, now: now) }
    }

    private func silence() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(bell.reading, &bytes, bytes.count) > 0 {}
    }

    private static func milliseconds(until time: ContinuousClock.Instant?) -> Int32 {
        guard let time else { return -1 }
        return Int32(max(0, min((time - .now) / .milliseconds(1), 60_000)).rounded(.up))
    }

    /// Makes a descriptor non-blocking, and has it closed in programs that this process starts.
    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    /// Limits the send buffer, so that a browser that reads nothing is detected before much data is buffered.
    private static func limit(_ descriptor: Int32) {
        var size: Int32 = 65536
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout.size(ofValue: size)))
    }
}
