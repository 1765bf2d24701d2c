// The output of `doctor`: a diagnosis, the commands that may help, their outcomes, and the report for an issue

import Doctor
import DoctorPresentation
import Foundation
import Terminal

struct DoctorOutput {
    let options: OutputOptions

    func show(_ diagnosis: Diagnosis) {
        let presentation = DiagnosisPresentation(diagnosis, style: .standardOutput)
        let text = options.quiet ? presentation.remedies.joined(separator: "\n\n") : presentation.text
        // On a terminal, an empty line separates the remedies from the text below.
        let isSetOff = Style.standardOutput.isTerminal && !presentation.remedies.isEmpty
        StandardOutput.print(isSetOff ? text + "\n" : text)
    }

    /// Prints the commands that may help, but does not run them.
    func list(_ repair: Repair, for diagnosis: Diagnosis) {
        guard !repair.steps.isEmpty else { return StandardOutput.print("\n" + Self.nothingToRun(for: diagnosis)) }
        var lines = ["", "These commands may help. `nfctool doctor --fix --yes` runs them:", ""]
        lines += commands(repair.steps)
        if !repair.undo.isEmpty { lines += ["", "These commands undo the changes:", ""] + commands(repair.undo) }
        StandardOutput.print(lines.joined(separator: "\n"))
    }

    /// Prints the commands that may help, and runs them.
    ///
    /// With `--json`, this output goes to stderr, because stdout contains only the result.
    ///
    /// - Throws: ``Interrupted``, thrown after the commands that undo the changes are printed.
    func run(_ repair: Repair, for diagnosis: Diagnosis) async throws -> [Repair.Outcome] {
        let interruption = try Interruption.answered()
        defer { withExtendedLifetime(interruption) {} }
        let isJSON = options.json
        let tell: @Sendable (String) -> Void = {
            if isJSON { StandardError.printLine($0) } else { StandardOutput.print($0) }
        }
        if repair.steps.isEmpty { tell(Self.nothingToRun(for: diagnosis)) }
        let runner = StepProcess(shell: .current, tell: tell)
        let outcomes = try await Interruption.cancelling { await repair.run(by: runner) }
        let undo = Repair.undo(outcomes)
        if !undo.isEmpty {
            tell("To undo it:")
            for line in commands(undo) { tell(line) }
        }
        try Interruption.check()
        if !isJSON, !outcomes.isEmpty { tell("") }
        return outcomes
    }

    func write(_ diagnosis: Diagnosis, to file: ResultFile) async throws {
        let report = await BugReport.current(diagnosis)
        try Interruption.check()
        try file.write(Array(report.text.utf8))
        if options.json {
            try JSONLine.print(BundleReport(file: file.path))
        } else if !options.quiet {
            StandardOutput.printSentences(
                TerminalText.escaped(
                    "Saved a report in \(file.path). Review it, and attach it to the issue."))
        }
    }

    private func commands(_ steps: [SystemStep]) -> [String] {
        let shell = ShellLine.current
        return steps.map { "    " + TerminalText.escaped(shell.text($0)) }
    }

    /// Returns why `--fix` has no commands: nothing is wrong, or only the user can take the remaining steps.
    private static func nothingToRun(for diagnosis: Diagnosis) -> String {
        diagnosis.firstProblem == nil
            ? "There is nothing to fix." : "--fix cannot do this automatically. Follow the steps above."
    }
}

private struct BundleReport: Encodable {
    let schema = 1
    let file: String
}
