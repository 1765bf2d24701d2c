// What an earlier command that was interrupted left on a tag, and how it is finished before anything else is written

public import Composing
import NDEF
import ReaderInterface
package import ReaderSession
public import TagTypes
public import WriteJournal

/// What a tag holds in the place of its message.
public struct HeldMessage: Hashable, Sendable {
    /// Nil where there is no whole message to read.
    public let bytes: [UInt8]?
    /// What the chip shows in it.
    public let mirror: MirrorPlacement?

    /// What a tag was seen to hold.
    public init(bytes: [UInt8]?, mirror: MirrorPlacement? = nil) {
        self.bytes = bytes
        self.mirror = mirror
    }

    /// What a tag was read to hold.
    public init(_ reading: TagReading) { self.init(bytes: reading.bytes, mirror: reading.mirror) }

    /// Reads the message; an incomplete one is an answer, one protected by a password is not.
    public static func read(from tag: any ForumTag) throws(TagError) -> HeldMessage {
        do throws(TagError) {
            let bytes = try tag.readNDEF()
            let mirror = try (tag as? Type2Tag)?.shownMirror().flatMap(MirrorPlacement.init)
            return HeldMessage(bytes: bytes, mirror: mirror)
        } catch {
            switch error.kind {
            // Silence is no message, and none is evidence of a torn one.
            case .brokenRules, .notNDEF, .wrongChip: return HeldMessage(bytes: nil)
            default: throw error
            }
        }
    }

    /// Whether it is the same message, but for what the chip shows in it: a counter differs at each power-up.
    func isSame(as other: HeldMessage) -> Bool {
        guard mirror == other.mirror, let mirror else { return self == other }
        return bytes.map(mirror.rest) == other.bytes.map(mirror.rest)
    }

    /// Whether it is this message, but for what the chip shows in it.
    public func isMessage(_ message: [UInt8]) -> Bool {
        guard let bytes, bytes.count == message.count else { return false }
        return bytes == message || mirror.map { $0.rest(of: bytes) == $0.rest(of: message) } ?? false
    }
}

/// A journal entry of a tag, and what the tag holds of it.
public struct UnfinishedWork: Sendable {
    /// How far the work came.
    public enum Standing: Hashable, Sendable {
        /// The tag holds the message from before.
        case oldMessage
        /// The tag holds the message from before, in which the chip does not show any more what it showed.
        case hiddenMirror
        /// The tag holds the new message, and shows in it what it is to show.
        case newMessage
        /// The tag holds neither: an empty message, or none that is whole.
        case broken
        /// The tag holds an empty message: it was erased, or restoring the message of a locked tag was interrupted.
        case emptied
        /// The tag holds an empty message, and old data that should have been wiped may follow it.
        case halfWiped
        /// The tag holds another message, written in the meantime.
        case otherMessage
    }

    /// The entry.
    public let entry: JournalEntry
    /// How far the work came.
    public let standing: Standing

    /// Whether the tag must be brought to an end before its message may be kept.
    public var leavesNoMessage: Bool { [.broken, .hiddenMirror, .halfWiped].contains(standing) }

    /// Whether the message is whole, and the lock that was to keep it is not finished.
    public var leavesOpenLock: Bool {
        entry.insured == .lock && (standing == .oldMessage || standing == .newMessage)
    }

    /// Compares an entry with what the tag holds.
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
        // While it is written the tag is empty, so an old message that was empty gives no information.
        if bytes.isEmpty { return entry.insured == nil ? .broken : .emptied }
        if let mirror = entry.oldMirror.map(MirrorPlacement.init), held.mirror != mirror,
            bytes.count == entry.oldMessage.count
        {
            // A configuration that was torn may show something in another place.
            let blank = { (message: [UInt8]) in
                [mirror, held.mirror].compactMap(\.self).reduce(message) { $1.stored($0) }
            }
            if blank(bytes) == blank(entry.oldMessage) { return .hiddenMirror }
        }
        if held.isMessage(entry.oldMessage) { return .oldMessage }
        // A length that was torn shows a part of something.
        return (try? NDEFMessage(bytes: bytes)) == nil ? .broken : .otherMessage
    }
}

extension MirrorPlacement {
    init(_ mirror: JournalEntry.Mirror) { self.init(content: mirror.content, offset: mirror.offset) }

