// One session with a reader for changes of tags: what opens them, which are wanted, and whom to ask

import ReaderInterface
public import ReaderSession
import Synchronization
public import TagTypes
public import WriteJournal

/// A reader session in which tags are changed.
///
/// ``interrupt()`` ends it: what is under way fails within a second, as ``Interrupted``. Any thread.
public final class TagSession: Sendable {
    /// What a session needs to know.
    public struct Setup: Sendable {
        /// As `ReaderSession` takes it; nil for the environment's, or `auto`.
        public var reader: String?
        /// The only type of tags to take; nil for all.
        public var type: TagType?
        /// What opens protected tags.
        public var credential: Type2Credential?
        /// What they are opened for, unless a connection says otherwise.
        public var purpose: Type2Purpose
        /// The dialogue for questions and notices.
        public var dialogue: any Dialogue
        /// Where changes are kept until they are proven.
        public var journals: Journals
        /// Decides whether the password is sent to a tag that counts wrong ones.
        public var gate: PasswordGate
        /// The keys to try on a MIFARE Classic.
        public var keys: ClassicKeyRing

        /// Describes a session.
        ///
        /// - Parameters:
        ///   - reader: the reader; nil takes the only one.
        ///   - type: the tags that are taken; nil takes all.
        ///   - credential: a password that opens tags.
        ///   - purpose: what tags are opened for.
        ///   - dialogue: answers questions and receives notices.
        ///   - journals: where old content is kept.
        ///   - gate: decides whether a password may be tried; nil asks the dialogue.
        ///   - keys: the keys to try on a MIFARE Classic; by default those that everybody knows.
        public init(
            reader: String? = nil, type: TagType? = nil, opening credential: Type2Credential? = nil,
            for purpose: Type2Purpose = .writing, dialogue: any Dialogue = NoDialogue(),
            journals: Journals = .ofThisUser, gate: PasswordGate? = nil, keys: ClassicKeyRing = ClassicKeyRing()
        ) {
            self.keys = keys
            self.reader = reader
            self.type = type
            self.credential = credential
            self.purpose = purpose
            self.dialogue = dialogue
            self.journals = journals
            self.gate = gate ?? PasswordGate(.asked(dialogue), journal: journals.passwords)
        }
    }

    private struct State {
        var isInterrupted = false
        /// Work next to the reader's, which an interruption ends.
        var work: Task<Void, any Error>?
    }

    /// The session itself.
    public let session: ReaderSession
    /// What opens protected tags, unless a connection says otherwise.
    public let unlocking: Unlocking
    /// Decides whether passwords are sent, and knows what tags made of them.
    public let gate: PasswordGate
    /// The dialogue for questions and notices.
    public let dialogue: any Dialogue
    /// Where changes are kept until they are proven.
    public let journals: Journals
    private let state = Mutex(State())
    /// The only type of tags to take; nil for all.
    private let wantedType: TagType?

    /// Describes a session; nothing happens before ``begin()``.
    public init(_ setup: Setup) {
        // Poll only for Type 5: a reader without ISO 15693 then reports an error instead of waiting forever.
        session = ReaderSession(
            reader: setup.reader, technologies: setup.type == .type5 ? [.nfcV] : Technology.allCases)
        unlocking = Unlocking(setup.credential, for: setup.purpose, askedBy: setup.gate, keys: setup.keys)
        gate = setup.gate
        dialogue = setup.dialogue
        journals = setup.journals
        wantedType = setup.type
    }

    /// Does work in a session, and returns when the reader is closed.
    ///
    /// - Parameters:
    ///   - setup: the session.
    ///   - work: what to do in it.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; ``Interrupted``; why a virtual tag's file could not be saved.
    public static func run<Value: Sendable>(
        _ setup: Setup, _ work: @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        let session = TagSession(setup)
        session.begin()
        return try await session.finish(work)
    }

    /// Takes and opens the reader; returns at once.
    public func begin() { session.begin() }

    /// Does the session's work, ends the session, and returns when the reader is closed.
    ///
    /// - Parameters:
    ///   - work: what to do in the session.
    ///   - succeeded: called when the work is done, before the reader is closed.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; ``Interrupted``; why a virtual tag's file could not be saved.
    public func finish<Value: Sendable>(
        _ work: @Sendable (TagSession) async throws -> Value, succeeded: () -> Void = {}
    ) async throws -> Value {
        let result: Result<Value, any Error>
        do {
            result = .success(try await work(self))
            succeeded()
        } catch {
            result = .failure(error)
        }
        await session.invalidate()
        // A virtual tag's file that could not be saved: what was written and read back is not there to stay.
        if let lost = session.saveError { throw lost }
        if isInterrupted, case .failure(let error) = result {
            throw error as? Interrupted ?? Interrupted(cause: error)
        }
        return try result.get()
    }

    /// Ends the session from outside; returns at once.
    public func interrupt() {
        let work = state.withLock { state in
            state.isInterrupted = true
            return state.work
        }
        work?.cancel()
        session.end()
    }

    /// The reader in use by the name that `nfctool readers` lists, or as the user gave it; a virtual one by its connection
    /// string; empty before it is open.
    ///
    /// A USB reader's connection string holds a number that changes at each plug-in.
    public var reader: String { session.reader ?? "" }

