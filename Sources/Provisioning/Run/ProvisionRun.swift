// The run of a plan on all readers. A reader that fails is not used until it is available again

public import SafeTag
public import SecureDynamicMessaging
public import TagTypes
public import WriteJournal

/// Receives the events of a run and performs the actions for verified rows.
///
/// Its functions are called from the tasks of all readers, possibly at the same time.
public protocol ProvisionObserver: Sendable {
    /// Receives an event. `session` is that of the reader that the event concerns, or nil if it concerns no reader.
    func tell(_ event: ProvisionEvent, on session: TagSession?)

    /// Performs the action for a verified row. The reader waits for it before it takes the next tag.
    ///
    /// - Returns: a sentence that describes what failed, or nil.
    /// - Throws: an error that ends the run.
    func rowIsDone(_ row: PlanRow, on reading: TagReading, _ event: ProvisionEvent) async throws -> String?

    /// Called when a reader has nothing left to do, before the reader is closed.
    func finish(_ session: TagSession) async
}

extension ProvisionObserver {
    /// Does nothing and returns nil.
    public func rowIsDone(
        _ row: PlanRow, on reading: TagReading, _ event: ProvisionEvent
    ) async throws -> String? { nil }

    /// Does nothing.
    public func finish(_ session: TagSession) async {}
}

/// One run of a plan: writes rows to tags until all rows are done or no more tags are placed.
public final class ProvisionRun: Sendable {
    /// The settings of a run, apart from its plan.
    public struct Setup: Sendable {
        /// The readers to use, as `ReaderSession` accepts them.
        ///
        /// Nil stands for the reader that the environment variable `NFCTOOL_READER` names or, if it is not set, for
        /// `auto`.
        public var readers: [String?]
        /// The password or key that opens protected tags.
        public var credential: Type2Credential?
        /// Whether rows may lock their tags permanently.
        public var mayLock: Bool
        /// Whether the keys of tags may be changed.
        ///
        /// Anyone who does not have the new keys can no longer change such a tag.
        public var mayChangeKeys = false
        /// The keys of tags that sign their URLs.
        ///
        /// Only a ``PlanVerification`` uses them.
        public var tagKeys: SDMKeyFile?
        /// Whether blank tags may be initialised, which sets one-time bits, and whether passwords that may block a tag
        /// may be sent.
        public var isAgreed: Bool
        /// The maximum number of rows to finish or to verify, or nil for no limit.
        public var limit: Int?
        /// How long to wait for the next tag, or nil to wait forever.
        public var patience: Duration?
        /// The journals that keep changes to tags until the changes are verified.
        public var journals: Journals
        /// The keys to try on MIFARE Classic cards.
        public var keys: ClassicKeyRing

        /// Creates the settings of a run.
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

    /// The maximum number of changed tags that a run waits for if the plan is complete.
    package static let awaitedRows = 500

    private let desk: ProvisionDesk
    private let crew: ReaderCrew
    private let recipe: RowRecipe
    private let setup: Setup
    private let observer: any ProvisionObserver

    /// Prepares a run.
    ///
    /// No reader is opened before ``run()`` is called.
    ///
    /// - Parameters:
    ///   - journal: the journal of the plan. Rows that it lists as done are not written again.
    ///   - recipe: how each row becomes a message.
    ///   - setup: the readers, the limits and the confirmations.
    ///   - observer: receives the events of the run.
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

    /// Returns the progress of the plan.
    ///
    /// - Throws: `JournalError`.
    public func summary() async throws -> ProvisionSummary { try await desk.summary() }

    /// Runs until all rows are done or no more tags are placed.
    ///
    /// The last event is the summary. After an error that concerns all readers, each reader stops when its current tag
    /// is done.
    ///
    /// - Returns: the progress of the plan. ``ProvisionSummary/isComplete`` is true if all rows are done.
    /// - Throws: the error that ended the run: `JournalError`, `Interrupted`, or a reader's error if none could be
    ///   opened.
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
        // The error that ended the run is more useful than an error from reading the journal for the summary.
        let summary = try? await desk.summary()
        if let summary { observer.tell(.ended(summary), on: nil) }
        // The error about steps that could not be stored takes precedence over the error that ended the run, unless
        // the database is only unreachable.
        if case .failure(JournalError.away) = settled { try result.get() }
        try settled.get()
        try result.get()
        if let summary { return summary }
        return try await desk.summary()
    }

    /// Interrupts the run, even while readers are working on tags.
    ///
    /// This returns immediately.
    public func interrupt() { crew.interrupt() }
}
