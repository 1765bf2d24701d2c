// Where the events of a provisioning go: JSON Lines, a line each, or a view on the terminal — Docs/CommandLine.md

import Foundation
import Synchronization
import Terminal

/// Tells the events, from any thread.
final class ProvisionOutput: Sendable {
    private let isJSON: Bool
    private let isQuiet: Bool
    private let beep: Beep
    private let screen: ProvisionScreen?
    /// Counts the readers for the lines.
    private let board: Mutex<ProvisionBoard>
    /// What a person has read already about blank tags.
    private let knownFacts = Mutex<Set<String>>([])

    /// - Parameters:
    ///   - board: the plan as it stands before the first event.
    ///   - isShared: whether others print on the terminal while the plan is carried out: then there are lines, no view.
    init(_ options: OutputOptions, _ beep: Beep, _ board: ProvisionBoard, isShared: Bool) {
        isJSON = options.json
        isQuiet = options.quiet
        self.beep = beep
        self.board = Mutex(board)
        let terminal = isShared || options.quiet ? nil : Self.terminal(isJSON: options.json)
        screen = terminal.map { ProvisionScreen(board, on: $0) }
    }

    func tell(_ event: ProvisionEvent) {
        if isJSON { try? JSONLine.print(event) }
        // A person reads once what initialising does.
        if case .initialising(_, _, let facts) = event, !knownFacts.withLock({ $0.insert(facts).inserted }) { return }
        if !isJSON, screen == nil || isatty(STDOUT_FILENO) == 0 { printLine(event) }
        screen?.tell(event)
        // What concerns a tag is signalled by the reader that it is on.
        if case .readerLost = event, beep.rings(for: event) { TerminalBell.ring() }
    }

    /// Gives the terminal back; after this, others may print on it.
    func finish() { screen?.finish() }

    private func printLine(_ event: ProvisionEvent) {
        if isQuiet, !Beep.fail.rings(for: event) { return }
        let line = board.withLock { board in
            board.apply(event, at: .zero)
            return ProvisionLine(.standardOutput, rows: board.rows, readers: board.readers.count).text(event, at: .now)
        }
        StandardOutput.print(line ?? "")
    }

    /// Where the view goes: to stdout; to stderr when stdout is kept in a file; nowhere when others may print there too.
    private static func terminal(isJSON: Bool) -> Int32? {
        let environment = ProcessInfo.processInfo.environment
        let candidate: Int32
        if isatty(STDOUT_FILENO) == 1 {
            guard !isJSON else { return nil }
            candidate = STDOUT_FILENO
        } else {
            // Who reads from a pipe may print on the same terminal.
            var file = stat()
            guard fstat(STDOUT_FILENO, &file) == 0, [S_IFREG, S_IFCHR].contains(file.st_mode & S_IFMT) else {
                return nil
            }
            candidate = STDERR_FILENO
        }
        let style = Style(isTerminal: isatty(candidate) == 1, environment: environment, columns: nil)
        return style.isDecorated ? candidate : nil
    }
}
