// Measures how fast stations give rows of one plan in PostgreSQL to simulated tags, with a connection for each station

import Foundation
import PostgreSQLJournal
import PostgreSQLServer
import Provisioning
import Synchronization

/// A plan with this many stations.
///
/// The database must be prepared, and must not contain plans with these names.
struct StationLoad {
    let server: PlanServer
    let rows: Int
    let stations: Int
    let tags: Int

    struct Cost {
        let stations, rows, tags: Int
        let load: Duration
        let duration: Duration
        let bindMedian, bindP99: Duration
        let roundTrips: Double

        var tagsPerSecond: Int { Int(Double(tags) / (duration / .seconds(1))) }

        var line: String {
            "\(stations) stations, \(rows) rows loaded in \(load.milliseconds) ms: \(tagsPerSecond) tags a second, bind median \(bindMedian.milliseconds) ms, 99 % \(bindP99.milliseconds) ms, \(String(format: "%.2f", roundTrips)) round trips a tag"
        }
    }

    /// Not all rows of the plan are in the expected state.
    struct Loss: Error { let text: String }

    /// Measures the plan.
    ///
    /// - Throws: `Loss` if a row was lost or given to two tags.
    func run() throws -> Cost {
        let name = "load-\(stations)-\(ProcessInfo.processInfo.processIdentifier).csv"
        let clock = ContinuousClock()
        let load = try clock.measure {
            _ = try server.store(plan: name, station: "loader").create { try LongPlan.fill(rows, named: name, $0) }
        }
        let journals = try (0..<stations).map { try server.open(plan: name, station: "desk-\($0)") }
        let trips = journals.map(\.roundTrips).reduce(0, +)
        let times = Mutex<[Duration]>([])
        let failures = Mutex<[String]>([])
        let begin = clock.now
        let done = DispatchGroup()
        for (index, journal) in journals.enumerated() {
            done.enter()
            Thread.detachNewThread {
                defer { done.leave() }
                do {
                    let own = try work(journal, tagsFrom: index * tags, clock)
                    times.withLock { $0 += own }
                } catch {
                    failures.withLock { $0.append("station \(index): \(error)") }
                }
            }
        }
        done.wait()
        let duration = begin.duration(to: clock.now)
        let all = times.withLock { $0.sorted() }
        let counts = try server.open(plan: name).counts()
        let failed = failures.withLock(\.self)
        guard !all.isEmpty, failed.isEmpty, counts[.proven] == all.count, counts.values.reduce(0, +) == rows else {
            throw Loss(text: "\(stations) stations: \(counts), \(all.count) bound, \(failed)")
        }
        return Cost(
            stations: stations, rows: rows, tags: all.count, load: load, duration: duration,
            bindMedian: all[all.count / 2], bindP99: all[all.count * 99 / 100],
            roundTrips: Double(journals.map(\.roundTrips).reduce(0, +) - trips) / Double(all.count))
    }

    /// Gives rows to the station's tags, and returns the time that each bind took.
    ///
    /// If the server does not answer in time, the station waits and continues with the same tag, as nfctool does.
    private func work(
        _ journal: PostgreSQLJournal, tagsFrom first: Int, _ clock: ContinuousClock
    ) throws -> [Duration] {
        var times: [Duration] = []
        for tag in 0..<tags {
            let serial = UInt64(first + tag + 1)
            let uid = [0x04] + withUnsafeBytes(of: serial.bigEndian) { Array($0.suffix(6)) }
            var binding = Duration.zero
            guard let row = try untilAnswered(journal, { try bind(journal, uid, &binding, clock) }) else { break }
            times.append(binding)
            try journal.advance(row, of: uid, to: .written)
            try journal.advance(
                row, of: uid, to: .proven,
                proof: RowProof(messageLength: 60, sha256: "AB", signature: nil, seconds: 1))
        }
        while journal.reach != .near { try wait(for: journal) }
        return times
    }

    /// Binds a row to a tag, and adds the time that this took.
    ///
    /// Returns the row's number, or nil if no row is left.
    private func bind(
        _ journal: PostgreSQLJournal, _ uid: [UInt8], _ binding: inout Duration, _ clock: ContinuousClock
    ) throws -> Int? {
        // The answer to an earlier attempt may have been lost.
        if case .row(let bound) = try journal.standing(of: uid) { return bound.row.number }
        guard let row = try journal.claimRow(except: []) else { return nil }
        let start = clock.now
        defer { binding += start.duration(to: clock.now) }
        try journal.bind(row.number, to: BoundTag(uid: uid, chip: "NTAG213", reader: "desk", bound: Date()))
        return row.number
    }

    private func untilAnswered<Value>(_ journal: PostgreSQLJournal, _ step: () throws -> Value) throws -> Value {
        while true {
            do { return try step() } catch JournalError.away { try wait(for: journal) }
        }
    }

    private func wait(for journal: PostgreSQLJournal) throws {
        Thread.sleep(forTimeInterval: 0.1)
        _ = try journal.reachAgain()
    }
}

struct StationCurve {
    let rows: Int
    let stations: [Int]

    /// The maximum number of round trips for a tag of one station.
    private static let mostRoundTrips = 4.0

    /// Prints a row as soon as it is measured, and exits with 1 if a row was lost or a tag took too many round trips.
    func run() throws {
        let server = try PostgreSQLServer(isDurable: true)
        let database = try server.newDatabase()
        let plans = PlanServer(try ServerAddress(server.uri(database)))
        try plans.prepare()
        print("| stations | rows | tags | tags a second | bind p50 ms | bind p99 ms | round trips a tag |")
        print("|---:|---:|---:|---:|---:|---:|---:|")
        for count in stations {
            // Writes the changed pages of the plans before to the disk, so that this plan does not wait for them.
            try server.sql("CHECKPOINT", in: database)
            let cost = try StationLoad(server: plans, rows: rows, stations: count, tags: rows / count).run()
            print(
                "| \(count) | \(rows) | \(cost.tags) | \(cost.tagsPerSecond) | \(cost.bindMedian.milliseconds) | \(cost.bindP99.milliseconds) | \(String(format: "%.2f", cost.roundTrips)) |"
            )
            fflush(nil)
            guard count > 1 || cost.roundTrips <= Self.mostRoundTrips else {
                print("one station takes more than \(Self.mostRoundTrips) round trips a tag")
                exit(1)
            }
        }
    }
}

extension Duration {
    var milliseconds: String { String(format: "%.2f", self / .milliseconds(1)) }
}
