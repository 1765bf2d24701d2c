// The loop behind `scan`: which tags are in the field now, and which were a moment ago — Docs/CommandLine.md, scan

import Foundation
import NDEF
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes
import Terminal

/// A scan: what it was asked for, and how far it is.
///
/// It outlives the sessions of a reader that is unplugged and comes back.
///
/// The field is switched off and on between polls, so each poll finds all tags that are there: a tag has left when it was
/// not found for ``absence``.
struct Scan: Sendable {
    let options: TagOptions
    let count: Int?
    /// What is done for each tag.
    let actions: TagActions
    /// When it is over; nil for a scan without an end of its own.
    let end: ContinuousClock.Instant?
    let signals: SignalStyle

    /// The same UID is reported again only after it was away this long.
    private static let absence = Duration.milliseconds(500)
    /// The time between a poll that found tags and the next.
    private static let pollInterval = Duration.milliseconds(100)

    private var present: [[UInt8]: Presence] = [:]
    private var seen = 0
    private var lastArrival = ContinuousClock.now
    private var isPolling = true
    /// What names the reader once it was open, also when it was unplugged and plugged in.
    private(set) var reader: String?
    /// What the open reader is called in the events of its tags.
    private var connection = ""
    private var isLost = false
    /// Why the password that the scan was given did not open a tag.
    private var passwordFailure: (any Error)?
    private let actionReport: ActionReport
    /// The user was told that there are more tags than can be told apart, since they were.
    private var isToldOfMore = false

    init(options: TagOptions, count: Int?, actions: TagActions, length: Duration?, signals: SignalStyle) {
        self.options = options
        self.count = count
        self.actions = actions
        actionReport = ActionReport(options.output)
        self.signals = signals
        end = length.map { .now + $0 }
    }

    private struct Presence {
        let uid: String
        var lastSeen: ContinuousClock.Instant
        /// False while the tag could not be read: it is tried again at the next poll.
        var isReported: Bool
    }

    /// Scans until the count, the end or the longest wait is reached.
    ///
    /// - Throws: ``NoTagCame`` after `--timeout` without a tag; why the session ended.
    mutating func run(in session: TagSession) async throws {
        isPolling = true
        var isOverdue = false
        for await event in session.session.events(ticking: Self.pollInterval, until: end.map { $0 - .now }) {
            switch event {
            case .opened:
                try readerOpened(in: session)
                if isOverdue { return }
            case .tags(let tags):
                isPolling = false
                if session.hasMoreTags, !isToldOfMore { MoreTags.tell(options.output) }
                isToldOfMore = session.hasMoreTags
                for tag in tags where session.isWanted(tag) {
                    if try await arrived(tag, in: session) { return }
                }
            case .tick:
                try tick(in: session)
            case .timeout:
                if reader != nil { return }
                isOverdue = true
            case .ended(let end):
                throw end.cause
            }
        }
        // Events end without an end of the session only for a task that was cancelled.
        throw CancellationError()
    }

    private mutating func readerOpened(in session: TagSession) throws {
        if isLost { try report(ReaderEvent(opened: session.reader)) }
        isLost = false
        // The wait for tags begins when somebody looks.
        if reader == nil { lastArrival = .now }
        reader = session.session.lastingReader
        connection = session.reader
    }

    /// Takes the tags for gone that were on a reader that is gone.
    ///
    /// - Throws: the reader's error when it was never open: then it is not one that comes back.
    mutating func readerFailed(_ loss: ReaderLoss) throws {
        guard let reader else { throw loss.error }
        guard !isLost else { return }
        isLost = true
        for presence in present.values where presence.isReported {
            try report(RemovedEvent(reader: connection, uid: presence.uid))
            lastArrival = max(lastArrival, presence.lastSeen)
        }
        present = [:]
        try report(ReaderEvent(lost: reader, loss))
    }

    /// Whether it is over, also while there is no reader to look with; not before there was one.
    ///
    /// - Throws: ``NoTagCame`` after `--timeout` without a tag.
    func isOver() throws -> Bool {
        // A reader that does not open is not an empty one.
        guard reader != nil else { return false }
        if let limit = options.timeout?.duration, present.isEmpty, .now - lastArrival >= limit {
            throw NoTagCame(after: limit)
        }
        return end.map { .now >= $0 } ?? false
    }

