// Lines on a terminal, drawn in place — ECMA-48: CUU, ED, EL; DEC private mode 25

import Foundation
import Synchronization

/// Keeps lines on a terminal up to date, from any thread, until ``finish()``.
package final class LiveView: Sendable {
    /// The lines to show.
    ///
    /// - Parameters:
    ///   - height: how many there may be.
    ///   - time: since the view began.
    ///   - isLast: whether the lines stay there, so that there may be more of them.
    package typealias Lines = @Sendable (_ style: Style, _ height: Int, _ time: Duration, _ isLast: Bool) -> [String]

    /// What is on the terminal.
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
    /// What is typed is not shown; nil where it is no terminal of ours.
    private let keyboard: SilentKeyboard?
    /// Shows the cursor and what is typed when the process ends at once.
    private let restoring: Interruption.Subscription

    /// The shortest time between two drawings.
    private static let interval = Duration.milliseconds(100)
    /// Time goes on also when nothing happens.
    private static let longestInterval = Duration.seconds(1)
    private static let (hiddenCursor, cursor) = ("\u{1B}[?25l", "\u{1B}[?25h")
    private static let (wholeLine, toTheEnd, wholeScreen) = ("\u{1B}[2K", "\u{1B}[J", "\u{1B}[H\u{1B}[J")

    /// Begins to show lines.
    ///
    /// - Parameters:
    ///   - terminal: the file descriptor of a terminal that takes control sequences.
    ///   - environment: the variables that decide how lines look: `NO_COLOR`, `TERM`, `COLUMNS`.
    ///   - lines: called again and again, from any thread.
    package init(
        on terminal: Int32, environment: [String: String] = ProcessInfo.processInfo.environment, lines: @escaping Lines
    ) {
        self.lines = lines
        self.terminal = terminal
        self.environment = environment
        let keyboard = SilentKeyboard(terminal)
        self.keyboard = keyboard
        restoring = Interruption.onForcedEnd {
            keyboard?.restore()
            Self.showCursor(on: terminal)
        }
        Task { [weak self] in
            repeat { try? await Task.sleep(for: Self.interval) } while self?.tick() ?? false
        }
    }

    /// Shows what has changed, at once or within a tenth of a second.
    package func update() {
        state.withLock { state in
            state.isStale = true
            drawIfDue(&state)
        }
    }

    /// The time since the view began.
    package var time: Duration { ContinuousClock.now - start }

    /// Leaves the last state on the terminal as text, and the cursor below it.
    package func finish() {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            draw(&state, isLast: true)
            keyboard?.restore()
        }
    }

    /// False after the end.
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
        // Below the lines there is a line for the cursor.
        let lines = lines(style, max(1, size.rows - 1), time, isLast)
        var text = state.lastDrawing == nil ? Self.hiddenCursor : ""
        if let old = state.size, old != size {
            // It is unknown where the terminal put the lines that it broke anew.
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

    /// What brings the terminal from some lines to others; the cursor is below the lines before and after.
    package static func changes(from old: [String], to new: [String], isWhole: Bool) -> String {
        var text = old.isEmpty ? "\r" : "\r\u{1B}[\(old.count)A"
        for (index, line) in new.enumerated() {
            // The line is cleared before: with the cursor behind its last column, clearing would take what stands there.
            if isWhole || index >= old.count || old[index] != line { text += wholeLine + line }
            text += "\r\n"
        }
        // Also what was typed there.
        return isWhole || old.count > new.count ? text + toTheEnd : text
    }

    /// Shows the cursor, unless the terminal takes no output, as after Ctrl-S.
    ///
    /// Takes no lock: a drawing may hold it, and wait for the terminal.
    private static func showCursor(on terminal: Int32) {
        var output = pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)
        guard poll(&output, 1, 0) == 1, output.revents & Int16(POLLOUT) != 0 else { return }
        _ = Foundation.write(terminal, cursor, cursor.utf8.count)
    }

    /// A terminal that went away is no failure: the run goes on without.
    private func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(terminal, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
        }
    }
}
