// The one tag a command changes: found, connected, and looked at before anything is written

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
    /// The tag as it is connected now.
    public var tag: ConnectedTag
    /// The UID that the tag shows.
    public var uid: [UInt8] { tag.target.identifier }
    /// How it is written.
    public internal(set) var write: SafeWrite
    /// An earlier write that was interrupted, to be brought to an end before the message is replaced.
    var unfinished: UnfinishedWork?

    /// A change of a connected tag, whatever it holds.
    package init(of tag: ConnectedTag, _ write: SafeWrite) {
        session = write.session
        self.write = write
        self.tag = tag
    }

    /// How long a tag can be taken for the one that was looked at.
    package static let glance = Duration.milliseconds(100)

    /// Asks a question about what the tag holds.
    ///
    /// While the question is open, the tag may be removed and changed. It is then activated and read again, and what
    /// was read before is discarded. After a question that took its time, `isSame` checks whether the tag still holds
    /// that.
    ///
    /// - Throws: ``ChangedWhileAsked``; what the dialogue throws.
    func ask(_ question: Question, about isSame: () async throws -> Bool) async throws {
        let start = ContinuousClock.now
        try write.dialogue.ask(question)
        guard .now - start > Self.glance else { return }
        try await tag.powerUp()
        guard try await isSame() else { throw ChangedWhileAsked() }
    }

    /// The records on the tag; none when it is blank.
    public func records() async throws -> [NDEFRecord] {
        let bytes = try await tag.perform { tag in try tag.detect().messageLength == nil ? [] : tag.readNDEF() }
        return try NDEFMessage(onTag: bytes).records
    }

    /// Initialises a blank tag once the user has agreed and if a message of this length will fit; true when it was blank.
    @discardableResult
    public func initialiseIfBlank(for length: Int) async throws -> Bool {
        guard let state = try await blankState(for: length) else { return false }
        if !state.needsOnlyTLV {
            try await ask(.initialise(tag)) { try await tag.perform { try $0.detect() } == state }
        }
        write.begun.note(tag.target.identifier)
        try await tag.perform { try $0.initialise() }
        write.supersedeRestore(of: tag)
        return true
    }

    /// What a blank tag with room for a message of this length says of itself; nil for a tag that is not blank.
    ///
    /// - Throws: `TagError.tooLong`; what `ForumTag.requireBlank()` throws.
    func blankState(for length: Int) async throws -> NDEFState? {
        // What was torn may look blank, and was not.
        guard unfinished == nil else { return nil }
        let state = try await tag.perform { try $0.detect() }
        guard state.isBlank else { return nil }
        guard length <= state.capacity || state.capacity == 0 else {
            throw TagError.tooLong(length: length, capacity: state.capacity)
        }
        // Do not ask about something that cannot be done.
        try await tag.perform { try $0.requireBlank() }
        return state
    }

    /// Keeps the tag's content in the journal while something else than its message changes, until that is proven.
    ///
    /// Should the tag be torn so that it cannot be read any more, `recover` writes what is kept.
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
            // What an earlier command began stays: this one proved nothing about it.
            // That the entry cannot be removed matters less than why the change was refused.
            if isNew, Self.isBeforeAnyChange(error) { try? write.forgetEntry(of: tag, after: .locked) }
            throw error
        }
    }

    /// Replaces the message, journaled and verified; a blank tag is initialised once that is agreed to.
    ///
    /// - Parameter message: the bytes of an NDEF message.
    /// - Returns: what the tag holds now, verified.
    /// - Throws: as ``replaceMessage(showing:meanwhile:_:)``; what the dialogue throws about a blank tag.
    public func write(_ message: [UInt8]) async throws -> TagReading {
        try await write(PlacedMessage(bytes: message, mirror: nil))
    }

    /// The same for a message in which the chip is to show something.
    ///
    /// - Parameters:
    ///   - message: the message, and where in it the chip shows something.
    ///   - isAtOnce: whether the new message is written next to the old one, so that the tag is never empty.
    /// - Returns: what the tag holds now, verified, and what the chip shows in it.
    /// - Throws: as ``replaceMessage(showing:meanwhile:_:)``; what the dialogue throws about a blank tag.
    public func write(_ message: PlacedMessage, atOnce isAtOnce: Bool = false) async throws -> TagReading {
        try await initialiseIfBlank(for: message.bytes.count)
        return try await replaceMessage(showing: message.mirror) {
            try $0.planWrite(message.bytes, isAtOnce ? .atOnce : .throughEmpty)
        }
    }

    /// Whether a lock was refused before its first step.
    private static func isBeforeAnyChange(_ error: any Error) -> Bool {
        switch error {
        case TagError.cannotMakeReadOnly, TagError.changedSincePlanned: true
        // From the first step on, a lock that is interrupted fails with TagError.lockInterrupted.
        case is Interrupted: true
        default: false
        }
    }

    /// Replaces the message, verifies it, and returns what the tag holds now.
    ///
    /// Once it is sure that the new message can be written, an earlier write that was interrupted is brought to an end,
    /// and what the chip shows in the old message is turned off.
    /// - Parameters:
    ///   - mirror: what the chip is to show in the new message: the write is not done before it does.
    ///   - meanwhile: what else there is to read of the tag, while its content is journaled.
    ///   - plan: plans the write.
    /// - Returns: what the tag holds now, verified.
    /// - Throws: `TagError` when the plan fails or the tag refuses; ``WriteInterrupted`` when the tag left and did not
    ///   come back in time; ``RewrittenMeanwhile`` when it came back with another message; ``MirrorInterrupted`` when
    ///   what the chip shows was being changed; ``JournalFailure``.
    public func replaceMessage(
        showing mirror: MirrorPlacement? = nil, meanwhile: (ConnectedTag) async throws -> Void = { _ in },
        _ plan: @escaping @Sendable (any ForumTag) throws -> WritePlan
    ) async throws -> TagReading {
        try await replacing(showing: mirror, meanwhile: meanwhile, plan).reading
    }

    /// Replaces the message of a tag, and returns the change with the current connection to the tag.
    func written(_ message: [UInt8]) async throws -> TagChange {
        try await initialiseIfBlank(for: message.count)
        return try await replacing { try $0.planWrite(message, .throughEmpty) }.change
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

    /// The message of a plan for a tag that was torn; nil when nothing can be planned before that is mended.
    ///
    /// - Throws: what will not be mended: a message that does not fit, a tag that cannot be written.
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

    /// Does work on the tag; when the tag leaves, waits until it is back and begins the work again.
    ///
    /// So the work must look at what the tag has then, or be such that doing it twice does no harm.
    ///
    /// - Parameters:
    ///   - entry: the journal entry to compare a returned tag with; nil skips the comparison.
    ///   - work: gets this change with the tag as it is connected then.
    /// - Returns: what the work returns once it comes to its end.
    /// - Throws: ``WriteInterrupted`` when the tag did not come back in time, or came back and refused;
    ///   ``RewrittenMeanwhile``; the work's own error when the tag never left.
    package func persistently<Value>(
        as entry: JournalEntry? = nil, _ work: (TagChange) async throws -> Value
    ) async throws -> Value {
        try await write.persistently(on: tag, as: entry) { tag in
            var change = self
            change.tag = tag
            return try await work(change)
        }
    }

    /// Does work on the tag as ``persistently(as:_:)``; what follows uses the current connection to the tag.
    func following(_ work: (TagChange) async throws -> Void) async throws -> TagChange {
        try await persistently { change in
            try await work(change)
            return change
        }
    }

    /// The same tag after its field was off, as the next reader will see it.
    package func afterPowerUp(as entry: JournalEntry? = nil) async throws -> TagChange {
        var change = self
        change.tag = try await write.afterPowerUp(tag, as: entry)
        return change
    }
}

