// A database with plans. It is prepared once. After that, stations open and join its plans

import Foundation
public import Provisioning
import TextBytes

/// A database on a server, with the operations for all journals in it.
public struct PlanServer: Sendable {
    /// The address of the server.
    public let address: ServerAddress

    /// Creates a value for a server, without connecting to it.
    public init(_ address: ServerAddress) { self.address = address }

    /// Creates the schema with its tables and functions, and the roles, in one transaction.
    ///
    /// Existing tables and roles are kept and upgraded to this version. Connected stations continue to work.
    ///
    /// - Throws: `refusedByServer` if the login lacks the rights; `otherSchema` for a newer or unknown version.
    public func prepare() throws {
        let connection = try ServerConnection(address)
        let encoding = try connection.value(
            "SELECT pg_encoding_to_char(encoding) FROM pg_database WHERE datname = current_database()")
        guard encoding == "UTF8" else {
            throw JournalError.refusedByServer(
                journal: address.name, code: "22P05", reason: "Its encoding is \(encoding), but plans need UTF8.")
        }
        let end = ContinuousClock.now + Self.patience
        while true {
            do {
                return try prepare(over: connection)
            } catch let error as JournalError where error.serverCode == ServerSchema.lockMissing && .now < end {
                // Stations continue to work during the pause.
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
    }

    /// How long to keep trying to lock the tables, in the pauses between the stations' steps.
    private static let patience = Duration.seconds(60)

    private func prepare(over connection: ServerConnection) throws {
        try connection.transaction {
            // Two of these transactions at the same time would conflict in the catalogue.
            _ = try connection.rows(
                "SELECT pg_advisory_xact_lock(\(ServerFunctions.lockClass))", within: ServerConnection.longDeadline)
            let found = try version(over: connection)
            if let found, !(1...ServerSchema.version).contains(found) { throw otherSchema(found) }
            if found != nil { try connection.script(ServerSchema.lock) }
            for statement in ServerSchema.statements(from: found) {
                try connection.script(statement)
            }
        }
    }

    /// Connects, and checks that this version can use the database.
    func connect() throws(JournalError) -> ServerConnection {
        let connection = try ServerConnection(address)
        try checkVersion(connection)
        return connection
    }

    private func checkVersion(_ connection: ServerConnection) throws(JournalError) {
        guard let found = try version(over: connection) else { throw .notPrepared(journal: address.name) }
        guard found == ServerSchema.version else { throw otherSchema(found) }
    }

    private func otherSchema(_ found: Int) -> JournalError {
        .otherSchema(journal: address.name, found: found, known: ServerSchema.version)
    }

    /// Returns the version of the tables, or nil if there are no tables.
    private func version(over connection: ServerConnection) throws(JournalError) -> Int? {
        // Query the catalogue first, because a query of a missing table would abort the transaction.
        let isThere = try connection.value(
            """
            SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = 'nfctool' AND c.relname = 'schema_version')
                AND coalesce(has_schema_privilege(to_regnamespace('nfctool')::oid, 'USAGE'), false)
            """)
        guard isThere == "t" else { return nil }
        return try connection.number("SELECT version FROM nfctool.schema_version")
    }

    /// Returns the ID of the plan that `name` stands for, or nil if there is none.
    ///
    /// `name` is the plan's name, `NAME of OWNER`, or the beginning of the digest.
    ///
    /// - Throws: `severalPlans` if several plans match.
    func plan(_ name: String, over connection: ServerConnection) throws(JournalError) -> Int? {
        let isDigest =
            name.count >= Self.shortestDigest && name.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        let found = try connection.rows(
            """
            SELECT id, name, owner, sha256 FROM nfctool.plan
            WHERE name = $1 OR name || ' of ' || owner = $1 OR $2 AND starts_with(sha256, upper($1))
            ORDER BY name, owner
            """, [.text(name), .flag(isDigest)])
        guard found.count < 2 else {
            throw .severalPlans(
                journal: address.name, plan: name,
                known: found.map { Self.name(of: $0[1], owner: $0[2], sha256: $0[3]) })
        }
        guard let id = found.first?[0] else { return nil }
        return try connection.number(in: id)
    }

    /// Opens a plan for work under a station's name, or without one for an administrator.
    ///
    /// - Throws: `noSuchPlan`; `severalPlans`; `stationTaken` if another process uses the station's name.
    public func open(plan name: String, station: String? = nil) throws(JournalError) -> PostgreSQLJournal {
        let connection = try connect()
        guard let id = try plan(name, over: connection) else {
            let known = try connection.rows("SELECT name FROM nfctool.plan ORDER BY begun DESC LIMIT 20")
            throw .noSuchPlan(journal: address.name, plan: name, known: known.compactMap { $0[0] })
        }
        return try PostgreSQLJournal(self, connection, plan: id, station: station)
    }

    /// Opens a plan for reading, or returns nil if there is no plan with this name.
    ///
    /// - Throws: `severalPlans`.
    public func find(plan name: String) throws(JournalError) -> PostgreSQLJournal? {
        let connection = try connect()
        guard let id = try plan(name, over: connection) else { return nil }
        return try PostgreSQLJournal(self, connection, plan: id, station: nil)
    }

    /// Returns the journal of a plan in this database.
    ///
    /// The journal need not exist yet.
    public func store(plan name: String, station: String) -> any JournalStore {
        ServerPlan(server: self, plan: name, station: station)
    }

    /// Returns the name of the only plan that this login may see.
    ///
    /// - Throws: `noSuchPlan` if there is none; `severalPlans` if there is more than one.
    public func onlyPlan() throws(JournalError) -> String {
        let found = try connect().rows("SELECT name, owner, sha256 FROM nfctool.plan ORDER BY begun DESC LIMIT 20")
        guard let plan = found.first?[0] else { throw .noSuchPlan(journal: address.name, plan: "", known: []) }
        guard found.count < 2 else {
            // The name alone is enough if only one plan has it.
            let known = found.map { row in
                found.count { $0[0] == row[0] } == 1
                    ? row[0] ?? "" : Self.name(of: row[0], owner: row[1], sha256: row[2])
            }
            throw .severalPlans(journal: address.name, plan: nil, known: known)
        }
        return plan
    }

    /// Returns a text that distinguishes a plan from others with the same name.
    private static func name(of plan: String?, owner: String?, sha256: String?) -> String {
        "\(plan ?? "") of \(owner ?? "") (SHA-256 \(sha256?.prefix(shortestDigest) ?? ""))"
    }

    private static let shortestDigest = 8
}

/// The store for the journal of a plan in a database.
private struct ServerPlan: JournalStore {
    let server: PlanServer
    let plan: String
    let station: String

    var name: String { "\(server.address.name) (\(plan))" }

    func open() throws(JournalError) -> (any ProvisionJournal)? {
        let connection = try server.connect()
        guard let id = try server.plan(plan, over: connection) else { return nil }
        return try PostgreSQLJournal(server, connection, plan: id, station: station)
    }

    /// Reserves the plan's name.
    ///
    /// If another station is reserving the same name, this waits until that station is done.
    private func begin(over connection: ServerConnection) throws(JournalError) -> Int {
        do throws(JournalError) {
            return try connection.number(
                "SELECT nfctool.begin_plan($1, $2)", [.text(plan), .text(plan)], within: ServerConnection.longDeadline)
        } catch {
            throw error.serverCode == ServerFunctions.planExists ? .exists(path: name) : error
        }
    }

    func create(rows: ((PlanRow) throws -> Void) throws -> PlanIdentity) throws -> any ProvisionJournal {
        let connection = try server.connect()
        let id = try connection.transaction {
            let id = try begin(over: connection)
            try connection.load(rows, into: id, after: 0)
            return id
        }
        return try PostgreSQLJournal(server, connection, plan: id, station: station)
    }
}

extension ServerConnection {
    /// Adds rows to a plan after its first `count` rows, within a transaction.
    ///
    /// `ready` is called when all rows are on the server but not in the plan yet. Errors from `rows` and `ready` are
    /// passed on.
    func load(
        _ rows: ((PlanRow) throws -> Void) throws -> PlanIdentity, into plan: Int, after count: Int,
        ready: () throws -> Void = {}
    ) throws {
        let identity = try copy(
            "COPY nfctool.loading (number, line, lock, protect, fields) FROM STDIN", line: Self.line, rows)
        try ready()
        let rule = SealRule(of: identity).general
        _ = try number(
            "SELECT nfctool.take_rows($1, $2, $3, $4, $5, $6, $7)",
            [
                .int(plan), .int(count + 1), .text(StoredText.stored(identity.file)), .text(identity.sha256),
                .text(identity.journalText), .flag(rule.lock), .flag(rule.protect),
            ], within: Self.longDeadline)
    }

    /// Returns a row as a line for COPY.
    ///
    /// Of the characters that can occur in JSON, COPY treats only the backslash specially.
    @Sendable static func line(_ row: PlanRow) -> String {
        let own = RowSeal.own(of: row)
        let fields = JournalText.list(row.fields).replacingBytes(of: "\\", with: "\\\\")
        return "\(row.number)\t\(row.line)\t\(answer(own.lock))\t\(answer(own.protect))\t\(fields)\n"
    }

    private static func answer(_ answer: Bool?) -> String { answer.map { $0 ? "t" : "f" } ?? #"\N"# }
}
