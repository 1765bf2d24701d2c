// The size of a terminal — ioctl_tty(2), TIOCGWINSZ

import Foundation

struct TerminalSize: Hashable, Sendable {
    let columns: Int
    let rows: Int

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// Returns nil if this is not a terminal, or if its size is unknown.
    init?(of terminal: Int32) {
        var size = winsize()
        guard ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        self.init(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
