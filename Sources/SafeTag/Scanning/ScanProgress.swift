// The state of a scan: which tags are or recently were present, and when the scan ends

import ReaderInterface
import ReaderSession
import TagTypes

/// A scan in progress.
///
/// The scan continues across the sessions of a reader that is unplugged and comes back. A tag counts as gone if at
/// least ``enoughLooks`` polls over a time of ``absence`` did not find it. Time alone is not enough, because a
/// suspended reader or computer does not poll.
struct ScanProgress: Sendable {
    private let setup: TagScan.Setup
    private let observer: any ScanObserver
    /// The end of the scan, or nil if it has no fixed end.
    private let end: ContinuousClock.Instant?

    /// The time that a tag must be absent before its UID is reported again.
    private static let absence = Duration.milliseconds(500)
    /// The number of polls that must miss a tag before it counts as gone.
    private static let enoughLooks = 2
    /// The time between a poll that found tags and the next poll.
    private static let pollInterval = Duration.milliseconds(100)

    private var present: [[UInt8]: Presence] = [:]
    /// Tags that were read but not reported yet, because earlier tags may still be present.
    private var held: [TagReading] = []
    private var holdStart = ContinuousClock.now
    private var seen = 0
    private var lastArrival = ContinuousClock.now
    private var isPolling = true
    /// The name of the reader, or nil before the reader was open.
    ///
    /// The name identifies the reader even after the reader was unplugged and plugged in again.
    private(set) var reader: String?
    private var isLost = false
    /// Waits for the reader while it is lost.
    let readerReturn = ReaderReturn()
    /// The reason why the given password did not open a tag, or nil if there is none.
    ///
    /// If there is a reason, an otherwise successful scan ends with this error.
    private(set) var passwordFailure: (any Error)?
    /// Whether the scan has reported that there are more tags than the reader can distinguish.
    private var isToldOfMore = false

    init(_ setup: TagScan.Setup, _ observer: any ScanObserver) {
        self.setup = setup
        self.observer = observer
        end = setup.length.map { .now + $0 }
    }

    private struct Presence {
        let uid: [UInt8]
        var lastSeen: ContinuousClock.Instant
        /// The number of polls since ``lastSeen`` that found only known tags, and did not find this one.
        var missed = 0
        /// The session's count of empty polls at ``lastSeen``.
        var emptyPolls: Int
        /// Whether the tag was reported.
        ///
        /// If false, the tag could not be read and is tried again at the next poll.
        var isTold: Bool
        /// Whether the tag was read and is waiting to be reported.
        var isHeld = false
    }

