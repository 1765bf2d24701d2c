// Reads a plan repeatedly while others work on it

import Dispatch
public import Foundation

/// Reads a journal once a second, and continues when its database can be reached again.
public struct PlanWatch: Sendable {
    /// The result of one reading.
    public enum Sight: Sendable {
        /// The current state of the plan.
        case overview(PlanOverview)
        /// The database does not answer.
        case away(reason: String, since: Date)
    }

    private let journal: any ProvisionJournal
    private let pause: @Sendable () async throws -> Void
    /// Calls to the journal wait for a disk or server, so they run on this queue and not on the threads of the
    /// program's tasks.
    private let queue = DispatchQueue(label: "nfctool.plan-watch")

    /// Creates a watch on a journal opened for reading.
    ///
    /// - Parameters:
    ///   - journal: the journal of the plan.
    ///   - pause: called between two readings to wait. By default, it waits one second.
    public init(
        _ journal: any ProvisionJournal,
        pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(1)) }
    ) {
        self.journal = journal
        self.pause = pause
    }

    /// Passes the result of each reading to `tell`, until the task is cancelled or `tell` returns false.
    ///
    /// - Throws: a `JournalError` after which further readings are pointless, or what `tell` or `pause` throws.
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

    /// The results of earlier readings.
    private struct Known {
        var journal: any ProvisionJournal
        var trend: PlanTrend?
        /// The time since which the database has not answered, or nil if it answers.
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
                // This is another plan, so discard the observations of the earlier one.
                known = Known(journal: successor)
                activity = try successor.activity()
            }
            let journal = known.journal
            var trend: PlanTrend
            if let begun = known.trend {
                trend = begun
            } else {
                // The activity is read after these rows, so that no row counts twice.
                let rows = try journal.recentlyProvisioned(minutes: ProvisionHistory.length)
                activity = try journal.activity()
                trend = PlanTrend(of: journal.plan, begun: journal.begun, from: activity, after: rows)
            }
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
