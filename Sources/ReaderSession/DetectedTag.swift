// A tag that a poll found: its connection, what is known of its contents, and when it last answered

public import ReaderInterface
import Synchronization
package import TagTypes

/// A tag in the field, as activated by the radio.
///
/// It is used through the ``ConnectedTag`` that ``ReaderSession/connect(to:opening:)`` makes of it. Dead as soon as polling is
/// restarted.
public final class DetectedTag: @unchecked Sendable {  // unchecked: see `channel`, `forumTag`
    /// The target, as activated.
    public let target: Target
    /// The session's round of polling that found the tag.
    package let round: Int
    package let session: SessionCore
    /// Called at each activation; set before the tag is connected.
    package weak var observer: (any ActivationObserver)?

    private let sight = Mutex(Sight())
    /// The bytes to the tag in its present activation; nil before the first.
    ///
    /// This and what is known of the tag are touched on the reader's queue only.
    package private(set) var channel: (any TagChannel)?
    private var forumTag: (any ForumTag)?
    /// What ``forumTag`` was opened for, and with.
    private var opened: Unlocking?

    init(_ target: Target, in session: SessionCore, round: Int) {
        self.target = target
        self.session = session
        self.round = round
    }

    /// What is known of a tag's presence, and since when.
    private struct Sight {
        var isAvailable = true
        var time = ContinuousClock.now
    }

    /// How long an answer of the tag is proof enough that it is there.
    private static let glance = Duration.milliseconds(100)

    /// Whether the tag can be used: false once it has left the field, or lost its connection to another tag.
    ///
    /// A connected tag is asked, unless it answered within the last 100 ms. A tag that is not connected yet counts as
    /// available until an operation misses it. While the reader is busy for longer than 0.3 s, the last answer counts.
    public var isAvailable: Bool {
        guard sight.withLock({ $0.isAvailable }), session.isRunning, session.round == round else { return false }
        // A tag that answered a moment ago is not asked again.
        if ContinuousClock.now - sight.withLock({ $0.time }) > Self.glance { session.look(for: self) }
        return sight.withLock { $0.isAvailable }
    }
}

/// Handles the activation of a tag.
package protocol ActivationObserver: AnyObject {
    /// The tag was activated; called on the reader's queue.
    ///
    /// - Throws: why its first commands failed: then it is not connected.
    func activated(on channel: any TagChannel) throws
}

extension DetectedTag {
    /// The tag was activated: what is known of its contents is void.
    func connected(on channel: any TagChannel) throws {
        self.channel = channel
        forget()
        try observer?.activated(on: channel)
    }

    /// Makes void what is known of the tag's contents, on the reader's queue.
    package func forget() { (forumTag, opened) = (nil, nil) }

    /// Whether something is known of the tag's contents already, on the reader's queue.
    package var isKnown: Bool { forumTag != nil }

    /// Notes what an operation says about the tag's presence.
    package func note(_ error: (any Error)?) {
        switch error {
        case nil: sight.withLock { $0.time = .now }
        case let error?: if ReaderError.saysTagIsGone(error) { sight.withLock { $0.isAvailable = false } }
        }
    }

    /// The tag is connected now, or it left or was dropped for another one.
    func connectionChanged(isConnected: Bool) { sight.withLock { $0 = Sight(isAvailable: isConnected) } }

    /// The tag type's procedures over the channel of this activation, opened where the tag asks for a password; on the
    /// reader's queue.
    ///
    /// - Throws: ``SessionError/notConnected``; `TagError`, or what the guard of the password says, for a tag that is not opened.
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
