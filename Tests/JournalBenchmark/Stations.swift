// How long it takes stations of one plan in PostgreSQL to give rows to tags: simulated tags, a connection for each station

import Foundation
import PostgreSQLJournal
import Provisioning
import Synchronization

/// Measures one plan with so many stations.
///
/// The database must be prepared, and empty of plans with these names.
struct StationLoad {
    let server: PlanServer
    let rows: Int
    let stations: Int
    let tags: Int

    func run() throws {
        let name = "load-\(stations)-\(ProcessInfo.processInfo.processIdentifier).csv"
        let clock = ContinuousClock()
        var begin = clock.now
        _ = try server.store(plan: name, station: "loader").create { insert in
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
        let load = begin.duration(to: clock.now)
        let journals = try (0..<stations).map { try server.open(plan: name, station: "desk-\($0)") }
        let trips = journals.map(\.roundTrips).reduce(0, +)
        let times = Mutex<[Duration]>([])
        begin = clock.now
        let done = DispatchGroup()
        for (index, journal) in journals.enumerated() {
            done.enter()
            Thread.detachNewThread {
                defer { done.leave() }
                var own: [Duration] = []
                for tag in 0..<tags {
                    let serial = UInt64(index * tags + tag + 1)
                    let uid = [0x04] + withUnsafeBytes(of: serial.bigEndian) { Array($0.suffix(6)) }
                    do {
                        _ = try journal.standing(of: uid)
                        guard let row = try journal.claimRow(except: []) else { break }
                        own.append(
                            try clock.measure {
                                try journal.bind(
                                    row.number, to: BoundTag(uid: uid, chip: "NTAG213", reader: "desk", bound: Date()))
                            })
                        try journal.advance(row.number, of: uid, to: .written)
                        try journal.advance(
                            row.number, of: uid, to: .proven,
                            proof: RowProof(messageLength: 60, sha256: "AB", signature: nil, seconds: 1))
                    } catch {
                        print("  station \(index): \(error)")
                        break
                    }
                }
                times.withLock { $0 += own }
            }
        }
        done.wait()
        let duration = begin.duration(to: clock.now)
        let all = times.withLock { $0.sorted() }
        let counts = try server.open(plan: name).counts()
        guard !all.isEmpty, counts[.proven] == all.count, counts.values.reduce(0, +) == rows else {
            print("  \(stations) stations: rows were lost or doubled: \(counts), \(all.count) bound")
            exit(1)
        }
        let perTag = Double(journals.map(\.roundTrips).reduce(0, +) - trips) / Double(all.count)
        print(
            "  \(stations) stations, \(rows) rows loaded in \(Self.text(load)) ms: \(Int(Double(all.count) / (duration / .seconds(1)))) tags a second, bind median \(Self.text(all[all.count / 2])) ms, 99 % \(Self.text(all[all.count * 99 / 100])) ms, \(String(format: "%.2f", perTag)) round trips a tag"
        )
    }

    private static func text(_ duration: Duration) -> String { String(format: "%.2f", duration / .milliseconds(1)) }
}
