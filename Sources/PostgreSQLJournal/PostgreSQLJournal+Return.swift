// The database is away and comes back

import Foundation
public import Provisioning
import Synchronization

extension PostgreSQLJournal {
    /// Whether the server answered the last time.
    public var reach: JournalReach {
        state.withLock { state in
            state.connection == nil
                ? .away(
                    reason: state.reason, keptRows: state.keptRows.count, keptTags: state.keptRefusals.count) : .near
        }
    }

    /// Tries to reach the server again, if its pause is over, and stores what was kept.
    ///
    /// Meanwhile steps of tags in hand are kept as before.
    /// - Throws: `stationTaken` when another process has the station's name by now; `planReplaced`; what no further attempt
    ///   changes.
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
                        // Not joined first: that would leave a station in a plan that is none of its own.
                        try requireSamePlan(over: connection)
                        try state.join(planID, as: station)
                        // Replaced in between; after it joined a plan is not.
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
            // A database that is gone may be restored in this moment.
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

    /// Stores what is kept.
    public func settle() throws(JournalError) {
        do throws(JournalError) {
            if case .away = reach, let moved = try reachAgain()?.moved.first { throw .rowMoved(row: moved) }
            try state.withLock { state throws(JournalError) in
                // The last numbers are those of all stations as they are now.
                state.countsTime = now() - Self.countsAge
                // All that this station was to do is stored.
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
