// A terminal that does not show typed text — termios(3), tcgetpgrp(3)

import Foundation

/// Hides typed text on a terminal between ``silence()`` and ``restore()``.
///
/// Ctrl-C still works. Pressing Enter, or a scanner that acts as a keyboard, would otherwise move the lines of a view.
struct SilentKeyboard: Sendable {
    private let terminal: Int32
    private let before: termios

    /// Reads the settings of a terminal, and changes nothing.
    ///
    /// Returns nil if this is not a terminal, or if this process is in the background, where another program controls
    /// the settings.
    init?(_ terminal: Int32) {
        var settings = termios()
        guard Self.isOurs(terminal), tcgetattr(terminal, &settings) == 0 else { return nil }
        self.terminal = terminal
        before = settings
    }

    /// Stops the terminal from showing typed text.
    func silence() {
        var settings = before
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
        tcsetattr(terminal, TCSANOW, &settings)
    }

    /// Discards typed text, so that no shell runs it, and restores the previous settings.
    func restore() {
        guard Self.isOurs(terminal) else { return }
        tcflush(terminal, TCIFLUSH)
        var settings = before
        // TCSANOW does not wait for a terminal that accepts no output, for example after Ctrl-S.
        tcsetattr(terminal, TCSANOW, &settings)
    }

    /// Whether this process may change the terminal's settings.
    ///
    /// SIGTTOU stops a background process that changes them.
    private static func isOurs(_ terminal: Int32) -> Bool {
        let group = tcgetpgrp(terminal)
        // A terminal that is not the session's controlling terminal has no process group.
        return group == -1 ? isatty(terminal) == 1 : group == getpgrp()
    }
}