    /// Scans until enough tags were reported, or until the time of the scan is over.
    ///
    /// - Throws: `NoTagCame`; the error that ended the session.
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
                if session.hasMoreTags, !isToldOfMore { observer.moreTags() }
                isToldOfMore = session.hasMoreTags
                let found = Set(tags.map(\.target.lastingIdentifier))
                // For the tags that were held back after the last poll, this is the second poll. An earlier tag that
                // this poll does not find has left.
                if try await tell(in: session, without: found) { return }
                // A poll that finds a new tag may end before it looks for the others.
                if found.allSatisfy({ present[$0] != nil }) {
                    for uid in present.keys where !found.contains(uid) { present[uid]?.missed += 1 }
                }
                for tag in tags where session.isWanted(tag) {
                    if try await arrived(tag, among: found, in: session) { return }
                }
            case .tick:
                if try await tick(in: session) { return }
            case .timeout:
                if reader != nil {
                    _ = try await tell(in: session, without: [])
                    return
                }
                isOverdue = true
            case .ended(let end):
                throw end.cause
            }
        }
        // The events end without ending the session only if the task was cancelled.
        throw CancellationError()
    }

    private mutating func readerOpened(in session: TagSession) throws {
        if isLost { try observer.readerIsBack(session.reader) }
        isLost = false
        readerReturn.readerOpened()
        // The wait for tags begins with the first poll.
        if reader == nil { lastArrival = .now }
        reader = session.session.reader
    }

    /// Marks the reader as lost, and treats the tags on it as gone.
    ///
    /// - Throws: the reader's error if the reader was never open, because such a reader is not expected back.
    mutating func readerFailed(_ loss: ReaderLoss) throws {
        guard let reader else { throw loss.error }
        guard !isLost else { return }
        isLost = true
        for presence in present.values where presence.isTold {
            try observer.tagLeft(presence.uid, reader: reader, in: nil)
            lastArrival = max(lastArrival, presence.lastSeen)
        }
        // Tags that were read but not reported are found again when the reader is back, unless they have left.
        (present, held) = ([:], [])
        try observer.readerLost(reader, loss)
    }

    /// Whether the scan is over, even while there is no reader.
    ///
    /// This is false until a reader was open.
    ///
    /// - Throws: `NoTagCame` if no tag was found within the time limit.
    func isOver() throws -> Bool {
        // Without an open reader, it is not known that there are no tags.
        guard reader != nil else { return false }
        if let limit = setup.patience, present.isEmpty, .now - lastArrival >= limit { throw NoTagCame(after: limit) }
        return end.map { .now >= $0 } ?? false
    }

    /// Reports tags that were not found for some time as gone.
    ///
    /// Returns true after the last tag to report.
    private mutating func tick(in session: TagSession) async throws -> Bool {
        let now = ContinuousClock.now
        for (uid, presence) in present where now - presence.lastSeen >= Self.absence && !presence.isHeld {
            let looks = presence.missed + session.session.emptyPolls - presence.emptyPolls
            if looks >= Self.enoughLooks { try left(uid, in: session) }
        }
        if now - holdStart >= Self.absence, try await tell(in: session, without: []) { return true }
        _ = try isOver()
        if !isPolling {
            isPolling = true
            session.session.restartPolling()
        }
        return false
    }

    /// Adds the time since `start` to the times at which the tags were last seen.
    ///
    /// There were no polls in this time, so it must not count as absence.
    private mutating func skip(since start: ContinuousClock.Instant) {
        for uid in present.keys { present[uid]?.lastSeen += .now - start }
    }

    private mutating func left(_ uid: [UInt8], in session: TagSession) throws {
        guard let presence = present.removeValue(forKey: uid) else { return }
        lastArrival = max(lastArrival, presence.lastSeen)
        if presence.isTold { try observer.tagLeft(presence.uid, reader: session.reader, in: session) }
    }

    /// Reports the tags that have left, and then the tags that were held back.
    ///
    /// Returns true after the last tag to report.
    ///
    /// The tags in `found` have not left, because a second poll found them.
    private mutating func tell(in session: TagSession, without found: Set<[UInt8]>) async throws -> Bool {
        guard !held.isEmpty else { return false }
        for (uid, presence) in present where presence.isTold && presence.lastSeen < holdStart && !found.contains(uid) {
            try left(uid, in: session)
        }
        for reading in held {
            held.removeFirst()
            if try await tell(reading, in: session) { return true }
        }
        return false
    }

    private mutating func tell(_ reading: TagReading, in session: TagSession) async throws -> Bool {
        let uid = reading.target.lastingIdentifier
        let start = ContinuousClock.now
        defer { skip(since: start) }
        try await observer.tagCame(reading, in: session)
        present[uid]?.isTold = true
        present[uid]?.isHeld = false
        lastArrival = .now
        seen += 1
        return seen == setup.count
    }

    /// Handles one tag of a poll.
    ///
    /// Returns true after the last tag to report.
    ///
    /// `found` contains all tags of the poll.
    private mutating func arrived(
        _ tag: DetectedTag, among found: Set<[UInt8]>, in session: TagSession
    ) async throws -> Bool {
        let uid = tag.target.lastingIdentifier
        if let wanted = setup.uid, wanted != tag.target.identifier { return false }
        let (isTold, isHeld) = (present[uid]?.isTold ?? false, present[uid]?.isHeld ?? false)
        present[uid] = Presence(
            uid: present[uid]?.uid ?? tag.target.identifier, lastSeen: .now, emptyPolls: session.session.emptyPolls,
            isTold: isTold, isHeld: isHeld)
        guard !isTold, !isHeld else { return false }
        let start = ContinuousClock.now
        let reading = try await readingIfPossible(of: tag, in: session)
        skip(since: start)
        guard let reading else { return false }
        // A poll that finds a new tag may end before it looks for the others, and if there are many tags, some may
        // never be found.
        let isMissing = present.contains { $1.isTold && !found.contains($0) }
        guard isMissing || !held.isEmpty, !session.hasMoreTags else { return try await tell(reading, in: session) }
        if held.isEmpty { holdStart = .now }
        held.append(reading)
        present[uid]?.isHeld = true
        return false
    }

    /// Reads a tag.
    ///
    /// If the tag leaves while it is read, nothing is reported. Any other failure is reported, and the scan continues.
    private mutating func readingIfPossible(of tag: DetectedTag, in session: TagSession) async throws -> TagReading? {
        do {
            return try await session.read(tag)
        } catch {
            guard let failure = error as? any ClassifiedError, ![.interrupted, .readerGone].contains(failure.kind)
            else { throw error }
            if failure.kind == .tagGone { return nil }
            if Self.isOfPassword(failure) { passwordFailure = passwordFailure ?? failure }
            return TagReading(unreadable: tag.target, on: session.reader, because: failure)
        }
    }

    /// Whether the error is about a given password that did not open the tag.
    private static func isOfPassword(_ error: any Error) -> Bool {
        switch error {
        case TagError.wrongPassword, TagError.foreignPACK, TagError.passwordUnanswered, is PasswordRisk,
            is PerhapsClosed:
            true
        default: false
        }
    }
}

extension Target {
    /// The identifier, or `08` if a phone or a passport generates a new identifier at each power-up.
    ///
    /// Otherwise, one phone would look like an endless series of tags.
    fileprivate var lastingIdentifier: [UInt8] { hasRandomIdentifier ? [0x08] : identifier }
}
