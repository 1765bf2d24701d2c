// One CoreNFC session of a command, as a sequence of events: begin → detect → … → invalidate

import CoreNFC
import Foundation
import NFCReader
import Synchronization
import TagTypes
import VirtualPN532

/// A reader session of a command.
///
/// A signal ends it: what is under way fails within a second, as ``Interrupted``.
final class TagSession: NSObject, NFCNDEFReaderSessionDelegate, Sendable {
    enum Event: Sendable {
        /// The reader is open.
        case opened
        case tags([SessionTag])
        case tick(of: Wait)
        case timeout(of: Wait)
        case ended(NFCReaderError)
    }

    /// One wait for events: a timer of an earlier one may have gone off just before it was stopped.
    struct Wait: Hashable {
        fileprivate let number: Int
    }

    /// What a session needs to know.
    struct Setup: Sendable {
        /// As the user names it; nil for the default.
        let reader: String?
        /// The only type of tags to take; nil for all.
        let type: TagType?
        /// What opens protected tags.
        let credential: Type2Credential?
        /// What they are opened for, to begin with.
        let purpose: Type2Purpose
        /// Decides whether the password is sent to a tag that counts wrong ones.
        let gate: PasswordGate
        let hint: Hint
    }

    private struct State {
        var session: NFCNDEFReaderSession?
        var isInterrupted = false
        var interruption: Interruption.Subscription?
        var timers: [Task<Void, any Error>] = []
        var waits = 0
        /// Work beside the reader's, which a signal ends.
        var work: Task<Void, any Error>?
    }

    /// A person who sees nothing happen for so long is told what is waited for.
    private static let patience = Duration.milliseconds(400)

    private let state = Mutex(State())
    private let hint: Hint
    let gate: PasswordGate
    /// The only type of tags to take; nil for all.
    private let wantedType: TagType?
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    /// At its end when the reader is closed: a stream of its own, since a task that is cancelled takes ``events`` with it.
    private let closing: AsyncStream<Never>
    private let closed: AsyncStream<Never>.Continuation

    private init(_ setup: Setup) {
        hint = setup.hint
        gate = setup.gate
        wantedType = setup.type
        (events, continuation) = AsyncStream.makeStream(of: Event.self)
        (closing, closed) = AsyncStream.makeStream(of: Never.self)
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
        session.begin(setup)
        let result: Result<Value, any Error>
        do {
            result = .success(try await work(session))
        } catch {
            result = .failure(setup.gate.told(error))
        }
        if case .success = result { Interruption.keepResult() }
        await session.end()
        // A virtual tag's file that could not be saved: what was written and read back is not there to stay.
        if let lost = try? ReaderSpecification(setup.reader).virtualReader()?.saveError { throw lost }
        if session.state.withLock({ $0.isInterrupted }), case .failure(let error) = result {
            throw error as? Interrupted ?? Interrupted(cause: error)
        }
        return try result.get()
    }

    /// The reader in use by the name that `nfctool readers` lists, or as the user gave it; a virtual one by its connection
    /// string.
    ///
    /// A USB reader's connection string holds a number that changes at each plug-in.
    var reader: String { state.withLock { $0.session?.readerName } ?? "" }

