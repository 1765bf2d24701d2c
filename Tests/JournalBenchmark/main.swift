// Measures the journal of a plan: loading it, giving rows to tags, and reading its state. Run by Scripts/bench
//
//   JournalBenchmark [FOLDER]                  journals in files, by the length of the plan
//   JournalBenchmark URI ROWS TAGS STATIONS…   stations of a database prepared by `nfctool provision init-db`
//   JournalBenchmark curve [ROWS STATIONS…]    stations of a private server, which waits for the disk
//   JournalBenchmark plans [ROWS]              one long plan in PostgreSQL, and in SQLite
//
// The last two print a table in Markdown.

import Foundation
import PostgreSQLJournal
import PostgreSQLServer
import Provisioning

private let words = Array(CommandLine.arguments.dropFirst())
private let numbers = words.dropFirst().compactMap { Int($0) }

private func folder() throws -> URL {
    let parent = words.first.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
    let folder = parent.appending(path: "nfctool-journal-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}

switch words.first {
case "curve":
    let rows = numbers.first ?? 100_000
    let stations = numbers.count > 1 ? Array(numbers.dropFirst()) : [1, 8, 64, 256]
    try StationCurve(rows: rows, stations: stations).run()
case "plans": try LongPlan.compare(rows: numbers.first ?? 1_000_000)
// "plan" is a part of "plans" that runs in a separate process, so that its memory can be measured.
case "plan" where words.count == 3: try LongPlan(rows: numbers[0]).run(in: words[1])
case let uri? where ServerAddress.isURI(uri) && words.count > 3:
    let server = PlanServer(try ServerAddress(uri))
    for stations in numbers.dropFirst(2) {
        let load = StationLoad(server: server, rows: numbers[0], stations: stations, tags: numbers[1])
        print("  " + (try load.run().line))
    }
default:
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    for rows in [1000, 10_000, 100_000, 1_000_000] {
        let plan = LongPlan(rows: rows)
        let cost = try plan.measure(plan.inFile(at: folder.appending(path: "\(rows).journal")))
        print("  \(rows) rows: \(cost.line)   bind ≤ 3 ms")
    }
}
