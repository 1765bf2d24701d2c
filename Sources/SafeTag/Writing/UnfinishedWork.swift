// The state that an interrupted command left on a tag, and ending the interrupted work before anything else is written

public import Composing
import NDEF
import ReaderInterface
package import ReaderSession
public import TagTypes
public import WriteJournal

/// The message that a tag currently holds.
public struct HeldMessage: Hashable, Sendable {
    /// The bytes of the message, or nil if there is no complete message to read.
    public let bytes: [UInt8]?
    /// The content that the chip mirrors into the message and its place, or nil if there is no mirror.
    public let mirror: MirrorPlacement?

    /// Creates a value from a message and its mirror.
    public init(bytes: [UInt8]?, mirror: MirrorPlacement? = nil) {
        self.bytes = bytes
        self.mirror = mirror
    }

    /// Creates a value from the reading of a tag.
    public init(_ reading: TagReading) { self.init(bytes: reading.bytes, mirror: reading.mirror) }

    /// Reads the message.
    ///
    /// For an incomplete message, ``bytes`` is nil. A message that a password protects from being read is an error.
    public static func read(from tag: any ForumTag) throws(TagError) -> HeldMessage {
        do throws(TagError) {
            let bytes = try tag.readNDEF()
            let mirror = try (tag as? Type2Tag)?.shownMirror().flatMap(MirrorPlacement.init)
            return HeldMessage(bytes: bytes, mirror: mirror)
        } catch {
            switch error.kind {
            // A tag that does not answer has no readable message, but this does not show that its message is
            // incomplete.
            case .brokenRules, .notNDEF, .wrongChip: return HeldMessage(bytes: nil)
            default: throw error
            }
        }
    }

    /// Whether the two messages are the same apart from mirrored content.
    ///
    /// Mirrored content is ignored, because a counter may differ at each power-up.
    func isSame(as other: HeldMessage) -> Bool {
        guard mirror == other.mirror, let mirror else { return self == other }
        return bytes.map(mirror.rest) == other.bytes.map(mirror.rest)
    }

    /// Whether the tag holds this message, apart from mirrored content.
    public func isMessage(_ message: [UInt8]) -> Bool {
        guard let bytes, bytes.count == message.count else { return false }
        return bytes == message || mirror.map { $0.rest(of: bytes) == $0.rest(of: message) } ?? false
    }
}

/// A journal entry of a tag, compared with the tag's content.
public struct UnfinishedWork: Sendable {
    /// The state in which the tag is now.
    public enum Standing: Hashable, Sendable {
        /// The tag holds the old message.
        case oldMessage
        /// The tag holds the old message, but its mirror is no longer as it was.
        case hiddenMirror
        /// The tag holds the new message with the intended mirror.
        case newMessage
        /// The tag holds an empty or incomplete message.
        case broken
        /// The tag holds an empty message: it was erased, or restoring the message of a locked tag was interrupted.
        case emptied
        /// The tag holds an empty message, and old data that should have been wiped may follow it.
        case halfWiped
        /// The tag holds another message that was written since the interruption.
        case otherMessage
    }

    /// The journal entry of the interrupted work.
    public let entry: JournalEntry
    /// The state of the tag, compared with the entry.
    public let standing: Standing

    /// Whether the work must be finished or undone even if the tag is to keep its message.
    public var leavesNoMessage: Bool { [.broken, .hiddenMirror, .halfWiped].contains(standing) }

    /// Whether the message is complete but its lock is not finished.
    public var leavesOpenLock: Bool {
        entry.insured == .lock && (standing == .oldMessage || standing == .newMessage)
    }

    /// Whether the tag still holds the message that an interrupted write was to replace.
    public var keepsOldMessage: Bool { entry.insured == nil && standing == .oldMessage }

    /// Whether data of other programs may be lost, although the tag holds the old message.
    ///
    /// A write in one step changes the bytes after the old message while that message is still visible.
    var mayLackOtherData: Bool { keepsOldMessage && entry.plan.closed == nil && entry.plan.displaced != nil }

    /// Compares a journal entry with the content of the tag.
    public init(_ entry: JournalEntry, on held: HeldMessage) {
        self.entry = entry
        standing = Self.standing(of: entry, held)
    }

    private static func standing(of entry: JournalEntry, _ held: HeldMessage) -> Standing {
        let plan = entry.plan
        guard let bytes = held.bytes else { return .broken }
        if bytes.isEmpty, plan.isWiping { return .halfWiped }
        if held.isMessage(plan.newMessage) {
            let isShown = entry.mirror.map { MirrorPlacement($0) == held.mirror } ?? true
            return isShown ? .newMessage : .broken
        }
        // The tag is empty during a write, so an empty old message gives no information.
        if bytes.isEmpty { return entry.insured == nil ? .broken : .emptied }
        if let mirror = entry.oldMirror.map(MirrorPlacement.init), held.mirror != mirror,
            bytes.count == entry.oldMessage.count
        {
            // With a partly written configuration, the chip may mirror content into another place.
            let blank = { (message: [UInt8]) in
                [mirror, held.mirror].compactMap(\.self).reduce(message) { $1.stored($0) }
            }
            if blank(bytes) == blank(entry.oldMessage) { return .hiddenMirror }
        }
        if held.isMessage(entry.oldMessage) { return .oldMessage }
        // If the length was only partly written, the tag shows only part of a message.
        return (try? NDEFMessage(bytes: bytes)) == nil ? .broken : .otherMessage
    }
}

extension MirrorPlacement {
    init(_ mirror: JournalEntry.Mirror) { self.init(content: mirror.content, offset: mirror.offset) }

