// A report in the form of a file: written in one step, or not at all — POSIX rename, RLIMIT_FSIZE

import Foundation
import Glibc
import Provisioning
import Testing

@Suite struct ReportFileTests {
    /// Creates a folder for a test, and removes it afterwards.
    private static func withFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private static let rows = (1...2000).map { JournalRow.made($0, .proven) }

    @Test(arguments: [
        ("a.csv", ReportFormat.csv), ("a.CSV", .csv), ("a.tsv", .tsv), ("a.jsonl", .jsonLines), ("a.html", .html),
        ("a.b.htm", .html),
    ])
    func theNameTellsTheForm(name: String, format: ReportFormat) throws {
        #expect(try ReportFormat(of: URL(filePath: name)) == format)
    }

    /// A second journal of the same plan, which was begun a millisecond later.
    private struct OtherRecord: ProvisioningRecord {
        let record: ReportRecord
        var plan: PlanIdentity { record.plan }
        var begun: Date { record.begun + 0.001 }
        func counts() throws -> [RowState: Int] { try record.counts() }
        func forEachRow(in states: Set<RowState>, _ body: (JournalRow) throws -> Void) throws {
            try record.forEachRow(in: states, body)
        }
        func forEachRefusedTag(_ body: (RefusedTag) throws -> Void) throws {}
    }

    @Test(arguments: ReportFormat.allCases)
    func aReportBelongsToTheJournalItWasWrittenFrom(format: ReportFormat) throws {
        var record = ReportRecord()
        record.file = "plans/\"begun\":\"2026-11-21T14:56:40.001Z\".csv"
        // The cells, and the text before them, contain quotation marks, commas and line breaks.
        let field = PlanField(name: "a\"\r\n,b", value: "2026-11-21T14:56:40.001Z")
        record.rows = [.made(1, .failed, fields: [field], reason: "It said \"no\",\r\ntwice.", chip: "a,b")]
        let report = Array(try ProvisionReport(of: record).text(format).utf8)
        #expect(format.isReport(beginning: report, of: record))
        #expect(!format.isReport(beginning: report, of: OtherRecord(record: record)))
        // The file remains the plan's report while the plan continues.
        record.rows.append(.made(2, .proven))
        record.rows[0] = .made(1, .sealed, fields: [field])
        #expect(format.isReport(beginning: report, of: record))
        for other in ReportFormat.allCases where other != format {
            #expect(!other.isReport(beginning: report, of: record))
        }
        #expect(!format.isReport(beginning: [], of: record))
        #expect(!format.isReport(beginning: Array(report.prefix(40)), of: record))
    }

    @Test(arguments: ["report", "a.json", "a.pdf", ".csv"])
    func anotherNameIsToldWhichThereAre(name: String) {
        let error = #expect(throws: ReportError.unknownFormat(name: name)) {
            try ProvisionReport(of: ReportRecord()).write(to: URL(filePath: "/nowhere/\(name)"))
        }
        #expect(
            error?.description
                == "Cannot tell the format of the report \(name) from its name: "
                + "it must end in .csv, .tsv, .jsonl or .html.")
    }

    @Test func aReportReplacesTheOldOneAndLeavesNothingElse() throws {
        try Self.withFolder { folder in
            let file = folder.appending(path: "r.csv")
            try Data("old".utf8).write(to: file)
            let report = ProvisionReport(of: ReportRecord(rows: Self.rows))
            try report.write(to: file)
            #expect(try String(contentsOf: file, encoding: .utf8) == report.text(.csv))
            #expect(try Self.names(in: folder) == ["r.csv"])
            var facts = stat()
            #expect(stat(file.path, &facts) == 0)
            // The umask may remove more permissions, but never adds any to 0644.
            #expect(facts.st_mode & 0o777 & ~0o644 == 0 && facts.st_mode & 0o600 == 0o600)
        }
    }

    @Test func whatALinkPointsAtIsReplacedAndTheLinkStays() throws {
        try Self.withFolder { folder in
            let place = folder.appending(path: "place.csv")
            let link = folder.appending(path: "link.csv")
            try Data("old".utf8).write(to: place)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: place)
            try ProvisionReport(of: ReportRecord()).write(to: link)
            #expect(try String(contentsOf: place, encoding: .utf8).hasPrefix("row,line"))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == place.path)
        }
    }

    @Test(arguments: ["r.csv", "r.jsonl", "r.html"])
    func aRecordThatBreaksLeavesTheOldReport(name: String) throws {
        try Self.withFolder { folder in
            let file = folder.appending(path: name)
            try Data("old".utf8).write(to: file)
            let record = ReportRecord(rows: Self.rows, breaksAfter: 1500)
            #expect(throws: ReportRecord.Broken.self) { try ProvisionReport(of: record).write(to: file) }
            #expect(try String(contentsOf: file, encoding: .utf8) == "old")
            #expect(try Self.names(in: folder) == [name])
        }
    }

    @Test(arguments: [
        ("/dev/null/r.csv", "Not a directory"), ("/nowhere-\(UUID().uuidString)/r.csv", "No such file or directory"),
        ("/proc/self/r.csv", "No such file or directory"),
    ])
    func aFolderThatTakesNoFileIsTold(path: String, reason: String) {
        #expect(throws: ReportError.notWritable(path: path, reason: reason)) {
            try ProvisionReport(of: ReportRecord()).write(to: URL(filePath: path))
        }
    }

    @Test func aFolderInThePlaceOfTheReportStays() throws {
        try Self.withFolder { folder in
            let file = folder.appending(path: "r.html", directoryHint: .notDirectory)
            #expect(mkdir(file.path, 0o700) == 0)
            #expect(throws: ReportError.notWritable(path: file.path, reason: "Is a directory")) {
                try ProvisionReport(of: ReportRecord()).write(to: file)
            }
            let names = try Self.names(in: folder)
            #expect(names == ["r.html"])
        }
    }

    /// The test runs in a separate process, because the limit applies to the whole process.
    @Test func aDiskThatIsFullLeavesTheOldReport() async {
        await #expect(processExitsWith: .success) {
            try Self.withFolder { folder in
                let file = folder.appending(path: "r.csv")
                try Data("old".utf8).write(to: file)
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
                try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
                #expect(throws: ReportError.notWritable(path: file.path, reason: "File too large")) {
                    try ProvisionReport(of: ReportRecord(rows: Self.rows)).write(to: file)
                }
                #expect(try String(contentsOf: file, encoding: .utf8) == "old")
                #expect(try Self.names(in: folder) == ["r.csv"])
            }
        }
    }
}
