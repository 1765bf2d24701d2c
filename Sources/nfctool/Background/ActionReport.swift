// What became of a tag's commands and links: events for scripts, a line of stderr for what failed — Docs/JSON.md, Scan

import SafeTag
import Synchronization
import TagRules
import Terminal

/// Tells what was done for tags.
final class ActionReport: Sendable {
    let output: OutputOptions
    /// Whether standard output is for what people read, or for JSON.
    let printsEvents: Bool
    private let clock: EventClock
    private let isAdvised = Mutex(false)

    init(_ output: OutputOptions, printsEvents: Bool, clock: EventClock) {
        (self.output, self.printsEvents, self.clock) = (output, printsEvents, clock)
    }

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
                LinkEvent(event: "opened", reader: reading.reader, uid: reading.uid, uri: uri, reason: nil),
                at: clock.now())
        } else if !output.quiet, printsEvents {
            EventLine(style: .standardOutput).print("opened \(uri)", uid: reading.uid, at: clock.now())
        }
    }

    /// The link was not opened.
    func notOpened(_ uri: String, of reading: TagReading, because reason: String) throws {
        guard output.json else { return }
        try JSONLine.print(
            LinkEvent(event: "notOpened", reader: reading.reader, uid: reading.uid, uri: uri, reason: reason),
            at: clock.now())
    }

    /// A text was typed; in a dry run it would have been, and is the result.
    func typed(_ text: String, for reading: TagReading, isDryRun: Bool) throws {
        if output.json {
            try JSONLine.print(
                TypedEvent(
                    event: "typed", reader: reading.reader, uid: reading.uid, text: text, dryRun: isDryRun ? true : nil,
                    reason: nil), at: clock.now())
        } else if isDryRun, printsEvents {
            StandardOutput.print(TerminalText.escaped(text))
        }
    }

    /// Nothing was typed for a tag.
    func notTyped(for reading: TagReading, because reason: String) throws {
        say("Nothing was typed for tag \(reading.uid): \(reason)")
        guard output.json else { return }
        try JSONLine.print(
            TypedEvent(
                event: "notTyped", reader: reading.reader, uid: reading.uid, text: nil, dryRun: nil, reason: reason),
            at: clock.now())
    }

    /// The command of a rule has ended.
    func ruleRan(_ rule: TagRule, for reading: TagReading, end: String?) throws {
        guard output.json else { return }
        try JSONLine.print(
            RuleEvent(reader: reading.reader, uid: reading.uid, line: rule.line, reason: end), at: clock.now())
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

/// A text that was typed, or was not.
private struct TypedEvent: Encodable {
    let schema = 1
    let event: String
    let reader: String
    let uid: String
    let text: String?
    let dryRun: Bool?
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
