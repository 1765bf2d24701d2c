// The journal of a plan in PostgreSQL, which many stations share — Docs/Stations.md

public import Foundation
public import Provisioning
import Synchronization

/// A plan in a database, as used by one station or an administrator.
///
/// A station has one connection. Before a tag is touched, its row is bound in the database in a separate transaction.
/// While the database does not answer, the later steps of current tags are kept. They are stored when it answers again.
/// Each step contains the version of its row, so a step that is sent twice is applied once.
public final class PostgreSQLJournal: ProvisionJournal {
    /// The server and the plan's name, without a password.
    public let name: String
    /// The journal's plan, as read when the journal was opened.
    public let plan: PlanIdentity
    /// The time when the plan was started.
    public let begun: Date
    /// The name of this station, or nil for an administrator.
    public let station: String?
    /// Whether the login may read the plan's fields.
    ///
    /// This is false for a login with the reader's role.
    let readsFields: Bool
    /// True, because stations share the plan.
    public var hasStations: Bool { true }
    /// Whether the login may read the content of rows.
    public var readsRows: Bool { readsFields }

    let server: PlanServer
    let planID: Int
    let planName: String
    let now: @Sendable () -> ContinuousClock.Instant
    let state: Mutex<StationState>

    static let claimSize = 8
    /// How long a claimed row stays reserved for a station that does not bind it.
    static let lease = Duration.seconds(120)
    /// The age after which the counts of all stations are requested again.
    static let countsAge = Duration.seconds(1)

    init(
        _ server: PlanServer, _ connection: ServerConnection, plan id: Int, station: String?,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) throws(JournalError) {
        self.server = server
        planID = id
        self.station = station
        self.now = now
        readsFields =
            try connection.value("SELECT has_column_privilege('nfctool.plan_row', 'fields', 'SELECT')") == "t"
        var state = StationState(connection: connection, at: now())
        // Read the plan after joining it: from then on, it cannot be replaced.
        if let station { try state.join(id, as: station) }
        guard let stored = try StoredPlan(id, over: connection, readsRecipe: readsFields) else {
            throw .noSuchPlan(journal: server.address.name, plan: "", known: [])
        }
        (plan, begun, planName) = (stored.identity, stored.begun, stored.name)
        name = "\(server.address.name) (\(stored.name))"
        self.state = Mutex(state)
    }

    deinit {
        state.withLock { state in
            guard let id = state.stationID, let connection = state.connection else { return }
            // Release unused claims at once. Otherwise, they are released when their lease ends.
            _ = try? connection.rows("SELECT nfctool.leave_plan($1, $2)", [.int(planID), .int(id)])
        }
    }

    /// The number of round trips to the server over this connection.
    package var roundTrips: Int { state.withLock { $0.connection?.roundTrips ?? 0 } }

    /// Queries the server.
    ///
    /// If the server does not answer, it counts as away from then on.
    func ask<Value: Sendable>(
        _ body: (inout StationState, ServerConnection) throws(JournalError) -> Value
    ) throws(JournalError) -> Value {
        try state.withLock { state throws(JournalError) in try ask(&state, body) }
    }

    func ask<Value>(
        _ state: inout StationState, _ body: (inout StationState, ServerConnection) throws(JournalError) -> Value
    ) throws(JournalError) -> Value {
        guard let connection = state.connection else { throw .away(journal: name, reason: state.reason) }
        do throws(JournalError) {
            return try body(&state, connection)
        } catch {
            if case .away(_, let reason) = error {
                state.lose(reason, at: now())
                throw .away(journal: name, reason: reason)
            }
            throw error
        }
    }

