// A plan that is looked at again and again, while others work on it

import Dispatch
public import Foundation

/// Looks at a journal once a second, and goes on when its database comes back.
public struct PlanWatch: Sendable {
    /// What is seen.
    public enum Sight: Sendable {
        /// The plan, as it is now.
        case overview(PlanOverview)
        /// The database does not answer.
        case away(reason: String, since: Date)
    }

    private let journal: any ProvisionJournal
    private let pause: @Sendable () async throws -> Void
    /// Its calls wait for a disk or a server: no thread of the program's tasks does.
    private let queue = DispatchQueue(label: "nfctool.plan-watch")

    /// Watches a journal that is opened for reading.
    ///
    /// - Parameters:
    ///   - journal: the journal of the plan.
    ///   - pause: waits between two looks; a second, if not given.
    public init(
        _ journal: any ProvisionJournal,
        pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(1)) }
    ) {
        self.journal = journal
        self.pause = pause
    }

    /// Tells what is seen at each look, until it is cancelled or `tell` returns false.
    ///
    /// - Throws: a `JournalError` after which it makes no sense to look again, or what `pause` throws.
    public func run(_ tell: @Sendable (Sight) async throws -> Bool) async throws {
        var known = Known(journal: journal)
        while true {
            let before = known
            let (after, sight) = try await onQueue { try look(before) }
            known = after
            guard try await tell(sight) else { return }
            try await pause()
        }
    }

    /// The result of earlier looks.
    private struct Known {
        /// The journal of the plan that is there now.
        var journal: any ProvisionJournal
        var trend: PlanTrend?
        /// Since when the database is away.
        var absence: Date?
    }

    private func look(_ known: Known) throws -> (Known, Sight) {
        var known = known
        do {
            if case .away(let reason, _, _) = known.journal.reach, try known.journal.reachAgain() == nil {
                throw JournalError.away(journal: known.journal.name, reason: reason)
            }
            var activity = try known.journal.activity()
            while let successor = try known.journal.successor() {
                // Another plan: what was seen of the earlier one says nothing about it.
                known = Known(journal: successor)
                activity = try successor.activity()
            }
            let journal = known.journal
            var trend =
                try known.trend
                ?? PlanTrend(
                    of: journal.plan, begun: journal.begun, from: activity,
                    after: journal.provisionedMinutes(ProvisionHistory.length))
            let overview = trend.overview(of: activity)
            known = Known(journal: journal, trend: trend)
            return (known, .overview(overview))
        } catch JournalError.away(_, let reason) {
            let since = known.absence ?? Date()
            known.absence = since
            return (known, .away(reason: reason, since: since))
        }
    }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
