// A write that loses no data: store the old content, write, wait if the tag leaves, verify, and remove the journal
// entry

import Composing
import Foundation
import ReaderInterface
package import ReaderSession
import TagTypes
public import WriteJournal

/// Replaces messages on the tags of a session.
public struct SafeWrite: Sendable {
    /// The session of the tags.
    public let session: TagSession
    /// The journal that keeps the old content, or nil to write without a journal.
    public let journal: WriteJournal?
    /// The store of verified writes that can be undone, or nil to keep none.
    let done: DoneWrites?
    /// How long to wait for a tag that left.
    public let patience: Patience
    /// The dialogue for questions and notices.
    public let dialogue: any Dialogue
    /// The number of the stored write that this write undoes, or nil if there is none.
    private var takesBack: Int64?
    /// The tags that may have changed, which an error of the journal has to report.
    let begun = BegunWrites()

    /// How long to wait for a tag that left.
    public enum Patience: Hashable, Sendable {
        /// Do not wait.
        case none
        /// Wait until the tag is back, without a limit.
        case forever
        /// Wait for this time from the moment the tag left.
        case upTo(Duration)

        /// Returns the time until which to wait for a tag that has just left, or nil to wait forever.
        ///
        /// `least` is the minimum wait, which also applies with `none`.
        func deadline(atLeast least: Duration = .zero) -> ContinuousClock.Instant? {
            switch self {
            case .none: .now + least
            case .forever: nil
            case .upTo(let time): .now + time
            }
        }
    }

    /// The time within which polling finds a tag that is on the reader.
    static let nextPoll = Duration.seconds(1)

    /// Creates a writer for the tags of a session.
    ///
    /// - Parameters:
    ///   - session: the session in which tags are written.
    ///   - isJournaled: whether to keep the old content on disk until the new one is verified.
    ///   - isUndoable: whether to keep the old content for at least 30 days, for ``undo(within:uid:)``.
    ///   - patience: how long to wait for a tag that left.
    ///   - dialogue: answers questions and receives notices, or nil for the session's dialogue.
    public init(
        _ session: TagSession, isJournaled: Bool = true, isUndoable: Bool = false, patience: Patience = .forever,
        dialogue: (any Dialogue)? = nil
    ) {
        self.session = session
        journal = isJournaled ? session.journals.writes : nil
        done = isJournaled && isUndoable ? session.journals.done : nil
        self.patience = patience
        self.dialogue = dialogue ?? session.dialogue
    }

    /// Whether a command that changes the tag with this UID was sent, so that its old content may be lost.
    public func mayHaveChanged(_ uid: [UInt8]) -> Bool { begun.contains(uid) }

    /// Returns a copy of this writer that undoes a stored write.
    ///
    /// The stored write is ended when the undo is verified; see ``endEntry(_:of:after:)``.
    func takingBack(_ number: Int64) -> SafeWrite {
        var write = self
        write.takesBack = number
        return write
    }

    /// Replaces the message of a connected tag and verifies it.
    ///
    /// An earlier interrupted write must already be finished or undone.
    /// - Parameters:
    ///   - tag: the tag, which may leave and come back while it is written.
    ///   - mirror: the content to mirror. In that case, the journal entry is removed only by
    ///     ``forgetEntry(of:after:keptAmong:)``, once the mirror is verified too.
    ///   - meanwhile: reads more from the tag while the journal is written to disk.
    ///   - makePlan: plans the write. It is called on the reader's queue.
    /// - Returns: the verified message, and the tag with its current connection.
    /// - Throws: ``JournalFailure`` if the journal cannot be written; `TagError` if the plan fails or the tag refuses;
    ///   ``MirrorInterrupted`` if turning off a mirror, or the write after that, was interrupted; the errors of
    ///   ``carryOut(_:_:on:as:isMirrorOff:)``.
    func run(
        on tag: ConnectedTag, showing mirror: MirrorPlacement?, meanwhile: (ConnectedTag) async throws -> Void,
        _ makePlan: @escaping @Sendable (any ForumTag) throws -> WritePlan
    ) async throws -> Written {
        // Read everything before the write, because the tag may leave as soon as it is written.
        let (plan, state, chip, shown) = try await tag.perform {
            let shown = try ($0 as? Type2Tag)?.removableMirror(before: makePlan)
            return (try makePlan($0), try $0.detect(), $0.chip, shown)
        }
        if let other = plan.displaced {
            let isKept = done != nil || takesBack != nil && journal != nil
            dialogue.tell(.replacesOtherData(uid: tag.target.identifier, byteCount: other.count, isKept: isKept))
        }
        // Carry out even a write that changes nothing, because it verifies the content.
        let entry =
            plan.changesNothing && mirror == nil && shown == nil
            ? nil
            : JournalEntry(
                uid: tag.target.identifier, tagName: chip?.name ?? TagDetection.tagType(of: tag.target).name,
                started: .now, plan: plan, mirror: mirror?.journaled,
                oldMirror: shown.flatMap(MirrorPlacement.init)?.journaled, takesBack: takesBack)
        async let journaled = withTaskExecutorPreference(globalConcurrentExecutor) { try await begin(entry) }
        do {
            try await meanwhile(tag)
        } catch {
            // The write has not begun, so the journal must not say that it was interrupted. The reason matters more
            // than an entry that cannot be removed.
            do {
                let earlier = try await journaled
                if let entry { try journal?.withdraw(uid: entry.uid, to: earlier) }
            } catch {}
            throw error
        }
        _ = try await journaled
        // Turn the mirror off only once the journal can restore it.
        let bare = shown == nil ? tag : try await withoutMirror(tag, as: entry)
        let written: ConnectedTag
        do {
            written = try await carryOut(plan, .forward, on: bare, as: entry, isMirrorOff: shown != nil)
        } catch let refusal as TagError {
            if let entry, shown == nil { await forgetUnchanged(entry, of: tag) }
            throw refusal
        }
        supersedeRestore(of: written)
        if entry == nil { try keepOther(than: plan.newMessage, of: written) }
        if mirror == nil { try endEntry(entry, of: written, after: .written) }
        let reading = TagReading(
            reader: session.reader, target: tag.target, chip: chip, state: state.holding(plan.newMessage.count),
            holding: plan.newMessage, isVerified: true)
        return Written(reading: reading, tag: written, entry: entry)
    }

