// The journal's tables — SQLite, https://www.sqlite.org/fileformat2.html (application_id, user_version)

import GRDB

/// The file format of a journal.
///
/// Any change to it needs a new version.
enum JournalSchema {
    /// The bytes "NFCP" in ASCII, at offset 68 of the file.
    ///
    /// `file(1)` and this tool recognise a journal by these bytes.
    static let applicationID = 0x4E46_4350
    static let version = 1

    /// The tables.
    ///
    /// `fields` and `recipe` are JSON, times are ISO 8601 in UTC, `uid` is a BLOB with the bytes of the UID.
    static let tables = [
        """
        CREATE TABLE plan (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            file TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            recipe TEXT NOT NULL,
            begun TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE planRow (
            number INTEGER PRIMARY KEY CHECK (number > 0),
            line INTEGER NOT NULL,
            fields TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'pending' REFERENCES tally (state),
            uid BLOB,
            chip TEXT,
            reader TEXT,
            bound TEXT,
            messageLength INTEGER,
            sha256 TEXT,
            signature TEXT,
            seconds REAL,
            reason TEXT,
            changed TEXT,
            CHECK ((state = 'pending') = (uid IS NULL)),
            CHECK ((uid IS NULL) = (chip IS NULL) AND (uid IS NULL) = (reader IS NULL)
                AND (uid IS NULL) = (bound IS NULL)),
            CHECK (state NOT IN ('proven', 'sealed') OR sha256 IS NOT NULL)
        ) STRICT
        """,
        // A tag gets only one row.
        "CREATE UNIQUE INDEX rowOfTag ON planRow (uid) WHERE uid IS NOT NULL",
        "CREATE INDEX pendingRow ON planRow (number) WHERE state = 'pending'",
        // At any time, only few rows are in these states: those in progress and failed ones.
        "CREATE INDEX openRow ON planRow (number) WHERE state IN ('bound', 'written', 'failed')",
        """
        CREATE TABLE tally (
            state TEXT PRIMARY KEY,
            count INTEGER NOT NULL CHECK (count >= 0)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE refusedTag (
            uid BLOB PRIMARY KEY,
            chip TEXT NOT NULL,
            reader TEXT NOT NULL,
            cause TEXT NOT NULL,
            reason TEXT NOT NULL,
            isQuarantined INTEGER NOT NULL CHECK (isQuarantined IN (0, 1)),
            time TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX refusalInTime ON refusedTag (time, uid)",
    ]

    /// The trigger is created after all rows are inserted, so that counting a million rows takes one step instead of a
    /// million.
    static let trigger = """
        CREATE TRIGGER countRow AFTER UPDATE OF state ON planRow WHEN OLD.state IS NOT NEW.state BEGIN
            UPDATE tally SET count = count - 1 WHERE state = OLD.state;
            UPDATE tally SET count = count + 1 WHERE state = NEW.state;
        END
        """

    /// Returns the error for a file that is not a journal of this version, or nil if it is one.
    ///
    /// The SQL texts of the tables are compared too, because the effect of this program's statements on a damaged or
    /// foreign file cannot be predicted.
    static func objection(to database: Database, path: String) throws -> JournalError? {
        let found = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        guard found == applicationID else {
            let isEmpty = try Int64.fetchOne(database, sql: "PRAGMA page_count") == 0
            return .notAJournal(
                path: path,
                found: isEmpty ? "an empty file" : "an SQLite database of another program (application ID \(found))")
        }
        let version = try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard version == Self.version else {
            return .otherVersion(path: path, found: Int(version), known: Self.version)
        }
        let texts = try String.fetchSet(database, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        guard texts == Set(tables + [trigger]) else {
            return .damaged(path: path, code: 0, reason: "its tables are not those of version \(version)")
        }
        return nil
    }
}
