// Compares a plan in the database with the content of every tag, by SQL that is independent of nfctool

import Foundation
import PostgreSQLServer

/// The state of a tag at the end.
struct HeldTag: Sendable {
    let uid: [UInt8]
    /// The NDEF message, which is empty if the tag has none.
    let message: [UInt8]
    let isLocked: Bool
}

/// The audit of a plan whose rows have a column `id`, and whose tags get `https://example.com/{id}?t={uid}`.
struct PlanAudit {
    let server: PostgreSQLServer
    let database: String
    /// The ids of the plan, from row 1.
    let ids: [String]
    let tags: [HeldTag]
    /// The rows that stations reported as verified.
    let told: Set<Told>

    /// A row and a tag that a station reported as verified.
    struct Told: Hashable, Sendable {
        let row: Int
        let uid: String
    }

    /// Returns the errors that were found, at most 20 of each kind.
    func findings() throws -> [String] {
        let text = try server.sql(Self.load(ids, tags, told) + Self.questions, in: database)
        return text.split(separator: "\n").map(String.init)
    }

    /// Returns the number of rows in each state, the number of tags that the audit read, and its result.
    func summary(_ findings: [String]) throws -> String {
        let states = try server.sql(
            "SELECT string_agg(state || ' ' || count, ', ') FROM (SELECT state, count(*) FROM nfctool.plan_row GROUP BY 1 ORDER BY 1) AS s",
            in: database)
        let holding = tags.count { !$0.message.isEmpty }
        let verdict = findings.isEmpty ? "0 rows lost, 0 doubled" : "\(findings.count) findings"
        return "\(ids.count) rows (\(states)), \(tags.count) tags read, \(holding) hold a message; \(verdict)"
    }

    // MARK: Tables

    private static func hex(_ bytes: [UInt8]) -> String {
        "\\\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func load(_ ids: [String], _ tags: [HeldTag], _ told: Set<Told>) -> String {
        let lines = ids.enumerated().map { "\($0 + 1)\t\($1)" }
        let held = tags.map { "\(hex($0.uid))\t\(hex($0.message))\t\($0.isLocked ? "t" : "f")" }
        let said = told.map { "\($0.row)\t\\\\x\($0.uid)" }
        func copy(_ table: String, _ lines: [String]) -> String {
            "COPY audit.\(table) FROM STDIN;\n" + lines.map { $0 + "\n" }.joined() + "\\.\n"
        }
        return """
            SET client_min_messages = warning;
            DROP SCHEMA IF EXISTS audit CASCADE;
            CREATE SCHEMA audit;
            CREATE TABLE audit.line (number integer PRIMARY KEY, id text NOT NULL UNIQUE);
            CREATE TABLE audit.tag (uid bytea PRIMARY KEY, message bytea NOT NULL, locked boolean NOT NULL);
            CREATE TABLE audit.told (number integer NOT NULL, uid bytea NOT NULL);
            \(copy("line", lines))\(copy("tag", held))\(copy("told", said))
            """
    }

    // MARK: Queries

