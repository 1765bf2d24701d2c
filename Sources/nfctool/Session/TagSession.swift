// One session of a command: begin → detect → … → invalidate, ended by a signal

import Foundation
import Hexadecimal
import ReaderInterface
import ReaderSession
import Synchronization
import TagTypes

/// A reader session of a command.
///
/// A signal ends it: what is under way fails within a second, as ``Interrupted``.
final class TagSession: Sendable {
    /// What a session needs to know.
    struct Setup: Sendable {
        /// As the user names it; nil for the default.
        let reader: String?
        /// The only type of tags to take; nil for all.
        let type: TagType?
        /// What opens protected tags.
        let credential: Type2Credential?
        /// What they are opened for, unless a connection says otherwise.
        let purpose: Type2Purpose
        /// Decides whether the password is sent to a tag that counts wrong ones.
        let gate: PasswordGate
        let hint: Hint
    }

    private struct State {
        var isInterrupted = false
        var interruption: Interruption.Subscription?
        /// Work beside the reader's, which a signal ends.
        var work: Task<Void, any Error>?
    }

    /// The session itself.
    let session: ReaderSession
    /// What opens protected tags, unless a connection says otherwise.
    let unlocking: Unlocking
    let gate: PasswordGate
    private let state = Mutex(State())
    private let hint: Hint
    /// The only type of tags to take; nil for all.
    private let wantedType: TagType?

    private init(_ setup: Setup) {
        session = ReaderSession(reader: setup.reader)
        unlocking = Unlocking(setup.credential, for: setup.purpose, askedBy: setup.gate)
        hint = setup.hint
        gate = setup.gate
        wantedType = setup.type
    }

    /// Runs a command's work in a session that opens protected tags with the password of the options.
    static func run<Value: Sendable>(
        _ options: TagOptions, for purpose: Type2Purpose = .writing,
        _ work: @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        try await run(options, opening: options.password.credential(), for: purpose, work)
    }

    /// Runs a command's work in a session that opens protected tags.
    static func run<Value: Sendable>(
        _ options: TagOptions, opening credential: Type2Credential?, for purpose: Type2Purpose = .writing,
        _ work: @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        guard options.type != .type5 else { throw TypeOutOfReach() }
        options.startTrace()
        let setup = Setup(
            reader: options.reader, type: options.type?.tagType, credential: credential, purpose: purpose,
            gate: PasswordGate(.asked(Confirmation(options.output))), hint: Hint(options.output))
        return try await run(setup, work)
    }

    /// Runs work in a session of its own, and returns when the reader is closed.
    static func run<Value: Sendable>(
        _ setup: Setup, _ work: @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        let session = TagSession(setup)
        session.begin()
        let result: Result<Value, any Error>
        do {
            result = .success(try await work(session))
        } catch {
            result = .failure(error)
        }
        if case .success = result { Interruption.keepResult() }
        await session.end()
        // A virtual tag's file that could not be saved: what was written and read back is not there to stay.
        if let lost = session.session.saveError { throw lost }
        if session.state.withLock({ $0.isInterrupted }), case .failure(let error) = result {
            throw error as? Interrupted ?? Interrupted(cause: error)
        }
        return try result.get()
    }

    /// The reader in use by the name that `nfctool readers` lists, or as the user gave it; a virtual one by its connection
    /// string.
    ///
    /// A USB reader's connection string holds a number that changes at each plug-in.
    var reader: String { session.reader ?? "" }

