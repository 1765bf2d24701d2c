// A database that does not answer for a time, and then answers again

import Foundation
import Hexadecimal
public import Provisioning
import Synchronization

extension PostgreSQLJournal {
    /// Whether the server answered the last request and, if not, why not and what is kept.
    public var reach: JournalReach {
        state.withLock { state in
            state.connection == nil
                ? .away(
                    reason: state.reason, keptRows: state.keptRows.count, keptTags: state.keptRefusals.count) : .near
        }
    }

    /// If the pause is over, tries to reach the server again, and stores the steps that were kept.
    ///
    /// Until the server answers, the steps of current tags are still kept.
    /// - Throws: `stationTaken` if another process has taken the station's name; `planReplaced`; errors after which
    ///   further attempts are pointless.
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
                        // Check again, because the plan may have been replaced in between. Once a station has joined
                        // it, it cannot be replaced.
                        try requireSamePlan(over: connection)
                    }
                    let (kept, known, before) = (state.keptRows, state.moved, state.known)
                    try flush(&state, connection)
                    state.absence = nil
                    let late = state.moved.subtracting(known)
                    let moved = Set(late.map(\.number)).sorted()
                    state.moved = known
                    try refuse(late, knowing: before, &state, connection)
                    return JournalReturn(
                        after: now() - absence.since, stored: kept.filter { !moved.contains($0) }, moved: moved)
                } catch {
                    state.connection = nil
                    throw error
                }
            }
        } catch {
            // If the database or the login is missing, it may soon be restored.
            let reason: String
            switch error {
            case .away(_, let text), .noSuchDatabase(_, let text), .loginRefused(_, let text): reason = text
            default: throw error
            }
            state.withLock { state in
                state.reason = reason
                state.absence?.failed(at: now())
            }
            return nil
        }
    }

    /// Records the tags whose rows were released while the server was away as refused, so that reports name them.
    ///
    /// The server ignores tags that have a row again.
    private func refuse(
        _ rows: Set<MovedRow>, knowing before: [Int: StationState.Known], _ state: inout StationState,
        _ connection: ServerConnection
    ) throws(JournalError) {
        for moved in rows.sorted(by: { $0.number < $1.number }) {
            guard let tag = before[moved.number]?.row.tag, tag.uid.hex == moved.uid else { continue }
            state.keptRefusals.append(.moved(from: moved.number, uid: tag.uid, chip: tag.chip, reader: tag.reader))
        }
        do throws(JournalError) {
            try flush(&state, connection)
        } catch {
            // The refusals are kept. The next request notices that the server is away again.
            guard case .away = error else { throw error }
        }
    }

    /// Stores the steps that were kept, and updates the counts.
    public func settle() throws(JournalError) {
        do throws(JournalError) {
            if case .away = reach, let moved = try reachAgain()?.moved.first { throw .rowMoved(row: moved) }
            try state.withLock { state throws(JournalError) in
                // The final counts must be current for all stations, so let the server send new ones.
                state.countsTime = now() - Self.countsAge
                // The plan is complete and this station has stored everything, so the server is not needed.
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
