// Input from a person, until the process is asked to end — poll(2)

import Foundation

package enum TerminalInput {
    /// Asks a question and returns the line that the user enters, or nil at the end of the input.
    ///
    /// On a terminal, text typed before the question is discarded. With `isRepeated`, it is kept, because the question
    /// asks again for what was just typed, and the answer may already be there. Throws ``InputInterrupted`` if the
    /// process is asked to end.
    package static func answer(to question: String, isRepeated: Bool = false) throws(InputInterrupted) -> String? {
        // On a pipe, this has no effect and fails with ENOTTY.
        if !isRepeated { tcflush(STDIN_FILENO, TCIFLUSH) }
        guard let wakeUp = WakeUp() else { return nil }
        // Subscribe before the question is printed, because the user may press Ctrl-C at once.
        let subscription = Interruption.onRequest { wakeUp.signal() }
        defer { withExtendedLifetime(subscription) {} }
        StandardError.print(question)
        return try line(until: wakeUp)
    }

    /// Asks without showing the typed text.
    package static func hidden<Value>(_ ask: () throws -> Value) rethrows -> Value {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return try ask() }
        let shown = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        // If the user ends the program now, the terminal must show typed text again.
        let restoring = Interruption.onForcedEnd({ set(shown) }) { set(settings) }.subscription
        defer {
            set(shown)
            withExtendedLifetime(restoring) {}
        }
        return try ask()
    }

    /// Changes the settings, even if Ctrl-S has stopped the terminal's output.
    ///
    /// In that case, TCSADRAIN, TCSAFLUSH and any output would wait.
    private static func set(_ settings: termios) {
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// Waits for a line and returns it, or nil at the end of the input.
    ///
    /// - Throws: ``InputInterrupted`` if the process is asked to end.
    private static func line(until wakeUp: WakeUp) throws(InputInterrupted) -> String? {
        var bytes: [UInt8] = []
        while true {
            var descriptors = [STDIN_FILENO, wakeUp.descriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let count = poll(&descriptors, nfds_t(descriptors.count), -1)
            if count < 0, errno == EINTR { continue }
            if count < 0 || descriptors[1].revents != 0 { throw InputInterrupted() }
            // Read the bytes one by one, because the input after the line is the answer to the next question.
            var byte: UInt8 = 0
            let length = read(STDIN_FILENO, &byte, 1)
            if length < 0, errno == EINTR { continue }
            guard length > 0 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }
}

/// The process was asked to end while it waited for input.
package struct InputInterrupted: Error {}

/// A pipe that becomes readable when it is signalled.
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
