// The tables of a journal in PostgreSQL — Docs/Stations.md. Any change to them requires a new version

import Provisioning

/// The objects that `init-db` creates: a separate schema and two roles, and nothing else.
///
/// A plan belongs to the login that loaded it, and to logins that are members of that login. Stations read their own
/// plans (row security), and change them only through functions. These check that the plan is the station's own, and
/// that each step is legal. Stations have no right to change a table directly. In text columns, backslashes and NULs
/// are escaped (`StoredText`). `fields` and `recipe` are JSON, as in an embedded journal.
enum ServerSchema {
    static let version = 3
    static let stationRole = "nfctool_station"
    static let readerRole = "nfctool_reader"

    /// Returns all statements, in order, for a new database or for one of an earlier version.
    ///
    /// Running them again changes nothing.
    static func statements(from version: Int?) -> [String] {
        tables + (version.map { upgrades[$0...].flatMap(\.self) } ?? []) + [indexes, access] + ServerFunctions.all
            + [grants, "UPDATE nfctool.schema_version SET version = \(Self.version)"]
    }

    /// The statements that upgrade the tables to the next version.
    ///
    /// The index is the number of the earlier version.
    ///
    /// During an upgrade, connected stations of the earlier version continue to work, because each function keeps its
    /// parameters and its result.
    private static let upgrades: [[String]] = [
        [],
        [
            "ALTER TABLE nfctool.station ADD COLUMN IF NOT EXISTS left_at timestamptz",
            "ALTER TABLE nfctool.station ADD COLUMN IF NOT EXISTS last_tag timestamptz",
            "UPDATE nfctool.station SET last_tag = seen WHERE last_tag IS NULL",
            "ALTER TABLE nfctool.station ALTER COLUMN last_tag SET NOT NULL",
            "UPDATE nfctool.station SET left_at = seen WHERE left_at IS NULL AND NOT \(isConnected("id"))",
            """
            INSERT INTO nfctool.refusal_tally
            SELECT plan, coalesce(station, 0), left(reader, \(ReaderRefusals.longestName)), count(*), max(time)
            FROM nfctool.refused_tag WHERE cause <> '\(RefusalCause.rowMoved.rawValue)'
            GROUP BY 1, 2, 3 ON CONFLICT DO NOTHING
            """,
        ],
        [
            "ALTER TABLE nfctool.plan_row DROP CONSTRAINT IF EXISTS plan_row_plan_fkey",
            "ALTER TABLE nfctool.tally DROP CONSTRAINT IF EXISTS tally_plan_fkey",
        ],
    ]

    /// Returns the SQL condition that a process holds a station's name: the session of the process has the lock for the
    /// name — PostgreSQL, pg_locks.
    static func isConnected(_ id: String) -> String {
        """
        \(id) IN (SELECT objid::bigint FROM pg_catalog.pg_locks WHERE locktype = 'advisory' AND objsubid = 2
            AND classid = \(ServerFunctions.lockClass) AND granted
            AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()))
        """
    }

