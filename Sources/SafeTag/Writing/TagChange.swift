// The tag that a command changes, which is found, connected and checked before anything is written

public import Composing
public import NDEF
import ReaderInterface
public import ReaderSession
public import TagTypes
package import WriteJournal

/// A tag that is about to be changed.
public struct TagChange: Sendable {
    /// The session of the tag.
    public let session: TagSession
    /// The tag with its current connection.
    public var tag: ConnectedTag
    /// The UID that the tag shows.
    public var uid: [UInt8] { tag.target.identifier }
    /// The writer for the tag.
    public internal(set) var write: SafeWrite
    /// An earlier interrupted write, which must be finished or undone before the message is replaced.
    ///
    /// Nil if there is none.
    var unfinished: UnfinishedWork?

    /// Creates a change to a connected tag, without checking its content.
    package init(of tag: ConnectedTag, _ write: SafeWrite) {
        session = write.session
        self.write = write
        self.tag = tag
    }

    /// The time for which a tag can be assumed to be unchanged after it was read.
    package static let glance = Duration.milliseconds(100)

    /// Asks a question about the content of the tag.
    ///
    /// While the question is open, the tag may be removed and changed. If the answer took longer than ``glance``,
    /// earlier readings are discarded, the tag is activated again, and `isSame` checks whether its content is still the
    /// same.
    ///
    /// - Throws: ``ChangedWhileAsked`` if its content is different; what the dialogue throws.
    func ask(_ question: Question, about isSame: () async throws -> Bool) async throws {
        let start = ContinuousClock.now
        try write.dialogue.ask(question)
        guard .now - start > Self.glance else { return }
        try await tag.powerUp()
        guard try await isSame() else { throw ChangedWhileAsked() }
    }

    /// Returns the records on the tag, or none if it is blank.
    public func records() async throws -> [NDEFRecord] {
        let bytes = try await tag.perform { tag in try tag.detect().messageLength == nil ? [] : tag.readNDEF() }
        return try NDEFMessage(onTag: bytes).records
    }

    /// Keeps the tag's message in the journal until a change that is not a write of a message, such as a lock, is
    /// verified.
    ///
    /// If the change is interrupted and the tag can no longer be read, `recover` writes the kept message.
    package func insured<Value>(
        _ reading: TagReading, against change: JournalEntry.InsuredChange, _ work: () async throws -> Value
    ) async throws -> Value {
        let isNew = try await session.withoutChange {
            try await write.insure(tag, holding: reading.bytes, showing: reading.mirror, for: change)
        }
        do {
            write.begun.note(tag.target.identifier)
            let value = try await work()
            try write.forgetEntry(of: tag, after: .locked)
            return value
        } catch {
            // Keep an entry from an earlier command, because this command verified nothing about it. The reason for the
            // refusal matters more than an entry that cannot be removed.
            if isNew, Self.isBeforeAnyChange(error) { try? write.forgetEntry(of: tag, after: .locked) }
            throw error
        }
    }

    /// Replaces the message, keeps the old one in the journal meanwhile, and verifies the new one.
    ///
    /// A blank tag is initialised after confirmation.
    ///
    /// - Parameter message: the bytes of an NDEF message.
    /// - Returns: the verified content of the tag.
    /// - Throws: the errors of ``replaceMessage(showing:meanwhile:_:)``; what the dialogue throws about a blank tag.
    public func write(_ message: [UInt8]) async throws -> TagReading {
        try await write(PlacedMessage(bytes: message, mirror: nil))
    }

