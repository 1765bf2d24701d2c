// nfctool doctor: finds out why a reader does not work, and what helps — Docs/CommandLine.md

import ArgumentParser
import Doctor
import Foundation
import ReaderSession
import SafeTag
import Terminal
import USBReaders

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find out why a reader does not work, and how to fix it.",
        discussion: """
            Checks for the known causes in order: no reader, a reader that nfctool cannot use, permissions, kernel \
            drivers, pcscd, other programs. Then opens each reader. Prints the cause of each problem and the commands \
            that solve it. Exits 0 if a reader can be used, otherwise 69, 74 or 77.
            """)

    @Option(
        help: ArgumentHelp("Check only this reader, as named by `nfctool readers`.", valueName: "spec"),
        completion: .reader)
    var reader: String?

    @Flag(help: "List the commands that solve problems; with --yes, run them and check again.")
    var fix = false

    @Option(help: ArgumentHelp("Write a report for an issue to a file.", valueName: "file"), completion: .file())
    var bundle: String?

    @OptionGroup var overwrite: OverwriteOption

    @Option(
        name: .customLong("print"),
        help: ArgumentHelp(
            "Print a file that the commands install: rules (udev) or blacklist (modprobe).", valueName: "file"))
    var file: SystemFile?

    @Flag(help: HelpText.trace) var trace = false

    @OptionGroup(title: HelpText.shared) var output: OutputOptions

    func validate() throws {
        if file != nil, fix || bundle != nil { throw ValidationError("--print cannot be used with --fix or --bundle.") }
        if output.yes, !fix { throw ValidationError("--yes requires --fix.") }
    }

    func run() async throws {
        if let file { return StandardOutput.write(Array(file.text.utf8)) }
        if trace { WireTrace.start(showingSecrets: false) }
        let place = try bundle.map {
            try ResultFile($0, .shared).claimed(overwrite: overwrite.isAllowed, isJSON: output.json)
        }
        let printer = DoctorOutput(options: output)
        var (diagnosis, outcomes) = (try await diagnose(), [Repair.Outcome]?.none)
        if fix, !output.json { printer.show(diagnosis) }
        if fix, output.yes {
            outcomes = try await printer.run(Repair(diagnosis), for: diagnosis)
            if outcomes?.isEmpty == false { try? await Task.sleep(for: Repair.settlingTime) }
            diagnosis = try await diagnose()
        } else if fix, !output.json {
            printer.list(Repair(diagnosis), for: diagnosis)
        }
        if let place {
            try await printer.write(diagnosis, to: place)
        } else if output.json {
            try JSONLine.print(DiagnosisReport(diagnosis, repairs: outcomes))
        } else if !fix || outcomes?.isEmpty == false {
            printer.show(diagnosis)
        }
        if let problem = diagnosis.firstProblem {
            throw SickReader(problem, canFix: !fix && !Repair(diagnosis).steps.isEmpty)
        }
    }

    private func diagnose() async throws -> Diagnosis {
        let wanted = reader ?? ProcessInfo.processInfo.environment["NFCTOOL_READER"].flatMap { $0.isEmpty ? nil : $0 }
        let survey = ReaderSurvey.now()
        let diagnosis = Diagnosis(
            survey, wanted: try wanted.map { try ReaderLabels.meaning(of: $0, in: survey) },
            listed: SmartCardReaders.found())
        do throws(CancellationError) {
            return try await diagnosis.opened(by: SessionOpener(hint: Hint(output)))
        } catch {
            throw Interrupted(cause: nil)
        }
    }
}
