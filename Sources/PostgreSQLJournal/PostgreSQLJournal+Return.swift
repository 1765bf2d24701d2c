// The database is away and comes back

import Foundation
public import Provisioning
import Synchronization

extension PostgreSQLJournal {
    /// Whether the server answered the last request.
    public var reach: JournalReach {
        state.withLock { state in
            state.connection == nil
                ? .away(
                    reason: state.reason, keptRows: state.keptRows.count, keptTags: state.keptRefusals.count) : .near
        }
    }

    /// Tries to reach the server again if the pause is over, and stores the steps that were kept.
    ///
    /// Until then, steps of current tags are still kept.
    /// - Throws: `stationTaken` if another process has the station's name by now; `planReplaced`; errors that further
    ///   attempts cannot change.
    public func reachAgain() throws(JournalError) -> JournalReturn? {
        guard let absence = state.withLock({ $0.connection == nil ? $0.absence : nil }), now() >= absence.next else {
            return nil
        }
        do throws(JournalError) {
            let connection = try server.connect()
            return try state.withLock { state throws(JournalError) in
                state.connection = connection
                do throws(JournalError) {
                    if let station {
                        // Check before joining: otherwise the station would be added to another plan.
                        try requireSamePlan(over: connection)
                        try state.join(planID, as: station)
                        // The plan may have been replaced in between. A plan that a station has joined is not replaced.
                        try requireSamePlan(over: connection)
                    }
                    let (kept, known) = (state.keptRows, state.moved)
                    try flush(&state, connection)
                    state.absence = nil
                    let moved = Set(state.moved.subtracting(known).map(\.number)).sorted()
                    state.moved = known
                    return JournalReturn(
                        after: now() - absence.since, stored: kept.filter { !moved.contains($0) }, moved: moved)
                } catch {
                    state.connection = nil
                    throw error
                }
            }
        } catch {
            // A database that is missing may be about to be restored.
            let reason: String
            switch error {
            case .away(_, let text), .noSuchDatabase(_, let text): reason = text
            default: throw error
            }
            state.withLock { state in
                state.reason = reason
                state.absence?.failed(at: now())
            }
            return nil
        }
    }

    /// Stores the steps that were kept.
    public func settle() throws(JournalError) {
        do throws(JournalError) {
            if case .away = reach, let moved = try reachAgain()?.moved.first { throw .rowMoved(row: moved) }
            try state.withLock { state throws(JournalError) in
                // The final numbers must be the current ones of all stations.
                state.countsTime = now() - Self.countsAge
                // This station has stored everything.
                if !state.keepsSteps, state.connection == nil, state.counts?.isComplete == true { return }
                try ask(&state) { state, connection throws(JournalError) in try flush(&state, connection) }
            }
        } catch {
            throw state.withLock { state in
                guard state.keepsSteps else { return error }
                return .stepsKept(
                    journal: name, rows: state.keptRows, tags: state.keptRefusals.map(\.uid), reason: "\(error)")
            }
        }
        if let moved = state.withLock({ $0.moved.popFirst() }) { throw .rowMoved(row: moved.number) }
    }
}
