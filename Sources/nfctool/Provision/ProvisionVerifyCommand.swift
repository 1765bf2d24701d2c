// nfctool provision verify: compares the tags of a plan with their rows

import ArgumentParser
import Foundation
import Hexadecimal
import ProvisionPresentation
import Provisioning
import ReaderInterface
import ReaderSession
import SafeTag
import Synchronization
import TagTypes
import Terminal

struct ProvisionVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check written tags against the plan, without writing to them.",
        discussion: """
            Each tag is found in the journal by its UID and compared: message, lock, password, protected blocks \
            and the maker's signature. Ends when all tags of the plan were seen, or with --timeout, --idle or Ctrl-C. The exit code \
            is 0 when the tags of all written rows were seen and agree with the plan; with --count, when that many were. \
            The journal records which tags no longer hold their rows. The next run waits for these tags, unless they are \
            locked.

              nfctool provision verify tags.csv --report verified.html
              nfctool provision verify tags.csv --password-file secret.txt --timeout 10s
              nfctool provision verify tags.csv --count 20
            """)

    @Argument(help: "The plan, or its journal.", completion: .file())
    var plan: String?

    @Option(help: ArgumentHelp("A spot check: stop when the tags of this many rows were seen.", valueName: "n"))
    var count: Int?

    @OptionGroup var journal: JournalArgument
    @OptionGroup var secrets: SecretOptions
    @OptionGroup(title: HelpText.shared) var options: ProvisionOptions

    func validate() throws {
        guard count ?? 1 >= 1 else { throw ValidationError("--count must be at least 1.") }
    }

    func run() async throws {
        let (journal, file) = try journal.open(journal.plan(or: plan), reading: true)
        if let plan = try self.journal.plan(or: plan), !plan.hasSuffix(JournalArgument.suffix),
            PlanSource.file(plan).differs(from: journal.plan)
        {
            Warning.events(options.output).show(
                "\(plan) has changed since the last run. Tags are compared with the rows in the journal, not with the file."
            )
        }
        let reports = try options.report.map { name in
            try ReportFile(
                name, of: [file, URL(fileURLWithPath: journal.plan.file)].compactMap(\.self),
                showsSecrets: secrets.showSecrets
            )
            .claimed(
                overwrite: options.overwriteReport, isJSON: options.output.json, option: "--overwrite-report")
        }
        let isSigned = journal.plan.keyVersion != nil
        var setup = ProvisionRun.Setup(
            readers: try options.readers(), opening: try options.password.credential(), isAgreed: options.output.yes,
            limit: count, patience: options.waitingTime, keys: isSigned ? ClassicKeyRing() : try options.keys.ring())
        if isSigned { setup.tagKeys = try options.keys.dynamic() }
        let board = VerificationBoard(
            plan: URL(fileURLWithPath: journal.plan.file).lastPathComponent, counts: try journal.counts(),
            wanted: count, order: setup.readers.map { $0 ?? "auto" }, labels: RowLabels(of: journal.plan))
        let output = VerificationOutput(options, board)
        let verification = try PlanVerification(journal, setup, observer: output)
        options.prepareReaders(showingSecrets: secrets.showSecrets)
        let interruption = Interruption.onRequest { verification.interrupt() }
        defer { withExtendedLifetime(interruption) {} }
        output.begin()
        let result: Result<VerificationSummary, any Error>
        do { result = .success(try await verification.run()) } catch { result = .failure(error) }
        output.finish()
        // The report is also written after an error, and shows what was verified before the error.
        let record = try await verification.record()
        if record.all.contains(where: \.isPasswordMissing) {
            Warning(options.output).show("No password was tried. To try it on the tags, add --password-file FILE.")
        }
        let report = VerificationReport(record, showsSecrets: secrets.showSecrets)
        storeRemarks(record)
        try reports.write(report)
        let left = RowsNotChecked(summary: record.summary, wanted: count)
        if case .failure(let error) = result, let interrupted = error as? Interrupted {
            throw Interrupted(cause: interrupted.cause, remark: left.isEmpty ? nil : left.message)
        }
        let summary = try result.get()
        if !summary.isAgreed, setup.readers.contains(where: { ReaderSpecification($0).forgetsTags }) {
            Warning(options.output).show(
                "Virtual tags without files are new and empty in each run. To keep them:  --reader virtual:a.nfc,b.nfc")
        }
        guard summary.seen > 0 else { throw NoTagSeen() }
        guard summary.isAgreed else {
            let named = try self.journal.repeated(for: self.journal.plan(or: plan).map { PlanSource.file($0) })
            throw TagsDiffer(
                summary: summary, left: left, lost: record.lostRows,
                awaited: (try? record.awaitedRows(in: record.journal)) ?? [], journal: named)
        }
        guard left.isEmpty else { throw left }
    }

    /// Stores in the journal which tags no longer hold their rows.
    ///
    /// If this is not possible, for example because another process works with the journal or the user may only read
    /// it, a warning says why: no run will wait for these tags.
    private func storeRemarks(_ record: VerificationRecord) {
        guard record.hasRemarks else { return }
        do {
            try record.storeRemarks(in: journal.open(journal.plan(or: plan), reading: false).journal)
        } catch {
            Warning(options.output).show("The journal does not record these results: \(error)")
        }
    }
}