    /// Whether the user ended the command.
    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Does what changes no tag: when a signal ends it, its error says so.
    func withoutChange<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            guard isInterrupted else { throw TagFailure.unchanged(error) }
            let interrupted = error as? Interrupted
            throw Interrupted(
                cause: interrupted == nil ? error : interrupted?.cause,
                remark: interrupted?.remark ?? "Nothing was changed.")
        }
    }

    /// Waits for the next tags, or for the one with this UID: others are passed over.
    ///
    /// - Throws: ``NoTagCame`` after `timeout` (nil waits forever), or why the session ended.
    func tags(within timeout: Duration?, uid: TagUID? = nil) async throws -> [DetectedTag] {
        let awaited = uid.map { "tag \($0.bytes.hex)" } ?? "a tag"
        return try await tags(within: timeout, among: uid.map { [$0.bytes] }, hinting: "Place \(awaited) on the reader")
        {
            _ in
        }
    }

    /// Waits for the next tags, or for those with these UIDs: others are passed over, each told of once.
    ///
    /// - Parameter request: what a person is told who does nothing; nil when that was said already.
    /// - Throws: ``NoTagCame`` after `timeout` (nil waits forever), or why the session ended.
    func tags(
        within timeout: Duration?, among uids: [[UInt8]]?, hinting request: String? = nil,
        onOther: (_ uid: String) -> Void
    ) async throws -> [DetectedTag] {
        let isWanted: ((DetectedTag) -> Bool)? =
            uids == nil && wantedType == nil
            ? nil : { self.isWanted($0) && uids?.contains($0.target.identifier) ?? true }
        do {
            return try await session.detect(within: timeout, isWanted: isWanted) { reader in
                guard let request else { return }
                hint.show("\(reader.map { "\(request) \($0)" } ?? "Waiting for the reader to answer"). Ctrl-C ends.")
            } onOther: {
                onOther($0.uid)
            }
        } catch SessionError.ended {
            throw Interrupted(cause: nil)
        }
    }

    /// Connects to a tag, and opens it with the session's password if that is needed; asks first where that may close it.
    ///
    /// - Parameter unlocking: what opens the tag; nil for the session's own.
    /// - Throws: ``PasswordRisk`` where nobody is asked; ``ConfirmationNeeded``; ``Declined``.
    @discardableResult
    func connect(to detected: DetectedTag, opening unlocking: Unlocking? = nil) async throws -> ConnectedTag {
        let unlocking = unlocking ?? self.unlocking
        let tag = try await session.connect(to: detected, opening: unlocking)
        guard unlocking.credential != nil else { return tag }
        do {
            try await tag.perform { _ in }
            return tag
        } catch {
            guard let risk = TagFailure(error)?.cause as? PasswordRisk else { throw error }
            try gate.ask(about: risk)
            // It may have been moved in the meantime.
            return try await session.connect(to: detected, opening: unlocking)
        }
    }

    /// Whether a tag is of the type the user wants.
    func isWanted(_ tag: DetectedTag) -> Bool {
        wantedType.map { $0 == TagDetection.tagType(of: tag.target).type } ?? true
    }

    /// Does work that a signal cancels.
    func untilInterrupted(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task(operation: work)
        let isInterrupted = state.withLock { state in
            state.work = task
            return state.isInterrupted
        }
        if isInterrupted { task.cancel() }
        try await task.value
    }

    private func begin() {
        session.begin()
        // After that: it may be called at once.
        let interruption = Interruption.onRequest { [weak self, session] in
            let work = self?.state.withLock { state in
                state.isInterrupted = true
                return state.work
            }
            work?.cancel()
            session.end()
        }
        state.withLock { $0.interruption = interruption }
    }

    private func end() async {
        await session.invalidate()
        // Until the reader is closed, a signal lets that happen.
        let interruption = state.withLock { $0.interruption.take() }
        withExtendedLifetime(interruption) {}
    }
}

extension NoTagCame: Failure {
    var name: ErrorName { .timeout }
    var message: String {
        let time = timeout.inWords
        guard !others.isEmpty else { return "No tag came within \(time)." }
        let uids = others.map(\.hex).sorted().joined(separator: ", ")
        return "The tag did not come within \(time); on the reader was \(uids)."
    }
}

extension Duration {
    /// As people say it: `1 min, 30 sec`.
    var inWords: String { formatted(.units(allowed: [.minutes, .seconds, .milliseconds])) }
}
