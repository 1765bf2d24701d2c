// What a person types, unless the process is asked to end — poll(2)

import Foundation

/// The terminal on the standard input.
enum TerminalInput {
    /// Waits for a line; nil at the end of the input.
    ///
    /// - Throws: ``Interrupted`` when the process is asked to end.
    static func line() throws(Interrupted) -> String? {
        guard let wakeUp = WakeUp() else { return nil }
        let subscription = Interruption.onRequest { wakeUp.signal() }
        defer { withExtendedLifetime(subscription) {} }
        var bytes: [UInt8] = []
        while true {
            var descriptors = [STDIN_FILENO, wakeUp.descriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let count = poll(&descriptors, nfds_t(descriptors.count), -1)
            if count < 0, errno == EINTR { continue }
            if count < 0 || descriptors[1].revents != 0 { throw Interrupted(cause: nil) }
            // One by one: what follows the line is the answer to the next question.
            var byte: UInt8 = 0
            let length = read(STDIN_FILENO, &byte, 1)
            if length < 0, errno == EINTR { continue }
            guard length > 0 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }
}

/// A pipe that becomes readable once it is signalled.
private final class WakeUp: Sendable {
    let descriptor: Int32
    private let writeEnd: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    func signal() { _ = write(writeEnd, [0], 1) }
}