    /// Writes a message that may contain mirrored content.
    ///
    /// - Parameters:
    ///   - message: the message, with its mirrored content and place.
    ///   - isAtOnce: whether to write the new message next to the old one and then switch to it, so that the tag always
    ///     has a message.
    ///   - trail: the TLVs of other programs to write after the message, when an old message is restored.
    ///   - isOverOtherData: whether to replace bytes in the data area that are not a message.
    /// - Returns: the verified content of the tag, including the mirrored content.
    /// - Throws: the errors of ``replaceMessage(showing:meanwhile:_:)``; what the dialogue throws about a blank tag.
    public func write(
        _ message: PlacedMessage, atOnce isAtOnce: Bool = false, followedBy trail: [UInt8] = [],
        overOtherData isOverOtherData: Bool = false
    ) async throws -> TagReading {
        if isOverOtherData { try await replaceOtherData() }
        let change = try await initialisedIfBlank(for: message.bytes.count).change
        return try await change.replaceMessage(showing: message.mirror) { tag in
            // Finishing an interrupted write may have activated the tag again, which withdraws an earlier permission.
            if isOverOtherData { (tag as? Type2Tag)?.replaceOtherData() }
            return try tag.planWrite(
                message.bytes, isAtOnce ? .atOnce : .throughEmpty, oldMessage: .kept, followedBy: trail)
        }
    }

    private static func isBeforeAnyChange(_ error: any Error) -> Bool {
        switch error {
        case TagError.cannotMakeReadOnly, TagError.changedSincePlanned: true
        // Once its first step has started, an interrupted lock fails with TagError.lockInterrupted.
        case is Interrupted: true
        default: false
        }
    }

    /// Replaces the message, verifies it, and returns the content of the tag.
    ///
    /// Once the new message is known to be writable, an earlier interrupted write is finished or undone, and the mirror
    /// of the old message is turned off.
    /// - Parameters:
    ///   - mirror: the content to mirror into the new message, verified as part of the write.
    ///   - meanwhile: reads more from the tag while its content is stored in the journal.
    ///   - plan: plans the write.
    /// - Returns: the verified content of the tag.
    /// - Throws: `TagError` if the plan fails or the tag refuses; ``WriteInterrupted`` if the tag left and did not come
    ///   back in time; ``RewrittenMeanwhile`` if it came back with another message; ``MirrorInterrupted`` if a change
    ///   to the mirror was interrupted; ``JournalFailure``.
    public func replaceMessage(
        showing mirror: MirrorPlacement? = nil, meanwhile: (ConnectedTag) async throws -> Void = { _ in },
        _ plan: @escaping @Sendable (any ForumTag) throws -> WritePlan
    ) async throws -> TagReading {
        try await replacing(showing: mirror, meanwhile: meanwhile, plan).reading
    }

    /// Replaces the message of a tag, and returns the change with the current connection to the tag.
    func written(_ message: [UInt8]) async throws -> TagChange {
        let change = try await initialisedIfBlank(for: message.count).change
        return try await change.replacing { try $0.planWrite(message, .throughEmpty) }.change
    }

    private func replacing(
        showing mirror: MirrorPlacement? = nil, meanwhile: (ConnectedTag) async throws -> Void = { _ in },
        _ plan: @escaping @Sendable (any ForumTag) throws -> WritePlan
    ) async throws -> (reading: TagReading, change: TagChange) {
        var change = self
        if let unfinished { change = try await finish(unfinished, for: try await message(of: plan)) }
        let written = try await write.run(on: change.tag, showing: mirror, meanwhile: meanwhile, plan)
        change.tag = written.tag
        guard let mirror else { return (written.reading, change) }
        let showing = try await change.show(mirror, in: written.reading.bytes, as: written.entry)
        try write.endEntry(written.entry, of: change.tag, after: .written)
        return (showing, change)
    }

    /// Returns the new message of a plan for a tag with an incomplete message, or nil if planning requires a repair
    /// first.
    ///
    /// - Throws: errors that a repair cannot resolve, because the message does not fit or the tag cannot be written.
    private func message(of plan: @escaping @Sendable (any ForumTag) throws -> WritePlan) async throws -> [UInt8]? {
        try await tag.perform { tag in
            do {
                return try plan(tag).newMessage
            } catch let error as TagError {
                switch error {
                case .notNDEF, .notBlank, .protocolViolation: return nil
                default: throw error
                }
            }
        }
    }