    private static let tables = [
        """
        CREATE SCHEMA IF NOT EXISTS nfctool
        """,
        """
        CREATE TABLE IF NOT EXISTS nfctool.schema_version (version integer NOT NULL)
        """,
        """
        INSERT INTO nfctool.schema_version
        SELECT \(version) WHERE NOT EXISTS (SELECT FROM nfctool.schema_version)
        """,
        """
        CREATE TABLE IF NOT EXISTS nfctool.legal_step (
            from_state text, to_state text, PRIMARY KEY (from_state, to_state))
        """,
        "DELETE FROM nfctool.legal_step",
        "INSERT INTO nfctool.legal_step VALUES \(legalSteps)",
        """
        CREATE TABLE IF NOT EXISTS nfctool.plan (
            id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            owner text NOT NULL,
            name text NOT NULL,
            file text NOT NULL,
            sha256 text NOT NULL,
            recipe text NOT NULL,
            begun timestamptz NOT NULL,
            UNIQUE (owner, name))
        """,
        """
        CREATE TABLE IF NOT EXISTS nfctool.station (
            id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            plan integer NOT NULL REFERENCES nfctool.plan,
            name text NOT NULL,
            login text NOT NULL,
            joined timestamptz NOT NULL,
            seen timestamptz NOT NULL,
            last_tag timestamptz NOT NULL,
            left_at timestamptz,
            UNIQUE (plan, name))
        """,
        // seen: when the station's process was last connected. last_tag: when the station last had a tag, or else its
        // start. seal: 1 for a password, plus 2 for a lock. version: the number of steps of the row.
        // The plan is not a foreign key, here and in `tally`. With a foreign key, a transaction that changes a row twice
        // would lock the row of the plan, and the server would have to store all stations that share this lock. The
        // functions add rows and delete a plan only while they have the lock on the plan. They count a step only while
        // they have the lock on its row.
        """
        CREATE TABLE IF NOT EXISTS nfctool.plan_row (
            plan integer NOT NULL,
            number integer NOT NULL CHECK (number > 0),
            line integer NOT NULL,
            seal smallint NOT NULL CHECK (seal BETWEEN 0 AND 3),
            state text NOT NULL DEFAULT 'pending' CHECK (state IN (\(states))),
            version bigint NOT NULL DEFAULT 0,
            claimant integer,
            claimed_until timestamptz,
            station integer,
            uid bytea CHECK (octet_length(uid) BETWEEN 1 AND 32),
            chip text,
            reader text,
            bound timestamptz,
            message_length bigint,
            sha256 text,
            signature text,
            seconds double precision,
            reason text,
            changed timestamptz,
            fields text NOT NULL,
            PRIMARY KEY (plan, number),
            CHECK ((state = 'pending') = (uid IS NULL)),
            CHECK ((uid IS NULL) = (chip IS NULL) AND (uid IS NULL) = (reader IS NULL)
                AND (uid IS NULL) = (bound IS NULL)),
            CHECK (claimant IS NULL OR state = 'pending'),
            CHECK (state NOT IN ('proven', 'sealed') OR sha256 IS NOT NULL)
        ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)
        """,
        """
        CREATE TABLE IF NOT EXISTS nfctool.refused_tag (
            plan integer NOT NULL REFERENCES nfctool.plan,
            uid bytea NOT NULL CHECK (octet_length(uid) BETWEEN 1 AND 32),
            chip text NOT NULL,
            reader text NOT NULL,
            cause text NOT NULL,
            reason text NOT NULL,
            is_quarantined boolean NOT NULL,
            time timestamptz NOT NULL,
            station integer,
            PRIMARY KEY (plan, uid))
        """,
        // Each station counts its own steps in entries that no other station changes. The sum of the entries for a
        // state is the number of rows in that state.
        """
        CREATE TABLE IF NOT EXISTS nfctool.tally (
            plan integer NOT NULL,
            station integer NOT NULL,
            state text NOT NULL,
            seal smallint NOT NULL,
            count bigint NOT NULL,
            PRIMARY KEY (plan, station, state, seal)
        ) WITH (fillfactor = 50)
        """,
        // The number of tags that readers refused. Each station counts the tags of its own readers.
        """
        CREATE TABLE IF NOT EXISTS nfctool.refusal_tally (
            plan integer NOT NULL REFERENCES nfctool.plan,
            station integer NOT NULL,
            reader text NOT NULL CHECK (length(reader) <= \(ReaderRefusals.longestName)),
            count bigint NOT NULL,
            last timestamptz NOT NULL,
            PRIMARY KEY (plan, station, reader)
        ) WITH (fillfactor = 50)
        """,
        // Rows that are being loaded into a plan. A login that inserts them can neither read them nor choose the value
        // of `load`.
        """
        CREATE UNLOGGED TABLE IF NOT EXISTS nfctool.loading (
            load xid8 NOT NULL DEFAULT pg_current_xact_id(),
            number integer NOT NULL,
            line integer NOT NULL,
            lock boolean,
            protect boolean,
            fields text NOT NULL)
        """,
    ]

    /// Locks the tables against connected stations until the transaction ends, or fails with 55P03 and locks nothing.
    ///
    /// Locks that are taken one by one can cause a deadlock. The server then cancels the statement of the session that
    /// detects it. A station of version 1 does not try again. Therefore all tables are locked first, and a wait ends
    /// before the server checks for a deadlock — PostgreSQL, LOCK, lock_timeout, deadlock_timeout.
    static let lock = """
        SELECT set_config('lock_timeout', greatest(1, least(200, setting::integer / 2)) || 'ms', true)
        FROM pg_catalog.pg_settings WHERE name = 'deadlock_timeout';
        LOCK TABLE nfctool.plan, nfctool.station, nfctool.plan_row, nfctool.refused_tag, nfctool.tally
        IN ACCESS EXCLUSIVE MODE;
        SELECT set_config('lock_timeout', '0', true)
        """
    /// The error if the lock is not obtained in time: lock_not_available.
    static let lockMissing = "55P03"

