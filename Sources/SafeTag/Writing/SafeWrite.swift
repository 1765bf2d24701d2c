// A write that loses nothing: journal, write, wait for a tag that left, prove, forget — in this order

import Composing
import Foundation
import NDEF
import ReaderInterface
package import ReaderSession
import TagTypes
public import WriteJournal

/// Replaces messages on the tags of a session.
public struct SafeWrite: Sendable {
    /// The session of the tags.
    public let session: TagSession
    /// Where the old content is kept; nil when the user wants none.
    public let journal: WriteJournal?
    /// Where proven writes are kept, so that they can be taken back; nil keeps none.
    let done: DoneWrites?
    /// How long to wait for a tag that left.
    public let patience: Patience
    /// The dialogue for questions and notices.
    public let dialogue: any Dialogue
    /// The stored write that this write undoes, if any.
    private var takesBack: Int64?
    /// Whether what an undo replaces is kept, too: it was not written through this journal.
    private var keepsReplaced = false
    /// What a failure of the journal may say of a tag.
    let begun = BegunWrites()

    /// How long to wait for a tag that left.
    public enum Patience: Hashable, Sendable {
        /// Not at all.
        case none
        case forever
        case upTo(Duration)

        /// When the wait for a tag that leaves now is over.
        ///
        /// - Parameter least: how long a patience of `none` waits all the same.
        /// - Returns: the end of the wait; nil for a wait without an end.
        func deadline(atLeast least: Duration = .zero) -> ContinuousClock.Instant? {
            switch self {
            case .none: .now + least
            case .forever: nil
            case .upTo(let time): .now + time
            }
        }
    }

    /// A tag that is on the reader is found within this time.
    static let nextPoll = Duration.seconds(1)

    /// Describes writes in a session.
    ///
    /// - Parameters:
    ///   - session: the session in which tags are written.
    ///   - isJournaled: whether the old content is kept on disk until the new one is verified.
    ///   - isUndoable: whether it is kept for 30 days after that, for ``undo(within:uid:)``.
    ///   - patience: how long to wait for a tag that left.
    ///   - dialogue: answers questions and receives notices; nil for the session's.
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

    /// Whether a command that changes the tag was sent to it, and what the tag holds may not be what it held before.
    public func mayHaveChanged(_ uid: [UInt8]) -> Bool { begun.contains(uid) }

    /// The same for a write that takes a kept one back, which is forgotten when that is proven.
    func takingBack(_ number: Int64) -> SafeWrite {
        var write = self
        write.takesBack = number
        return write
    }

    /// The same for a write that replaces a message which no kept write left: that message is kept, so that it can come back.
    func keepingReplaced() -> SafeWrite {
        var write = self
        write.keepsReplaced = true
        return write
    }