extension SafeWrite {
    /// Waits for the one tag, connects to it, and looks whether an earlier change of it was interrupted.
    ///
    /// - Parameters:
    ///   - timeout: the longest wait; nil for no limit.
    ///   - uid: of the only tag to take; nil takes any, if it is the only one.
    ///   - aim: what is to be done with its message.
    ///   - new: a password that opens the tag instead, where this computer is known to have set it.
    /// - Returns: the change to make; to replace the message also brings an interrupted write to an end.
    /// - Throws: `NoTagCame`, ``SeveralTags``; ``UnfinishedWrite`` or ``UnfinishedRestore`` for what is not to be done
    ///   then.
    public func change(
        within timeout: Duration?, uid: [UInt8]? = nil, to aim: TagChange.Aim,
        orOpeningWith new: Type2Credential? = nil
    ) async throws -> TagChange {
        let tag = try await session.onlyTag(within: timeout, uid: uid)
        let unlocking = session.unlocking(for: tag, orWith: new)
        return try await JournalFailure.beforeAnyChange { try await change(of: tag, to: aim, opening: unlocking) }
    }

    /// The same for a tag that was detected, opened with the session's password if that is needed.
    public func change(opening tag: DetectedTag, to aim: TagChange.Aim) async throws -> TagChange {
        let unlocking = session.unlocking(for: tag, orWith: nil)
        return try await JournalFailure.beforeAnyChange { try await change(of: tag, to: aim, opening: unlocking) }
    }

    /// Connects to a tag, and looks whether an earlier change of it was interrupted.
    ///
    /// - Throws: ``UnfinishedWrite`` or ``UnfinishedRestore`` for what is not to be done then.
    public func change(
        of tag: DetectedTag, to aim: TagChange.Aim, opening unlocking: Unlocking? = nil
    ) async throws -> TagChange {
        var change = TagChange(of: try await session.connect(to: tag, opening: unlocking), self)
        if let work = try await unfinishedWork(on: change.tag) { change = try change.facing(work, aim) }
        if aim != .replaceMessage { try await change.requireNoHalfRestore() }
        return change
    }

    /// Connects to a tag, and brings an earlier write that was interrupted to an end: the new one, if it was of the message that
    /// is wanted now.
    public func change(
        of tag: DetectedTag, replacingBy wanted: [UInt8]?, opening unlocking: Unlocking? = nil
    ) async throws -> TagChange {
        let change = try await change(of: tag, to: .replaceMessage, opening: unlocking)
        guard let unfinished = change.unfinished else { return change }
        return try await change.finish(unfinished, for: wanted)
    }
}