    struct Written: Sendable {
        let reading: TagReading
        let tag: ConnectedTag
        /// The journal entry of the write, even if it was removed, or nil for a write that changed nothing.
        let entry: JournalEntry?
    }

    /// Removes the journal entry of a write that the tag refused before any change, if the tag still holds its old
    /// message.
    private func forgetUnchanged(_ entry: JournalEntry, of tag: ConnectedTag) async {
        guard let held = try? await tag.perform({ try HeldMessage.read(from: $0) }),
            UnfinishedWork(entry, on: held).standing == .oldMessage
        else { return }
        begun.clear(entry.uid)
        // Ignore an error here: the reason for the refusal matters more than an entry that cannot be removed.
        try? journal?.end(uid: entry.uid)
    }

    /// Sets an earlier entry aside if it contains a message other than the one that the tag already holds.
    ///
    /// - Throws: ``JournalFailure``.
    private func keepOther(than message: [UInt8], of tag: ConnectedTag) throws {
        let uid = tag.target.identifier
        guard let journal, let earlier = entry(of: uid),
            UnfinishedWork(earlier, on: HeldMessage(bytes: message)).standing == .otherMessage
        else { return }
        do throws(WriteJournalError) {
            try journal.supersede(uid: uid)
        } catch {
            throw begun.told(error, of: uid, .done(.written))
        }
    }

    /// Returns the file of the entry that this one replaced, or nil if there was none.
    private func begin(_ entry: JournalEntry?) async throws -> URL? {
        guard let entry else { return nil }
        do throws(WriteJournalError) {
            return try journal?.begin(entry)
        } catch {
            throw begun.told(error, of: entry.uid, .notBegun)
        }
    }

    /// Stores the tag's content in the journal in the form of a plan that writes the same message again.
    ///
    /// An earlier entry for the same message stays, because it may contain data that the tag no longer shows.
    /// - Returns: whether a new entry was stored.
    func insure(
        _ tag: ConnectedTag, holding message: [UInt8], showing mirror: MirrorPlacement?,
        for change: JournalEntry.InsuredChange
    ) async throws -> Bool {
        guard let journal else { return false }
        if let entry = try journal.entry(uid: tag.target.identifier), entry.insured == change,
            HeldMessage(bytes: message, mirror: mirror).isMessage(entry.oldMessage)
        {
            return false
        }
        let plan = try await tag.perform { tag throws -> WritePlan? in
            do throws(TagError) {
                let plan = try tag.planWrite(message, .throughEmpty)
                guard let other = plan.displaced else { return plan }
                return try tag.planWrite(message, .throughEmpty, oldMessage: .kept, followedBy: other)
            } catch .readOnly {
                // A tag that can no longer be written cannot be left incomplete either, so it needs no entry.
                return nil
            }
        }
        guard let plan else { return false }
        let chip = try await tag.perform { $0.chip?.name }
        _ = try await begin(
            JournalEntry(
                uid: tag.target.identifier, tagName: chip ?? TagDetection.tagType(of: tag.target).name, started: .now,
                plan: plan, mirror: mirror?.journaled, insured: change))
        return true
    }

