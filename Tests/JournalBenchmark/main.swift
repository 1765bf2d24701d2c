// How long it takes to give a row to a tag, by the length of the plan, and to make a journal. Run by Scripts/bench

import Foundation
import PostgreSQLJournal
import Provisioning

// JournalBenchmark URI ROWS TAGS STATIONS…   measures stations of a database that `nfctool provision init-db` has prepared
if CommandLine.arguments.count > 4, ServerAddress.isURI(CommandLine.arguments[1]) {
    let numbers = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
    let server = PlanServer(try ServerAddress(CommandLine.arguments[1]))
    for stations in numbers.dropFirst(2) {
        try StationLoad(server: server, rows: numbers[0], stations: stations, tags: numbers[1]).run()
    }
    exit(0)
}

private let folder = URL(filePath: CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "/tmp")
    .appending(path: "nfctool-journal-\(ProcessInfo.processInfo.processIdentifier)")
private let binds = 200

private func fields(_ number: Int) -> [PlanField] {
    [
        PlanField(name: "id", value: String(number)),
        PlanField(name: "uri", value: "https://example.com/asset/\(number)?from=tag"),
        PlanField(name: "label", value: "Bin \(number % 977), shelf \(number % 31)"),
    ]
}

/// The most memory the process had, in MiB (proc(5), VmHWM).
private func peakMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1024
}

private func milliseconds(_ duration: Duration) -> String {
    String(format: "%.2f", duration / .milliseconds(1))
}

private func measure(rows: Int) throws {
    let file = folder.appending(path: "\(rows).journal")
    let clock = ContinuousClock()
    let begin = clock.now
    let journal = try EmbeddedJournal.create(at: file) { insert in
        for number in 1...rows { try insert(PlanRow(number: number, line: number + 1, fields: fields(number))) }
        return PlanIdentity(file: "plan.csv", sha256: String(repeating: "AB", count: 32), recipe: ["--uri {uri}"])
    }
    let creation = begin.duration(to: clock.now)
    var times: [Duration] = []
    // All over the plan: what was bound before must not lie beside what is bound now.
    for index in 0..<binds {
        let number = 1 + index * (rows / binds)
        let uid = [0x04] + withUnsafeBytes(of: UInt64(number &* 0x9E37_79B9).bigEndian) { Array($0.suffix(6)) }
        let tag = BoundTag(uid: uid, chip: "NTAG213", reader: "pn532_uart:/dev/ttyUSB0", bound: Date())
        times.append(
            try clock.measure {
                guard try journal.row(of: uid) == nil else { fatalError("the UID is not new") }
                try journal.bind(number, to: tag)
            })
    }
    times.sort()
    let counting = try clock.measure { _ = try journal.counts() }
    print(
        "  \(rows) rows: bind median \(milliseconds(times[binds / 2])) ms, 99 % \(milliseconds(times[binds * 99 / 100]))"
            + " ms   ≤ 3 ms; counts \(milliseconds(counting)) ms; made in \(milliseconds(creation)) ms,"
            + " peak \(peakMemory()) MiB")
}

try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
for rows in [1000, 10_000, 100_000, 1_000_000] { try measure(rows: rows) }
