// Sessions and changes with the settings from a command's options. A signal ends the sessions

import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes
import Terminal

extension TagOptions {
    /// Returns the setup of a session for work that changes nothing.
    ///
    /// The session opens tags with the password from the options.
    func setup(gate: PasswordGate) throws -> TagSession.Setup {
        try setup(opening: password.credential(), for: .reading, gate: gate)
    }

    /// Returns the setup of the session that the options describe.
    ///
    /// Without a `gate`, the session uses its default one, which may ask on the terminal.
    fileprivate func setup(
        opening credential: Type2Credential?, for purpose: Type2Purpose, gate: PasswordGate? = nil
    ) throws -> TagSession.Setup {
        try TagSession.Setup(
            reader: reader, type: type?.tagType, opening: credential, for: purpose,
            dialogue: TerminalDialogue(output), gate: gate, keys: keys.ring())
    }
}

extension TagSession {
    /// Runs a command's work in a session that opens protected tags with the password from the options.
    static func run<Value: Sendable>(
        _ options: TagOptions, for purpose: Type2Purpose = .writing,
        _ work: @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        try await run(options, opening: options.password.credential(), for: purpose, work)
    }

    /// Runs the work of a command that changes nothing.
    ///
    /// Sends no password to tags that can be read without one.
    static func runForReading<Value: Sendable>(
        _ options: TagOptions, asksForPassword: Bool = true, refusal: (Value) -> (any Error)? = { _ in nil },
        _ work: @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        try await run(
            options, opening: options.password.credential(), for: .reading, asksForPassword: asksForPassword,
            refusal: refusal, work)
    }

    /// Runs a command's work in a session that opens protected tags with the given password.
    ///
    /// If none is given, a Type 2 Tag needs one, and the user can be asked, the work runs again, with the password that
    /// the user types and with no other tag than this one.
    ///
    /// - Parameters:
    ///   - options: the options of the command.
    ///   - credential: the given password, or nil if none is given.
    ///   - purpose: the purpose for which tags are opened.
    ///   - asksForPassword: false for work that needs several tags in turn, which must not be repeated.
    ///   - refusal: returns the error that a result contains, or nil.
    ///   - work: the work to do in the session.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; `Interrupted`; `NotAPassword`.
    static func run<Value: Sendable>(
        _ options: TagOptions, opening credential: Type2Credential?, for purpose: Type2Purpose = .writing,
        asksForPassword: Bool = true, refusal: (Value) -> (any Error)? = { _ in nil },
        _ work: @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        let session = TagSession(try options.setup(opening: credential, for: purpose))
        options.prepareReaders()
        let newFiles = NewTagFiles(of: ReaderSpecification(options.reader))
        defer { newFiles.tell(options.output) }
        let result: Result<Value, any Error>
        do { result = .success(try await session.untilSignal(work)) } catch { result = .failure(error) }
        let error: (any Error)? =
            switch result {
            case .success(let value): refusal(value)
            case .failure(let error): error
            }
        guard asksForPassword, credential == nil, let error, let tag = session.lastTag,
            let typed = try PasswordPrompt(options.output).ask(after: error, of: tag.target)
        else { return try result.get() }
        var setup = try options.setup(opening: typed, for: purpose)
        setup.uid = tag.target.identifier
        return try await TagSession(setup).untilSignal(work)
    }

    /// Runs work in this session, which a signal ends.
    ///
    /// Returns when the reader is closed.
    private func untilSignal<Value: Sendable>(
        _ work: @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        begin()
        // The subscription follows `begin()`, because the handler may run immediately. After a signal, the process
        // still waits until the reader is closed.
        let interruption = Interruption.onRequest { [weak self] in self?.interrupt() }
        defer { withExtendedLifetime(interruption) {} }
        return try await finish(work) { Interruption.keepResult() }
    }

    /// Waits for the next tags, or for the tag that `--uid` names.
    func tags(for options: TagOptions) async throws -> [DetectedTag] {
        try await tags(within: options.waitingTime, uid: options.uid?.bytes)
    }

    /// Waits for a tag, which must be the only one, because the command may change it.
    func onlyTag(for options: TagOptions) async throws -> DetectedTag {
        try await onlyTag(within: options.waitingTime, uid: options.uid?.bytes)
    }
}

extension SafeWrite {
    /// Creates a write with the settings from the options.
    ///
    /// If `isJournaled` is true, the old content of the tag is kept, so that `undo` can bring it back.
    init(_ session: TagSession, _ options: TagOptions, isJournaled: Bool = true, isWithoutWait: Bool) {
        let patience: Patience = isWithoutWait ? .none : options.waitingTime.map { .upTo($0) } ?? .forever
        self.init(session, isJournaled: isJournaled, isUndoable: true, patience: patience)
    }

    /// Creates a write for a command that may have no write options.
    ///
    /// Without them, the command changes nothing that could be interrupted, but looks for earlier interruptions.
    init(_ session: TagSession, _ options: TagOptions, _ write: WriteOptions?) {
        self.init(
            session, options, isJournaled: !(write?.isWithoutJournal ?? false),
            isWithoutWait: write?.wait.isWithoutWait ?? false)
    }

    /// Creates a write for a command that changes something other than the message.
    init(_ session: TagSession, _ options: TagOptions, _ wait: WaitOptions) {
        self.init(session, options, isJournaled: true, isWithoutWait: wait.isWithoutWait)
    }
}

extension TagSession {
    /// Waits for the only tag, connects to it, and checks whether an earlier command for this tag was interrupted.
    func change(
        _ options: TagOptions, _ write: WriteOptions? = nil, to aim: TagChange.Aim
    ) async throws -> TagChange {
        try await SafeWrite(self, options, write)
            .change(within: options.waitingTime, uid: options.uid?.bytes, to: aim)
    }

    /// Waits for the only tag, for a command that changes something other than the message.
    ///
    /// If a record on this computer shows that the new password was already set, the tag is opened with it instead of
    /// the given password.
    func change(
        _ options: TagOptions, _ wait: WaitOptions, orOpeningWith new: Type2Credential? = nil
    ) async throws -> TagChange {
        try await SafeWrite(self, options, wait)
            .change(within: options.waitingTime, uid: options.uid?.bytes, to: .keepMessage, orOpeningWith: new)
    }
}
