// A terminal that keeps what is typed to itself — termios(3), tcgetpgrp(3)

import Foundation

/// Turns off that a terminal shows what is typed, until it is restored; Ctrl-C stays.
///
/// An Enter or a scanner that types would move the lines of a view.
struct SilentKeyboard: Sendable {
    private let terminal: Int32
    private let before: termios

    /// Nil for what is no terminal, and in the background, where settings are another program's.
    init?(_ terminal: Int32) {
        var settings = termios()
        guard Self.isOurs(terminal), tcgetattr(terminal, &settings) == 0 else { return nil }
        self.terminal = terminal
        before = settings
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
        tcsetattr(terminal, TCSANOW, &settings)
    }

    /// Throws away what was typed, so that no shell runs it, and takes back the settings from before.
    func restore() {
        guard Self.isOurs(terminal) else { return }
        tcflush(terminal, TCIFLUSH)
        var settings = before
        // Without waiting for a terminal that takes no output, as after Ctrl-S.
        tcsetattr(terminal, TCSANOW, &settings)
    }

    /// Whether this process may change its settings: SIGTTOU stops one in the background.
    private static func isOurs(_ terminal: Int32) -> Bool {
        let group = tcgetpgrp(terminal)
        // Another terminal than the session's has none.
        return group == -1 ? isatty(terminal) == 1 : group == getpgrp()
    }
}
