// How far a scan is: who is there, who was there a moment ago, and when it is over

import ReaderInterface
import ReaderSession
import TagTypes

/// A scan under way; it outlives the sessions of a reader that is unplugged and comes back.
///
/// A tag has left when it was not found for ``absence``.
struct ScanProgress: Sendable {
    private let setup: TagScan.Setup
    private let observer: any ScanObserver
    /// When it is over; nil for a scan without an end of its own.
    private let end: ContinuousClock.Instant?

    /// The same UID is told of again only after it was away this long.
    private static let absence = Duration.milliseconds(500)
    /// The time between a poll that found tags and the next.
    private static let pollInterval = Duration.milliseconds(100)

    private var present: [[UInt8]: Presence] = [:]
    private var seen = 0
    private var lastArrival = ContinuousClock.now
    private var isPolling = true
    /// What names the reader once it was open, also when it was unplugged and plugged in.
    private(set) var reader: String?
    /// What the open reader is called.
    private var connection = ""
    private var isLost = false
    /// Why the password that the scan was given did not open a tag: that is no success.
    private(set) var passwordFailure: (any Error)?
    /// The observer was told that there are more tags than can be told apart, since they were.
    private var isToldOfMore = false

    init(_ setup: TagScan.Setup, _ observer: any ScanObserver) {
        self.setup = setup
        self.observer = observer
        end = setup.length.map { .now + $0 }
    }

    private struct Presence {
        let uid: [UInt8]
        var lastSeen: ContinuousClock.Instant
        /// False while the tag could not be read: it is tried again at the next poll.
        var isTold: Bool
    }

    /// Scans until the count, the end or the longest wait is reached.
    ///
    /// - Throws: `NoTagCame`; why the session ended.
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
        if isLost { try observer.readerIsBack(session.reader) }
        isLost = false
        // The wait for tags begins when somebody looks.
        if reader == nil { lastArrival = .now }
        reader = session.session.lastingReader
        connection = session.reader
    }

    /// Takes the tags for gone that were on a reader that is gone.
    ///
    /// - Returns: whether the reader worked until now.
    /// - Throws: the reader's error when it was never open: then it is not one that comes back.
    mutating func readerFailed(_ loss: ReaderLoss) throws -> Bool {
        guard let reader else { throw loss.error }
        guard !isLost else { return false }
        isLost = true
        for presence in present.values where presence.isTold {
            try observer.tagLeft(presence.uid, reader: connection, in: nil)
            lastArrival = max(lastArrival, presence.lastSeen)
        }
        present = [:]
        try observer.readerLost(reader, loss)
        return true
    }

    /// Whether it is over, also while there is no reader to look with; not before there was one.
    ///
    /// - Throws: `NoTagCame` after the longest wait without a tag.
    func isOver() throws -> Bool {
        // A reader that does not open is not an empty one.
        guard reader != nil else { return false }
        if let limit = setup.patience, present.isEmpty, .now - lastArrival >= limit { throw NoTagCame(after: limit) }
        return end.map { .now >= $0 } ?? false
    }

    private mutating func tick(in session: TagSession) throws {
        let now = ContinuousClock.now
        for (uid, presence) in present where now - presence.lastSeen >= Self.absence {
            present[uid] = nil
            lastArrival = max(lastArrival, presence.lastSeen)
            if presence.isTold { try observer.tagLeft(presence.uid, reader: session.reader, in: session) }
        }
        _ = try isOver()
        if !isPolling {
            isPolling = true
            session.session.restartPolling()
        }
    }

    /// Takes one tag of a poll; true when it was the last one to tell of.
    private mutating func arrived(_ tag: DetectedTag, in session: TagSession) async throws -> Bool {
        let uid = tag.target.lastingIdentifier
        if let wanted = setup.uid, wanted != tag.target.identifier { return false }
        let isTold = present[uid]?.isTold ?? false
        present[uid] = Presence(
            uid: present[uid]?.uid ?? tag.target.identifier, lastSeen: .now, isTold: isTold)
        guard !isTold else { return false }
        let start = ContinuousClock.now
        // Nobody looks for the other tags in the meantime: it does not count as their absence.
        defer { for uid in present.keys { present[uid]?.lastSeen += .now - start } }
        guard let reading = try await readingIfPossible(of: tag, in: session) else { return false }
        try await observer.tagCame(reading, in: session)
        present[uid]?.isTold = true
        lastArrival = .now
        seen += 1
        return seen == setup.count
    }

    /// A tag that leaves while it is read comes back, or does not: nothing is told.
    ///
    /// Any other failure is told, and the scan goes on.
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

    /// Whether a password was given, and did not open the tag.
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
    /// The identifier, or `08` for one that a phone or a passport makes up anew at each power-up.
    ///
    /// Without this, one phone would be an endless row of arrivals.
    fileprivate var lastingIdentifier: [UInt8] { hasRandomIdentifier ? [0x08] : identifier }
}
