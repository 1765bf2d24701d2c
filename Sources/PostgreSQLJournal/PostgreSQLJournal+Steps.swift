// The steps of a row. The row is bound in the database before its tag is touched. Later steps are stored when possible

import Foundation
import Hexadecimal
public import Provisioning
import Synchronization

extension PostgreSQLJournal {
    // MARK: A tag arrives

    /// Returns what the journal records about a tag.
    ///
    /// If this station has no claimed rows left, the same round trip claims more for a new tag.
    public func standing(of uid: [UInt8]) throws(JournalError) -> TagStanding {
        try ask { state, connection throws(JournalError) in
            let answer = try answer(
                connection, "SELECT nfctool.ask($1, $2, $3, $4, $5, $6)",
                [
                    .int(planID), .optional(state.stationID), .bytes(uid),
                    .int(state.stationID == nil ? 0 : claimsWanted(&state, atMost: 0)), .text(Self.leaseText),
                    .flag(wantsCounts(state)),
                ])
            try take(answer, in: &state)
            if let stored = answer.row {
                // The last step of the row may still be kept here, because it is sent with the next step.
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

    /// Returns a pending row that is reserved for this station until its lease ends.
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
            try take(answer, in: &state)
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

    /// Returns the number of rows to claim: 0 if the station has more than `limit` claimed rows, or if none were free
    /// recently.
    private func claimsWanted(_ state: inout StationState, atMost limit: Int) -> Int {
        if now() >= state.claimsEnd { state.claims = [] }
        guard state.claims.count <= limit, now() >= state.nextClaim else { return 0 }
        return Self.claimSize
    }

    private func wantsCounts(_ state: StationState) -> Bool {
        state.counts == nil || now() - state.countsTime >= Self.countsAge
    }

    private func take(_ answer: Answer, in state: inout StationState) throws(JournalError) {
        if let claims = answer.claims {
            if state.claims.isEmpty { state.claimsEnd = now() + Self.lease * 0.8 }
            state.claims += claims.filter { claim in !state.claims.contains { $0.number == claim.number } }
            state.claims.sort { $0.number < $1.number }
        }
        if let counts = answer.counts { note(try self.counts(counts), in: &state) }
    }

    private static let leaseText = "\(lease.components.seconds)"

    /// Gives a row to a tag.
    ///
    /// If the server stops answering during this request, it is not known whether the row was bound. In that case, the
    /// tag is not touched, and the row is released when the server answers again.
    private func bind(_ number: Int, to tag: BoundTag) throws(JournalError) {
        try state.withLock { state throws(JournalError) in
            var isSent = false
            do throws(JournalError) {
                try ask(&state) { state, connection throws(JournalError) in
                    try flush(&state, connection)
                    isSent = true
                    let answer = try answer(
                        connection, "SELECT nfctool.bind($1, $2, $3, $4, $5, $6, $7)",
                        [
                            .int(planID), .optional(state.stationID), .int(number), Self.json(StoredTag(tag)),
                            .int(state.stationID == nil ? 0 : claimsWanted(&state, atMost: Self.claimSize / 2)),
                            .text(Self.leaseText), .flag(wantsCounts(state)),
                        ])
                    state.claims.removeAll { $0.number == number }
                    try take(answer, in: &state)
                    try requireBound(answer, number, to: tag)
                    state.moved.remove(MovedRow(number: number, uid: tag.uid.hex))
                    if let stored = answer.row, station != nil {
                        let after = try row(stored)
                        state.known[number] = .init(row: after, version: stored.version)
                        if answer.counts == nil { count(.pending, after, in: &state) }
                    }
                }
            } catch {
                if case .away = error, isSent, station != nil {
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

    // MARK: Steps of a row

    /// Applies one step to each of these rows: either all steps are applied, or none.
    ///
    /// A station's step to `written` is kept and sent together with its next step, because the tag itself shows that
    /// its message is written. While the server is away, all steps of a station are kept.
    public func change(_ steps: [(number: Int, step: RowStep)]) throws(JournalError) {
        if steps.count == 1, case .bind(let tag) = steps[0].step { return try bind(steps[0].number, to: tag) }
        guard station != nil, steps.count == 1, let uid = steps[0].step.uid else { return try changeAll(steps) }
        try change(steps[0].number, of: uid, steps[0].step)
    }

    private func change(_ number: Int, of uid: [UInt8], _ step: RowStep) throws(JournalError) {
        try state.withLock { state throws(JournalError) in
            let before = try known(number, of: uid, &state)
            let after = try before.row.after(step, at: Date())
            let (version, overflow) = before.version.addingReportingOverflow(1)
            guard !overflow else { throw damage("row \(number)") }
            let tag = step.refusedTag(of: before.row)
            state.kept.append(StoredStep(before.row, version: before.version, to: after, refusing: tag))
            state.known[number] = .init(row: after, version: version)
            count(before.row.state, after, in: &state)
            if case .advance(_, to: .written, _, _) = step { return }
            do throws(JournalError) {
                try ask(&state) { state, connection throws(JournalError) in try flush(&state, connection) }
            } catch {
                guard case .away = error else { throw error }
            }
            try requireUnmoved(number, of: uid, &state)
        }
    }

    /// Checks that the server did not reject a step of this row and tag as too late.
    private func requireUnmoved(_ number: Int, of uid: [UInt8], _ state: inout StationState) throws(JournalError) {
        if state.moved.remove(MovedRow(number: number, uid: uid.hex)) != nil { throw .rowMoved(row: number) }
    }

    /// Updates the counts for a step, until the server sends new ones.
    private func count(_ before: RowState, _ after: JournalRow, in state: inout StationState) {
        guard let counts = state.counts, before != after.state else { return }
        let rule = SealRule(of: plan).seal(of: after.row)
        var states = counts.states
        states[before, default: 0] -= 1
        states[after.state, default: 0] += 1
        func change(_ state: RowState) -> Int { (after.state == state ? 1 : 0) - (before == state ? 1 : 0) }
        state.counts = ProvisionCounts(
            states: states, waitingForSeal: counts.waitingForSeal + (rule.isNone ? 0 : change(.proven)),
            locked: counts.locked + (rule.lock ? change(.sealed) : 0),
            protected: counts.protected + (rule.protect ? change(.sealed) : 0))
        if after.state == .pending { state.nextClaim = now() }
    }

    /// Returns a row that this tag has at this station.
    private func known(
        _ number: Int, of uid: [UInt8], _ state: inout StationState
    ) throws(JournalError) -> StationState.Known {
        try requireUnmoved(number, of: uid, &state)
        if let known = state.known[number], known.row.tag?.uid == uid { return known }
        let found = try ask(&state) { state, connection throws(JournalError) in
            try flush(&state, connection)
            guard let found = try rows("number = $2", [.int(number)], over: connection).first else {
                throw .noSuchRow(number)
            }
            return found
        }
        try requireUnmoved(number, of: uid, &state)
        // If the row belongs to another station or tag now, an administrator has released or reset it in the meantime.
        guard found.row.tag?.uid == uid, isOurs(found.row) else { throw .rowMoved(row: number) }
        return .init(row: found.row, version: found.version)
    }

    /// Changes rows of any station.
    ///
    /// If a row has changed since it was read, all of them are read again.
    private func changeAll(_ steps: [(number: Int, step: RowStep)]) throws(JournalError) {
        try ask { state, connection throws(JournalError) in
            try flush(&state, connection)
            for attempt in 1... {
                do {
                    try connection.transaction {
                        for start in stride(from: 0, to: steps.count, by: Self.batch) {
                            try changeBatch(steps[start..<min(start + Self.batch, steps.count)], connection)
                        }
                    }
                    break
                } catch let error as JournalError {
                    let mayChange = error.serverCode == ServerFunctions.changedMeanwhile || error.isContention
                    guard mayChange, attempt < Self.attempts else { throw error }
                } catch {
                    throw damage("an answer")
                }
            }
            for (number, _) in steps { state.known[number] = nil }
            state.nextClaim = now()
            note(try currentCounts(connection), in: &state)
        }
    }

    private func changeBatch(
        _ steps: ArraySlice<(number: Int, step: RowStep)>, _ connection: ServerConnection
    ) throws(JournalError) {
        let numbers = steps.compactMap { Int32(exactly: $0.number).map(String.init) }.joined(separator: ",")
        let found = try rows("number = ANY ($2::integer[])", [.text("{\(numbers)}")], over: connection)
        let known = Dictionary(found.map { ($0.row.row.number, $0) }) { first, _ in first }
        let stored = try steps.map { number, step throws(JournalError) in
            guard let before = known[number] else { throw .noSuchRow(number) }
            let tag = step.refusedTag(of: before.row)
            let after = try before.row.after(step, at: Date())
            return StoredStep(before.row, version: before.version, to: after, refusing: tag)
        }
        _ = try connection.value(
            "SELECT nfctool.change($1, NULL, $2, true, false)", [.int(planID), Self.json(stored)],
            within: ServerConnection.pageDeadline)
    }

    /// The number of rows that are changed in one round trip.
    private static let batch = 500

    /// Stores the steps that were kept.
    ///
    /// If a row was released before its step arrived, the row is added to `state.moved`.
    func flush(_ state: inout StationState, _ connection: ServerConnection) throws(JournalError) {
        while let tag = state.keptRefusals.first {
            _ = try answer(
                connection, "SELECT nfctool.refuse($1, $2, $3)",
                [.int(planID), .optional(state.stationID), Self.json(StoredRefusal(tag))])
            state.keptRefusals.removeFirst()
        }
        guard !state.kept.isEmpty else { return }
        let answer = try answer(
            connection, "SELECT nfctool.change($1, $2, $3, false, $4)",
            [.int(planID), .optional(state.stationID), Self.json(state.kept), .flag(wantsCounts(state))])
        guard let results = answer.results, results.count == state.kept.count else { throw damage("an answer") }
        for (step, result) in zip(state.kept, results) where result.result != "done" {
            if let uid = step.uid { state.moved.insert(MovedRow(number: step.number, uid: uid)) }
        }
        let seals = SealRule(of: plan)
        for number in state.keptRows {
            guard let row = state.known[number]?.row else { continue }
            let isDone =
                row.state == .pending || row.state == .sealed || row.state == .proven && seals.seal(of: row.row).isNone
            let isMoved = row.tag.map { state.moved.contains(MovedRow(number: number, uid: $0.uid.hex)) }
            if isDone || isMoved == true { state.known[number] = nil }
        }
        state.kept = []
        try take(answer, in: &state)
    }

    // MARK: Tags without a row

    /// Records a refused tag and the reason.
    ///
    /// While the server is away, a station keeps the refusal and stores it later.
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

    /// Removes a tag from quarantine, so that it can get a row.
    ///
    /// Returns false if it was not in quarantine.
    @discardableResult public func unquarantine(_ uid: [UInt8]) throws(JournalError) -> Bool {
        try ask { _, connection throws(JournalError) in
            try connection.value("SELECT nfctool.unquarantine($1, $2)", [.int(planID), .bytes(uid)]) == "t"
        }
    }
}
