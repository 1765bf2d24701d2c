// Measures a long plan: the time to load it, read its state and give its rows to tags, and the memory for this

import Foundation
import PostgreSQLJournal
import PostgreSQLServer
import Provisioning

struct LongPlan {
    let rows: Int

    private static let binds = 200

    struct Cost: Codable {
        var load = 0.0
        var status = 0.0
        var bindMedian = 0.0
        var bindP99 = 0.0
        /// The maximum memory of the process, in MiB.
        var memory = 0

        var line: String {
            "made in \(text(load)) ms, peak \(memory) MiB; status \(text(status)) ms; bind median \(text(bindMedian)) ms, 99 % \(text(bindP99)) ms"
        }

        fileprivate func text(_ milliseconds: Double) -> String { String(format: "%.2f", milliseconds) }
    }

    static func fill(
        _ rows: Int, named name: String, _ insert: (PlanRow) throws -> Void
    ) throws -> PlanIdentity {
        for number in 1...rows {
            try insert(
                PlanRow(
                    number: number, line: number + 1,
                    fields: [
                        PlanField(name: "id", value: String(number)),
                        PlanField(name: "uri", value: "https://example.com/asset/\(number)?from=tag"),
                    ]))
        }
        return PlanIdentity(file: name, sha256: String(repeating: "AB", count: 32), recipe: ["--uri {uri}"])
    }

    /// Returns a function that creates the journal in a file.
    func inFile(at file: URL) -> () throws -> any ProvisionJournal {
        { try EmbeddedJournal.create(at: file) { try Self.fill(rows, named: "plan.csv", $0) } }
    }

    /// Returns a function that creates the journal in a prepared database.
    func inDatabase(_ uri: String) throws -> () throws -> any ProvisionJournal {
        let server = PlanServer(try ServerAddress(uri))
        return {
            try server.store(plan: "plan.csv", station: "desk").create { try Self.fill(rows, named: "plan.csv", $0) }
        }
    }

    /// Measures a journal, beginning with its creation.
    func measure(_ make: () throws -> any ProvisionJournal) throws -> Cost {
        let clock = ContinuousClock()
        var cost = Cost()
        let begin = clock.now
        let journal = try make()
        cost.load = begin.duration(to: clock.now) / .milliseconds(1)
        var times: [Double] = []
        // The rows are spread over the plan, so that a row is not next to the one that was bound before.
        let count = min(Self.binds, rows)
        for index in 0..<count {
            let number = 1 + index * (rows / count)
            let uid = [0x04] + withUnsafeBytes(of: UInt64(number &* 0x9E37_79B9).bigEndian) { Array($0.suffix(6)) }
            let tag = BoundTag(uid: uid, chip: "NTAG213", reader: "pn532_uart:/dev/ttyUSB0", bound: Date())
            let time = try clock.measure {
                guard try journal.row(of: uid) == nil else { fatalError("the UID is not new") }
                try journal.bind(number, to: tag)
            }
            times.append(time / .milliseconds(1))
        }
        times.sort()
        (cost.bindMedian, cost.bindP99) = (times[count / 2], times[count * 99 / 100])
        cost.status = try clock.measure { _ = try ProvisionStatus(journal, name: journal.name) } / .milliseconds(1)
        cost.memory = Self.peakMemory
        return cost
    }

    /// Measures the journal at a URI or a path, and prints the cost as JSON.
    func run(in place: String) throws {
        let make = ServerAddress.isURI(place) ? try inDatabase(place) : inFile(at: URL(filePath: place))
        print(String(decoding: try JSONEncoder().encode(try measure(make)), as: UTF8.self))
    }

    /// Prints a table that compares the plan in PostgreSQL and in SQLite.
    static func compare(rows: Int) throws {
        let server = try PostgreSQLServer(isDurable: true)
        let database = try server.newDatabase()
        try PlanServer(try ServerAddress(server.uri(database))).prepare()
        let file = server.folder + "/plan.journal"
        let places = [("PostgreSQL", server.uri(database)), ("SQLite", file)]
        print("| plan of \(rows) rows | load s | peak memory MiB | status ms | bind p50 ms | bind p99 ms | disk MB |")
        print("|---|---:|---:|---:|---:|---:|---:|")
        for (name, place) in places {
            let cost = try measureInOwnProcess(rows, in: place)
            let size =
                name == "SQLite"
                ? (try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0)
                : Int(try server.sql("SELECT pg_database_size(current_database())", in: database)) ?? 0
            print(
                "| \(name) | \(String(format: "%.1f", cost.load / 1000)) | \(cost.memory) | \(cost.text(cost.status)) | \(cost.text(cost.bindMedian)) | \(cost.text(cost.bindP99)) | \(size / 1_000_000) |"
            )
            fflush(nil)
        }
    }

    private static func measureInOwnProcess(_ rows: Int, in place: String) throws -> Cost {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["plan", place, String(rows)]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode(Cost.self, from: data)
    }

    /// The maximum memory of the process, in MiB (proc(5), VmHWM).
    private static var peakMemory: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1024
    }
}