    /// This placement, in the form in which the journal stores it.
    package var journaled: JournalEntry.Mirror { JournalEntry.Mirror(content: content, offset: offset) }
}

extension SafeWrite {
    /// Returns the work that an interrupted command left on a connected tag, or nil if the journal has no entry.
    func unfinishedWork(on tag: ConnectedTag) async throws -> UnfinishedWork? {
        guard let journal, let entry = try journal.entry(uid: tag.target.identifier) else { return nil }
        return UnfinishedWork(entry, on: try await tag.perform { try HeldMessage.read(from: $0) })
    }
}

extension TagChange {
    /// The intended operation on the message of the tag.
    public enum Aim: Hashable, Sendable {
        /// Replace the message. An earlier interrupted write is finished or undone once the replacement is known to be
        /// possible.
        case replaceMessage
        /// Keep the message, so it must be complete. An interrupted write that changed nothing can still be finished
        /// later.
        case keepMessage
        /// Write the message again with more records, so it must be complete.
        case extendMessage
        /// Lock the message permanently, so it must be complete and must not be the old message of an interrupted
        /// write. An interrupted lock is continued. An incomplete message is not restored without confirmation, because
        /// its origin is not known.
        case lockMessage
    }

    /// Returns this change, adjusted to the work that an earlier command left.
    ///
    /// - Throws: ``UnfinishedWrite`` if the message must be complete but is not, or if it is to be locked although an
    ///   interrupted write was to replace it. In both cases, nothing was changed.
    func facing(_ work: UnfinishedWork, _ aim: Aim) throws -> TagChange {
        var change = self
        switch (work.standing, aim) {
        case (.broken, .replaceMessage), (.hiddenMirror, .replaceMessage), (.halfWiped, .replaceMessage):
            change.unfinished = work
        case (.broken, _), (.hiddenMirror, _), (.halfWiped, _), (.emptied, .lockMessage): throw UnfinishedWrite(work)
        case (.oldMessage, .lockMessage) where work.keepsOldMessage: throw UnfinishedWrite(work)
        case (.oldMessage, .keepMessage) where work.keepsOldMessage: break
        case (.oldMessage, .replaceMessage) where work.mayLackOtherData: change.unfinished = work
        case (.oldMessage, .extendMessage) where work.mayLackOtherData: throw UnfinishedWrite(work)
        case (.emptied, _), (.otherMessage, _): break
        // The remaining lock steps are dropped only when another message replaces the one that was to be locked.
        case (.oldMessage, _), (.newMessage, _):
            if work.entry.insured == nil {
                try write.endEntry(work.standing == .newMessage ? work.entry : nil, of: tag, after: .written)
            } else if aim != .lockMessage {
                write.dialogue.tell(.openLock(uid: work.entry.uid))
            }
        }
        return change
    }

    /// Returns this change, adjusted to the journal, for a write that may be repeated after the tag left.
    ///
    /// A repeated write must continue with the old message of its entry, not with what the interruption left.
    func continued() async throws -> TagChange {
        guard let work = try await write.unfinishedWork(on: tag), work.entry.insured == nil else { return self }
        return try facing(work, .replaceMessage)
    }

    /// Ends an interrupted write.
    ///
    /// The write is finished if it was to write the requested message. Otherwise, the old message is restored.
    package func finish(_ work: UnfinishedWork, for wanted: [UInt8]?) async throws -> TagChange {
        var change = self
        change.unfinished = nil
        // Data that was to be wiped must not be restored.
        let isForward = work.standing == .halfWiped || work.entry.plan.newMessage == wanted
        let direction: WritePlan.Direction = isForward ? .forward : .backward
        if direction == .backward {
            write.dialogue.tell(.bringingBack)
        }
        change.tag = try await finished(by: work.entry, direction)
        // The entry of an interrupted lock is kept, because the remaining lock steps still have to be done.
        if work.entry.insured == nil {
            try write.endEntry(isForward ? work.entry : nil, of: change.tag, after: .broughtBack)
        }
        return change
    }

    package func wasCutOff(_ change: JournalEntry.InsuredChange) throws -> Bool {
        try write.journal?.entry(uid: tag.target.identifier)?.insured == change
    }

    /// Removes the entry of an interrupted change that turns out to be complete.
    func forget(_ done: JournalEntry.InsuredChange) throws {
        if try wasCutOff(done) { try write.forgetEntry(of: tag, after: .written) }
    }

    /// Writes one of the messages of a journal entry, and restores its mirror.
    ///
    /// - Returns: the tag with its current connection.
    package func finished(by entry: JournalEntry, _ direction: WritePlan.Direction) async throws -> ConnectedTag {
        var change = self
        let isShown = try await tag.perform { try HeldMessage.read(from: $0).mirror != nil }
        if isShown || entry.mirror != nil || entry.oldMirror != nil {
            change.tag = try await write.withoutMirror(tag, as: entry)
        }
        change.tag = try await write.carryOut(entry.plan, direction, on: change.tag, as: entry)
        // The new message supersedes an interrupted restore. The old one does not: it may be a mixture left by that
        // restore.
        if direction == .forward, entry.insured == nil { write.supersedeRestore(of: change.tag) }
        // Connect again, because earlier readings of the tag are no longer valid.
        try await change.tag.reconnect()
        guard let mirror = entry.mirror(direction) else { return change.tag }
        _ = try await change.show(MirrorPlacement(mirror), in: entry.message(direction), direction, as: entry)
        return try await change.afterPowerUp().tag
    }
}