/// Reports the events of a verification on the reader and in JSON, as lines or in a view on the terminal.
private final class VerificationOutput: ProvisionObserver {
    private struct State {
        var board: VerificationBoard
        var view: LiveView?
    }

    private let options: ProvisionOptions
    private let state: Mutex<State>

    init(_ options: ProvisionOptions, _ board: VerificationBoard) {
        self.options = options
        state = Mutex(State(board: board))
    }

    func begin() {
        guard !options.output.quiet, !options.trace,
            let terminal = ProvisionOutput.terminal(isJSON: options.output.json)
        else { return }
        let view = LiveView(on: terminal) { [weak self] style, height, time, isLast in
            self?.state.withLock { $0.board.lines(style, height: height, at: time, isLast: isLast) } ?? []
        }
        state.withLock { $0.view = view }
    }

    func finish() { state.withLock { $0.view.take() }?.finish() }

    func tell(_ event: ProvisionEvent, on session: TagSession?) {
        if let session, let signal = event.signal { session.show(signal, options.signals) }
        if options.output.json { try? JSONLine.print(event, at: .now) }
        let (view, board) = state.withLock { state in
            state.board.apply(event, at: state.view?.time ?? .zero)
            return (state.view, state.board)
        }
        if !options.output.json, view == nil || isatty(STDOUT_FILENO) == 0 { printLine(event, board) }
        view?.update()
    }

    private func printLine(_ event: ProvisionEvent, _ board: VerificationBoard) {
        if options.output.quiet, !Beep.fail.rings(for: event) { return }
        board.line(.standardOutput).text(event, at: .now, isWhole: true).map { StandardOutput.print($0) }
    }

    func finish(_ session: TagSession) async { await session.signalsEnd() }
}

/// Some of the tags do not match their rows.
struct TagsDiffer: Failure, AdvisedError {
    let summary: VerificationSummary
    /// The rows that were not checked.
    let left: RowsNotChecked
    /// The numbers of the rows that can be reset, because their tags no longer hold them.
    let lost: [Int]
    /// Those of these rows for whose tags a run waits.
    let awaited: [JournalRow]
    let journal: String
    var name: ErrorName { .tagsDiffer }
    var message: String {
        let count = summary.seen - summary.agreeing
        let tags = summary.seen == 1 ? "tag" : "tags"
        return "\(count) of \(summary.seen) \(tags) \(count == 1 ? "does" : "do") not agree with the plan."
            + (left.isEmpty ? "" : " \(left.message)")
    }
    var advice: String? {
        guard !lost.isEmpty else {
            return summary.problems[.unfinished, default: 0] > 0
                ? "To finish the rows that are not finished, run nfctool provision with the options of the plan, and place their tags."
                : nil
        }
        let more = lost.count > Self.named ? " …" : ""
        let rows = lost.prefix(Self.named).map(String.init).joined(separator: " ")
        let reset = "nfctool provision reset \(rows)\(more)\(journal)"
        return again
            + "To give \(lost.count == 1 ? "row \(lost[0]) to another tag" : "the rows to other tags"):  \(reset)"
    }

    /// How to write rows to their own tags again, with a space after it.
    private var again: String {
        guard let first = awaited.first else { return "" }
        let (what, tags) =
            awaited.count == 1
            ? ("row \(first.row.number) to its tag", "the tag")
            : ("rows \(Self.list(awaited.map(\.row.number))) to their tags", "each tag")
        let place = awaited.contains { $0.station != nil } ? " at the station that wrote \(tags)" : ""
        return
            "To write \(what) again, run nfctool provision with the options of the plan\(place), and place \(tags) on "
            + "the reader. If a tag holds another message, erase it first (nfctool erase). If it lost its password, "
            + "protect it (nfctool protect). "
    }

    private static func list(_ numbers: [Int]) -> String {
        numbers.prefix(named).map(String.init).joined(separator: ", ") + (numbers.count > named ? " …" : "")
    }

    private static let named = 10
    var details: [String: FailureDetail] { ["seen": .number(summary.seen), "agreeing": .number(summary.agreeing)] }
}

/// No tag was placed on a reader, so nothing was verified.
struct NoTagSeen: Failure {
    var name: ErrorName { .timeout }
    var message: String { "No tag was seen, so nothing was verified." }
}

/// The tags of some rows were not seen, so these rows are not verified.
struct RowsNotChecked: Failure, AdvisedError {
    let summary: VerificationSummary
    /// The number of rows that the user wanted to check, or nil for every row with a tag.
    let wanted: Int?

    private var left: (rows: Int, of: Int) { summary.unchecked(of: wanted) }
    /// Whether all rows were checked.
    var isEmpty: Bool { left.rows == 0 }
    var name: ErrorName { .rowsLeft }
    var message: String { "\(left.rows) of \(left.of) \(left.of == 1 ? "row" : "rows") not checked." }
    /// Advice for the user, or nil if fewer rows than all were wanted.
    var advice: String? {
        guard wanted == nil else { return nil }
        return "Run the same command again, and place all tags in one run. For a spot check, add:  --count N"
    }
    var details: [String: FailureDetail] {
        // In a spot check, no particular tag must be placed again.
        let missing = wanted == nil ? summary.tagsUnseen.map(\.hex) : []
        return ["pending": .number(summary.withoutTag), "uids": .list(missing)]
    }
}
