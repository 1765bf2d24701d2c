// The printed events, the signals and the actions for each tag of a scan — Docs/CommandLine.md, scan

import Foundation
import Hexadecimal
import ReaderInterface
import ReaderSession
import SafeTag
import TagFeed
import Terminal

/// Prints the events of a scan in JSON or as lines, signals them, and runs the actions for each tag.
struct ScanOutput: ScanObserver {
    let options: OutputOptions
    let signals: SignalStyle
    let actions: TagActions
    private let feed: ScanFeed
    private let actionReport: ActionReport

    init(_ options: OutputOptions, _ signals: SignalStyle, _ actions: TagActions, _ feed: ScanFeed) {
        self.options = options
        self.feed = feed
        self.signals = signals
        self.actions = actions
        actionReport = ActionReport(options, printsEvents: !feed.printsTable)
    }

    func tagCame(_ reading: TagReading, in session: TagSession) async throws {
        let event = TimedEvent(reading, at: .now)
        if options.json {
            try JSONLine.print(event)
        } else if !feed.printsTable {
            TagPresentation(reading, style: .standardOutput).printLine(at: event.time)
        }
        try feed.add(event)
        await session.shown(reading.failure == nil ? .success : .failure, signals)
        try await session.untilInterrupted { [actions, actionReport, feed] in
            do {
                if let (text, isTyped) = try await feed.type(reading) {
                    try actionReport.typed(text, for: reading, isDryRun: !isTyped)
                }
            } catch let problem as KeyTemplate.Problem {
                try actionReport.notTyped(for: reading, because: problem.reason)
            }
            try await actions.run(for: event, report: actionReport)
        }
    }

    func tagLeft(_ uid: [UInt8], reader: String, in session: TagSession?) throws {
        if options.json {
            try JSONLine.print(RemovedEvent(reader: reader, uid: uid.hex), at: .now)
        } else if !options.quiet, !feed.printsTable {
            EventLine(style: .standardOutput).print("removed", uid: uid.hex, at: .now)
        }
        session?.show(.idle, signals)
    }

    func moreTags() { MoreTags.tell(options) }

    func readerLost(_ reader: String, _ loss: ReaderLoss) throws { try print(ReaderEvent(lost: reader, loss)) }

    func readerIsBack(_ reader: String) throws { try print(ReaderEvent(opened: reader)) }

    private func print(_ event: ReaderEvent) throws {
        if options.json {
            try JSONLine.print(event, at: .now)
        } else if !options.quiet {
            StandardError.print("nfctool: \(TerminalText.escaped(event.text))\n")
        }
    }
}

private struct ReaderEvent: Encodable {
    let schema = 1
    let event: String
    let reader: String
    let error: ErrorName?
    let message: String?

    init(lost reader: String, _ loss: ReaderLoss) {
        (event, self.reader, error, message) = ("readerLost", reader, ErrorName(loss.kind), loss.reason(for: reader))
    }

    init(opened reader: String) { (event, self.reader, error, message) = ("reader", reader, nil, nil) }

    var text: String {
        message.map { "\($0) Waiting for the reader \(reader) to come back. Press Ctrl-C to stop." }
            ?? "The reader is back: \(reader)."
    }
}

private struct RemovedEvent: Encodable {
    let schema = 1
    let event = "removed"
    let reader: String
    let uid: String
}