    /// Whether the user ended the command.
    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Does what changes no tag: when a signal ends it, its error says so.
    func withoutChange<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            guard isInterrupted else { throw error }
            let interrupted = error as? Interrupted
            throw Interrupted(
                cause: interrupted == nil ? error : interrupted?.cause,
                remark: interrupted?.remark ?? "Nothing was changed.")
        }
    }

    /// The session to connect tags of.
    var session: NFCNDEFReaderSession? { state.withLock { $0.session } }

    /// Waits for the next tags, or for the one with this UID: others are passed over.
    ///
    /// - Throws: ``NoTagCame`` after `timeout` (nil waits forever), or why the session ended.
    func tags(within timeout: Duration?, uid: TagUID? = nil) async throws -> [SessionTag] {
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
    ) async throws -> [SessionTag] {
        let wait = beginWait()
        startTimer(after: timeout, .timeout(of: wait))
        startTimer(after: Self.patience, .tick(of: wait), repeating: uids != nil || wantedType != nil)
        defer { stopTimers() }
        var others: Set<String> = []
        var isHinted = false
        for await event in events {
            switch event {
            case .tags(let tags):
                let wanted = tags.filter { isWanted($0) && uids?.contains($0.target.identifier) ?? true }
                if !wanted.isEmpty { return wanted }
                for tag in tags where others.insert(tag.uid).inserted { onOther(tag.uid) }
            case .opened:
                // It took its time; only now is a tag of use.
                if isHinted, let request { hint.show("\(request) \(reader). Ctrl-C ends.") }
            case .timeout(let of) where of != wait, .tick(let of) where of != wait: continue
            case .timeout: throw NoTagCame(after: timeout, others: others.sorted())
            case .tick:
                if !isHinted, let request {
                    hint.show(
                        "\(reader.isEmpty ? "Waiting for the reader to answer" : "\(request) \(reader)"). Ctrl-C ends.")
                }
                isHinted = true
                if !others.isEmpty { session?.restartPolling() }
            case .ended(let error): throw error
            }
        }
        throw Interrupted(cause: nil)
    }

    /// Connects to a tag, and opens it with the session's password if that is needed; asks first where that may close it.
    ///
    /// - Throws: ``PasswordRisk`` where nobody is asked; ``ConfirmationNeeded``; ``Declined``.
    func connect(to tag: SessionTag) async throws {
        try await session?.connect(to: tag)
        guard session?.credential != nil else { return }
        do {
            try await tag.perform { _ in }
        } catch {
            guard let risk = TagFailure(error)?.cause as? PasswordRisk else { throw error }
            try gate.ask(about: risk)
            // It may have been moved in the meantime.
            try await session?.connect(to: tag)
        }
    }

    /// Whether a tag is of the type the user wants.
    func isWanted(_ tag: SessionTag) -> Bool {
        wantedType.map { $0 == TagDetection.tagType(of: tag.target).type } ?? true
    }

    /// All events, with a ``Event/tick`` in every interval, and one ``Event/timeout``.
    func events(ticking interval: Duration, until timeout: Duration?) -> AsyncStream<Event> {
        let wait = beginWait()
        startTimer(after: interval, .tick(of: wait), repeating: true)
        startTimer(after: timeout, .timeout(of: wait))
        return events
    }

    private func beginWait() -> Wait {
        state.withLock { state in
            state.waits += 1
            return Wait(number: state.waits)
        }
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

    private func begin(_ setup: Setup) {
        let session = NFCNDEFReaderSession(delegate: self, queue: nil, invalidateAfterFirstRead: false)
        session.readerSpecification = setup.reader
        session.timeLimit = nil
        session.credential = setup.credential
        session.passwordPurpose = setup.purpose
        session.passwordGuard = gate
        state.withLock { $0.session = session }
        session.begin()
        // After that: it may be called at once.
        let interruption = Interruption.onRequest { [weak self] in
            let work = self?.state.withLock { state in
                state.isInterrupted = true
                return state.work
            }
            work?.cancel()
            session.invalidate()
        }
        state.withLock { $0.interruption = interruption }
    }

    private func stopTimers() {
        state.withLock { state in
            for timer in state.timers { timer.cancel() }
            state.timers = []
        }
    }

    private func end() async {
        stopTimers()
        let session = state.withLock(\.session)
        session?.invalidate()
        // A task of its own, since one that was cancelled would not wait for it.
        await Task { [closing] in for await _ in closing {} }.value
        // Until the reader is closed, a signal lets that happen.
        let interruption = state.withLock { $0.interruption.take() }
        withExtendedLifetime(interruption) {}
    }

    private func startTimer(after interval: Duration?, _ event: Event, repeating: Bool = false) {
        guard let interval else { return }
        let timer = Task { [continuation] in
            repeat {
                try await Task.sleep(for: interval)
                continuation.yield(event)
            } while repeating
        }
        state.withLock { $0.timers.append(timer) }
    }

    func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) { continuation.yield(.opened) }

    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
        continuation.yield(.tags(tags.compactMap { $0 as? SessionTag }))
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        continuation.yield(.ended(error as? NFCReaderError ?? NFCReaderError(.readerErrorUnsupportedFeature)))
        continuation.finish()
        closed.finish()
    }

    // Required, and never called: this delegate takes tags.
    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}
}

/// No tag came in time, or none with the UID that was asked for.
struct NoTagCame: Failure {
    let timeout: Duration
    let others: [String]

    init(after timeout: Duration?, others: [String] = []) {
        self.timeout = timeout ?? .zero
        self.others = others
    }

    var name: ErrorName { .timeout }
    var message: String {
        let time = timeout.inWords
        guard !others.isEmpty else { return "No tag came within \(time)." }
        return "The tag did not come within \(time); on the reader was \(others.joined(separator: ", "))."
    }
}

extension Duration {
    /// As people say it: `1 min, 30 sec`.
    var inWords: String { formatted(.units(allowed: [.minutes, .seconds, .milliseconds])) }
}