    private static let indexes = """
        -- A tag gets one row of a plan.
        CREATE UNIQUE INDEX IF NOT EXISTS row_of_tag ON nfctool.plan_row (plan, uid) WHERE uid IS NOT NULL;
        CREATE INDEX IF NOT EXISTS free_row ON nfctool.plan_row (plan, number)
            WHERE state = 'pending' AND claimant IS NULL;
        CREATE INDEX IF NOT EXISTS claimed_row ON nfctool.plan_row (plan, claimant) WHERE claimant IS NOT NULL;
        CREATE INDEX IF NOT EXISTS open_row ON nfctool.plan_row (plan, number)
            WHERE state IN ('bound', 'written', 'failed');
        CREATE INDEX IF NOT EXISTS unfinished_row ON nfctool.plan_row (plan, station, number)
            WHERE state IN ('bound', 'written') OR (state = 'proven' AND seal > 0);
        CREATE INDEX IF NOT EXISTS changed_row ON nfctool.plan_row (plan, number)
            WHERE reason IS NOT NULL AND (state = 'sealed' OR (state = 'proven' AND seal = 0));
        CREATE INDEX IF NOT EXISTS refusal_in_time ON nfctool.refused_tag (plan, time, uid)
        """

    /// The statements that create the roles, and define which rows each may read.
    private static let access = """
        DO $$ BEGIN
            CREATE ROLE \(stationRole) NOLOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
        DO $$ BEGIN
            CREATE ROLE \(readerRole) NOLOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
        -- Parse the body once, here: in another user's session its names could mean other objects (PostgreSQL 14).
        CREATE OR REPLACE FUNCTION nfctool.is_mine(owner text) RETURNS boolean LANGUAGE sql STABLE
            RETURN coalesce(pg_catalog.pg_has_role(session_user,
                pg_catalog.to_regrole(pg_catalog.quote_ident(owner))::pg_catalog.oid, 'MEMBER'), false);
        ALTER TABLE nfctool.plan ENABLE ROW LEVEL SECURITY;
        DROP POLICY IF EXISTS own_plan ON nfctool.plan;
        CREATE POLICY own_plan ON nfctool.plan FOR SELECT TO \(stationRole) USING (nfctool.is_mine(owner));
        DROP POLICY IF EXISTS any_plan ON nfctool.plan;
        -- A login with both roles must not read the fields of other plans.
        CREATE POLICY any_plan ON nfctool.plan FOR SELECT TO \(readerRole)
            USING (NOT pg_catalog.pg_has_role(session_user, '\(stationRole)', 'MEMBER'));
        DO $$ DECLARE name text; BEGIN
            FOREACH name IN ARRAY ARRAY['plan_row', 'refused_tag', 'station', 'tally', 'refusal_tally'] LOOP
                EXECUTE format('ALTER TABLE nfctool.%I ENABLE ROW LEVEL SECURITY', name);
                EXECUTE format('DROP POLICY IF EXISTS of_plan ON nfctool.%I', name);
                EXECUTE format('CREATE POLICY of_plan ON nfctool.%I FOR SELECT TO \(stationRole), \(readerRole)
                    USING (plan IN (SELECT id FROM nfctool.plan))', name);
            END LOOP;
        END $$
        """

    private static let grants = """
        REVOKE ALL ON SCHEMA nfctool FROM PUBLIC;
        REVOKE ALL ON ALL TABLES IN SCHEMA nfctool FROM PUBLIC, \(stationRole), \(readerRole);
        REVOKE ALL ON ALL FUNCTIONS IN SCHEMA nfctool FROM PUBLIC, \(stationRole), \(readerRole);
        GRANT USAGE ON SCHEMA nfctool TO \(stationRole), \(readerRole);
        GRANT SELECT ON nfctool.schema_version, nfctool.station, nfctool.tally, nfctool.refused_tag,
            nfctool.refusal_tally TO \(stationRole), \(readerRole);
        GRANT EXECUTE ON FUNCTION nfctool.is_mine TO \(stationRole), \(readerRole);
        GRANT SELECT ON nfctool.plan, nfctool.plan_row TO \(stationRole);
        GRANT INSERT (number, line, lock, protect, fields) ON nfctool.loading TO \(stationRole);
        GRANT SELECT (id, owner, name, file, sha256, begun) ON nfctool.plan TO \(readerRole);
        GRANT SELECT (\(openColumns)) ON nfctool.plan_row TO \(readerRole);
        GRANT EXECUTE ON FUNCTION \(ServerFunctions.ofStations.map { "nfctool.\($0)" }.joined(separator: ", "))
            TO \(stationRole)
        """

    /// The columns that the reader's role may read.
    ///
    /// The row's fields are left out, and so is the digest of its message, because a short secret in the message could
    /// be guessed from it.
    private static let openColumns =
        "plan, number, line, seal, state, version, station, uid, chip, reader, bound, message_length, signature, seconds, reason, changed"

    private static let states = RowState.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// The SQL values for the changes of state in ``RowState/next``, and for those that give a row to a tag or take it
    /// back.
    private static let legalSteps = RowState.allCases.flatMap { state -> [String] in
        let next = state == .pending ? [RowState.bound] : [.pending] + state.next.sorted { $0.rawValue < $1.rawValue }
        return next.map { "('\(state.rawValue)', '\($0.rawValue)')" }
    }.joined(separator: ", ")
}
