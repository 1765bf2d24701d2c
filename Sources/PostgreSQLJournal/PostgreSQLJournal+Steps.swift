// What becomes of a row: bound in the database before its tag is touched, then stored as far as the database is there

import Foundation
public import Provisioning
import Synchronization

extension PostgreSQLJournal {
    // MARK: A tag comes

    /// What is known of a tag; for one without a row, rows are claimed in the same round trip when none is left.
    public func standing(of uid: [UInt8]) throws(JournalError) -> TagStanding {
        try ask { state, connection throws(JournalError) in
            let answer = try answer(
                connection, "SELECT nfctool.ask($1, $2, $3, $4, $5, $6)",
                [
                    .int(planID), .optional(state.stationID), .bytes(uid),
                    .int(state.stationID == nil ? 0 : claimsWanted(&state, atMost: 0)), .text(Self.leaseText),
                    .flag(wantsCounts(state)),
                ])
            take(answer, in: &state)
            if let stored = answer.row {
                // Its last step may wait for the next one here.
                if let known = state.known[stored.number], known.version > stored.version, known.row.tag?.uid == uid {
                    return .row(known.row)
                }
                let row = try row(stored)
                if isOurs(row) { state.known[stored.number] = .init(row: row, version: stored.version) }
                return .row(row)
            }
            guard let refusal = answer.refusal else { return .unknown }
            guard let tag = refusal.tag else { throw damage("a refused tag") }
            return .refused(tag)
        }
    }

    /// A pending row that is kept for this station for a while.
    public func claimRow(except reserved: Set<Int>) throws(JournalError) -> PlanRow? {
        try ask { state, connection throws(JournalError) in
            if now() >= state.claimsEnd { state.claims = [] }
            if let row = try claimed(state, except: reserved) { return row }
            guard state.stationID != nil, now() >= state.nextClaim else { return nil }
            let answer = try answer(
                connection, "SELECT nfctool.ask($1, $2, NULL, $3, $4, $5)",
                [
                    .int(planID), .optional(state.stationID), .int(Self.claimSize + reserved.count),
                    .text(Self.leaseText), .flag(wantsCounts(state)),
                ])
            take(answer, in: &state)
            let row = try claimed(state, except: reserved)
            if row == nil { state.nextClaim = now() + Self.countsAge }
            return row
        }
    }

    private func claimed(_ state: StationState, except reserved: Set<Int>) throws(JournalError) -> PlanRow? {
        guard let claim = state.claims.first(where: { !reserved.contains($0.number) }) else { return nil }
        guard let row = claim.row else { throw damage("row \(claim.number)") }
        return row
    }

    /// How many rows to ask for when a station has at most so many.
    private func claimsWanted(_ state: inout StationState, atMost count: Int) -> Int {
        if now() >= state.claimsEnd { state.claims = [] }
        guard state.claims.count <= count, now() >= state.nextClaim else { return 0 }
        return Self.claimSize
    }

    private func wantsCounts(_ state: StationState) -> Bool {
        state.counts == nil || now() - state.countsTime >= Self.countsAge
    }

    private func take(_ answer: Answer, in state: inout StationState) {
        if let claims = answer.claims {
            if state.claims.isEmpty { state.claimsEnd = now() + Self.lease * 0.8 }
            state.claims += claims.filter { claim in !state.claims.contains { $0.number == claim.number } }
            state.claims.sort { $0.number < $1.number }
        }
        if let counts = answer.counts { note(ProvisionCounts(counts), in: &state) }
    }

    private static let leaseText = "\(lease.components.seconds)"

