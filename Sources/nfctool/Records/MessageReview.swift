// Finds content that phones cannot handle in a message before it is written — the rules of `ndef check`

import ArgumentParser
import NDEF
import PhoneLint

/// The option that allows messages in which `ndef check` finds errors, for all commands that write messages.
struct ForceOption: ParsableArguments {
    @Flag(help: "Allow a message that phones cannot use. --yes does not include this.")
    var force = false
}

struct MessageReview {
    private let findings: [Finding]
    private let recordCount: Int

    init(_ message: NDEFMessage) {
        findings = PhoneLint().findings(beforeWriting: message)
        recordCount = message.records.count
    }

    /// Shows the warnings, and also the errors if `--force` allows them.
    ///
    /// - Throws: ``FaultyMessage`` if there are errors and `--force` is not given.
    func check(_ option: ForceOption, _ output: OutputOptions) throws {
        let errors = findings.filter { $0.severity == .error }
        guard errors.isEmpty || option.force else {
            throw FaultyMessage(lines: errors.map(line), rules: errors.map(\.rule))
        }
        show(in: Warning(output))
    }

    /// Shows warnings and errors in the same way.
    func show(in warning: Warning) {
        for finding in findings where finding.severity != .hint { warning.show(line(finding)) }
    }

    private func line(_ finding: Finding) -> String {
        let place = recordCount > 1 ? finding.record.map { "Record \($0): " } ?? "" : ""
        return place + finding.message
    }
}

struct FaultyMessage: Failure {
    /// The lines about the errors, or an empty list if there is only one error.
    let lines: [String]
    /// The names of the rules that the message breaks.
    let rules: [String]

    init(lines: [String], rules: [String]) {
        // If there is only one error, its line is the text of the failure.
        sentence = lines.count == 1 ? lines[0] : "The message has \(lines.count) errors."
        self.lines = lines.count == 1 ? [] : lines
        self.rules = rules
    }

    private let sentence: String
    var name: ErrorName { .badNDEF }
    var message: String { sentence }
    var details: [String: FailureDetail] { ["rules": .list(rules)] }

    static let advice = """
        Nothing was changed. Correct the message, or add --force to use it as it is.
        `nfctool ndef check` explains how phones handle it.
        """
}
