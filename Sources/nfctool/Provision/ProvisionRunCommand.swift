// nfctool provision PLAN: writes and verifies one tag per row of a list — Docs/CommandLine.md, provision

import ArgumentParser
import Foundation
import MemoryPresentation
import PostgreSQLJournal
import Provisioning
import SafeTag
import SecureDynamicMessaging
import TagTypes
import Terminal

struct ProvisionRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Carry out a plan. The same command continues after an interruption.",
        discussion: """
            A plan is a CSV file with a header, or JSON Lines. Record options with {column}, {uid}, {n}, {n:05} and \
            {random:32}, or columns named like the options, define what is written. The whole plan is checked before the first tag. Each row is assigned \
            permanently to one tag before anything is written, and verified by reading the tag again. After an interruption, run \
            the same command again. A row with a lock is assigned only to a tag that can enforce the lock.

              nfctool provision tags.csv --uri 'https://example.com/{id}?t={uid}'
              nfctool provision tags.csv --require ntag215 --lock --report tags.html
              nfctool provision tags.csv --reader 'virtual:ntag213*20?stream'
              nfctool provision --range 1-99 --uri 'https://example.com/{n}/{random:32}'

            See also: nfctool help provision verify, status, export, release or reset.

            The columns lock, protect, password, require, overwrite and lang apply these options to a single row.
            """)

    @OptionGroup var plan: PlanArgument

    @OptionGroup var records: RecordOptions

    @Option(
        help: ArgumentHelp(
            "Give NTAG 424 DNA tags the keys of --key-file, and make them sign this URL.",
            discussion: "{picc}, {uid}, {counter} and {mac} are filled in by the tag, as in nfctool sdm setup.",
            valueName: "template"))
    var sdm: String?

    @Option(help: ArgumentHelp("With --sdm, the version of the keys, 0 to 255. Default: 1.", valueName: "number"))
    var keyVersion: UInt8?

    @Flag(help: "Lock each tag permanently once it is verified.")
    var lock = false

    @Flag(help: "Protect each tag with the password of --password-file once it is verified.")
    var protect = false

    @Option(
        help: ArgumentHelp("The chip that every tag must be, such as ntag215.", valueName: "chip"),
        completion: .list(RequiredChip.all.map(\.word)), transform: RequiredChip.named)
    var require: RequiredChip?

    @Option(
        help: "Accept tags that hold a message: never, same (the message of a row that no tag has yet), always.")
    var overwrite: RowSettings.Overwrite = .never

    @Flag(help: "Add new rows at the end of the plan, and accept changes to rows that no tag has.")
    var extend = false

    @Flag(help: "Write rows to other tags although another journal says that tags have them. --yes is not enough.")
    var repeatRows = false

    @Flag(help: "Only check the plan, and show what would be written.")
    var dryRun = false

    @Flag(name: .shortAndLong, help: "With --dry-run, show all rows, and the bytes of each message.")
    var verbose = false

    @OptionGroup var count: RowCount

    @Option(
        help: ArgumentHelp(
            "Run a shell command for each verified tag, with the row in its environment.", valueName: "command"))
    var exec: String?

    @Option(
        help: ArgumentHelp(
            "This station's name, with a journal in a database.", discussion: "Default: the host's name.",
            valueName: "name"))
    var station: String?

    @OptionGroup var secrets: SecretOptions
    @OptionGroup var force: ForceOption

    @OptionGroup var journal: JournalArgument
    @OptionGroup(title: HelpText.shared) var options: ProvisionOptions

    func validate() throws {
        if keyVersion != nil, sdm == nil { throw ValidationError("--key-version requires --sdm.") }
        if station != nil, journal.journal.map(ServerAddress.isURI) != true {
            throw ValidationError("--station needs a journal in a database: --journal postgresql://…")
        }
        _ = try plan.source(or: journal.plan)
    }

    func run() async throws {
        let source = try plan.source(or: journal.plan)
        let server = try journal.server
        let joined = try server.flatMap { server in
            try source.isThere
                ? nil : server.open(plan: JournalArgument.name(source.name), station: StationName(station).text)
        }
        let begun = try joined ?? server.flatMap { try startedPlan(of: source, on: $0) }
        let plan = CheckedPlan(
            source, recipe: try recipe(joining: begun, of: source), permitsFaults: force.force
        ) {
            try Interruption.check()
        }
        try records.showNotices(options.output, areTemplates: true)
        if exec != nil { try RowVariables.check(plan, in: joined) }
        for name in options.report { _ = try ReportFormat(of: URL(fileURLWithPath: name)) }
        if dryRun {
            let started: (any ProvisionJournal)? = try begun ?? self.journal.started(source)
            let name = started?.name ?? server?.address.name ?? self.journal.file(of: source).path
            let standing = try plan.standing(in: started, named: name, extends: extend)
            return try DryRun(
                plan, options.output, isVerbose: verbose, showsSecrets: secrets.showSecrets, journal: started,
                standing: standing, neighbours: { try neighbours(of: $0, plan, standing: standing, in: started) }
            ).run()
        }
        // A missing plan is reported before files are created next to it.
        if server == nil { _ = try source.columns() }
        let journalFile = self.journal.file(of: source)
        let wasLost = StartedJournals.ofThisUser.hasLost(journalFile)
        let sources = [URL(fileURLWithPath: source.name), journalFile]
        let files = try options.report.map { try ReportFile($0, of: sources, showsSecrets: secrets.showSecrets) }
        // From here on, signals are handled. A new journal is created completely or not at all.
        let interruption = try Interruption.answered()
        let cleaning = Interruption.onForcedEnd { EmbeddedJournal.removeUnfinished(at: journalFile) }
        defer { withExtendedLifetime((interruption, cleaning)) {} }
        let readers = try options.readers()
        let store: any JournalStore =
            try server?.store(plan: JournalArgument.name(source.name), station: StationName(station).text)
            ?? JournalFile(journalFile)
        let found =
            try joined.map { PlanJournal($0) }
            ?? plan.journal(
                in: store, extends: extend,
                redraw: { rows in
                    try Confirmation(options.output).ask(
                        server == nil ? "Generate new random digits?" : "Replace the plan in \(store.name)?",
                        facts:
                            "The plan changed. "
                            + (rows == 0
                                ? "No tag has a row of the plan yet."
                                : "\(rows) \(rows == 1 ? "row loses its" : "rows lose their") random digits. No tag has them.")
                    )
                }, agree: { if server == nil { try agree(to: $0, of: plan) } })
        let journal = found.journal
        found.show(in: .events(options.output))
        let reports: [ReportFile]
        do {
            // An existing report may be replaced if it is about this plan. Only the journal shows which plan this is.
            reports = try files.map { file in
                try file.claimed(
                    overwrite: options.overwriteReport, isJSON: options.output.json, option: "--overwrite-report",
                    repeating: journal)
            }
            if server == nil {
                try agree(to: found, plan)
            } else if let draft = found.draft {
                try agree(to: draft, of: plan)
            }
            try confirm(plan.recipe, journal, found.duplicates?.fact)
        } catch {
            // No tag was written yet. Undo the changes to the journal, so that the user can choose other options.
            found.undo()
            throw error
        }
        if server == nil { StartedJournals.ofThisUser.add(journalFile) }
        options.prepareReaders(showingSecrets: secrets.showSecrets)
        let named = self.journal.repeated(for: source)
        let output = ProvisionOutput(
            options, plan: URL(fileURLWithPath: source.name).lastPathComponent,
            naming: named, of: journal.plan, readers: readers, limit: count.rows, exec: exec)
        let summary: ProvisionSummary
        do {
            summary = try await carryOut(plan, journal, named, readers, output)
        } catch {
            guard found.draft == nil || output.hasOpenedReader else {
                // The run did not begin, for example because the reader's name is misspelt. There is nothing to report.
                found.undo()
                if !wasLost { StartedJournals.ofThisUser.forgetIfGone(journalFile) }
                throw error
            }
            // The report is also written after an error. The error of the run is thrown, because it matters more
            // than a report that cannot be written.
            try? write(reports, of: journal, from: source)
            throw error
        }
        try write(reports, of: journal, from: source)
        guard summary.isComplete else { throw RowsLeft(summary: summary) }
        if let changed = try TagsChanged(in: journal) { throw changed }
    }

    /// Runs until the plan is complete, the user ends the run, or the time to wait for a tag is over.
    private func carryOut(
        _ plan: CheckedPlan, _ journal: any ProvisionJournal, _ named: String, _ readers: [String?],
        _ output: ProvisionOutput
    ) async throws -> ProvisionSummary {
        var setup = ProvisionRun.Setup(
            readers: readers, opening: try options.password.credential(), isAgreed: options.output.yes,
            // The user has already agreed to the locks, in the question about all tags.
            mayLock: true,
            limit: count.rows, patience: options.waitingTime,
            keys: plan.recipe.dynamic == nil ? try options.keys.ring() : ClassicKeyRing())
        setup.mayChangeKeys = true
        if let text = try ChangedTags(in: journal).text(naming: named) { Warning.events(options.output).show(text) }
        let run = try ProvisionRun(journal, plan.recipe, setup, observer: output)
        output.begin(try await run.summary())
        defer {
            output.finish()
            // The command is never run again for a tag that has its row, so the user must learn about the failure.
            if let text = output.commandFailureText { Warning(options.output).show(text) }
        }
        let interruption = Interruption.onRequest { run.interrupt() }
        defer { withExtendedLifetime(interruption) {} }
        do {
            return try await run.run()
        } catch let interrupted as Interrupted {
            let summary = try? await run.summary()
            throw Interrupted(cause: interrupted.cause, remark: summary.map(Self.remark))
        }
    }

    /// Writes the reports, or warns if the journal cannot be read, so that they cannot be written.
    private func write(
        _ reports: [ReportFile], of journal: any ProvisionJournal, from source: PlanSource
    ) throws {
        do {
            try reports.write(ProvisionReport(journal, showsSecrets: secrets.showSecrets))
        } catch let error as JournalError {
            let late = LateReport(
                reports: options.report, journal: self.journal.words(for: source), showsSecrets: secrets.showSecrets)
            Warning(options.output).show(late.text)
            throw error
        }
    }

    /// Returns a sentence with the number of rows that remain after an interruption.
    private static func remark(on summary: ProvisionSummary) -> String {
        let left = summary.rows - summary.done
        return left == 0 ? "No rows remain." : left == 1 ? "1 row remains." : "\(left) rows remain."
    }
}
