// The terminal's sound — ECMA-48, 8.3.3 (BEL)

import Glibc

package enum TerminalBell {
    package static func ring() {
        for terminal in [STDERR_FILENO, STDOUT_FILENO] where isatty(terminal) == 1 {
            _ = write(terminal, "\u{07}", 1)
            return
        }
    }
}