    private mutating func tick(in session: TagSession) throws {
        let now = ContinuousClock.now
        for (uid, presence) in present where now - presence.lastSeen >= Self.absence {
            present[uid] = nil
            lastArrival = max(lastArrival, presence.lastSeen)
            guard presence.isReported else { continue }
            try report(RemovedEvent(reader: session.reader, uid: presence.uid))
            session.show(.idle, signals)
        }
        _ = try isOver()
        if !isPolling {
            isPolling = true
            session.session.restartPolling()
        }
    }

    /// Takes one tag of a poll; true when it was the last one to report.
    private mutating func arrived(_ tag: DetectedTag, in session: TagSession) async throws -> Bool {
        let uid = tag.target.lastingIdentifier
        if let wanted = options.uid, wanted.bytes != tag.target.identifier { return false }
        let isReported = present[uid]?.isReported ?? false
        present[uid] = Presence(uid: present[uid]?.uid ?? tag.uid, lastSeen: .now, isReported: isReported)
        guard !isReported else { return false }
        let start = ContinuousClock.now
        // Nobody looks for the other tags in the meantime: it does not count as their absence.
        defer { for uid in present.keys { present[uid]?.lastSeen += .now - start } }
        guard let reading = try await readingIfPossible(of: tag, in: session) else { return false }
        try await report(reading, in: session)
        present[uid]?.isReported = true
        lastArrival = .now
        seen += 1
        return seen == count
    }

    /// A tag that leaves while it is read comes back, or does not: no event.
    ///
    /// Any other failure is told, and the scan goes on.
    private mutating func readingIfPossible(of tag: DetectedTag, in session: TagSession) async throws -> TagReading? {
        do {
            return try await session.read(tag)
        } catch {
            guard let failure = error as? any ClassifiedError, ![.interrupted, .readerGone].contains(failure.kind)
            else {
                throw error
            }
            if failure.kind == .tagGone { return nil }
            if Self.isOfPassword(failure) { passwordFailure = passwordFailure ?? failure }
            return TagReading(unreadable: tag.target, on: session.reader, because: failure)
        }
    }

    /// Whether a password was given, and did not open the tag.
    private static func isOfPassword(_ error: any Error) -> Bool {
        switch error {
        case TagError.wrongPassword, TagError.foreignPACK, TagError.passwordUnanswered, is PasswordRisk,
            is PerhapsClosed:
            true
        default: false
        }
    }

    /// Fails a scan that came to its end, when a tag did not take its password: that is no success.
    func checkPassword() throws {
        if let passwordFailure { throw passwordFailure }
    }

    private func report(_ reading: TagReading, in session: TagSession) async throws {
        if options.output.json {
            try JSONLine.print(reading)
        } else {
            TagPresentation(reading, style: .standardOutput).printLine()
        }
        await session.shown(reading.failure == nil ? .success : .failure, signals)
        try await session.untilInterrupted { [actions, actionReport] in
            try await actions.run(for: reading, report: actionReport)
        }
    }

    private func report(_ event: RemovedEvent) throws {
        if options.output.json {
            try JSONLine.print(event)
        } else if !options.output.quiet {
            EventLine(style: .standardOutput).print("removed", uid: event.uid)
        }
    }
}

extension Scan {
    fileprivate func report(_ event: ReaderEvent) throws {
        if options.output.json {
            try JSONLine.print(event)
        } else if !options.output.quiet {
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

    init(opened reader: String) {
        (event, self.reader, error, message) = ("reader", reader, nil, nil)
    }

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

extension Target {
    /// The identifier, or `08` for one that a phone or a passport makes up anew at each power-up: a 4-byte NFCID1 that
    /// begins with 08 (ISO/IEC 14443-3).
    ///
    /// Without this, one phone would be an endless row of arrivals.
    fileprivate var lastingIdentifier: [UInt8] {
        identifier.count == 4 && identifier.first == 0x08 && technology == .nfcA ? [0x08] : identifier
    }
}