    /// Replaces the message of a connected tag and verifies it; the plan is made on the reader's queue.
    ///
    /// An earlier write that was interrupted must have been brought to an end.
    /// - Parameters:
    ///   - tag: the tag, which may leave and come back while it is written.
    ///   - mirror: what the chip will show in the message: then the journal forgets the write only by
    ///     ``forgetEntry(of:after:keptAmong:)``, when that is verified, too.
    ///   - meanwhile: what else there is to read of the tag: it takes its time together with the journal's disk.
    ///   - makePlan: plans the write.
    /// - Returns: the verified message, and the tag as it is connected now.
    /// - Throws: ``JournalFailure`` when the journal cannot be written; `TagError` when the plan fails or the tag
    ///   refuses; ``MirrorInterrupted`` when what the chip shows had to be turned off; as
    ///   ``carryOut(_:_:on:as:isMirrorOff:)``.
    func run(
        on tag: ConnectedTag, showing mirror: MirrorPlacement? = nil,
        meanwhile: (ConnectedTag) async throws -> Void = { _ in },
        _ makePlan: @escaping @Sendable (any ForumTag) throws -> WritePlan
    ) async throws -> Written {
        // What is proven below is not asked of the tag once more: it may leave as soon as it is written.
        let (plan, state, chip, shown) = try await tag.perform {
            let shown = try ($0 as? Type2Tag)?.removableMirror(before: makePlan)
            return (try makePlan($0), try $0.detect(), $0.chip, shown)
        }
        // Also a write that changes nothing is carried out: it proves what is there.
        let entry =
            plan.changesNothing && mirror == nil && shown == nil
            ? nil
            : JournalEntry(
                uid: tag.target.identifier, tagName: chip?.name ?? TagDetection.tagType(of: tag.target).name,
                started: .now, plan: plan, mirror: mirror?.journaled,
                oldMirror: shown.flatMap(MirrorPlacement.init)?.journaled, takesBack: takesBack)
        async let journaled: Void = withTaskExecutorPreference(globalConcurrentExecutor) { try await begin(entry) }
        try await meanwhile(tag)
        try await journaled
        // What the tag showed is off only when the journal can bring it back.
        let bare = shown == nil ? tag : try await withoutMirror(tag, as: entry)
        let written: ConnectedTag
        do {
            written = try await carryOut(plan, .forward, on: bare, as: entry, isMirrorOff: shown != nil)
        } catch let refusal as TagError {
            if let entry, shown == nil { await forgetUnchanged(entry, of: tag) }
            throw refusal
        }
        supersedeRestore(of: written)
        if mirror == nil { try endEntry(entry, of: written, after: .written) }
        var proven = state
        proven.messageLength = plan.newMessage.count
        let message = try NDEFMessage(onTag: plan.newMessage)
        let reading = TagReading(
            reader: session.reader, target: tag.target, chip: chip, state: proven, bytes: plan.newMessage,
            message: message, isVerified: true)
        return Written(reading: reading, tag: written, entry: entry)
    }

    /// A message that is proven.
    struct Written: Sendable {
        let reading: TagReading
        /// The tag as it is connected now.
        let tag: ConnectedTag
        /// What the journal keeps, or kept; nil for a write that changed nothing.
        let entry: JournalEntry?
    }

    /// Forgets a write that the tag refused before anything was changed, if it is seen to hold its old message still.
    private func forgetUnchanged(_ entry: JournalEntry, of tag: ConnectedTag) async {
        guard let held = try? await tag.perform({ try HeldMessage.read(from: $0) }),
            UnfinishedWork(entry, on: held).standing == .oldMessage
        else { return }
        begun.clear(entry.uid)
        // That the entry cannot be removed matters less than why the write was refused.
        try? journal?.end(uid: entry.uid)
    }

    private func begin(_ entry: JournalEntry?) async throws {
        guard let entry else { return }
        do throws(WriteJournalError) {
            try journal?.begin(entry)
        } catch {
            throw begun.told(error, of: entry.uid, .notBegun)
        }
    }

