// A write that loses nothing: journal, write, wait for a tag that left, prove, forget — in this order

import ArgumentParser
import Composing
import DurableFiles
import Foundation
import Hexadecimal
import NDEF
import ReaderInterface
import ReaderSession
import TagTypes
import WriteJournal

/// The options of every command that replaces a message.
struct WriteOptions: ParsableArguments {
    @Flag(
        name: .customLong("no-journal"),
        help: "Do not keep the old content on disk while writing: a write that is interrupted cannot be recovered.")
    var isWithoutJournal = false

    @OptionGroup var wait: WaitOptions

    /// The journal to use; nil when the user wants none.
    var journal: WriteJournal? { isWithoutJournal ? nil : .ofThisUser }
}

/// The option of every command that goes on when a tag that left is back.
struct WaitOptions: ParsableArguments {
    @Flag(
        name: .customLong("no-wait"),
        help: "When the tag leaves while it is written, end at once instead of waiting for it up to --timeout.")
    var isWithoutWait = false
}

extension WriteJournal {
    /// The journal in this user's state folder.
    static let ofThisUser = WriteJournal(environment: ProcessInfo.processInfo.environment)
}

/// Replaces messages on the tags of a session.
struct SafeWrite: Sendable {
    let session: TagSession
    /// Where the old content is kept; nil when the user wants none.
    let journal: WriteJournal?
    /// How long to wait for a tag that left.
    let patience: Patience
    let hint: Hint
    /// What a failure of the journal may say of a tag.
    let begun = BegunWrites()

    /// How long to wait for a tag that left.
    enum Patience: Hashable {
        case none, forever
        case upTo(Duration)
    }

    /// A tag that is on the reader is found within this time.
    private static let nextPoll = Duration.seconds(1)

    init(_ session: TagSession, journal: WriteJournal?, patience: Patience, hint: Hint) {
        self.session = session
        self.journal = journal
        self.patience = patience
        self.hint = hint
    }

    init(_ session: TagSession, _ options: TagOptions, journal: WriteJournal?, isWithoutWait: Bool = false) {
        let patience: Patience = isWithoutWait ? .none : options.waitingTime.map { .upTo($0) } ?? .forever
        self.init(session, journal: journal, patience: patience, hint: Hint(options.output))
    }

    /// Replaces the message of a connected tag and proves it; the plan is made on the reader's queue.
    ///
    /// An earlier write that was interrupted must have been brought to an end.
    /// - Parameters:
    ///   - mirror: what the chip will show in the message: then the journal forgets the write only by ``settled(_:)``, when
    ///     that is proven, too.
    ///   - meanwhile: what else there is to read of the tag: it takes its time together with the journal's disk.
    ///   - makePlan: plans the write.
    func run(
        on tag: ConnectedTag, showing mirror: MirrorPlacement? = nil,
        meanwhile: (ConnectedTag) async throws -> Void = { _ in },
        _ makePlan: @escaping @Sendable (any ForumTag) throws -> WritePlan
    ) async throws -> TagReading {
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
                oldMirror: shown.flatMap(MirrorPlacement.init)?.journaled)
        async let journaled: Void = withTaskExecutorPreference(globalConcurrentExecutor) { try await begin(entry) }
        try await meanwhile(tag)
        try await journaled
        // What the tag showed is off only when the journal can bring it back.
        let bare = shown == nil ? tag : try await withoutMirror(tag)
        _ = try await carryOut(plan, .forward, on: bare, isMirrorOff: shown != nil)
        supersedeRestore(of: tag)
        if mirror == nil { try settled(tag) }
        var proven = state
        proven.messageLength = plan.newMessage.count
        let message =
            plan.newMessage.isEmpty ? NDEFMessage(records: []) : try NDEFMessage(bytes: plan.newMessage)
        return TagReading(
            reader: session.reader, target: tag.target, chip: chip, state: proven, bytes: plan.newMessage,
            message: message, isVerified: true)
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

    /// Forgets what the journal kept of a tag whose message is proven.
    ///
    /// - Parameter deed: what was done to the tag, for an error that comes after it; a past participle.
    /// - Throws: ``JournalFailure``; ``TagFailure`` when nothing was done to the tag.
    func settled(_ tag: ConnectedTag, _ deed: String = "written and verified") throws {
        if let journal {
            do throws(WriteJournalError) {
                try journal.end(uid: tag.target.identifier)
            } catch {
                throw begun.told(error, of: tag.target.identifier, .done(deed))
            }
        } else {
            // An earlier write that was interrupted is history now. That this cannot be noted takes nothing from the write.
            try? WriteJournal.ofThisUser.supersede(uid: tag.target.identifier)
        }
    }

    /// Whether the journal keeps what a tag held.
    fileprivate func keeps(_ uid: [UInt8]) -> Bool { (try? journal?.entry(uid: uid)) ?? nil != nil }

