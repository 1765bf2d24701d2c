// The file format of version 1, word for word. Any change requires version 2

import Foundation
import GRDB
import Testing

@testable import Provisioning

@Suite struct JournalFormatTests {
    @Test func theTablesOfVersion1AreThese() throws {
        #expect(JournalSchema.version == 1)
        #expect(JournalSchema.applicationID == 0x4E46_4350)
        let text = (JournalSchema.tables + [JournalSchema.trigger]).joined(separator: ";\n")
        #expect(text == Self.version1)
    }

    @Test func aTimeIsTheSameAfterItWasWrittenAndReadMoreThanOnce() throws {
        for millisecond in 0..<1000 {
            let digits = String(String(1000 + millisecond).dropFirst())
            let text = "2026-11-27T02:58:27.\(digits)Z"
            #expect(JournalText.time(try #require(JournalText.time(text))) == text)
        }
        #expect(JournalText.time(Date(timeIntervalSince1970: 0.9996)) == "1970-01-01T00:00:01.000Z")
    }

    @Test func theFileSaysWhatItIs() throws {
        let place = try JournalPlace()
        _ = try place.create(rows: 1)
        let bytes = try Data(contentsOf: place.file)
        // https://www.sqlite.org/fileformat2.html, 1.3: write and read version 2 are WAL, at 18 and 19; user version at
        // 60, application at 68.
        #expect(Array(bytes[18...19]) == [2, 2])
        #expect(Array(bytes[60..<64]) == [0, 0, 0, 1])
        #expect(Array(bytes[68..<72]) == Array("NFCP".utf8))
    }

    @Test func eachStepIsSynchronized() throws {
        let place = try JournalPlace()
        let journal = try place.create(rows: 1)
        let settings = try journal.queue.read { database in
            try ["journal_mode", "synchronous", "foreign_keys"].map { name in
                try Row.fetchOne(database, sql: "PRAGMA \(name)")?[0] as DatabaseValue?
            }
        }
        #expect(settings == ["wal".databaseValue, 2.databaseValue, 1.databaseValue])
    }

    /// Every query during a run uses an index.
    ///
    /// No query reads the whole plan, which may have a million rows.
    @Test(arguments: [
        "SELECT 1 FROM planRow WHERE uid = x'04'",
        "SELECT 1 FROM planRow INDEXED BY pendingRow WHERE state = 'pending' AND number > 7 ORDER BY number LIMIT 1",
        """
        SELECT 1 FROM planRow INDEXED BY openRow WHERE number > 0 AND state IN ('bound', 'written', 'failed')
            AND state IN ('bound', 'written') ORDER BY number LIMIT 500
        """,
        "SELECT 1 FROM refusedTag WHERE (time, uid) > ('', x'') ORDER BY time, uid LIMIT 500",
    ])
    func noQuestionReadsThePlan(sql: String) throws {
        let place = try JournalPlace()
        let journal = try place.create(rows: 1)
        let plan = try journal.queue.read { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql).map { row in row["detail"] as String }
        }
        #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH"), "\(plan)")
    }

    @Test func textsOfListsAreJSONAndComeBack() throws {
        let fields = [
            PlanField(name: "id", value: "7"), PlanField(name: "a \"b\" \\", value: "\u{0}\u{1F}\u{7F}\n€ 🏷"),
            PlanField(name: "", value: ""),
        ]
        let text = JournalText.list(fields)
        let expected = #"["id","7","a \"b\" \\","\u0000\u001f\#u{7F}\u000a€ 🏷","",""]"#
        #expect(text == expected)
        #expect(JournalText.fields(text) == fields)
        #expect(JournalText.fields("[]") == [])
        #expect(JournalText.list([String]()) == "[]")
        for bad in ["", "[", "[\"a\"]", "[1,2]", "{}", "[\"a\",null]", "[\"a\",\"b\"]]"] {
            #expect(JournalText.fields(bad) == nil, "\(bad)")
        }
    }

    @Test func timesAreInUTC() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.25)
        #expect(JournalText.time(date) == "2023-11-14T22:13:20.250Z")
        #expect(JournalText.time("2023-11-14T22:13:20.250Z") == date)
        #expect(JournalText.time("yesterday") == nil)
    }

    private static let version1 = """
        CREATE TABLE plan (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            file TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            recipe TEXT NOT NULL,
            begun TEXT NOT NULL
        ) STRICT;
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
        ) STRICT;
        CREATE UNIQUE INDEX rowOfTag ON planRow (uid) WHERE uid IS NOT NULL;
        CREATE INDEX pendingRow ON planRow (number) WHERE state = 'pending';
        CREATE INDEX openRow ON planRow (number) WHERE state IN ('bound', 'written', 'failed');
        CREATE TABLE tally (
            state TEXT PRIMARY KEY,
            count INTEGER NOT NULL CHECK (count >= 0)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE refusedTag (
            uid BLOB PRIMARY KEY,
            chip TEXT NOT NULL,
            reader TEXT NOT NULL,
            cause TEXT NOT NULL,
            reason TEXT NOT NULL,
            isQuarantined INTEGER NOT NULL CHECK (isQuarantined IN (0, 1)),
            time TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX refusalInTime ON refusedTag (time, uid);
        CREATE TRIGGER countRow AFTER UPDATE OF state ON planRow WHEN OLD.state IS NOT NEW.state BEGIN
            UPDATE tally SET count = count - 1 WHERE state = OLD.state;
            UPDATE tally SET count = count + 1 WHERE state = NEW.state;
        END
        """
}
