// What a scan prints, shows on the reader, and starts for each tag — Docs/CommandLine.md, scan

import Hexadecimal
import ReaderInterface
import ReaderSession
import SafeTag
import Terminal

/// Prints the events of a scan, as lines or in JSON.
struct ScanOutput: ScanObserver {
    let options: OutputOptions
    let signals: SignalStyle
    /// What is done for each tag.
    let actions: TagActions
    private let actionReport: ActionReport

    init(_ options: OutputOptions, _ signals: SignalStyle, _ actions: TagActions) {
        self.options = options
        self.signals = signals
        self.actions = actions
        actionReport = ActionReport(options)
    }

    func tagCame(_ reading: TagReading, in session: TagSession) async throws {
        if options.json {
            try JSONLine.print(reading)
        } else {
            TagPresentation(reading, style: .standardOutput).printLine()
        }
        await session.shown(reading.failure == nil ? .success : .failure, signals)
        try await session.untilInterrupted { [actions, actionReport] in
            try await actions.run(for: reading, report: actionReport)
        }
    }

    func tagLeft(_ uid: [UInt8], reader: String, in session: TagSession?) throws {
        if options.json {
            try JSONLine.print(RemovedEvent(reader: reader, uid: uid.hex))
        } else if !options.quiet {
            EventLine(style: .standardOutput).print("removed", uid: uid.hex)
        }
        session?.show(.idle, signals)
    }

    func moreTags() { MoreTags.tell(options) }

    func readerLost(_ reader: String, _ loss: ReaderLoss) throws { try print(ReaderEvent(lost: reader, loss)) }

    func readerIsBack(_ reader: String) throws { try print(ReaderEvent(opened: reader)) }

    private func print(_ event: ReaderEvent) throws {
        if options.json {
            try JSONLine.print(event)
        } else if !options.quiet {
            StandardError.print("nfctool: \(TerminalText.escaped(event.text))\n")
        }
    }
}

/// A reader that was lost, or is back.
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
        message.map { "\($0) Waiting for the reader \(reader) to come back; Ctrl-C ends." }
            ?? "The reader is back: \(reader)."
    }
}

/// A tag that left.
private struct RemovedEvent: Encodable {
    let schema = 1
    let event = "removed"
    let reader: String
    let uid: String
}
