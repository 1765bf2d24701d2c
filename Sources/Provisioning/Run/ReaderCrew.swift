// Several readers in one run. A reader that fails is not used until it is available again

import ReaderSession
import SafeTag
import TagTypes
import WriteJournal

/// The readers of a run.
///
/// Each of them handles one tag after another.
struct ReaderCrew: Sendable {
    /// Creates the work for a reader.
    ///
    /// The work reports its events to the given closure.
    typealias MakeWork = @Sendable (TagSession, @escaping @Sendable (ProvisionEvent) -> Void) -> any TagWork

    let roster: ReaderRoster
    private let setup: ProvisionRun.Setup
    private let observer: any ProvisionObserver
    private let work = InterruptibleWork()

    init(_ setup: ProvisionRun.Setup, _ observer: any ProvisionObserver) {
        roster = ReaderRoster(patience: setup.patience)
        self.setup = setup
        self.observer = observer
    }

    /// Runs all readers until the work is over, and returns the result.
    ///
    /// After an error that concerns all readers, each reader stops when its current tag is done.
    func run(for goal: any RunGoal, _ makeWork: @escaping MakeWork) async -> Result<Void, any Error> {
        await work.run { try await keepWorking(for: goal, makeWork) }
    }

    /// Interrupts the work, even while readers are working on tags.
    ///
    /// This returns immediately.
    func interrupt() { work.interrupt() }

    private func keepWorking(for goal: any RunGoal, _ makeWork: @escaping MakeWork) async throws {
        let ends = await withTaskGroup(of: (any Error)?.self) { group in
            for reader in setup.readers {
                group.addTask {
                    do {
                        try await keepWorking(for: goal, with: reader, makeWork)
                        return nil
                    } catch {
                        await roster.stop()
                        return error
                    }
                }
            }
            var ends: [any Error] = []
            for await end in group { if let end { ends.append(end) } }
            return ends
        }
        // An error takes precedence over interruptions. Among interruptions, one that names its tag takes
        // precedence.
        let cause =
            ends.first { !Self.isInterruption($0) } ?? ends.first { ($0 as? Interrupted)?.told != nil } ?? ends.first
        if let cause { throw cause }
    }

    private static func isInterruption(_ error: any Error) -> Bool {
        error is Interrupted || error is CancellationError
    }

    private func keepWorking(for goal: any RunGoal, with reader: String?, _ makeWork: MakeWork) async throws {
        let (name, count) = (reader ?? "auto", setup.readers.count)
        let readerReturn = ReaderReturn()
        var failure: (any Error)?
        while try await !goal.isOver() {
            do {
                try await work(
                    for: goal, with: await roster.openName(of: name) ?? reader, named: name, makeWork,
                    opened: readerReturn.readerOpened)
                failure = nil
            } catch {
                guard let loss = ReaderLoss(error) else { throw error }
                let isNew = await roster.readerLost(name)
                if await roster.noneOpened(of: count) { throw error }
                if isNew {
                    let opened = await roster.openName(of: name) ?? name
                    observer.tell(.readerLost(reader: opened, loss.kind, reason: loss.reason(for: opened)), on: nil)
                }
                failure = error
                try await readerReturn.pause(after: loss, for: await roster.openName(of: name) ?? reader)
            }
        }
        // Rows remain, and the only reader was lost, so throw its error.
        if let failure, count == 1, try await !goal.isComplete() { throw failure }
    }

    private func work(
        for goal: any RunGoal, with reader: String?, named name: String, _ makeWork: MakeWork,
        opened: @escaping @Sendable () -> Void
    ) async throws {
        let opening = TagSession.Setup(
            reader: reader, opening: setup.credential, for: .reading, journals: setup.journals,
            gate: PasswordGate(.given(setup.isAgreed), journal: setup.journals.passwords), keys: setup.keys)
        try await work.run(in: opening) { [roster, observer] session in
            let tell: @Sendable (ProvisionEvent) -> Void = { observer.tell($0, on: session) }
            var station = ProvisionStation(session, makeWork(session, tell), for: goal, roster, tell: tell) {
                opened()
                await roster.readerOpened(name, as: session.reader)
                tell(.readerOpened(reader: session.reader, named: name))
            }
            try await station.run()
            await observer.finish(session)
        }
    }
}
