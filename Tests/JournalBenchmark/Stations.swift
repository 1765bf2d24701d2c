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
        /// How often a station waited because the server had not answered in time.
        let waits: Int
        let roundTrips: Double

        var tagsPerSecond: Int { Int(Double(tags) / (duration / .seconds(1))) }

        var line: String {
            "\(stations) stations, \(rows) rows loaded in \(load.milliseconds) ms: \(tagsPerSecond) tags a second, bind median \(bindMedian.milliseconds) ms, 99 % \(bindP99.milliseconds) ms, \(waits) waits, \(String(format: "%.2f", roundTrips)) round trips a tag"
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
        let finished = Mutex<[SimulatedDesk]>([])
        let failures = Mutex<[String]>([])
        let begin = clock.now
        let done = DispatchGroup()
        for (index, journal) in journals.enumerated() {
            done.enter()
            Thread.detachNewThread {
                defer { done.leave() }
                do {
                    var desk = SimulatedDesk(journal: journal)
                    try desk.work(serials: (index * tags + 1)..<((index + 1) * tags + 1))
                    finished.withLock { [desk] in $0.append(desk) }
                } catch {
                    failures.withLock { $0.append("station \(index): \(error)") }
                }
            }
        }
        done.wait()
        let duration = begin.duration(to: clock.now)
        let desks = finished.withLock(\.self)
        let all = desks.flatMap(\.bindTimes).sorted()
        let counts = try server.open(plan: name).counts()
        let failed = failures.withLock(\.self)
        guard !all.isEmpty, failed.isEmpty, counts[.proven] == all.count, counts.values.reduce(0, +) == rows else {
            throw Loss(text: "\(stations) stations: \(counts), \(all.count) bound, \(failed)")
        }
        return Cost(
            stations: stations, rows: rows, tags: all.count, load: load, duration: duration,
            bindMedian: all[all.count / 2], bindP99: all[all.count * 99 / 100],
            waits: desks.map(\.waits).reduce(0, +),
            roundTrips: Double(journals.map(\.roundTrips).reduce(0, +) - trips) / Double(all.count))
    }
}

/// A station with simulated tags.
///
/// If the server does not answer in time, the station waits and continues with the same tag, as nfctool does.
private struct SimulatedDesk {
    let journal: PostgreSQLJournal
    private(set) var bindTimes: [Duration] = []
    private(set) var waits = 0

    init(journal: PostgreSQLJournal) { self.journal = journal }

    /// Gives rows to the tags with these serial numbers, until no row is left.
    mutating func work(serials: Range<Int>) throws {
        for serial in serials {
            let uid = [0x04] + withUnsafeBytes(of: UInt64(serial).bigEndian) { Array($0.suffix(6)) }
            guard let row = try bindWhenAnswered(uid) else { break }
            try journal.advance(row, of: uid, to: .written)
            try journal.advance(
                row, of: uid, to: .proven,
                proof: RowProof(messageLength: 60, sha256: "AB", signature: nil, seconds: 1))
        }
        while journal.reach != .near { try wait() }
    }

    /// Binds a row to a tag, and records the time that this took.
    ///
    /// Returns the row's number, or nil if no row is left.
    private mutating func bindWhenAnswered(_ uid: [UInt8]) throws -> Int? {
        var time = Duration.zero
        while true {
            do {
                guard let row = try bind(uid, adding: &time) else { return nil }
                bindTimes.append(time)
                return row
            } catch let error as JournalError where error.isPassing {
                // At the end of a plan, another station can take a claimed row. The desk then tries the next one.
                guard case .away = error else { continue }
                waits += 1
                try wait()
            }
        }
    }

    private func bind(_ uid: [UInt8], adding time: inout Duration) throws -> Int? {
        // The answer to an earlier attempt may have been lost.
        if case .row(let bound) = try journal.standing(of: uid) { return bound.row.number }
        guard let row = try journal.claimRow(except: []) else { return nil }
        let start = ContinuousClock.now
        defer { time += start.duration(to: .now) }
        try journal.bind(row.number, to: BoundTag(uid: uid, chip: "NTAG213", reader: "desk", bound: Date()))
        return row.number
    }

    private func wait() throws {
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
        print("| stations | rows | tags | tags a second | bind p50 ms | bind p99 ms | waits | round trips a tag |")
        print("|---:|---:|---:|---:|---:|---:|---:|---:|")
        for count in stations {
            let cost = try StationLoad(server: plans, rows: rows, stations: count, tags: rows / count).run()
            print(
                "| \(count) | \(rows) | \(cost.tags) | \(cost.tagsPerSecond) | \(cost.bindMedian.milliseconds) | \(cost.bindP99.milliseconds) | \(cost.waits) | \(String(format: "%.2f", cost.roundTrips)) |"
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
