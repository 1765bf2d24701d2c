// The actions for each scanned tag: the command for every tag, the first matching rule, the link —
// Docs/BackgroundReading.md

import PhoneLint
import ReaderInterface
import SafeTag
import TagRules
import Terminal

struct TagActions: Sendable {
    var command: String?
    /// The rules, of which only the first that matches a tag is applied.
    var rules: [TagRule] = []
    /// Whether the links of tags that match no rule are opened.
    var opensLinks = false

    /// Runs the actions one after the other.
    ///
    /// If the task is cancelled, the running command is terminated.
    ///
    /// - Throws: `ShellCommand.NotStarted` if there is no shell.
    func run(for event: TimedEvent<TagReading>, report: ActionReport) async throws {
        let reading = event.event
        if let command, let end = try await run(command, for: event, report), !Task.isCancelled {
            report.say("The command for tag \(reading.uid) \(end).")
        }
        guard !Task.isCancelled else { return }
        if let rule = rules.first(where: { $0.matches(reading.target.identifier, reading.message) }) {
            let end = try await run(rule.command, for: event, report)
            guard !Task.isCancelled else { return }
            if let end { report.say("The command of rule \(rule.line) for tag \(reading.uid) \(end).") }
            try report.ruleRan(rule, for: reading, end: end)
        } else if opensLinks, let link = BackgroundLink(in: reading.message) {
            try await open(link, of: reading, report: report)
        }
    }

    private func run(
        _ command: String, for event: TimedEvent<TagReading>, _ report: ActionReport
    ) async throws -> String? {
        try await TagCommand(command, printsOnStandardError: report.output.json || !report.printsEvents).run(
            with: event.event, event: event, variables: [:])
    }

    private func open(_ link: BackgroundLink, of reading: TagReading, report: ActionReport) async throws {
        let failed: @Sendable (String) -> Void = { reason in
            report.say("The link \(link.uri) of tag \(reading.uid) was not opened: \(reason).")
        }
        let outcome = await LinkOpener().open(link, onLateFailure: failed)
        guard !Task.isCancelled else { return }
        switch outcome {
        case .opened: return try report.opened(link.uri, of: reading)
        case .refused(let reason):
            failed(reason)
            try report.notOpened(link.uri, of: reading, because: reason)
        case .noProgram:
            let reason = "there is no xdg-open"
            report.sayOnce(
                "The link \(link.uri) of tag \(reading.uid) was not opened: \(reason) in PATH.",
                advice: "Install it:  sudo apt install xdg-utils ; without a desktop, use --rules or --exec.")
            try report.notOpened(link.uri, of: reading, because: reason)
        }
    }
}