    func answer(
        _ connection: ServerConnection, _ statement: String, _ values: [ServerValue]
    ) throws(JournalError) -> Answer {
        let text = try patiently { () throws(JournalError) in try connection.value(statement, values) }
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
        } catch {
            throw damage("an answer")
        }
    }

    /// Runs statements, and repeats them if the server rolls them back in favour of another session.
    func patiently<Value>(_ body: () throws(JournalError) -> Value) throws(JournalError) -> Value {
        for _ in 1..<Self.attempts {
            do throws(JournalError) {
                return try body()
            } catch {
                guard error.isContention else { throw error }
            }
        }
        return try body()
    }

    static let attempts = 5

    func row(_ stored: StoredRow) throws(JournalError) -> JournalRow {
        guard let row = stored.row else { throw damage("row \(stored.number)") }
        return row
    }

    func damage(_ what: String) -> JournalError {
        .damaged(path: name, code: 0, reason: "\(what) is not valid")
    }

    static func json(_ value: some Encodable) -> ServerValue {
        .text((try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null")
    }
}

/// The state that a station keeps outside the database.
struct StationState: Sendable {
    /// A row in the state in which this station left it.
    struct Known: Sendable {
        var row: JournalRow
        var version: Int
    }

    /// The connection, or nil while the server is away.
    var connection: ServerConnection?
    var stationID: Int?
    /// The claimed rows, which future tags will get.
    var claims: [StoredClaim] = []
    var claimsEnd: ContinuousClock.Instant
    /// The time at which to claim rows again if none were free.
    var nextClaim: ContinuousClock.Instant
    /// The rows whose tags this station has not finished, by row number.
    var known: [Int: Known] = [:]
    /// Steps that are not stored yet, oldest first.
    var kept: [StoredStep] = []
    /// Refusals that are not stored yet.
    var keptRefusals: [RefusedTag] = []
    /// Rows whose steps were not stored, because they had been released in the meantime.
    var moved: Set<MovedRow> = []
    var counts: ProvisionCounts?
    /// Whether counts that show a complete plan have already been checked against the rows.
    var isTallyChecked = false
    var countsTime: ContinuousClock.Instant
    /// Whether the last call of `activity` found a different plan from the one that was opened.
    var isPlanOther = false
    /// The reason why the server is away, or an empty string if it never was.
    var reason = ""
    var absence: Absence?
    private var session: (process: String, start: String) = ("", "")

    init(connection: ServerConnection, at time: ContinuousClock.Instant) {
        self.connection = connection
        (claimsEnd, nextClaim, countsTime) = (time, time, time)
    }

    mutating func lose(_ reason: String, at time: ContinuousClock.Instant) {
        guard connection != nil else { return }
        connection = nil
        self.reason = reason
        absence = Absence(since: time)
        // Other stations may have claimed these rows by the time the server answers again.
        claims = []
    }

    /// Claims the station's name, which is bound to the connection.
    mutating func join(_ plan: Int, as station: String) throws(JournalError) {
        guard let connection else { return }
        do throws(JournalError) {
            // The function may read all rows to check the stored counts, so it may take a long time.
            stationID = try connection.number(
                "SELECT nfctool.join_plan($1, $2)", [.int(plan), .text(station)],
                within: ServerConnection.pageDeadline)
        } catch {
            guard error.serverCode == ServerFunctions.stationTaken else { throw error }
            let journal = connection.journal
            // After a network failure, the server may still have our old session open. End it first.
            if !session.process.isEmpty {
                let ended = try connection.rows(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE pid = $1 AND backend_start::text = $2 AND usename = session_user
                    """, [.text(session.process), .text(session.start)])
                if !ended.isEmpty { throw .away(journal: journal, reason: "The server is ending the last connection.") }
            }
            throw .stationTaken(journal: journal, station: station)
        }
        let own = try connection.rows(
            "SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()")
        session = (own.first?[0] ?? "", own.first?[1] ?? "")
    }

    /// Whether any step or refusal is not stored yet.
    var keepsSteps: Bool { !kept.isEmpty || !keptRefusals.isEmpty }
    /// The numbers of the rows whose steps are kept, in ascending order.
    var keptRows: [Int] { Array(Set(kept.map(\.number))).sorted() }
}

/// A row that a tag had at this station but no longer has.
struct MovedRow: Hashable, Sendable {
    let number: Int
    let uid: String
}

/// The time at which a server stopped answering, and the time of the next attempt to reach it.
///
/// The pause doubles after each failed attempt, up to a limit.
struct Absence: Sendable {
    let since: ContinuousClock.Instant
    private(set) var next: ContinuousClock.Instant
    private var pause = Self.firstPause

    static let (firstPause, longestPause) = (Duration.milliseconds(250), Duration.seconds(10))

    init(since: ContinuousClock.Instant) {
        self.since = since
        next = since
    }

    /// Records a failed attempt, and sets the time of the next one.
    mutating func failed(at time: ContinuousClock.Instant) {
        next = time + pause
        pause = min(pause * 2, Self.longestPause)
    }
}