    /// Does work on the tag.
    ///
    /// If the tag leaves, waits until it is back and repeats the work. The work must therefore check the current state
    /// of the tag, or be safe to repeat.
    ///
    /// - Parameters:
    ///   - entry: the journal entry to compare a returned tag with, or nil to skip the comparison.
    ///   - work: receives this change with the tag's current connection.
    /// - Returns: the result of the work.
    /// - Throws: ``WriteInterrupted`` if the tag did not come back in time, or came back and refused;
    ///   ``RewrittenMeanwhile``; the work's own error if the tag never left.
    package func persistently<Value>(
        as entry: JournalEntry? = nil, _ work: (TagChange) async throws -> Value
    ) async throws -> Value {
        try await write.persistently(on: tag, as: entry) { tag in
            var change = self
            change.tag = tag
            return try await work(change)
        }
    }

    /// Does work on the tag in the same way as ``persistently(as:_:)``, and returns the change with the current
    /// connection.
    func following(_ work: (TagChange) async throws -> Void) async throws -> TagChange {
        try await persistently { change in
            try await work(change)
            return change
        }
    }

    /// Powers up the tag again, so that it is in the state in which the next reader will find it.
    package func afterPowerUp(as entry: JournalEntry? = nil) async throws -> TagChange {
        var change = self
        change.tag = try await write.afterPowerUp(tag, as: entry)
        return change
    }
}

extension SafeWrite {
    /// Waits for a single tag, connects to it, and checks whether an earlier change to it was interrupted.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait, or nil to wait forever.
    ///   - uid: the UID of the only tag to accept. Nil accepts any tag that is the only one on the reader.
    ///   - aim: the intended operation on the tag's message.
    ///   - new: a password to use instead of the session's if the records on this computer show that it was set on the
    ///     tag.
    /// - Returns: the change to make. Replacing the message also finishes or undoes an interrupted write.
    /// - Throws: `NoTagCame`; ``SeveralTags``; ``UnfinishedWrite`` or ``UnfinishedRestore`` if the tag's state does not
    ///   allow this operation.
    public func change(
        within timeout: Duration?, uid: [UInt8]? = nil, to aim: TagChange.Aim,
        orOpeningWith new: Type2Credential? = nil
    ) async throws -> TagChange {
        let tag = try await session.onlyTag(within: timeout, uid: uid)
        let unlocking = session.unlocking(for: tag, orWith: new)
        return try await JournalFailure.beforeAnyChange { try await change(of: tag, to: aim, opening: unlocking) }
    }

    /// Connects to a detected tag, opens it with the session's password if needed, and checks it for interrupted
    /// changes.
    public func change(opening tag: DetectedTag, to aim: TagChange.Aim) async throws -> TagChange {
        let unlocking = session.unlocking(for: tag, orWith: nil)
        return try await JournalFailure.beforeAnyChange { try await change(of: tag, to: aim, opening: unlocking) }
    }

    /// Connects to a tag, and checks whether an earlier change to it was interrupted.
    ///
    /// - Throws: ``UnfinishedWrite`` or ``UnfinishedRestore`` if the tag's state does not allow this operation.
    public func change(
        of tag: DetectedTag, to aim: TagChange.Aim, opening unlocking: Unlocking? = nil
    ) async throws -> TagChange {
        var change = TagChange(of: try await session.connect(to: tag, opening: unlocking), self)
        if let work = try await unfinishedWork(on: change.tag) { change = try change.facing(work, aim) }
        if aim != .replaceMessage { try await change.requireNoHalfRestore() }
        return change
    }

    /// Connects to a tag and ends its interrupted write.
    ///
    /// The write is finished if it was to write the requested message, and undone otherwise.
    public func change(
        of tag: DetectedTag, replacingBy wanted: [UInt8]?, opening unlocking: Unlocking? = nil
    ) async throws -> TagChange {
        let change = try await change(of: tag, to: .replaceMessage, opening: unlocking)
        guard let unfinished = change.unfinished else { return change }
        return try await change.finish(unfinished, for: wanted)
    }
}