    /// Removes the journal entry of a tag whose message is verified.
    ///
    /// - Parameters:
    ///   - tag: the tag.
    ///   - change: what was done to the tag, for the description of an error.
    ///   - done: the store that keeps the write for undo, or nil.
    /// - Throws: ``JournalFailure``.
    package func forgetEntry(
        of tag: ConnectedTag, after change: JournalFailure.Change, keptAmong done: DoneWrites? = nil
    ) throws {
        if let journal {
            do throws(WriteJournalError) {
                try journal.end(uid: tag.target.identifier, keptAmong: done)
            } catch {
                throw begun.told(error, of: tag.target.identifier, .done(change))
            }
        } else {
            // This write supersedes an earlier interrupted one. It succeeds even if that cannot be recorded.
            try? session.journals.writes.supersede(uid: tag.target.identifier)
        }
    }

    /// Returns the journal entry of a tag, or nil if there is none.
    func entry(of uid: [UInt8]) -> JournalEntry? { (try? journal?.entry(uid: uid)) ?? nil }

    /// Carries out a plan, even if the tag leaves in between.
    ///
    /// If the tag leaves, waits until it is back and continues. A returned tag is compared with the journal entry,
    /// unless `entry` is nil. If `isMirrorOff` is true, the chip's mirror was turned off before the write, and the
    /// error for an interrupted write reports this.
    /// - Returns: the tag with its current connection.
    /// - Throws: ``WriteInterrupted`` if it did not come back in time or the user ended the command;
    ///   ``RewrittenMeanwhile``; the tag's own error if it is present and refuses.
    func carryOut(
        _ plan: WritePlan, _ direction: WritePlan.Direction, on tag: ConnectedTag, as entry: JournalEntry?,
        isMirrorOff: Bool = false
    ) async throws -> ConnectedTag {
        begun.note(tag.target.identifier)
        return try await persistently(on: tag, as: entry) { tag in
            do {
                try await tag.perform { try $0.carryOut(plan, direction) }
            } catch {
                throw isMirrorOff ? withMirrorOff(error) : error
            }
            return tag
        }
    }

    /// Does work on a connected tag, and repeats it each time the tag leaves and comes back.
    ///
    /// A tag with a random UID is not waited for, because it would come back with another UID.
    ///
    /// - Parameters:
    ///   - tag: the tag with its connection before the work.
    ///   - entry: the journal entry to compare a returned tag with, or nil to skip the comparison.
    ///   - work: receives the tag with its current connection. It is called again each time the tag is back.
    /// - Returns: the result of the work.
    /// - Throws: ``WriteInterrupted`` if the tag did not come back in time, or came back and refused the work;
    ///   ``RewrittenMeanwhile``; the work's own error if the tag never left.
    func persistently<Value>(
        on tag: ConnectedTag, as entry: JournalEntry?, _ work: (ConnectedTag) async throws -> Value
    ) async throws -> Value {
        var tag = tag
        let uid = tag.target.identifier
        let isRandom = tag.target.hasRandomIdentifier
        // All absences of the tag share one time limit.
        var deadline: ContinuousClock.Instant?
        var isBack = false
        var last: WriteCut?
        while true {
            do {
                if isBack { try await requireOwn(tag, entry) }
                return try await work(tag)
            } catch {
                guard let newest = WriteCut(error) else {
                    // A tag that came back and refuses is still in the state that the interruption left.
                    guard let last, let end = error as? any ClassifiedError, !(end is RewrittenMeanwhile) else {
                        throw error
                    }
                    throw WriteInterrupted(last, of: uid, self, end: end)
                }
                // Keep the state that an earlier interruption reported until a later one also reports a state.
                let cut = newest.tellsWhatTheTagHolds ? newest : last ?? newest
                last = cut
                guard patience != .none, newest.isTagGone, !isRandom else {
                    let end = cut.cause.kind == newest.cause.kind ? nil : newest.cause
                    throw WriteInterrupted(cut, of: uid, self, end: end, hasRandomUID: isRandom)
                }
                dialogue.tell(.tagLeft(cut, uid: uid))
                if deadline == nil { deadline = patience.deadline() }
                session.session.restartPolling()
                do {
                    tag = try await returned(tag, until: deadline)
                    isBack = true
                } catch let absence as NoTagCame {
                    throw WriteInterrupted(cut, of: uid, self, others: absence.others)
                } catch {
                    guard let end = error as? any ClassifiedError else { throw error }
                    throw WriteInterrupted(cut, of: uid, self, end: end)
                }
            }
        }
    }
}
