// The loop behind `scan`: which tags are in the field now, and which were a moment ago — CLI.md, Settled details

import CoreNFC
import Foundation
import NDEF
import NFCReader

/// A scan in progress.
///
/// The field is switched off and on between polls, so each poll finds all tags that are there: a tag has left when it was
/// not found for ``absence``.
struct Scan {
    let session: TagSession
    let options: TagOptions
    let count: Int?
    let command: String?
    let length: Duration?
    let signals: SignalStyle

    /// The same UID is reported again only after it was away this long.
    private static let absence = Duration.milliseconds(500)
    /// The time between a poll that found tags and the next.
    private static let pollInterval = Duration.milliseconds(100)

    private var present: [[UInt8]: Presence] = [:]
    private var seen = 0
    private var lastArrival = ContinuousClock.now
    private var isPolling = true

    init(
        session: TagSession, options: TagOptions, count: Int?, command: String?, length: Duration?,
        signals: SignalStyle
    ) {
        self.session = session
        self.options = options
        self.count = count
        self.command = command
        self.length = length
        self.signals = signals
    }

    private struct Presence {
        let uid: String
        var lastSeen: ContinuousClock.Instant
        /// False while the tag could not be read: it is tried again at the next poll.
        var isReported: Bool
    }

    /// Runs until the count, the length or the longest wait is reached.
    ///
    /// - Throws: ``NoTagCame`` after `--timeout` without a tag; why the session ended.
    mutating func run() async throws {
        for await event in session.events(ticking: Self.pollInterval, until: length) {
            switch event {
            case .tags(let tags):
                isPolling = false
                for tag in tags where session.isWanted(tag) {
                    if try await arrived(tag) { return }
                }
            case .tick:
                try tick()
            case .timeout:
                return
            case .ended(let error):
                throw error
            }
        }
    }

    private mutating func tick() throws {
        let now = ContinuousClock.now
        for (uid, presence) in present where now - presence.lastSeen >= Self.absence {
            present[uid] = nil
            lastArrival = max(lastArrival, presence.lastSeen)
            if presence.isReported { try report(RemovedEvent(reader: session.reader, uid: presence.uid)) }
        }
        if let limit = options.timeout?.duration, present.isEmpty, now - lastArrival >= limit {
            throw NoTagCame(after: limit)
        }
        if !isPolling {
            isPolling = true
            session.session?.restartPolling()
        }
    }

    /// Takes one tag of a poll; true when it was the last one to report.
    private mutating func arrived(_ tag: SessionTag) async throws -> Bool {
        let uid = tag.target.lastingIdentifier
        if let wanted = options.uid, wanted.bytes != tag.target.identifier { return false }
        let isReported = present[uid]?.isReported ?? false
        present[uid] = Presence(uid: present[uid]?.uid ?? tag.uid, lastSeen: .now, isReported: isReported)
        guard !isReported else { return false }
        let start = ContinuousClock.now
        // Nobody looks for the other tags in the meantime: it does not count as their absence.
        defer { for uid in present.keys { present[uid]?.lastSeen += .now - start } }
        guard let reading = try await readingIfPossible(of: tag) else { return false }
        try await report(reading)
        present[uid]?.isReported = true
        lastArrival = .now
        seen += 1
        return seen == count
    }

    /// A tag that leaves while it is read comes back, or does not: no event.
    ///
    /// Any other failure is told, and the scan goes on.
    private func readingIfPossible(of tag: SessionTag) async throws -> TagReading? {
        do {
            return try await session.read(tag)
        } catch {
            guard let failure = TagFailure(error), ![.interrupted, .readerIO].contains(failure.name) else {
                throw error
            }
            if failure.name == .tagLost { return nil }
            return TagReading(unreadable: tag.target, on: session.reader, because: failure)
        }
    }

    private func report(_ reading: TagReading) async throws {
        if options.output.json {
            try JSONLine.print(reading)
        } else {
            TagPresentation(reading, style: .standardOutput).printLine()
        }
        await session.shown(reading.failure == nil ? .success : .failure, signals)
        guard let command else { return }
        try await session.untilInterrupted {
            guard let end = try await TagCommand(command).run(with: reading), !Task.isCancelled else { return }
            StandardError.print("nfctool: The command for tag \(reading.uid) \(end).\n")
        }
    }

    private func report(_ event: RemovedEvent) throws {
        if options.output.json {
            try JSONLine.print(event)
        } else if !options.output.quiet {
            EventLine(style: .standardOutput).print("removed", uid: event.uid)
        }
        session.show(.idle, signals)
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
