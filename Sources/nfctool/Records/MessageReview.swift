// Before a message is written, finds content in it that phones cannot handle — the rules of `ndef check`

import ArgumentParser
import NDEF
import PhoneLint

/// The option of commands that write messages in which `ndef check` may find errors.
struct ForceOption: ParsableArguments {
    @Flag(help: "Allow a message that phones cannot use. --yes does not include this.")
    var force = false
}

/// The findings about a message that is about to be written.
struct MessageReview {
    private let findings: [Finding]
    private let recordCount: Int

    init(_ message: NDEFMessage) {
        findings = PhoneLint().findings(beforeWriting: message)
        recordCount = message.records.count
    }

    /// Shows the warnings, and the errors that `--force` permits.
    ///
    /// - Throws: ``FaultyMessage`` if there are errors that are not permitted.
    func check(_ option: ForceOption, _ output: OutputOptions) throws {
        let errors = findings.filter { $0.severity == .error }
        guard errors.isEmpty || option.force else {
            throw FaultyMessage(lines: errors.map(line), rules: errors.map(\.rule))
        }
        show(in: Warning(output))
    }

    /// Shows warnings and errors alike.
    func show(in warning: Warning) {
        for finding in findings where finding.severity != .hint { warning.show(line(finding)) }
    }

    private func line(_ finding: Finding) -> String {
        let place = recordCount > 1 ? finding.record.map { "Record \($0): " } ?? "" : ""
        return place + finding.message
    }
}

/// A message in which `ndef check` finds errors.
struct FaultyMessage: Failure {
    /// One line for each error, if there are several.
    let lines: [String]
    /// The names of the broken rules.
    let rules: [String]

    init(lines: [String], rules: [String]) {
        // A single error is itself the text of the failure.
        sentence = lines.count == 1 ? lines[0] : "The message has \(lines.count) errors."
        self.lines = lines.count == 1 ? [] : lines
        self.rules = rules
    }

    private let sentence: String
    var name: ErrorName { .badNDEF }
    var message: String { sentence }
    var details: [String: FailureDetail] { ["rules": .list(rules)] }

    /// Advice for the user.
    static let advice = """
        Nothing was changed. Correct the message, or add --force to use it as it is.
        `nfctool ndef check` explains how phones handle it.
        """
}
