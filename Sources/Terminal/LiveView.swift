// Lines on a terminal that are updated in place — ECMA-48: CUU, ED, EL; DEC private mode 25

import Foundation
import Synchronization

/// Keeps lines on a terminal up to date, from any thread, until ``finish()``.
package final class LiveView: Sendable {
    /// Returns the lines to show.
    ///
    /// - Parameters:
    ///   - height: the maximum number of lines.
    ///   - time: the time since the view began.
    ///   - isLast: whether the lines stay on the terminal. If so, they may exceed the height.
    package typealias Lines = @Sendable (_ style: Style, _ height: Int, _ time: Duration, _ isLast: Bool) -> [String]

    private struct State {
        var drawn: [String] = []
        var size: TerminalSize?
        var isStale = true
        var lastDrawing: ContinuousClock.Instant?
        var isFinished = false
    }

    private let state = Mutex(State())
    private let lines: Lines
    private let terminal: Int32
    private let environment: [String: String]
    private let start = ContinuousClock.now
    /// Hides typed text, or nil if this process may not change the terminal's settings.
    private let keyboard: SilentKeyboard?
    /// Shows the cursor and typed text again if the process ends at once.
    private let restoring: Interruption.Subscription

    /// The minimum time between two drawings.
    private static let interval = Duration.milliseconds(100)
    /// The maximum time between two drawings.
    ///
    /// It makes the displayed times advance even if nothing happens.
    private static let longestInterval = Duration.seconds(1)
    private static let (hiddenCursor, cursor) = ("\u{1B}[?25l", "\u{1B}[?25h")
    private static let (wholeLine, toTheEnd, wholeScreen) = ("\u{1B}[2K", "\u{1B}[J", "\u{1B}[H\u{1B}[J")

    /// Starts showing lines.
    ///
    /// - Parameters:
    ///   - terminal: the file descriptor of a terminal that supports control sequences.
    ///   - environment: the variables that determine the appearance: `NO_COLOR`, `TERM`, `COLUMNS`.
    ///   - lines: returns the lines to show. It is called repeatedly, from any thread.
    package init(
        on terminal: Int32, environment: [String: String] = ProcessInfo.processInfo.environment, lines: @escaping Lines
    ) {
        self.lines = lines
        self.terminal = terminal
        self.environment = environment
        let keyboard = SilentKeyboard(terminal)
        self.keyboard = keyboard
        // If the process is already ending, the terminal's settings are not changed.
        let restore: @Sendable () -> Void = {
            keyboard?.restore()
            Self.showCursor(on: terminal)
        }
        restoring = Interruption.onForcedEnd(restore) { keyboard?.silence() }.subscription
        Task { [weak self] in
            repeat { try? await Task.sleep(for: Self.interval) } while self?.tick() ?? false
        }
    }

    /// Shows changes at once or within a tenth of a second.
    package func update() {
        state.withLock { state in
            state.isStale = true
            drawIfDue(&state)
        }
    }

    package var time: Duration { ContinuousClock.now - start }

    /// Leaves the last state on the terminal as text, with the cursor below it.
    package func finish() {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            draw(&state, isLast: true)
            keyboard?.restore()
        }
    }

    /// Draws if necessary, and returns false after the view has finished.
    private func tick() -> Bool {
        state.withLock { state in
            drawIfDue(&state)
            return !state.isFinished
        }
    }

    private func drawIfDue(_ state: inout State) {
        guard !state.isFinished else { return }
        let age = state.lastDrawing.map { ContinuousClock.now - $0 } ?? Self.longestInterval
        guard age >= Self.interval else { return }
        if state.isStale || age >= Self.longestInterval || TerminalSize(of: terminal) != state.size { draw(&state) }
    }

    private func draw(_ state: inout State, isLast: Bool = false) {
        let size = TerminalSize(of: terminal) ?? TerminalSize(columns: 80, rows: 24)
        let style = Style(isTerminal: true, environment: environment, columns: size.columns)
        // Leave one line below for the cursor.
        let lines = lines(style, max(1, size.rows - 1), time, isLast)
        var text = state.lastDrawing == nil ? Self.hiddenCursor : ""
        if let old = state.size, old != size {
            // It is not known where the terminal moved the lines when it rewrapped them.
            text += Self.wholeScreen
            state.drawn = []
        }
        text += Self.changes(from: state.drawn, to: lines, isWhole: isLast)
        write(isLast ? text + Self.cursor : text)
        state.drawn = lines
        state.size = size
        state.isStale = false
        state.lastDrawing = .now
    }

    /// Returns the output that changes the terminal from old to new lines.
    ///
    /// The cursor is below the lines before and after.
    package static func changes(from old: [String], to new: [String], isWhole: Bool) -> String {
        var text = old.isEmpty ? "\r" : "\r\u{1B}[\(old.count)A"
        for (index, line) in new.enumerated() {
            // Clear the line before it is written. After writing, the cursor may be behind the last column, and
            // clearing would erase the character in that column.
            if isWhole || index >= old.count || old[index] != line { text += wholeLine + line }
            text += "\r\n"
        }
        // Clearing to the end also removes text that was typed below the lines.
        return isWhole || old.count > new.count ? text + toTheEnd : text
    }

    /// Shows the cursor, unless the terminal accepts no output, for example after Ctrl-S.
    ///
    /// This takes no lock, because a thread that draws may hold the lock while it waits for the terminal.
    private static func showCursor(on terminal: Int32) {
        var output = pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)
        guard poll(&output, 1, 0) == 1, output.revents & Int16(POLLOUT) != 0 else { return }
        _ = Foundation.write(terminal, cursor, cursor.utf8.count)
    }

    /// Writes text, and ignores errors, because the run continues without the terminal.
    private func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(terminal, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
        }
    }
}
