// A tag that a poll found: its connection, the known part of its content, and when it last answered

public import ReaderInterface
import Synchronization
package import TagTypes

/// A tag in the field, as the reader activated it.
///
/// The tag is used through the ``ConnectedTag`` that ``ReaderSession/connect(to:opening:)`` returns. It can no longer
/// be used after polling is restarted.
public final class DetectedTag: @unchecked Sendable {  // unchecked: see `channel`, `forumTag`
    /// The target as it was activated.
    public let target: Target
    /// The session's round of polling in which the tag was found.
    package let round: Int
    package let session: SessionCore
    /// Called at each activation.
    ///
    /// Set the observer before the tag is connected.
    package weak var observer: (any ActivationObserver)?

    private let sight = Mutex(Sight())
    /// The channel to the tag in its present activation, or nil before the first one.
    ///
    /// The channel and the known content of the tag are only used on the reader's queue.
    package private(set) var channel: (any TagChannel)?
    private var forumTag: (any ForumTag)?
    /// The means with which ``forumTag`` was opened, and the purpose of opening it.
    private var opened: Unlocking?

    init(_ target: Target, in session: SessionCore, round: Int) {
        self.target = target
        self.session = session
        self.round = round
    }

    /// Whether a tag was present, and when this was observed.
    private struct Sight {
        var isAvailable = true
        var time = ContinuousClock.now
    }

    /// The time for which an answer from the tag counts as proof that it is present.
    private static let glance = Duration.milliseconds(100)

    /// Whether the tag can be used.
    ///
    /// False after the tag has left the field, or the session has connected to another tag. A connected tag is queried,
    /// unless it answered within the last 100 ms. A tag that is not connected yet counts as available until an
    /// operation fails to find it. If the reader is busy for more than 0.3 s, the last answer counts.
    public var isAvailable: Bool {
        guard sight.withLock({ $0.isAvailable }), session.isRunning, session.round == round else { return false }
        // Do not query a tag that has answered a moment ago.
        if ContinuousClock.now - sight.withLock({ $0.time }) > Self.glance { session.look(for: self) }
        return sight.withLock { $0.isAvailable }
    }
}

/// Is notified when a tag is activated.
package protocol ActivationObserver: AnyObject {
    /// Called on the reader's queue after the tag was activated.
    ///
    /// - Throws: the error of the observer's first commands. The tag is not connected if there is one.
    func activated(on channel: any TagChannel) throws
}

extension DetectedTag {
    /// Called after an activation, which invalidates what is known about the tag's content.
    func connected(on channel: any TagChannel) throws {
        self.channel = channel
        forget()
        try observer?.activated(on: channel)
    }

    /// Discards what is known about the tag's content.
    ///
    /// Called on the reader's queue.
    package func forget() { (forumTag, opened) = (nil, nil) }

    /// Whether anything is known about the tag's content.
    ///
    /// Used on the reader's queue.
    package var isKnown: Bool { forumTag != nil }

    /// Selects the first sector of the tag again, if an operation of its type left it in another one.
    ///
    /// Called on the reader's queue.
    ///
    /// - Throws: `TagError.reader`.
    package func selectFirstSector() throws { try (forumTag as? Type2Tag)?.selectFirstSector() }

    package func note(_ error: (any Error)?) {
        switch error {
        case nil: sight.withLock { $0.time = .now }
        case let error?: if ReaderError.saysTagIsGone(error) { sight.withLock { $0.isAvailable = false } }
        }
    }

    /// Called when the tag is connected, leaves, or is dropped for another tag.
    func connectionChanged(isConnected: Bool) { sight.withLock { $0 = Sight(isAvailable: isConnected) } }

    /// Returns the procedures of the tag's type over the channel of this activation.
    ///
    /// Called on the reader's queue. The tag is opened if it requires a password.
    ///
    /// - Throws: ``SessionError/notConnected``; a `TagError`, or the error of the password guard, if the tag is not
    ///   opened.
    package func forumTag(opening unlocking: Unlocking) throws -> any ForumTag {
        if let forumTag, let opened, opened.includes(unlocking) { return forumTag }
        guard let channel else { throw SessionError.notConnected }
        let tag = forumTag ?? TagDetection.tag(on: channel)
        if let tag = tag as? Type2Tag { try session.passwords.open(tag, unlocking) }
        if let tag = tag as? ClassicTag { tag.keys = unlocking.keys }
        (forumTag, opened) = (tag, unlocking)
        return tag
    }
}
