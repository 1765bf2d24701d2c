// What became of a tag's commands and links: events for scripts, a line of stderr for what failed — Docs/JSON.md, Scan

import SafeTag
import Synchronization
import TagRules
import Terminal

/// Tells what was done for tags.
final class ActionReport: Sendable {
    let output: OutputOptions
    private let isAdvised = Mutex(false)

    init(_ output: OutputOptions) { self.output = output }

    /// Says what failed, on one line.
    func say(_ sentence: String) { StandardError.print("nfctool: \(TerminalText.escaped(sentence))\n") }

    /// Says what fails for every tag the first time, with what to do about it.
    func sayOnce(_ sentence: String, advice: String) {
        let isFirst = isAdvised.withLock { isAdvised in
            defer { isAdvised = true }
            return !isAdvised
        }
        guard isFirst else { return }
        say(sentence)
        StandardError.print("  \(advice)\n")
    }

    /// The link was handed to its program.
    func opened(_ uri: String, of reading: TagReading) throws {
        if output.json {
            try JSONLine.print(
                LinkEvent(event: "opened", reader: reading.reader, uid: reading.uid, uri: uri, reason: nil))
        } else if !output.quiet {
            EventLine(style: .standardOutput).print("opened \(uri)", uid: reading.uid)
        }
    }

    /// The link was not opened.
    func notOpened(_ uri: String, of reading: TagReading, because reason: String) throws {
        guard output.json else { return }
        try JSONLine.print(
            LinkEvent(event: "notOpened", reader: reading.reader, uid: reading.uid, uri: uri, reason: reason))
    }

    /// The command of a rule has ended.
    func ruleRan(_ rule: TagRule, for reading: TagReading, end: String?) throws {
        guard output.json else { return }
        try JSONLine.print(RuleEvent(reader: reading.reader, uid: reading.uid, line: rule.line, reason: end))
    }
}

/// A link that was opened, or was not.
private struct LinkEvent: Encodable {
    let schema = 1
    let event: String
    let reader: String
    let uid: String
    let uri: String
    let reason: String?
}

/// A rule whose command has run.
private struct RuleEvent: Encodable {
    let schema = 1
    let event = "rule"
    let reader: String
    let uid: String
    /// Of the file of rules.
    let line: Int
    /// How the command failed; absent when it did not.
    let reason: String?
}
