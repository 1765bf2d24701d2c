// The journal of a plan in PostgreSQL, on which many stations work — Docs/Stations.md

public import Foundation
import Hexadecimal
public import Provisioning
import Synchronization

/// A plan in a database, seen by one station, or by an administrator.
///
/// A station holds one connection. Before its tag is touched a row is bound in the database, in a transaction of its own; what
/// follows waits for the database only where it is there: while it is away, the steps of tags in hand are kept and stored
/// when it is back. Each step names the version of its row, so one that is stored twice counts once.
public final class PostgreSQLJournal: ProvisionJournal {
    /// The server and the plan's name, without a password.
    public let name: String
    /// The plan it belongs to, as the journal was opened.
    public let plan: PlanIdentity
    /// When the plan was begun.
    public let begun: Date
    /// This station's name; nil for an administrator.
    public let station: String?
    /// Whether the login may read the plan's fields; a reader's login may not.
    let readsFields: Bool
    /// Whether the login may read what rows hold.
    public var readsRows: Bool { readsFields }

    let server: PlanServer
    let planID: Int
    let planName: String
    let now: @Sendable () -> ContinuousClock.Instant
    let state: Mutex<StationState>

    /// How many rows a station asks for at once.
    static let claimSize = 8
    /// For how long a row is kept for a station that binds it to no tag.
    static let lease = Duration.seconds(120)
    /// How old the numbers of all stations may be between two tags.
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
        // A plan at which a station has just joined is not replaced: it is read after that.
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
            // Claims that are not needed go back at once; else their lease ends.
            _ = try? connection.rows("SELECT nfctool.leave_plan($1, $2)", [.int(planID), .int(id)])
        }
    }

    /// How many round trips to the server this connection has made.
    package var roundTrips: Int { state.withLock { $0.connection?.roundTrips ?? 0 } }

    /// Asks the server, which is away from now on when it does not answer.
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

    /// Runs a statement again that gave way to another session: nothing of it was done.
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

/// What a station knows besides the database.
struct StationState: Sendable {
    /// A row as this station left it.
    struct Known: Sendable {
        var row: JournalRow
        var version: Int
    }

    /// Nil while the server is away.
    var connection: ServerConnection?
    var stationID: Int?
    /// Rows for tags to come.
    var claims: [StoredClaim] = []
    var claimsEnd: ContinuousClock.Instant
    /// When to ask for rows again after there was none.
    var nextClaim: ContinuousClock.Instant
    /// The rows whose tags are not done here.
    var known: [Int: Known] = [:]
    /// Steps that are not stored, in their order.
    var kept: [StoredStep] = []
    /// Refusals that are not stored.
    var keptRefusals: [RefusedTag] = []
    /// Rows whose steps were not stored, since they were released meanwhile.
    var moved: Set<MovedRow> = []
    var counts: ProvisionCounts?
    /// Whether counts that say that all is done were compared with the rows.
    var isTallyChecked = false
    var countsTime: ContinuousClock.Instant
    /// Whether the plan is not the one that was opened, as seen by the last look at all stations.
    var isPlanOther = false
    /// Why the server is away.
    var reason = ""
    var absence: Absence?
    private var session: (process: String, start: String) = ("", "")

    init(connection: ServerConnection, at time: ContinuousClock.Instant) {
        self.connection = connection
        (claimsEnd, nextClaim, countsTime) = (time, time, time)
    }

    /// The server does not answer any more.
    mutating func lose(_ reason: String, at time: ContinuousClock.Instant) {
        guard connection != nil else { return }
        connection = nil
        self.reason = reason
        absence = Absence(since: time)
        // They may have gone to others when it is back.
        claims = []
    }

    /// Takes the station's name, which goes with the connection.
    mutating func join(_ plan: Int, as station: String) throws(JournalError) {
        guard let connection else { return }
        do throws(JournalError) {
            // It compares the counts with all rows.
            stationID = try connection.number(
                "SELECT nfctool.join_plan($1, $2)", [.int(plan), .text(station)],
                within: ServerConnection.pageDeadline)
        } catch {
            guard error.serverCode == ServerFunctions.stationTaken else { throw error }
            let journal = connection.journal
            // After a network failure the server may still hold our old session. End it first.
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

    /// Whether anything is not stored yet.
    var keepsSteps: Bool { !kept.isEmpty || !keptRefusals.isEmpty }
    /// The rows whose steps are kept.
    var keptRows: [Int] { Array(Set(kept.map(\.number))).sorted() }
}

/// A row that a tag had here, and has no more.
struct MovedRow: Hashable, Sendable {
    let number: Int
    let uid: String
}

/// The time while a server is away, and when to try again: the pauses double.
struct Absence: Sendable {
    let since: ContinuousClock.Instant
    private(set) var next: ContinuousClock.Instant
    private var pause = Self.firstPause

    static let (firstPause, longestPause) = (Duration.milliseconds(250), Duration.seconds(10))

    init(since: ContinuousClock.Instant) {
        self.since = since
        next = since
    }

    /// An attempt failed.
    mutating func failed(at time: ContinuousClock.Instant) {
        next = time + pause
        pause = min(pause * 2, Self.longestPause)
    }
}
