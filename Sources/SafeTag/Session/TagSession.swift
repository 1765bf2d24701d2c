// A reader session for changes to tags: what opens the tags, which tags are accepted, and who answers the questions

import ReaderInterface
public import ReaderSession
import Synchronization
public import TagTypes
public import WriteJournal

/// A reader session in which tags are changed.
///
/// ``interrupt()`` ends the session. The current operation then fails within a second with ``Interrupted``. A session
/// can be used from any thread.
public final class TagSession: Sendable {
    /// The settings of a session.
    public struct Setup: Sendable {
        /// The reader, as `ReaderSession` accepts it.
        ///
        /// Nil stands for the reader that the environment variable `NFCTOOL_READER` names or, if it is not set, for
        /// `auto`.
        public var reader: String?
        /// The only type of tags to accept, or nil for all.
        public var type: TagType?
        /// The UID of the only tag to accept, or nil for all.
        package var uid: [UInt8]?
        /// The password or key that opens protected tags.
        public var credential: Type2Credential?
        /// The purpose for which tags are opened, unless another purpose is given for a connection.
        public var purpose: Type2Purpose
        /// The dialogue for questions and notices.
        public var dialogue: any Dialogue
        /// The journals that keep changes until they are verified.
        public var journals: Journals
        /// Decides whether to send the password to a tag that counts wrong attempts.
        public var gate: PasswordGate
        /// The keys to try on a MIFARE Classic.
        public var keys: ClassicKeyRing

        /// Creates the settings of a session.
        ///
        /// - Parameters:
        ///   - reader: the reader, or nil for the default; see ``reader``.
        ///   - type: the type of tags to accept, or nil for all.
        ///   - credential: a password or key that opens tags.
        ///   - purpose: the purpose for which tags are opened.
        ///   - dialogue: answers questions and receives notices.
        ///   - journals: the journals that keep the old content.
        ///   - gate: decides whether a password may be tried, or nil to ask the dialogue.
        ///   - keys: the keys to try on a MIFARE Classic. The default is the well-known ones.
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
        var lastTag: DetectedTag?
        /// Work that an interruption cancels although it does not use the reader, or nil if there is none.
        var work: Task<Void, any Error>?
    }

    /// The underlying reader session.
    public let session: ReaderSession
    /// The means to open protected tags, unless others are given for a connection.
    public let unlocking: Unlocking
    /// Decides whether to send passwords, and records the tags' answers.
    public let gate: PasswordGate
    /// The dialogue for questions and notices.
    public let dialogue: any Dialogue
    /// The journals that keep changes until they are verified.
    public let journals: Journals
    private let state = Mutex(State())
    private let wantedType: TagType?
    private let wantedUID: [UInt8]?

    /// Creates a session.
    ///
    /// Nothing happens before ``begin()``.
    public init(_ setup: Setup) {
        // If only Type 5 Tags are accepted, poll for nothing else: a reader without ISO 15693 then reports an error
        // instead of waiting forever.
        session = ReaderSession(
            reader: setup.reader, technologies: setup.type == .type5 ? [.nfcV] : Technology.allCases)
        unlocking = Unlocking(setup.credential, for: setup.purpose, askedBy: setup.gate, keys: setup.keys)
        gate = setup.gate
        dialogue = setup.dialogue
        journals = setup.journals
        wantedType = setup.type
        wantedUID = setup.uid
    }

    /// Runs work in a session, and returns when the reader is closed.
    ///
    /// - Parameters:
    ///   - setup: the settings of the session.
    ///   - work: the work to do in the session.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; ``Interrupted``; the reason why a virtual tag's file could not be saved.
    public static func run<Value: Sendable>(
        _ setup: Setup, _ work: @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        let session = TagSession(setup)
        session.begin()
        return try await session.finish(work)
    }

    /// Reserves and opens the reader.
    ///
    /// This returns immediately.
    public func begin() { session.begin() }

