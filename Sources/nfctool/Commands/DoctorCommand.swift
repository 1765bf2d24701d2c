// nfctool doctor: why a reader does not work, and what helps — Docs/CommandLine.md

import ArgumentParser
import Foundation
import USBReaders

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say why a reader does not work, and what to do.",
        discussion: """
            Checks in order what keeps readers from working: none plugged in, one that libnfc cannot drive, permissions, \
            the kernel's drivers, pcscd, other programs; then opens each reader. Each problem comes with its cause and the \
            exact commands. Ends with 0 when a reader can be used, else with 69, 74 or 77.
            """)

    @Option(
        help: ArgumentHelp("Only this reader: usb:PORT, a label, or a libnfc connection string.", valueName: "spec"))
    var reader: String?

    @Flag(help: "List the commands that help; with --yes, run them and check again.")
    var fix = false

    @Option(help: ArgumentHelp("Write all that is known into a file, to attach to an issue.", valueName: "file"))
    var bundle: String?

    @OptionGroup var overwrite: OverwriteOption

    @Option(
        name: .customLong("print"),
        help: ArgumentHelp(
            "Print a file that the commands install: rules (udev) or blacklist (modprobe).", valueName: "file"))
    var file: SystemFile?

    @Flag(
        help:
            "Show the bytes to and from the reader on stderr, the content of the tag with its Wi-Fi passwords included."
    )
    var trace = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if file != nil, fix || bundle != nil { throw ValidationError("--print does nothing else.") }
        if output.yes, !fix { throw ValidationError("--yes goes with --fix.") }
    }

    func run() async throws {
        if let file { return StandardOutput.write(Array(file.text.utf8)) }
        if trace { WireTrace.start() }
        let place = try bundle.map {
            try ResultFile($0, .shared).claimed(overwrite: overwrite.isAllowed, isJSON: output.json)
        }
        var diagnosis = try await examine()
        var outcomes: [Repair.Outcome]?
        if fix, !output.json { show(diagnosis) }
        if fix, output.yes {
            outcomes = try await repair(diagnosis)
            // Plugging and permissions take udev a moment.
            if outcomes?.isEmpty == false { try? await Task.sleep(for: .seconds(1)) }
            diagnosis = try await examine()
        } else if fix, !output.json {
            list(Repair(diagnosis), for: diagnosis)
        }
        if let place {
            try await write(diagnosis, to: place)
        } else if output.json {
            try JSONLine.print(DiagnosisReport(diagnosis, repairs: outcomes))
        } else if !fix || outcomes?.isEmpty == false {
            show(diagnosis)
        }
        if let problem = diagnosis.firstProblem {
            throw SickReader(problem, canFix: !fix && !Repair(diagnosis).steps.isEmpty)
        }
    }

    /// Surveys the system, and opens the readers that nothing is known against.
    private func examine() async throws -> Diagnosis {
        let wanted = reader ?? ProcessInfo.processInfo.environment["NFCTOOL_READER"].flatMap { $0.isEmpty ? nil : $0 }
        let survey = ReaderSurvey.now()
        let diagnosis = Diagnosis(survey, wanted: try wanted.map { try Self.meant(by: $0, in: survey) })
        var openings: [String: Opening] = [:]
        let hint = Hint(output)
        for subject in diagnosis.candidates {
            // A mute reader takes seconds; who waits is told for what.
            let word = Task {
                try await Task.sleep(for: .milliseconds(400))
                hint.show("Waiting for the reader \(subject.name) to answer.")
            }
            defer { word.cancel() }
            openings[subject.connection] = try await ReaderOpening.bySession.open(subject.connection)
                .refined(for: subject)
        }
        return diagnosis.with(openings)
    }

    /// What a word for a reader stands for.
    ///
    /// - Throws: what is wrong with the file of labels, for a word that can be one.
    private static func meant(by word: String, in survey: ReaderSurvey) throws -> String {
        let labels = ReaderLabels.isLabel(word) ? try ReaderLabels.read() : ReaderLabels()
        return labels.meant(by: word, in: survey)
    }

    private func show(_ diagnosis: Diagnosis) {
        let presentation = DiagnosisPresentation(diagnosis, style: .standardOutput)
        let text = output.quiet ? presentation.remedies.joined(separator: "\n\n") : presentation.text
        // On a terminal an empty line sets the remedies off from what follows.
        let isSetOff = Style.standardOutput.isTerminal && !presentation.remedies.isEmpty
        StandardOutput.print(isSetOff ? text + "\n" : text)
    }

    /// Prints the commands, and nothing else is done.
    private func list(_ repair: Repair, for diagnosis: Diagnosis) {
        guard !repair.steps.isEmpty else { return StandardOutput.print("\n" + Self.nothingToRun(for: diagnosis)) }
        let shell = ShellLine.current
        var lines = ["", "These commands help; `nfctool doctor --fix --yes` runs them:", ""]
        lines += repair.steps.map { "    " + TerminalText.escaped(shell.text($0)) }
        if !repair.undo.isEmpty {
            lines +=
                ["", "These take them back:", ""] + repair.undo.map { "    " + TerminalText.escaped(shell.text($0)) }
        }
        StandardOutput.print(lines.joined(separator: "\n"))
    }

    /// Why `--fix` has no commands: all is well, or what is left is for hands, or for people to decide.
    private static func nothingToRun(for diagnosis: Diagnosis) -> String {
        diagnosis.firstProblem == nil
            ? "There is nothing to fix." : "--fix cannot do this automatically. Follow the steps above."
    }

    /// Shows and runs them; what they say goes to stderr under `--json`, as all but the result does.
    ///
    /// - Throws: ``Interrupted``, after the commands that take back what was done were shown.
    private func repair(_ diagnosis: Diagnosis) async throws -> [Repair.Outcome] {
        let interruption = Interruption.onRequest {}
        defer { withExtendedLifetime(interruption) {} }
        let repair = Repair(diagnosis)
        let shell = ShellLine.current
        let tell: (String) -> Void = { output.json ? StandardError.print($0 + "\n") : StandardOutput.print($0) }
        if repair.steps.isEmpty { tell(Self.nothingToRun(for: diagnosis)) }
        let marks = Marks.current
        let outcomes = await repair.run(
            telling: { tell("$ " + TerminalText.escaped(shell.text($0))) },
            { tell($0.failure.map { "  \(marks.problem) \($0)" } ?? "  \(marks.ok)") })
        let undo = Repair.undo(outcomes)
        if !undo.isEmpty {
            tell("To take it back:")
            for step in undo { tell("    " + TerminalText.escaped(shell.text(step))) }
        }
        try Interruption.check()
        if !output.json, !outcomes.isEmpty { tell("") }
        return outcomes
    }

    private func write(_ diagnosis: Diagnosis, to file: ResultFile) async throws {
        var logs: [(String, String)] = []
        for subject in diagnosis.subjects where diagnosis.opening(of: subject) != nil {
            logs.append((subject.connection, await BugReport.log(of: subject)))
        }
        let mask = Mask(
            diagnosis.survey, host: BugReport.hostName, home: ProcessInfo.processInfo.environment["HOME"] ?? "")
        let report = BugReport(versions: BugReport.versions, diagnosis: diagnosis, logs: logs, mask: mask)
        try Interruption.check()
        try file.write(Array(report.text.utf8))
        if output.json {
            try JSONLine.print(BundleReport(file: file.path))
        } else if !output.quiet {
            StandardOutput.print(
                TerminalText.escaped(
                    "Saved what is known in \(file.path). Look it through, and attach it to the issue."))
        }
    }
}

private struct BundleReport: Encodable {
    let schema = 1
    let file: String
}

/// No reader can be used; the report says why.
struct SickReader: Failure {
    let name: ErrorName
    let message: String
    let canFix: Bool

    init(_ problem: Examination, canFix: Bool) {
        name = problem.error ?? .noReader
        let reader = problem.reader.map { "The reader \($0)" } ?? "No reader"
        message = "\(reader) can\(problem.reader == nil ? "" : "not") be used: \(problem.statement)."
        self.canFix = canFix
    }

    /// The remedies stand above it; what is left to say is that they need not be typed.
    var advice: String? { canFix ? "nfctool doctor --fix lists the commands that help; with --yes it runs them." : nil }
}