    /// The same for the journal.
    package var journaled: JournalEntry.Mirror { JournalEntry.Mirror(content: content, offset: offset) }
}

extension SafeWrite {
    /// What an earlier command that was interrupted left on a connected tag; nil when the journal knows of none.
    func unfinishedWork(on tag: ConnectedTag) async throws -> UnfinishedWork? {
        guard let journal, let entry = try journal.entry(uid: tag.target.identifier) else { return nil }
        return UnfinishedWork(entry, on: try await tag.perform { try HeldMessage.read(from: $0) })
    }
}

extension TagChange {
    /// What a command is about to do with the message on the tag.
    public enum Aim: Hashable, Sendable {
        /// Put another in its place: an earlier write that was interrupted is brought to an end when that is sure to succeed.
        case replaceMessage
        /// Keep it: it must be whole.
        case keepMessage
        /// Lock it permanently: it must be whole, and a lock that was interrupted goes on. Whose message a torn one was is not
        /// known, so none is brought back unasked.
        case lockMessage
    }

    /// The change as it goes on after a look at what an earlier command left.
    ///
    /// - Throws: ``UnfinishedWrite`` when the message must be whole and is not; nothing was changed.
    func facing(_ work: UnfinishedWork, _ aim: Aim) throws -> TagChange {
        var change = self
        switch (work.standing, aim) {
        case (.broken, .replaceMessage), (.hiddenMirror, .replaceMessage), (.halfWiped, .replaceMessage):
            change.unfinished = work
        case (.broken, _), (.hiddenMirror, _), (.halfWiped, _), (.emptied, .lockMessage): throw UnfinishedWrite(work)
        case (.emptied, _), (.otherMessage, _): break
        // The rest of a lock is only forgotten when another message takes the place of the one that was to be locked.
        case (.oldMessage, _), (.newMessage, _):
            if work.entry.insured == nil {
                try write.endEntry(work.standing == .newMessage ? work.entry : nil, of: tag, after: .written)
            } else if aim != .lockMessage {
                write.dialogue.tell(.openLock(uid: work.entry.uid))
            }
        }
        return change
    }

    /// Ends an earlier write that was interrupted: its old message comes back, or that write goes on when it is of the message
    /// that is wanted now.
    package func finish(_ work: UnfinishedWork, for wanted: [UInt8]?) async throws -> TagChange {
        var change = self
        change.unfinished = nil
        // What was to be wiped does not come back.
        let isForward = work.standing == .halfWiped || work.entry.plan.newMessage == wanted
        let direction: WritePlan.Direction = isForward ? .forward : .backward
        if direction == .backward {
            write.dialogue.tell(.bringingBack)
        }
        change.tag = try await finished(by: work.entry, direction)
        // The rest of a lock is left to do.
        if work.entry.insured == nil {
            try write.endEntry(isForward ? work.entry : nil, of: change.tag, after: .broughtBack)
        }
        return change
    }

    /// Whether an earlier change of this kind was interrupted.
    package func wasCutOff(_ change: JournalEntry.InsuredChange) throws -> Bool {
        try write.journal?.entry(uid: tag.target.identifier)?.insured == change
    }

    /// Forgets an earlier change that was interrupted and turns out to be done.
    func forget(_ done: JournalEntry.InsuredChange) throws {
        if try wasCutOff(done) { try write.forgetEntry(of: tag, after: .written) }
    }

    /// Writes one of the messages of a journal entry, and has the chip show in it what it is to show.
    ///
    /// - Returns: the tag as it is connected now.
    package func finished(by entry: JournalEntry, _ direction: WritePlan.Direction) async throws -> ConnectedTag {
        var change = self
        let isShown = try await tag.perform { try HeldMessage.read(from: $0).mirror != nil }
        if isShown || entry.mirror != nil || entry.oldMirror != nil {
            change.tag = try await write.withoutMirror(tag, as: entry)
        }
        change.tag = try await write.carryOut(entry.plan, direction, on: change.tag, as: entry)
        // The message from before may be one that a restore left as a mixture.
        if direction == .forward, entry.insured == nil { write.supersedeRestore(of: change.tag) }
        // What was read of the tag before is void.
        try await change.tag.reconnect()
        guard let mirror = entry.mirror(direction) else { return change.tag }
        _ = try await change.show(MirrorPlacement(mirror), in: entry.message(direction), direction, as: entry)
        return try await change.afterPowerUp().tag
    }
}