    /// Gives a row to a tag.
    ///
    /// When the server goes away meanwhile nobody knows whether it did: the tag is not touched then, and the row goes back
    /// when the server is there again.
    private func bind(_ number: Int, to tag: BoundTag) throws(JournalError) {
        try state.withLock { state throws(JournalError) in
            do throws(JournalError) {
                try ask(&state) { state, connection throws(JournalError) in
                    try flush(&state, connection)
                    let answer = try answer(
                        connection, "SELECT nfctool.bind($1, $2, $3, $4, $5, $6, $7)",
                        [
                            .int(planID), .optional(state.stationID), .int(number), Self.json(StoredTag(tag)),
                            .int(state.stationID == nil ? 0 : claimsWanted(&state, atMost: Self.claimSize / 2)),
                            .text(Self.leaseText), .flag(wantsCounts(state)),
                        ])
                    state.claims.removeAll { $0.number == number }
                    take(answer, in: &state)
                    try requireBound(answer, number, to: tag)
                    if let stored = answer.row, station != nil {
                        let after = try row(stored)
                        state.known[number] = .init(row: after, version: stored.version)
                        if answer.counts == nil { count(.pending, after, in: &state) }
                    }
                }
            } catch {
                if case .away = error, station != nil {
                    state.kept.append(StoredStep(unbinding: number, from: tag.uid))
                }
                throw error
            }
        }
    }

    private func requireBound(_ answer: Answer, _ number: Int, to tag: BoundTag) throws(JournalError) {
        switch answer.result {
        case "bound": return
        case "claimed": throw .claimLost(row: number)
        case "noSuchRow": throw .noSuchRow(number)
        default:
            try tag.requireFree(row: answer.tagRow, isQuarantined: answer.quarantined == true)
            if let stored = answer.row { _ = try row(stored).after(.bind(tag), at: Date()) }
            throw .claimLost(row: number)
        }
    }

    // MARK: A row goes on

    /// Takes rows a step on, all of them or none.
    ///
    /// A station's step that says that a message is written waits for the next one: the tag tells that again. While the
    /// server is away, a station's steps are kept.
    public func change(_ steps: [(number: Int, step: RowStep)]) throws(JournalError) {
        if steps.count == 1, case .bind(let tag) = steps[0].step { return try bind(steps[0].number, to: tag) }
        guard station != nil, steps.count == 1 else { return try changeAll(steps) }
        let (number, step) = steps[0]
        try state.withLock { state throws(JournalError) in
            let before = try known(number, &state)
            // What another station has begun is changed as whoever looks after the plan would.
            guard isOurs(before.row), before.row.tag != nil else {
                return try ask(&state) { state, connection throws(JournalError) in
                    try changeAll(steps, in: &state, connection)
                }
            }
            let after = try before.row.after(step, at: Date())
            var tag: RefusedTag?
            if case .free(let refused) = step { tag = refused }
            state.kept.append(StoredStep(before.row, version: before.version, to: after, refusing: tag))
            state.known[number] = .init(row: after, version: before.version + 1)
            count(before.row.state, after, in: &state)
            if case .advance(to: .written, _, _) = step { return }
            do throws(JournalError) {
                let moved = try ask(&state) { state, connection throws(JournalError) in try flush(&state, connection) }
                if moved.contains(number) { throw JournalError.rowMoved(row: number) }
            } catch {
                guard case .away = error else { throw error }
            }
        }
    }

    /// Counts a step here, until the server's numbers come again.
    private func count(_ before: RowState, _ after: JournalRow, in state: inout StationState) {
        guard let counts = state.counts, before != after.state else { return }
        let rule = SealRule(of: plan).seal(of: after.row)
        var states = counts.states
        states[before, default: 0] -= 1
        states[after.state, default: 0] += 1
        func change(_ state: RowState) -> Int { (after.state == state ? 1 : 0) - (before == state ? 1 : 0) }
        state.counts = ProvisionCounts(
            states: states, waitingForSeal: counts.waitingForSeal + (rule.isNone ? 0 : change(.proven)),
            locked: counts.locked + (rule.lock ? change(.sealed) : 0))
        if after.state == .pending { state.nextClaim = now() }
    }

    private func known(_ number: Int, _ state: inout StationState) throws(JournalError) -> StationState.Known {
        if let known = state.known[number] { return known }
        return try ask(&state) { state, connection throws(JournalError) in
            try flush(&state, connection)
            guard let found = try rows("number = $2", [.int(number)], over: connection).first else {
                throw .noSuchRow(number)
            }
            return .init(row: found.row, version: found.version)
        }
    }

