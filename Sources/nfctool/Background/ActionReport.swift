// The outcomes of a tag's commands and links: events for scripts, and failures on stderr — Docs/JSON.md, Scan

import Foundation
import SafeTag
import Synchronization
import TagRules
import Terminal

final class ActionReport: Sendable {
    let output: OutputOptions
    /// Whether standard output contains JSON events instead of lines for people.
    let printsEvents: Bool
    private let isAdvised = Mutex(false)

    init(_ output: OutputOptions, printsEvents: Bool) {
        (self.output, self.printsEvents) = (output, printsEvents)
    }

    func say(_ sentence: String) { StandardError.print("nfctool: \(TerminalText.escaped(sentence))\n") }

    /// Prints a failure that affects every tag, with advice, unless this method already printed one.
    func sayOnce(_ sentence: String, advice: String) {
        let isFirst = isAdvised.withLock { isAdvised in
            defer { isAdvised = true }
            return !isAdvised
        }
        guard isFirst else { return }
        say(sentence)
        StandardError.print("  \(advice)\n")
    }

    func opened(_ uri: String, of reading: TagReading) throws {
        if output.json {
            try JSONLine.print(
                LinkEvent(event: "opened", reader: reading.reader, uid: reading.uid, uri: uri, reason: nil),
                at: .now)
        } else if !output.quiet, printsEvents {
            EventLine(style: .standardOutput).print("opened \(uri)", uid: reading.uid, at: .now)
        }
    }

    func notOpened(_ uri: String, of reading: TagReading, because reason: String) throws {
        guard output.json else { return }
        try JSONLine.print(
            LinkEvent(event: "notOpened", reader: reading.reader, uid: reading.uid, uri: uri, reason: reason),
            at: .now)
    }

    func typed(_ text: String, for reading: TagReading, isDryRun: Bool) throws {
        if output.json {
            try JSONLine.print(
                TypedEvent(
                    event: "typed", reader: reading.reader, uid: reading.uid, text: text, dryRun: isDryRun ? true : nil,
                    reason: nil), at: .now)
        } else if isDryRun, printsEvents {
            StandardOutput.print(TerminalText.escaped(text))
        }
    }

    func notTyped(for reading: TagReading, because reason: String) throws {
        say("Nothing was typed for tag \(reading.uid): \(reason)")
        guard output.json else { return }
        try JSONLine.print(
            TypedEvent(
                event: "notTyped", reader: reading.reader, uid: reading.uid, text: nil, dryRun: nil, reason: reason),
            at: .now)
    }

    func ruleRan(_ rule: TagRule, for reading: TagReading, end: String?) throws {
        guard output.json else { return }
        try JSONLine.print(
            RuleEvent(reader: reading.reader, uid: reading.uid, line: rule.line, reason: end), at: .now)
    }
}

private struct LinkEvent: Encodable {
    let schema = 1
    let event: String
    let reader: String
    let uid: String
    let uri: String
    let reason: String?
}

private struct TypedEvent: Encodable {
    let schema = 1
    let event: String
    let reader: String
    let uid: String
    let text: String?
    let dryRun: Bool?
    let reason: String?
}

private struct RuleEvent: Encodable {
    let schema = 1
    let event = "rule"
    let reader: String
    let uid: String
    let line: Int
    /// How the command failed, as a clause, or nil if it succeeded.
    let reason: String?
}