    /// SQL for the message that the tag of a row must hold, and for the row that each tag holds.
    ///
    /// The message is one URI record with the prefix `https://`.
    private static let held = #"""
        CREATE FUNCTION audit.message(id text, uid bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
            SELECT '\xD101'::bytea || set_byte('\x00'::bytea, 0, octet_length(text) + 1) || '\x5504'::bytea || text
            FROM (SELECT convert_to('example.com/' || id || '?t=' || upper(encode(uid, 'hex')), 'UTF8') AS text) AS t
        $$;
        CREATE TABLE audit.held AS
        SELECT t.uid, t.message, t.locked, l.number FROM audit.tag t
        LEFT JOIN audit.line l ON l.id = substring(encode(substring(t.message FROM 6), 'escape') FROM '^example\.com/([^?]*)\?t=')
            AND t.message = audit.message(l.id, t.uid);
        CREATE INDEX ON audit.held (number);
        CREATE INDEX ON audit.held (uid);
        ANALYZE audit.held;
        """#

    private static var questions: String {
        let kinds = [
            // Tags.
            "SELECT 'tag ' || hex(uid) || ' holds a message that is not a row''s' FROM audit.held WHERE number IS NULL AND message <> ''",
            """
            SELECT 'tag ' || hex(h.uid) || ' holds row ' || h.number || ', which the database gives to ' || coalesce(hex(r.uid), 'no tag')
            FROM audit.held h JOIN nfctool.plan_row r USING (number) WHERE r.uid IS DISTINCT FROM h.uid
            """,
            "SELECT 'row ' || number || ' is on ' || count(*) || ' tags' FROM audit.held WHERE number IS NOT NULL GROUP BY number HAVING count(*) > 1",
            """
            SELECT 'row ' || r.number || ' is ' || r.state || ', and its tag ' || hex(r.uid) || ' does not hold it'
            FROM nfctool.plan_row r LEFT JOIN audit.held h ON h.uid = r.uid AND h.number = r.number
            WHERE r.state IN ('proven', 'sealed') AND h.uid IS NULL
            """,
            "SELECT 'row ' || number || ' has the tag ' || hex(uid) || ', which does not exist' FROM nfctool.plan_row r WHERE uid IS NOT NULL AND NOT EXISTS (SELECT FROM audit.tag t WHERE t.uid = r.uid)",
            """
            SELECT 'tag ' || hex(h.uid) || ' was touched without a row' FROM audit.held h
            WHERE h.message <> '' AND NOT EXISTS (SELECT FROM nfctool.plan_row r WHERE r.uid = h.uid)
            """,
            // The proof.
            """
            SELECT 'row ' || r.number || ' is proven with another message than its tag holds'
            FROM nfctool.plan_row r JOIN audit.held h ON h.uid = r.uid
            WHERE r.state IN ('proven', 'sealed') AND (r.message_length, upper(r.sha256))
                IS DISTINCT FROM (octet_length(h.message), upper(encode(sha256(h.message), 'hex')))
            """,
            "SELECT 'row ' || r.number || ' is sealed, but its tag is not locked' FROM nfctool.plan_row r JOIN audit.tag t USING (uid) WHERE r.state = 'sealed' AND r.seal & 2 > 0 AND NOT t.locked",
            "SELECT 'row ' || r.number || ' requires no lock, but its tag is locked' FROM nfctool.plan_row r JOIN audit.tag t USING (uid) WHERE r.seal & 2 = 0 AND t.locked",
            "SELECT 'a station said that row ' || t.number || ' is proven on ' || hex(t.uid) FROM audit.told t LEFT JOIN nfctool.plan_row r ON r.number = t.number AND r.uid = t.uid AND r.state IN ('proven', 'sealed') WHERE r.number IS NULL",
            // Rows.
            "SELECT 'the tag ' || hex(uid) || ' has ' || count(*) || ' rows' FROM nfctool.plan_row WHERE uid IS NOT NULL GROUP BY plan, uid HAVING count(*) > 1",
            """
            SELECT 'row ' || coalesce(l.number, r.number) || ' is not the row of the plan'
            FROM audit.line l FULL JOIN nfctool.plan_row r ON r.number = l.number AND r.fields::json->>0 = 'id' AND r.fields::json->>1 = l.id
            WHERE l.number IS NULL OR r.number IS NULL
            """,
            "SELECT 'row ' || number || ' is ' || state || ' with the tag ' || coalesce(hex(uid), 'none') FROM nfctool.plan_row WHERE (state = 'pending') <> (uid IS NULL)",
            "SELECT 'a row has an unknown station: ' || number FROM nfctool.plan_row r WHERE uid IS NOT NULL AND NOT EXISTS (SELECT FROM nfctool.station s WHERE s.id = r.station AND s.plan = r.plan)",
            "SELECT 'row ' || number || ' is not done: ' || state FROM nfctool.plan_row WHERE state <> CASE WHEN seal > 0 THEN 'sealed' ELSE 'proven' END",
            // Counts, and refused tags.
            """
            SELECT 'the tally says ' || coalesce(t.count, 0) || ' rows ' || state || ' with seal ' || seal || ', and there are ' || coalesce(r.count, 0)
            FROM (SELECT state, seal, count(*) FROM nfctool.plan_row GROUP BY state, seal) AS r
            FULL JOIN (SELECT state, seal, sum(count) AS count FROM nfctool.tally GROUP BY state, seal HAVING sum(count) <> 0) AS t
            USING (state, seal) WHERE r.count IS DISTINCT FROM t.count
            """,
            "SELECT 'the tag ' || hex(q.uid) || ' is in quarantine, and has row ' || r.number FROM nfctool.refused_tag q JOIN nfctool.plan_row r USING (uid) WHERE q.is_quarantined",
            "SELECT 'the tag ' || hex(q.uid) || ' is in quarantine, and holds something' FROM nfctool.refused_tag q JOIN audit.tag t USING (uid) WHERE q.is_quarantined AND t.message <> ''",
        ]
        let union = kinds.map { "(SELECT * FROM (\($0)) AS k (finding) ORDER BY 1 LIMIT 20)" }
        return """
            CREATE FUNCTION audit.hex(uid bytea) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT upper(encode(uid, 'hex')) $$;
            \(held)
            SET search_path = audit, pg_catalog;
            \(union.joined(separator: "\nUNION ALL\n"));
            """
    }
}