    /// Whether the session was ended by ``interrupt()``.
    public var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Whether there may be more tags in the field than the last poll could distinguish.
    public var hasMoreTags: Bool { session.hasMoreTags }

    /// Does what changes no tag: when it is interrupted, its error says so.
    public func withoutChange<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            guard isInterrupted else { throw JournalFailure.unchanged(error) }
            let interrupted = error as? Interrupted
            throw Interrupted(
                cause: interrupted == nil ? error : interrupted?.cause,
                remark: interrupted?.remark ?? "Nothing was changed.")
        }
    }

    /// Does work that an interruption cancels.
    public func untilInterrupted(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task(operation: work)
        let isInterrupted = state.withLock { state in
            state.work = task
            return state.isInterrupted
        }
        if isInterrupted { task.cancel() }
        try await task.value
    }
}

// MARK: Tags

extension TagSession {
    /// Waits for the next tags, or for the one with this UID: others are passed over.
    ///
    /// - Throws: `NoTagCame` after `timeout` (nil waits forever), or why the session ended.
    public func tags(within timeout: Duration?, uid: [UInt8]? = nil) async throws -> [DetectedTag] {
        try await tags(within: timeout, among: uid.map { [$0] }) { [dialogue] reader in
            dialogue.tell(.awaitingTag(uid: uid, reader: reader))
        }
    }

    /// Waits for the next tags, or for those with these UIDs: others are passed over, each reported once.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait; nil waits forever.
    ///   - uids: the tags that are waited for; nil waits for any.
    ///   - onWait: called when the wait takes longer, and when the reader opened after that.
    ///   - onOther: called for each tag that is passed over.
    /// - Returns: the wanted tags of one poll, at least one.
    /// - Throws: `NoTagCame` after `timeout`, or why the session ended.
    public func tags(
        within timeout: Duration?, among uids: [[UInt8]]?, onWait: (_ reader: String?) -> Void = { _ in },
        onOther: (_ uid: [UInt8]) -> Void = { _ in }
    ) async throws -> [DetectedTag] {
        let isWanted: ((DetectedTag) -> Bool)? =
            uids == nil && wantedType == nil
            ? nil : { self.isWanted($0) && uids?.contains($0.target.identifier) ?? true }
        do {
            return try await session.detect(within: timeout, isWanted: isWanted, onWait: onWait) {
                onOther($0.target.identifier)
            }
        } catch SessionError.ended {
            throw Interrupted(cause: nil)
        }
    }

    /// The one tag that may be changed.
    ///
    /// - Throws: ``SeveralTags`` when there are more, unless `uid` picks one.
    public func onlyTag(within timeout: Duration?, uid: [UInt8]? = nil) async throws -> DetectedTag {
        let tags = try await tags(within: timeout, uid: uid)
        guard let tag = tags.first, tags.count == 1, uid != nil || !hasMoreTags else {
            throw SeveralTags(tags, in: self)
        }
        return tag
    }

    /// Waits for a tag that was not seen yet; those seen, by their UIDs, may still be there.
    ///
    /// - Throws: ``SeveralTags`` when more new ones are there.
    public func newTag(within timeout: Duration?, except seen: Set<[UInt8]>) async throws -> DetectedTag {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            session.restartPolling()
            let rest = deadline.map { max(.milliseconds(1), ContinuousClock.now.duration(to: $0)) }
            let new: [DetectedTag]
            do {
                new = try await tags(within: rest).filter { !seen.contains($0.target.identifier) }
            } catch let absence as NoTagCame {
                // The whole wait, not what was left of it.
                throw NoTagCame(after: timeout, others: absence.others)
            }
            if let tag = new.first {
                guard new.count == 1, !hasMoreTags else { throw SeveralTags(new, in: self) }
                return tag
            }
            // A tag that stays answers every poll: leave the reader in peace for a while.
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Connects to a tag, and opens it with the session's password if needed; asks first where that may close it.
    ///
    /// - Parameters:
    ///   - detected: the tag, as it was detected.
    ///   - unlocking: what opens the tag; nil for the session's own.
    /// - Returns: the tag; where there is a password or key for it, it is open already.
    /// - Throws: ``PasswordRisk`` if no question may be asked; what the dialogue throws.
    @discardableResult
    public func connect(to detected: DetectedTag, opening unlocking: Unlocking? = nil) async throws -> ConnectedTag {
        let unlocking = unlocking ?? self.unlocking
        if TagDetection.tagType(of: detected.target).type == .mifareClassic, let ring = unlocking.keys {
            journals.restores.pending(uid: detected.target.identifier)?.addKeys(to: ring)
        }
        let tag = try await session.connect(to: detected, opening: unlocking)
        guard unlocking.credential != nil else { return tag }
        do {
            try await tag.perform { _ in }
            return tag
        } catch let risk as PasswordRisk {
            try gate.ask(about: risk)
            // It may have been moved in the meantime.
            return try await session.connect(to: detected, opening: unlocking)
        }
    }

    /// Whether a tag is of the type the session wants.
    public func isWanted(_ tag: DetectedTag) -> Bool {
        wantedType.map { $0 == TagDetection.tagType(of: tag.target).type } ?? true
    }
}