    /// Carries out a plan; when the tag leaves, waits until the same tag is back and goes on.
    ///
    /// - Returns: the tag as it is connected now.
    /// - Throws: ``WriteUnfinished`` when it did not come back in time, or the user ended the command; the tag's own error
    ///   when it is there and refuses.
    func carryOut(
        _ plan: WritePlan, _ direction: WritePlan.Direction, on tag: ConnectedTag, isMirrorOff: Bool = false
    ) async throws -> ConnectedTag {
        begun.note(tag.target.identifier)
        return try await persistently(on: tag) { tag in
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
    /// - Throws: ``WriteUnfinished`` when it did not come back in time; the work's own error when the tag is there.
    func persistently<Value>(
        on tag: ConnectedTag, _ work: (ConnectedTag) async throws -> Value
    ) async throws -> Value {
        var tag = tag
        let uid = tag.target.identifier
        var deadline: ContinuousClock.Instant?
        if case .upTo(let time) = patience { deadline = .now + time }
        while true {
            do {
                return try await work(tag)
            } catch {
                guard let cut = WriteCut(error) else { throw error }
                guard patience != .none, cut.isTagGone else { throw WriteUnfinished(cut, of: uid, self) }
                hint.show("\(cut.message) Place tag \(uid.hex) on the reader again; Ctrl-C ends.")
                session.session.restartPolling()
                do {
                    tag = try await returned(tag, until: deadline)
                } catch let absence as NoTagCame {
                    throw WriteUnfinished(cut, of: uid, self, others: absence.others.map(\.hex))
                } catch {
                    guard let end = TagFailure(error) else { throw error }
                    throw WriteUnfinished(cut, of: uid, self, end: end)
                }
            }
        }
    }

    private func returned(
        _ tag: ConnectedTag, until deadline: ContinuousClock.Instant?
    ) async throws -> ConnectedTag {
        let uid = tag.target.identifier
        while true {
            let rest = deadline.map { max(.milliseconds(1), ContinuousClock.now.duration(to: $0)) }
            let tags = try await session.tags(within: rest, among: [uid]) { other in
                hint.show("Tag \(other) is another one; waiting for \(uid.hex).")
            }
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

    /// The same tag after its field was off: what its configuration says counts from power-up on.
    func afterPowerUp(_ tag: ConnectedTag) async throws -> ConnectedTag {
        do {
            try await tag.powerUp()
            return tag
        } catch {
            guard WriteCut(error)?.isTagGone ?? false else { throw error }
        }
        var deadline: ContinuousClock.Instant? = .now + Self.nextPoll
        if case .upTo(let time) = patience { deadline = .now + time }
        if patience == .forever { deadline = nil }
        session.session.restartPolling()
        return try await returned(tag, until: deadline)
    }

}

/// A write that ended before its end: the tag was gone, it or the reader failed, or the user ended the command.
struct WriteCut {
    let failure: TagFailure

    var message: String { failure.message }

    /// Whether waiting for the tag may mend it.
    var isTagGone: Bool { failure.name == .tagLost }

    /// Nil for a tag that is there and refuses before anything is written.
    init?(_ error: any Error) {
        guard let failure = TagFailure(error) else { return nil }
        switch failure.cause {
        case TagError.writeInterrupted: break
        default: guard [.tagLost, .readerIO, .interrupted].contains(failure.name) else { return nil }
        }
        self.failure = failure
    }
}

/// A tag left while it was written, and did not come back; or something else cut the write off.
struct WriteUnfinished: Failure {
    let cut: WriteCut
    private let patience: SafeWrite.Patience
    /// The UIDs of other tags that came instead.
    private let others: [String]
    /// What ended the wait for the tag before its time.
    private let end: TagFailure?
    let isJournaled: Bool

    init(
        _ cut: WriteCut, of uid: [UInt8], _ write: SafeWrite, others: [String] = [], end: TagFailure? = nil
    ) {
        self.cut = cut
        self.end = end
        patience = write.patience
        self.others = others
        isJournaled = write.keeps(uid)
    }

    var name: ErrorName { (end ?? cut.failure).name }
    var message: String {
        // That the user ended it is no news to the user.
        if let end { return end.name == .interrupted ? cut.message : "\(cut.message) \(end.message)" }
        guard cut.isTagGone, case .upTo(let time) = patience else { return cut.message }
        let instead = others.isEmpty ? "" : "; \(others.joined(separator: ", ")) came instead and was not touched"
        return "\(cut.message) It did not come back within \(time.inWords)\(instead)."
    }
    var details: [String: FailureDetail] { cut.failure.details }
}

extension [UInt8] {
    /// The digest that proves what a tag holds.
    var sha256: String { SHA256Digest(of: self).hex }
}
