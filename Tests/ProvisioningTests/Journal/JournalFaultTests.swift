// Files that are not journals, incomplete journals, and full disks: each error names its cause

import Chance
import Foundation
import GRDB
import Glibc
import Provisioning
import Testing

@Suite(.timeLimit(.minutes(5))) struct JournalFaultTests {
    @Test func whatIsNotThereIsMissing() throws {
        let place = try JournalPlace()
        #expect(throws: JournalError.missing(path: place.file.path)) { try EmbeddedJournal.open(place.file) }
        #expect(throws: JournalError.missing(path: place.file.path)) {
            try EmbeddedJournal.openForReading(place.file)
        }
        #expect(try place.names.isEmpty)
    }

    @Test func aJournalIsNotMadeTwice() throws {
        let place = try JournalPlace()
        try place.create(rows: 1).bind(1, to: JournalPlace.tag(1))
        #expect(throws: JournalError.exists(path: place.file.path)) { try place.create(rows: 2) }
        #expect(try EmbeddedJournal.open(place.file).boundRows().count == 1)
    }

    @Test func onlyItsOwnerReadsIt() throws {
        let place = try JournalPlace()
        let journal = try place.create(rows: 1)
        try journal.bind(1, to: JournalPlace.tag(1))
        for name in try place.names {
            let path = place.folder.appending(path: name).path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        #expect(try place.names.count == 4)
    }

    @Test func aPlanThatFailsLeavesNothing() throws {
        struct BadPlan: Error, Equatable { let line: Int }
        let place = try JournalPlace()
        #expect(throws: BadPlan(line: 3)) {
            try EmbeddedJournal.create(at: place.file) { insert in
                try insert(JournalPlace.row(1))
                throw BadPlan(line: 3)
            }
        }
        #expect(try place.names.isEmpty)
        #expect(throws: JournalError.self) {
            try EmbeddedJournal.create(at: place.file) { insert in
                try insert(JournalPlace.row(1))
                try insert(JournalPlace.row(1))
                return JournalPlace.plan
            }
        }
        #expect(try place.names.isEmpty)
    }

    @Test func onlyWhoMakesAJournalTakesAwayWhatIsUnfinished() throws {
        let place = try JournalPlace()
        let unfinished = place.file.path + ".new"
        try Data("1 another\n".utf8).write(to: URL(filePath: place.file.path + ".lock"))
        try Data("theirs".utf8).write(to: URL(filePath: unfinished))
        EmbeddedJournal.removeUnfinished(at: place.file)
        #expect(FileManager.default.fileExists(atPath: unfinished))

        #expect(throws: JournalError.self) {
            try EmbeddedJournal.create(at: place.file) { insert in
                try insert(JournalPlace.row(1))
                #expect(FileManager.default.fileExists(atPath: unfinished))
                EmbeddedJournal.removeUnfinished(at: place.file)
                #expect(!FileManager.default.fileExists(atPath: unfinished))
                return JournalPlace.plan
            }
        }
        #expect(try place.names.isEmpty)
    }

    @Test func whatIsNoSQLiteFileIsNamedAndNotTouched() throws {
        let files: [(Data, String)] = [
            (Data(), "an empty file"),
            (Data("id,uri\n1,https://example.com\n".utf8), "not an SQLite database"),
        ]
        for (bytes, found) in files {
            let place = try JournalPlace()
            try bytes.write(to: place.file)
            let error = JournalError.notAJournal(path: place.file.path, found: found)
            #expect(throws: error) { try EmbeddedJournal.open(place.file) }
            #expect(throws: error) { try EmbeddedJournal.openForReading(place.file) }
            #expect(try Data(contentsOf: place.file) == bytes)
            #expect(try place.names == ["plan.csv.journal"])
        }
    }

    @Test func aDatabaseOfAnotherProgramIsNamedAndNotTouched() throws {
        let place = try JournalPlace()
        try change(place, "PRAGMA application_id = 252006674; CREATE TABLE t (a)")
        let bytes = try Data(contentsOf: place.file)
        let found = "an SQLite database of another program (application ID 252006674)"
        #expect(throws: JournalError.notAJournal(path: place.file.path, found: found)) {
            try EmbeddedJournal.open(place.file)
        }
        #expect(try Data(contentsOf: place.file) == bytes)
    }

    @Test(arguments: [0, 2, -1]) func anotherVersionIsNamed(version: Int) throws {
        let place = try JournalPlace()
        _ = try place.create(rows: 1)
        try change(place, "PRAGMA user_version = \(version)")
        let error = JournalError.otherVersion(path: place.file.path, found: version, known: 1)
        #expect(throws: error) { try EmbeddedJournal.open(place.file) }
        #expect(throws: error) { try EmbeddedJournal.openForReading(place.file) }
    }

    @Test func aFileWithOtherTablesIsDamaged() throws {
        let place = try JournalPlace()
        _ = try place.create(rows: 1)
        try change(place, "DROP TRIGGER countRow")
        let reason = "its tables are not those of version 1"
        #expect(throws: JournalError.damaged(path: place.file.path, code: 0, reason: reason)) {
            try EmbeddedJournal.open(place.file)
        }
    }

    @Test(arguments: [
        "UPDATE tally SET count = 0", "UPDATE tally SET count = \(Int.max)", "DELETE FROM tally WHERE state = 'failed'",
        "UPDATE tally SET count = 3 - count WHERE state IN ('pending', 'bound')",
    ]) func countsThatAreNotThoseOfTheRowsAreDamage(sql: String) throws {
        let place = try JournalPlace()
        try place.create(rows: 3).bind(1, to: JournalPlace.tag(1))
        _ = try EmbeddedJournal.open(place.file)
        try change(place, sql)
        let error = JournalError.damaged(
            path: place.file.path, code: 0, reason: "its row count is not valid")
        #expect(throws: error) { try EmbeddedJournal.open(place.file) }
        #expect(throws: error) { try EmbeddedJournal.openForReading(place.file) }
    }

    @Test func theStepsOfALostJournalAreNotTakenForThoseOfANewOne() throws {
        let place = try JournalPlace()
        try Data([1]).write(to: place.folder.appending(path: "plan.csv.journal-wal"))
        #expect(throws: JournalError.orphanedLog(path: place.file.path + "-wal")) { try place.create(rows: 1) }
        #expect(try place.names == ["plan.csv.journal-wal"])
    }

    @Test func aFileCutShortIsDamaged() throws {
        let place = try JournalPlace()
        _ = try place.create(rows: 3000)
        let whole = try Data(contentsOf: place.file)
        var damaged = 0
        for length in stride(from: 4096, to: whole.count, by: 20_480) {
            try whole.prefix(length).write(to: place.file)
            do {
                _ = try EmbeddedJournal.open(place.file)
                Issue.record("\(length) of \(whole.count) bytes were opened")
            } catch {
                #expect(isCorruption(error))
                damaged += 1
            }
        }
        #expect(damaged > 5)
    }

    @Test func aBrokenPageIsDamagedWhenItIsRead() throws {
        let place = try JournalPlace()
        _ = try place.create(rows: 3000)
        var bytes = try Data(contentsOf: place.file)
        for page in stride(from: 12 * 4096, to: bytes.count, by: 4096) {
            bytes.replaceSubrange(page..<page + 64, with: Data(repeating: 0xA5, count: 64))
        }
        try bytes.write(to: place.file)
        #expect {
            try EmbeddedJournal.open(place.file).forEachRow(in: Set(RowState.allCases)) { _ in }
        } throws: { error in
            isCorruption(error)
        }
    }

    /// 300 journals with up to 24 bytes of noise each: every operation ends with an answer or a `JournalError`.
    @Test func noiseInAJournalNeverEndsTheProcess() throws {
        let place = try JournalPlace()
        do {
            let journal = try place.create(rows: 120)
            for number in stride(from: 1, to: 100, by: 3) {
                try journal.bind(number, to: JournalPlace.tag(UInt8(number)))
                if number.isMultiple(of: 2) {
                    try journal.advance(number, of: JournalPlace.uid(UInt8(number)), to: .written)
                }
            }
            try journal.refuse(JournalPlace.refused(200, quarantined: true))
        }
        let whole = try Data(contentsOf: place.file)
        var random = SplitMix(state: 6)
        var outcomes: [String: Int] = [:]
        for _ in 0..<300 {
            var bytes = whole
            // Half of the files are changed only after the header and the tables' definitions, so that more of them can
            // be opened.
            let first = Bool.random(using: &random) ? 0 : 4096
            for _ in 0..<Int.random(in: 1...24, using: &random) {
                bytes[Int.random(in: first..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            for part in ["-wal", "-shm"] { unlink(place.file.path + part) }
            try bytes.write(to: place.file)
            do {
                try ask(EmbeddedJournal.openForReading(place.file), changes: false)
                try ask(EmbeddedJournal.open(place.file), changes: true)
                outcomes["answered", default: 0] += 1
            } catch let error as JournalError {
                let name = String(describing: Mirror(reflecting: error).children.first?.label ?? "")
                outcomes[name, default: 0] += 1
            }
        }
        print("noise: \(outcomes)")
        #expect(outcomes["answered"] != nil)
        #expect(outcomes["damaged"] != nil)
    }

    /// Tries every query, and every step if changes are allowed, and throws the first error at the end.
    private func ask(_ journal: any ProvisionJournal, changes: Bool) throws {
        var firstError: (any Error)?
        func attempt(_ body: () throws -> Void) {
            do { try body() } catch { firstError = firstError ?? error }
        }
        var count = 0
        attempt { _ = try journal.counts() }
        attempt { _ = try journal.boundRows() }
        attempt {
            try journal.forEachRow(in: Set(RowState.allCases)) { _ in
                count += 1
                if count > 1000 { throw CancellationError() }
            }
        }
        attempt { try journal.forEachRow(in: [.pending]) { _ in } }
        attempt { try journal.forEachRefusedTag { _ in } }
        attempt { _ = try journal.row(of: JournalPlace.tag(1).uid) }
        attempt { _ = try journal.refusal(of: JournalPlace.tag(200).uid) }
        attempt { _ = try journal.claimRow(except: []) }
        attempt { _ = try journal.differences { _ in JournalPlace.plan } }
        if changes {
            attempt { try journal.bind(2, to: JournalPlace.tag(222)) }
            attempt { try journal.release(2) }
            attempt { try journal.refuse(JournalPlace.refused(201, quarantined: false)) }
            attempt { try journal.unquarantine(JournalPlace.tag(200).uid) }
        }
        if let firstError { throw firstError }
    }

    @Test func aFolderThatTakesNoFilesIsNamedWithTheSystemsReason() throws {
        // No user can create a file here: https://docs.kernel.org/filesystems/sysfs.html
        #expect {
            try EmbeddedJournal.create(at: URL(filePath: "/sys/plan.csv.journal")) { _ in JournalPlace.plan }
        } throws: { error in
            guard let error = error as? JournalError, case .unusable(_, let code, _) = error else { return false }
            return code == EACCES || code == EPERM || code == EROFS
        }
    }

    /// With various limits on the size of files, everything confirmed before the failure is stored, and nothing else.
    @Test func aFileThatCannotGrowKeepsWhatWasConfirmed() throws {
        var random = SplitMix(state: 7)
        for _ in 0..<8 {
            let place = try JournalPlace()
            _ = try place.create(rows: 2000)
            let limit = Int.random(in: 40_000...600_000, using: &random)
            let child = try JournalChild("limited", place.file.path, String(limit))
            let lines = child.lines()
            child.end()
            // SQLite reports EFBIG as SQLITE_IOERR_WRITE, because it treats only ENOSPC as a full disk.
            #expect(lines.last == "unusable 778" || lines.last == "full 13", "\(lines.last ?? "")")
            try expect(lines.dropLast(), in: place.file)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "Only root may mount a small disk."))
    func aFullDiskIsSaidAndKeepsWhatWasConfirmed() throws {
        let place = try JournalPlace()
        let disk = place.folder.appending(path: "disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        guard mount("tmpfs", disk.path, "tmpfs", 0, "size=1m") == 0 else {
            // A container may forbid mounting. The other test checks the same guarantee.
            return
        }
        defer { umount2(disk.path, Int32(MNT_DETACH)) }
        let file = disk.appending(path: "plan.csv.journal")
        #expect {
            try EmbeddedJournal.create(at: file) { insert in
                for number in 1...100_000 { try insert(JournalPlace.row(number)) }
                return JournalPlace.plan
            }
        } throws: { error in
            guard let error = error as? JournalError, case .full(_, let code, let reason) = error else { return false }
            return code == 13 && reason.contains("full")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)

        _ = try EmbeddedJournal.create(at: file) { insert in
            for number in 1...2000 { try insert(JournalPlace.row(number)) }
            return JournalPlace.plan
        }
        let ballast = disk.appending(path: "ballast")
        // This leaves room for the start of the log, but not for the whole log.
        try Data(count: 600_000).write(to: ballast)
        let child = try JournalChild("bind", file.path)
        let lines = child.lines()
        child.end()
        #expect(lines.last == "full 13")
        #expect(lines.count > 1)
        try FileManager.default.removeItem(at: ballast)
        try expect(lines.dropLast(), in: file)
    }

    /// Checks that the journal is complete and holds exactly what the child reported.
    private func expect(_ lines: some Sequence<String>, in file: URL) throws {
        var states: [Int: RowState] = [:]
        for line in lines {
            let words = line.split(separator: " ")
            states[try #require(Int(words[1]))] = RowState(rawValue: String(words[0]))
        }
        let journal = try EmbeddedJournal.open(file)
        try journal.forEachRow(in: Set(RowState.allCases)) { row in
            let said: RowState = states[row.row.number] ?? .pending
            #expect(row.state == said)
        }
        let next = try #require(try journal.claimRow(except: [])).number
        try journal.bind(next, to: JournalPlace.tag(0xEE))
        #expect(try journal.counts()[.pending] == 2000 - states.count - 1)
        let whole = try DatabaseQueue(path: file.path).read {
            try String.fetchOne($0, sql: "PRAGMA integrity_check")
        }
        #expect(whole == "ok")
    }

    /// Whether the error is SQLITE_CORRUPT with SQLite's message.
    private func isCorruption(_ error: any Error) -> Bool {
        guard let error = error as? JournalError, case .damaged(_, let code, let reason) = error else { return false }
        return code & 0xFF == 11 && reason.contains("malformed")
    }

    private func change(_ place: JournalPlace, _ sql: String) throws {
        let queue = try DatabaseQueue(path: place.file.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }
}
