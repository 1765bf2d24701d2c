// Where the events of a provisioning go: JSON Lines, a line each, or a view on the terminal — Docs/CommandLine.md

import Foundation
import MemoryPresentation
import ProvisionPresentation
import Provisioning
import SafeTag
import Synchronization
import Terminal

/// Tells the events, on the reader, in JSON, in lines or in the terminal view, and runs `--exec`.
final class ProvisionOutput: ProvisionObserver {
    private struct State {
        /// The view on the terminal; nil for lines.
        var view: LiveView?
        /// Counts the readers for the lines.
        var board: ProvisionBoard?
        /// What a person has read already about blank tags.
        var knownFacts: Set<String> = []
        var lamps = RefusalLamps()
    }

    private let isJSON: Bool
    private let isQuiet: Bool
    private let beep: Beep
    private let signals: SignalStyle
    private let command: TagCommand?
    /// What the command may know of a row.
    private let cells: OpenCells
    private let plan: String
    private let limit: Int?
    /// Where the view is drawn; nil for lines.
    private let terminal: Int32?
    private let clock: EventClock
    private let state = Mutex(State())

    /// Prepares the output of a run.
    ///
    /// - Parameters:
    ///   - options: those of the command: format, sounds and lamps.
    ///   - plan: the name of its file.
    ///   - identity: what the plan is: its templates tell which cells are secrets.
    ///   - limit: how many rows the run is to finish; nil for all.
    ///   - command: what is run for each verified tag; nil for nothing.
    ///   - clock: tells when events happened.
    init(
        _ options: ProvisionOptions, plan: String, of identity: PlanIdentity, limit: Int?, exec command: String?,
        clock: EventClock = .system
    ) {
        cells = OpenCells(of: identity)
        self.clock = clock
        isJSON = options.output.json
        isQuiet = options.output.quiet
        beep = options.beep
        signals = options.signals
        self.command = command.map { TagCommand($0, printsOnStandardError: options.output.json) }
        self.plan = plan
        self.limit = limit
        // Others print on the terminal while the plan is carried out: then there are lines, no view.
        let isShared = options.trace || command != nil
        terminal = isShared || isQuiet ? nil : Self.terminal(isJSON: isJSON)
    }

    /// Shows the plan as it stands before the first event.
    func begin(_ summary: ProvisionSummary) {
        let board = ProvisionBoard(plan: plan, start: summary, limit: limit)
        state.withLock { $0.board = board }
        let view = terminal.map { terminal in
            LiveView(on: terminal) { [weak self] style, height, time, isLast in
                self?.state.withLock { $0.board?.lines(style, height: height, at: time, isLast: isLast) } ?? []
            }
        }
        state.withLock { $0.view = view }
    }

    func tell(_ event: ProvisionEvent, on session: TagSession?) {
        if isJSON { try? JSONLine.print(event, at: clock.now()) }
        if let session, let signal = event.signal, !state.withLock({ $0.lamps.stayRed(after: event) }) {
            session.show(signal, signals)
        }
        // A person reads once what initialising does.
        if case .initialising(_, _, let target) = event {
            let facts = target.initialisingText
            guard state.withLock({ $0.knownFacts.insert(facts).inserted }) else { return }
        }
        let (view, board) = state.withLock { state in
            state.board?.apply(event, at: state.view?.time ?? .zero)
            return (state.view, state.board)
        }
        if let board, !isJSON, view == nil || isatty(STDOUT_FILENO) == 0 { printLine(event, board) }
        view?.update()
        // What concerns a tag is signalled by the reader that it is on.
        switch event {
        case .readerLost, .databaseAway: if beep.rings(for: event) { TerminalBell.ring() }
        default: break
        }
    }

    func rowIsDone(_ row: PlanRow, on reading: TagReading, _ event: ProvisionEvent) async throws -> String? {
        try await command?.run(with: reading, for: row, cells, event: TimedEvent(event, at: clock.now())).map {
            "The command \($0)."
        }
    }

    /// The last tag's signal is heard before the reader is closed.
    func finish(_ session: TagSession) async { await session.signalsEnd() }

    /// Gives the terminal back; after this, others may print on it.
    func finish() { state.withLock { $0.view.take() }?.finish() }

    private func printLine(_ event: ProvisionEvent, _ board: ProvisionBoard) {
        if isQuiet, !Beep.fail.rings(for: event) { return }
        let line = ProvisionLine(
            .standardOutput, rows: board.progress.rows, readers: board.readers.count, names: board.names)
        StandardOutput.print(line.text(event, at: clock.now()) ?? "")
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