    /// Runs the session's work, ends the session, and returns when the reader is closed.
    ///
    /// - Parameters:
    ///   - work: the work to do in the session.
    ///   - succeeded: called when the work is done, before the reader is closed.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; ``Interrupted``; the reason why a virtual tag's file could not be saved.
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
        // If a virtual tag's file could not be saved, content that was written and read back would be lost.
        if let lost = session.saveError { throw lost }
        if isInterrupted, case .failure(let error) = result {
            throw error as? Interrupted ?? Interrupted(cause: error)
        }
        return try result.get()
    }

    /// Ends the session.
    ///
    /// This returns immediately.
    public func interrupt() {
        let work = state.withLock { state in
            state.isInterrupted = true
            return state.work
        }
        work?.cancel()
        session.end()
    }

    /// The name of the reader in use: as listed by `nfctool readers`, or as the user gave it.
    ///
    /// The name is empty before the reader is open. A USB reader's connection string is not suitable, because it
    /// contains a number that changes each time the reader is plugged in.
    public var reader: String { session.reader ?? "" }

    /// The tag to which the session connected most recently, or nil if it connected to none.
    package var lastTag: DetectedTag? { state.withLock { $0.lastTag } }

    /// Whether the session was ended by ``interrupt()``.
    public var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Whether the field may contain more tags than the last poll could distinguish.
    public var hasMoreTags: Bool { session.hasMoreTags }

    /// Runs work that changes no tag.
    ///
    /// If the work is interrupted, the error says that nothing was changed.
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

    /// Runs work that an interruption cancels.
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
    /// Waits for the next tags, or for the tag with this UID, and ignores all others.
    ///
    /// - Throws: `NoTagCame` after `timeout` (nil waits forever), or the error that ended the session.
    public func tags(within timeout: Duration?, uid: [UInt8]? = nil) async throws -> [DetectedTag] {
        let uid = uid ?? wantedUID
        return try await tags(within: timeout, among: uid.map { [$0] }) { [dialogue] reader in
            dialogue.tell(.awaitingTag(uid: uid, reader: reader, limit: timeout))
        }
    }

    /// Waits for the next tags, or for the tags with these UIDs, and reports every other tag once.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait, or nil to wait forever.
    ///   - uids: the UIDs of the accepted tags, or nil for any.
    ///   - onWait: called if the wait takes longer than 0.4 s, and again if the reader is opened after that.
    ///   - onOther: called for each tag that is ignored.
    /// - Returns: the accepted tags of one poll, at least one.
    /// - Throws: `NoTagCame` after `timeout`, or the error that ended the session.
    public func tags(
        within timeout: Duration?, among uids: [[UInt8]]?, onWait: (_ reader: String?) -> Void = { _ in },
        onOther: (_ uid: [UInt8]) -> Void = { _ in }
    ) async throws -> [DetectedTag] {
        let isWanted: ((DetectedTag) -> Bool)? =
            uids == nil && wantedType == nil && wantedUID == nil
            ? nil : { self.isWanted($0) && uids?.contains($0.target.identifier) ?? true }
        do {
            return try await session.detect(within: timeout, isWanted: isWanted, onWait: onWait) {
                onOther($0.target.identifier)
            }
        } catch SessionError.ended {
            throw Interrupted(cause: nil)
        }
    }

    /// Waits for the only tag on the reader, which may then be changed.
    ///
    /// - Throws: ``SeveralTags`` if there are several tags, unless `uid` selects one.
    public func onlyTag(within timeout: Duration?, uid: [UInt8]? = nil) async throws -> DetectedTag {
        let tags = try await tags(within: timeout, uid: uid)
        guard let tag = tags.first, tags.count == 1, uid != nil || !hasMoreTags else {
            throw SeveralTags(tags, in: self)
        }
        return tag
    }

    /// Waits for a tag whose UID is not in `seen`.
    ///
    /// Tags in `seen` may still be present.
    ///
    /// - Throws: ``SeveralTags`` if there are several new tags.
    public func newTag(within timeout: Duration?, except seen: Set<[UInt8]>) async throws -> DetectedTag {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            session.restartPolling()
            let rest = deadline.map { max(.milliseconds(1), ContinuousClock.now.duration(to: $0)) }
            let new: [DetectedTag]
            do {
                new = try await tags(within: rest).filter { !seen.contains($0.target.identifier) }
            } catch let absence as NoTagCame {
                // Report the whole wait, not the remaining part of it.
                throw NoTagCame(after: timeout, others: absence.others)
            }
            if let tag = new.first {
                guard new.count == 1, !hasMoreTags else { throw SeveralTags(new, in: self) }
                return tag
            }
            // A tag that stays in the field answers every poll, so do not poll continuously.
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Connects to a tag, and opens it with the session's password if needed.
    ///
    /// If the password may block the tag, the session asks first.
    ///
    /// - Parameters:
    ///   - detected: the detected tag.
    ///   - unlocking: the means to open the tag, or nil for those of the session.
    /// - Returns: the tag, already opened if there is a password or key for it.
    /// - Throws: ``PasswordRisk`` if no question may be asked; what the dialogue throws.
    @discardableResult
    public func connect(to detected: DetectedTag, opening unlocking: Unlocking? = nil) async throws -> ConnectedTag {
        state.withLock { $0.lastTag = detected }
        let unlocking = unlocking ?? self.unlocking
        if TagDetection.tagType(of: detected.target).type == .mifareClassic, let ring = unlocking.keys {
            try? journals.restores.pending(uid: detected.target.identifier)?.addKeys(to: ring)
        }
        let tag = try await session.connect(to: detected, opening: unlocking)
        guard unlocking.credential != nil else { return tag }
        do {
            try await tag.perform { _ in }
            return tag
        } catch let risk as PasswordRisk {
            try gate.ask(about: risk)
            // The tag may have been moved while the question was open.
            return try await session.connect(to: detected, opening: unlocking)
        }
    }

    /// Whether the session accepts this tag, according to its type and UID.
    public func isWanted(_ tag: DetectedTag) -> Bool {
        wantedType.map { $0 == TagDetection.tagType(of: tag.target).type } ?? true
            && wantedUID.map { $0 == tag.target.identifier } ?? true
    }
}
