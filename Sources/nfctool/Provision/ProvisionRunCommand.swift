// nfctool provision PLAN: a list in, proven tags out — CLI.md, provision

import ArgumentParser
import Composing
import CoreNFC
import Foundation
import Provisioning
import TagTypes

struct ProvisionRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Carry out a plan; the same command goes on where it was stopped.",
        discussion: """
            A plan is a CSV file with a header, or JSON Lines. What is written comes from record options with {column}, {uid}, \
            {n} and {n:05} in them, or from columns named like the options. The whole plan is checked before the first tag. \
            Each row is given to one tag for good before that is touched, and proven by reading the tag again: whatever \
            happens in between, run the same command again.

              nfctool provision tags.csv --uri 'https://example.com/{id}?t={uid}' --report tags.html
              nfctool provision tags.csv --require ntag215 --lock --yes
              nfctool provision tags.csv --reader 'virtual:ntag213*20?stream' --uri 'https://example.com/{id}'

            The columns lock, protect, password, require, overwrite and lang set for a row what the options set for all.
            """)

    @Argument(help: ArgumentHelp("The plan: FILE.csv or FILE.jsonl.", valueName: "plan"))
    var plan: String

    @OptionGroup var records: RecordOptions

    @Flag(help: "Lock each tag for ever once it is proven.")
    var lock = false

    @Flag(help: "Protect each tag with the password of --password-file once it is proven.")
    var protect = false

    @Option(help: ArgumentHelp("The chip that every tag must be, such as ntag215.", valueName: "chip"))
    var require: RequiredChip?

    @Option(help: "Which tags with a message are taken: never, same (those that hold the row's message already), always.")
    var overwrite: RowSettings.Overwrite = .never

    @Flag(help: "Only check the plan, and show what would be written.")
    var dryRun = false

    @OptionGroup var journal: JournalArgument
    @OptionGroup var options: ProvisionOptions

    func run() async throws {
        let plan = CheckedPlan(path: plan, recipe: try recipe())
        if dryRun { return try DryRun(plan, options.output).run() }
        let readers = try options.readers()
        for report in options.report { _ = try ReportFormat(of: URL(fileURLWithPath: report)) }
        let journal = try journal(of: plan)
        try confirm(plan.recipe, journal)
        if options.trace { WireTrace.start() }
        let summary = try await carryOut(plan.recipe, journal, readers)
        for report in options.report { try ProvisionReport(journal).write(to: URL(fileURLWithPath: report)) }
        guard summary.isComplete else { throw RowsLeft(summary: summary) }
    }

    private func recipe() throws -> RowRecipe {
        // A password may also come for tags that have one; only --protect needs it, and asks.
        let password =
            protect
            ? try options.password.credential(orAsk: PasswordPrompt(options.output), isNew: true)
            : try options.password.credential()
        let settings = RowSettings(
            language: records.lang, lock: lock, protect: protect, password: password, require: require,
            overwrite: overwrite)
        return try RowRecipe(options: records.inOrder(), settings: settings)
    }

    /// The journal of the plan: the one that is there, if it is of the same plan, or a new one with every row checked.
    private func journal(of plan: CheckedPlan) throws -> ProvisionJournal {
        let url = journal.file(of: plan.path)
        let journal: ProvisionJournal
        do {
            journal = try ProvisionJournal.open(url)
        } catch {
            guard case .missing = error else { throw error }
            plan.warn(Hint(options.output))
            return try ProvisionJournal.create(at: url, rows: plan.rows)
        }
        guard try plan.isThePlan(of: journal.plan) else {
            throw PlanChanged(journal: url.path, differences: try journal.differences(rows: plan.rows))
        }
        return journal
    }

    /// Asks once for what every tag will have done to it.
    private func confirm(_ recipe: RowRecipe, _ journal: ProvisionJournal) throws {
        var locks = 0
        try journal.forEachRow(in: [.pending, .bound, .written, .proven]) { row in
            if try recipe.order(for: row.row).settings.lock { locks += 1 }
        }
        guard locks > 0 else { return }
        try Confirmation(options.output).ask(
            "Lock \(locks) \(locks == 1 ? "tag" : "tags") for ever?",
            facts: "Each tag is locked once its row is proven; nobody can undo it, and its message stays as it is.")
    }

    /// Works until the plan is over, the user ends it, or nothing more comes.
    private func carryOut(
        _ recipe: RowRecipe, _ journal: ProvisionJournal, _ readers: [String?]
    ) async throws -> ProvisionSummary {
        let desk = try ProvisionDesk(journal, limit: options.limit, patience: options.waitingTime) { row in
            try recipe.order(for: row).settings.wantsSeal
        }
        let board = ProvisionBoard(
            plan: URL(fileURLWithPath: plan).lastPathComponent, start: try await desk.summary(), limit: options.limit)
        let output = ProvisionOutput(
            options.output, options.beep, board, isShared: options.trace || options.exec != nil)
        defer { output.finish() }
        let work = Task {
            try await ProvisionReaders(desk: desk, recipe: recipe, options: options) { output.tell($0) }.run(readers)
        }
        let signals = TerminationSignals { work.cancel() }
        let result = await work.result
        withExtendedLifetime(signals) {}
        let summary = try await desk.summary()
        output.tell(.ended(summary))
        try result.get()
        return summary
    }
}
