// The output of a run: JSON Lines, one line per event, or a live view on the terminal — Docs/CommandLine.md

import Foundation
import MemoryPresentation
import ProvisionPresentation
import Provisioning
import SafeTag
import Synchronization
import Terminal

/// Reports the events of a run in JSON, as lines or in a view on the terminal, signals them, and runs the `--exec`
/// command.
final class ProvisionOutput: ProvisionObserver {
    private struct State {
        /// The view on the terminal, or nil if lines are printed.
        var view: LiveView?
        /// The state of the run, for the view and the printed lines.
        var board: ProvisionBoard?
        /// The facts about blank tags that were already shown and are not shown again.
        var knownFacts: Set<String> = []
        var lamps = RefusalLamps()
        /// The summary of the run, or nil before its end.
        var summary: ProvisionSummary?
        var hasOpenedReader = false
    }

    private let isJSON: Bool
    private let isQuiet: Bool
    private let beep: Beep
    private let signals: SignalStyle
    private let command: TagCommand?
    private let cells: OpenCells
    private let labels: RowLabels
    private let plan: String
    private let journal: String
    private let limit: Int?
    /// The readers' names as the user typed them, in the order of their panels.
    private let readers: [String]
    /// The file descriptor of the terminal with the view, or nil if lines are printed.
    private let terminal: Int32?
    private let state = Mutex(State())

    /// Prepares the output of a run.
    ///
    /// - Parameters:
    ///   - options: the options of the command for format, sounds and lamps.
    ///   - plan: the name of the plan's file.
    ///   - journal: the options that name the journal in printed commands.
    ///   - identity: the plan's identity, whose templates show which cells are secret.
    ///   - readers: the names of the readers in the command, with nil for the default reader.
    ///   - limit: the number of rows after which the run stops, or nil for no limit.
    ///   - command: the command to run for each verified tag, or nil for none.
    init(
        _ options: ProvisionOptions, plan: String, naming journal: String, of identity: PlanIdentity,
        readers: [String?], limit: Int?, exec command: String?
    ) {
        cells = OpenCells(of: identity)
        labels = RowLabels(of: identity)
        isJSON = options.output.json
        isQuiet = options.output.quiet
        beep = options.beep
        signals = options.signals
        self.command = command.map { TagCommand($0, printsOnStandardError: options.output.json) }
        self.plan = plan
        self.journal = journal
        self.limit = limit
        self.readers = readers.map { $0 ?? "auto" }
        // If other output may appear on the terminal during the run, lines are printed instead of the view.
        let isShared = options.trace || command != nil
        terminal = isShared || isQuiet ? nil : Self.terminal(isJSON: isJSON)
    }

    /// Shows the state of the plan before the first event.
    func begin(_ summary: ProvisionSummary) {
        let board = ProvisionBoard(
            plan: plan, naming: journal, start: summary, limit: limit, order: readers, labels: labels)
        state.withLock { $0.board = board }
        let view = terminal.map { terminal in
            LiveView(on: terminal) { [weak self] style, height, time, isLast in
                self?.state.withLock { $0.board?.lines(style, height: height, at: time, isLast: isLast) } ?? []
            }
        }
        state.withLock { $0.view = view }
    }

    func tell(_ event: ProvisionEvent, on session: TagSession?) {
        if isJSON { try? JSONLine.print(event, at: .now) }
        if let session, let signal = event.signal, !state.withLock({ $0.lamps.stayRed(after: event) }) {
            session.show(signal, signals)
        }
        if case .ended(let summary) = event { state.withLock { $0.summary = summary } }
        if case .readerOpened = event { state.withLock { $0.hasOpenedReader = true } }
        // The facts about initialising tags are shown only once.
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
        // A reader signals the events of its own tags. The following events concern no tag, so the terminal's bell
        // signals them.
        switch event {
        case .readerLost, .databaseAway: if beep.rings(for: event) { TerminalBell.ring() }
        default: break
        }
    }

    func rowIsDone(_ row: PlanRow, on reading: TagReading, _ event: ProvisionEvent) async throws -> String? {
        try await command?.run(with: reading, for: row, cells, event: TimedEvent(event, at: .now)).map {
            "The command \($0)."
        }
    }

    /// Waits until the signal for the last tag has ended.
    ///
    /// Call this before the reader is closed.
    func finish(_ session: TagSession) async { await session.signalsEnd() }

    func finish() { state.withLock { $0.view.take() }?.finish() }

    /// A sentence that names the rows whose commands failed.
    ///
    /// Nil if there are none, and before the end of the run.
    var commandFailureText: String? { state.withLock { $0.summary?.commandFailureText } }

    var hasOpenedReader: Bool { state.withLock(\.hasOpenedReader) }

    private func printLine(_ event: ProvisionEvent, _ board: ProvisionBoard) {
        if isQuiet, !Beep.fail.rings(for: event) { return }
        let line = ProvisionLine(
            .standardOutput, rows: board.progress.rows, readers: board.readers.count, names: board.names,
            naming: journal, labels: labels)
        StandardOutput.print(line.text(event, at: .now, isWhole: true) ?? "")
    }

    /// Returns the terminal for the view: stdout, or stderr if stdout is a file or a device such as /dev/null.
    ///
    /// Nil if other output may appear on the terminal.
    static func terminal(isJSON: Bool) -> Int32? {
        let environment = ProcessInfo.processInfo.environment
        let candidate: Int32
        if isatty(STDOUT_FILENO) == 1 {
            guard !isJSON else { return nil }
            candidate = STDOUT_FILENO
        } else {
            // If stdout is a pipe, the program that reads from it may print on the same terminal.
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