    /// Journals a tag as it is: a plan that changes nothing and can mend everything.
    ///
    /// An earlier insurance of the same message stays: it may know what the tag does not tell any more.
    /// - Returns: whether an entry was made.
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
                return try tag.planWrite(message, .throughEmpty)
            } catch .readOnly {
                // A tag that cannot be written any more cannot be torn either.
                return nil
            }
        }
        guard let plan else { return false }
        try await begin(
            JournalEntry(
                uid: tag.target.identifier, tagName: TagDetection.tagType(of: tag.target).name, started: .now,
                plan: plan, mirror: mirror?.journaled, insured: change))
        return true
    }

    /// Ends what the journal kept of a write that is proven; what was wiped is not kept for later, and what took another write
    /// back is forgotten with that one.
    ///
    /// - Throws: ``JournalFailure``.
    func endEntry(_ entry: JournalEntry?, of tag: ConnectedTag, after change: JournalFailure.Change) throws {
        let isKept =
            entry.map { $0.insured == nil && !$0.plan.isWiping && ($0.takesBack == nil || keepsReplaced) } ?? false
        try forgetEntry(
            of: tag, after: change, keptAmong: isKept ? keepsReplaced ? session.journals.done : done : nil)
        if let entry, let number = entry.takesBack { try forgetDone(number, of: entry.uid) }
    }

    /// Forgets a write that was taken back.
    ///
    /// - Throws: ``JournalFailure``.
    func forgetDone(_ number: Int64, of uid: [UInt8]) throws {
        do throws(WriteJournalError) {
            try session.journals.done.forget(number, of: uid)
        } catch {
            throw begun.told(error, of: uid, .done(.broughtBack))
        }
    }

    /// Forgets what the journal kept of a tag whose message is proven.
    ///
    /// - Parameters:
    ///   - tag: the tag.
    ///   - change: what was done to the tag, for an error that comes after it.
    ///   - done: where it is kept, to be taken back.
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
            // An earlier write that was interrupted is history now. That this cannot be noted takes nothing from the write.
            try? session.journals.writes.supersede(uid: tag.target.identifier)
        }
    }

    /// What the journal keeps of a tag; nil for nothing.
    func entry(of uid: [UInt8]) -> JournalEntry? { (try? journal?.entry(uid: uid)) ?? nil }

    /// Carries out a plan; when the tag leaves, waits until the same tag is back and goes on.
    ///
    /// A tag that is back is compared with the journal entry; nil skips the comparison. `isMirrorOff` says that the
    /// chip's mirror was turned off before, which the error of an interrupted write then says, too.
    ///
    /// - Returns: the tag as it is connected now.
    /// - Throws: ``WriteInterrupted`` when it did not come back in time, or the user ended the command;
    ///   ``RewrittenMeanwhile``; the tag's own error when it is there and refuses.
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

    /// Does work on a connected tag; when the tag leaves, waits until the same tag is back and begins the work again.
    ///
    /// - Parameters:
    ///   - tag: the tag, as it is connected before.
    ///   - entry: the journal entry to compare a returned tag with; nil skips the comparison.
    ///   - work: gets the tag as it is connected then; called once more each time the tag is back.
    /// - Returns: what the work returns once it comes to its end.
    /// - Throws: ``WriteInterrupted`` when it did not come back in time, or came back and refused;
    ///   ``RewrittenMeanwhile``; the work's own error when the tag never left.
    func persistently<Value>(
        on tag: ConnectedTag, as entry: JournalEntry? = nil, _ work: (ConnectedTag) async throws -> Value
    ) async throws -> Value {
        var tag = tag
        let uid = tag.target.identifier
        // All times that the tag leaves have one wait together.
        var deadline: ContinuousClock.Instant?
        var isBack = false
        var last: WriteCut?
        while true {
            do {
                if isBack { try await requireOwn(tag, entry) }
                return try await work(tag)
            } catch {
                guard let newest = WriteCut(error) else {
                    // A tag that came back and refuses still holds what the cut left.
                    guard let last, let end = error as? any ClassifiedError, !(end is RewrittenMeanwhile) else {
                        throw error
                    }
                    throw WriteInterrupted(last, of: uid, self, end: end)
                }
                // Keep the state that an earlier interruption reported until a later one reports the state.
                let cut = newest.tellsWhatTheTagHolds ? newest : last ?? newest
                last = cut
                guard patience != .none, newest.isTagGone else {
                    let end = cut.cause.kind == newest.cause.kind ? nil : newest.cause
                    throw WriteInterrupted(cut, of: uid, self, end: end)
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

    /// Makes sure that a tag that is back was not given another message meanwhile.
    ///
    /// - Throws: ``RewrittenMeanwhile``; `TagError`.
    func requireOwn(_ tag: ConnectedTag, _ entry: JournalEntry?) async throws {
        guard let entry else { return }
        let held = try await tag.perform { try HeldMessage.read(from: $0) }
        guard UnfinishedWork(entry, on: held).standing == .otherMessage else { return }
        throw RewrittenMeanwhile(uid: entry.uid, isJournaled: self.entry(of: entry.uid) != nil)
    }

    func returned(
        _ tag: ConnectedTag, until deadline: ContinuousClock.Instant?
    ) async throws -> ConnectedTag {
        let uid = tag.target.identifier
        while true {
            let rest = deadline.map { max(.milliseconds(1), ContinuousClock.now.duration(to: $0)) }
            let tags = try await session.tags(
                within: rest, among: [uid],
                onOther: { other in
                    dialogue.tell(.otherTag(uid: other, awaited: uid))
                })
            guard let found = tags.first else { continue }
            do {
                return try await session.session.connect(to: found, opening: tag.unlocking)
            } catch {
                // Gone again before it could be connected.
                guard WriteCut(error)?.isTagGone ?? false else { throw error }
                session.session.restartPolling()
            }
        }
    }
}
