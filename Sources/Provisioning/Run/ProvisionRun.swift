// A plan carried out: all readers at work on it; one that fails is set aside until it is back

public import SafeTag
public import SecureDynamicMessaging
public import TagTypes
public import WriteJournal

/// Receives the events of a run.
///
/// Called from the tasks of several readers.
public protocol ProvisionObserver: Sendable {
    /// Takes an event; with the session of the reader that it is about, unless it is about none.
    func tell(_ event: ProvisionEvent, on session: TagSession?)

    /// Does what is to be done when a tag holds its row, proven; the next tag waits for it.
    ///
    /// - Returns: what went wrong, a sentence; nil for nothing.
    /// - Throws: what ends the run.
    func rowIsDone(_ row: PlanRow, on reading: TagReading, _ event: ProvisionEvent) async throws -> String?

    /// A reader has no more to do; called before it is closed.
    func finish(_ session: TagSession) async
}

extension ProvisionObserver {
    /// Does nothing.
    public func rowIsDone(
        _ row: PlanRow, on reading: TagReading, _ event: ProvisionEvent
    ) async throws -> String? { nil }

    /// Does nothing.
    public func finish(_ session: TagSession) async {}
}

/// One run of a plan: rows to tags, tag after tag, until all are done or nothing more comes.
public final class ProvisionRun: Sendable {
    /// What a run needs to know besides its plan.
    public struct Setup: Sendable {
        /// The readers to work with, as `ReaderSession` takes them; nil for the environment's, or `auto`.
        public var readers: [String?]
        /// What opens protected tags.
        public var credential: Type2Credential?
        /// Whether rows may have their tags locked permanently.
        public var mayLock: Bool
        /// Whether tags may get other keys, without which they cannot be changed any more.
        public var mayChangeKeys = false
        /// The keys of tags that sign their URL, for a ``PlanVerification``.
        public var tagKeys: SDMKeyFile?
        /// Whether blank tags may be initialised, which sets one-time bits, and passwords sent that may close a tag.
        public var isAgreed: Bool
        /// How many rows to finish at most; nil for no limit.
        public var limit: Int?
        /// How long to wait for the next tag; nil forever.
        public var patience: Duration?
        /// Where changes of tags are kept until they are proven.
        public var journals: Journals
        /// The keys to try on MIFARE Classic cards.
        public var keys: ClassicKeyRing

        /// Describes a run.
        public init(
            readers: [String?] = [nil], opening credential: Type2Credential? = nil, isAgreed: Bool = false,
            mayLock: Bool = false, limit: Int? = nil, patience: Duration? = .seconds(30),
            journals: Journals = .ofThisUser, keys: ClassicKeyRing = ClassicKeyRing()
        ) {
            self.readers = readers
            self.credential = credential
            self.isAgreed = isAgreed
            self.mayLock = mayLock
            self.limit = limit
            self.patience = patience
            self.journals = journals
            self.keys = keys
        }
    }

    private let desk: ProvisionDesk
    private let crew: ReaderCrew
    private let recipe: RowRecipe
    private let setup: Setup
    private let observer: any ProvisionObserver

    /// Prepares a run; no reader is opened before ``run()``.
    ///
    /// - Parameters:
    ///   - journal: that of the plan: rows that it knows to be done are not done again.
    ///   - recipe: what each row becomes.
    ///   - setup: readers, limits, and what is agreed to.
    ///   - observer: called for each step.
    /// - Throws: ``LocksNotAgreed``, ``KeysNotAgreed``; `JournalError`.
    public init(
        _ journal: any ProvisionJournal, _ recipe: RowRecipe, _ setup: Setup, observer: any ProvisionObserver
    ) throws {
        if !setup.mayLock { try LocksNotAgreed.check(journal) }
        if recipe.dynamic != nil, !setup.mayChangeKeys { throw KeysNotAgreed() }
        crew = ReaderCrew(setup, observer)
        desk = ProvisionDesk(journal, crew.roster, limit: setup.limit) { observer.tell($0, on: nil) }
        self.recipe = recipe
        self.setup = setup
        self.observer = observer
    }

    /// How far the plan has come.
    /// - Throws: `JournalError`.
    public func summary() async throws -> ProvisionSummary { try await desk.summary() }

    /// Works until the plan is over; the last event is the summary.
    ///
    /// What concerns all readers ends all of them, each once it is done with the tag it has.
    /// - Returns: how far the plan has come; ``ProvisionSummary/isComplete`` is set when that is all of it.
    /// - Throws: that: `JournalError`; `Interrupted`; a reader's error when none could be opened.
    @discardableResult
    public func run() async throws -> ProvisionSummary {
        let result = await crew.run(for: desk) { [desk, observer, recipe, setup] session, tell in
            RowWork(
                delivery: RowDelivery(
                    session: session, desk: desk, recipe: recipe, mayInitialise: setup.isAgreed, tell: tell),
                observer: observer)
        }
        let settled: Result<Void, any Error>
        do { settled = .success(try await desk.storeKeptSteps()) } catch { settled = .failure(error) }
        // Why it ended says more than that the journal cannot be read.
        let summary = try? await desk.summary()
        if let summary { observer.tell(.ended(summary), on: nil) }
        // Report rows that are not stored, even if another error ended the run.
        if case .failure(JournalError.away) = settled { try result.get() }
        try settled.get()
        try result.get()
        if let summary { return summary }
        return try await desk.summary()
    }

    /// Ends the run from outside, each reader in the middle of what it does; returns at once.
    public func interrupt() { crew.interrupt() }
}
