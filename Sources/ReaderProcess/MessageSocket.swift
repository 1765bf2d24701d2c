// One end of a pair of sockets that carry whole messages in order — unix(7), SOCK_SEQPACKET

@preconcurrency import Glibc
import Synchronization

/// A socket for whole messages of at most ``maximumLength`` bytes.
///
/// It is closed when the last reference to it is gone.
final class MessageSocket: Sendable {
    let descriptor: CInt

    /// The maximum length of requests and replies in bytes.
    ///
    /// Tags have a few kilobytes at most, and a poll finds few tags.
    static let maximumLength = 64 * 1024

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    /// Creates two connected sockets, which child programs do not inherit.
    ///
    /// Returns nil if the system refuses.
    static func pair() -> (MessageSocket, MessageSocket)? {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        return (MessageSocket(ends[0]), MessageSocket(ends[1]))
    }

    /// Sends a message, and returns false if the other end is gone or does not accept it.
    func send(_ message: [UInt8]) -> Bool {
        while true {
            let count = Glibc.send(descriptor, message, message.count, CInt(MSG_NOSIGNAL))
            if count >= 0 { return count == message.count }
            guard errno == EINTR else { return false }
        }
    }

    enum Reception {
        case message([UInt8])
        case nothing
        case closed
    }

    /// Waits for a message.
    ///
    /// - Parameter time: the maximum wait, at most 60 s, or nil for no limit.
    /// - Returns: `nothing` if no message came in time or a signal arrived; `closed` if the other end has closed.
    func receive(within time: Duration?) -> Reception {
        var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        let milliseconds = time.map { CInt(max(0, min($0 / .milliseconds(1), 60_000))) } ?? -1
        let ready = poll(&descriptors, 1, milliseconds)
        if ready == 0 || ready < 0 && errno == EINTR { return .nothing }
        guard ready > 0 else { return .closed }
        let message = [UInt8](unsafeUninitializedCapacity: Self.maximumLength) { buffer, count in
            count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        // Every message begins with a code, so an empty message means that the stream has ended.
        return message.isEmpty ? .closed : .message(message)
    }
}