    private func changeAll(_ steps: [(number: Int, step: RowStep)]) throws(JournalError) {
        try ask { state, connection throws(JournalError) in try changeAll(steps, in: &state, connection) }
    }

    /// Changes rows of whatever station; should one be changed meanwhile, all are looked at again.
    private func changeAll(
        _ steps: [(number: Int, step: RowStep)], in state: inout StationState, _ connection: ServerConnection
    ) throws(JournalError) {
        try flush(&state, connection)
        for attempt in 1... {
            var stored: [StoredStep] = []
            for (number, step) in steps {
                guard Int32(exactly: number) != nil,
                    let found = try rows("number = $2", [.int(number)], over: connection).first
                else { throw .noSuchRow(number) }
                var tag: RefusedTag?
                if case .free(let refused) = step { tag = refused }
                let after = try found.row.after(step, at: Date())
                stored.append(StoredStep(found.row, version: found.version, to: after, refusing: tag))
            }
            do throws(JournalError) {
                let answer = try answer(
                    connection, "SELECT nfctool.change($1, NULL, $2, true, true)", [.int(planID), Self.json(stored)])
                take(answer, in: &state)
                for (number, _) in steps { state.known[number] = nil }
                state.nextClaim = now()
                return
            } catch {
                guard error.serverCode == ServerFunctions.changedMeanwhile, attempt < Self.attempts else { throw error }
            }
        }
    }

    private static let attempts = 5

    /// Stores what is kept, in one round trip; the rows whose steps could not be taken, since somebody gave them back.
    @discardableResult func flush(
        _ state: inout StationState, _ connection: ServerConnection
    ) throws(JournalError) -> [Int] {
        for tag in state.keptRefusals {
            _ = try answer(
                connection, "SELECT nfctool.refuse($1, $2, $3)",
                [.int(planID), .optional(state.stationID), Self.json(StoredRefusal(tag))])
            state.keptRefusals.removeFirst()
        }
        guard !state.kept.isEmpty else { return [] }
        let answer = try answer(
            connection, "SELECT nfctool.change($1, $2, $3, false, $4)",
            [.int(planID), .optional(state.stationID), Self.json(state.kept), .flag(wantsCounts(state))])
        let seals = SealRule(of: plan)
        var moved: [Int] = []
        for result in answer.results ?? [] where result.result != "done" { moved.append(result.number) }
        for number in state.keptRows {
            guard let row = state.known[number]?.row else { continue }
            let isDone =
                row.state == .pending || row.state == .sealed || row.state == .proven && seals.seal(of: row.row).isNone
            if isDone || moved.contains(number) { state.known[number] = nil }
        }
        state.kept = []
        take(answer, in: &state)
        return moved
    }

    // MARK: Tags without a row

    /// Notes that a tag got no row, and why; kept while the server is away.
    public func refuse(_ tag: RefusedTag) throws(JournalError) {
        try state.withLock { state throws(JournalError) in
            do throws(JournalError) {
                let refused = try ask(&state) { state, connection throws(JournalError) in
                    try flush(&state, connection)
                    return try answer(
                        connection, "SELECT nfctool.refuse($1, $2, $3)",
                        [.int(planID), .optional(state.stationID), Self.json(StoredRefusal(tag))])
                }
                if let row = refused.tagRow { throw JournalError.tagHasRow(uid: tag.uid, row: row) }
            } catch {
                guard case .away = error, station != nil else { throw error }
                state.keptRefusals.append(tag)
            }
        }
    }

    /// Lets a tag get a row again; false when it was not in quarantine.
    @discardableResult public func unquarantine(_ uid: [UInt8]) throws(JournalError) -> Bool {
        try ask { _, connection throws(JournalError) in
            try connection.value("SELECT nfctool.unquarantine($1, $2)", [.int(planID), .bytes(uid)]) == "t"
        }
    }
}
