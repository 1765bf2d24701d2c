// A plan in a database, a box of simulated tags, and stations that work on the plan in separate processes: the start of
// each campaign

import Chance
import Foundation
import PostgreSQLJournal
import PostgreSQLServer
import Provisioning
import SimulatedTags
import Testing

/// A place where stations work on simulated tags.
final class SimulatedPlant: Sendable {
    let database: String
    let folder: String
    let ids: [String]
    let box: TagBox
    let crew: StationCrew
    let begin = ContinuousClock.now

    /// The number of tags for every ten rows: some tags are faulty, and some are left over.
    private static let tagsForTenRows = 12
    private static let plan = "plan.csv"

    /// Loads a plan into a new database, and makes a box of tags for it.
    ///
    /// A tag takes at most `pace` milliseconds. `uri` returns the address at which a station finds the database.
    init(
        on server: PostgreSQLServer, rows: Int, stations: Int, pace: Int, _ chance: inout SplitMix,
        uri: (_ station: Int, _ database: String) -> String
    ) throws {
        let database = try server.newDatabase()
        let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-plant-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // The values have different lengths, so that the remains of another message are visible.
        let ids = (1...rows).map { number in
            "\(number)-" + String(repeating: "x", count: Int.random(in: 0...60, using: &chance))
        }
        (self.database, self.folder, self.ids) = (database, folder, ids)
        let plans = PlanServer(try ServerAddress(server.uri(database)))
        try plans.prepare()
        _ = try plans.store(plan: Self.plan, station: "loader").create { insert in
            for (index, id) in ids.enumerated() {
                let lock = index % 3 == 0 ? "yes" : "no"
                try insert(
                    PlanRow(
                        number: index + 1, line: index + 2,
                        fields: [PlanField(name: "id", value: id), PlanField(name: "lock", value: lock)]))
            }
            return PlanIdentity(
                file: Self.plan, sha256: String(repeating: "AB", count: 32),
                recipe: ["--uri https://example.com/{id}?t={uid}"])
        }
        box = try TagBox.make(at: folder + "/box", tags: rows * Self.tagsForTenRows / 10) { $0 % 40 == 7 }
        let arguments = (0..<stations).map { index in
            [
                uri(index, database), Self.plan, "desk-\(index)", folder + "/box", String(chance.next()), String(pace),
            ]
        }
        crew = StationCrew("StationChild", arguments, in: folder) { line, _ in Self.meaning(of: line) }
    }

    private static func meaning(of line: String) -> StationCrew.Said {
        let words = line.split(separator: " ")
        switch words.first {
        case "begun": return .begun
        case "away": return .away
        case "back": return .back
        case "proven":
            guard words.count == 3, let row = Int(words[1]) else { return .nothing }
            return .proven(.init(row: row, uid: String(words[2])))
        default: return .nothing
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Releases tags for a part of the plan.
    ///
    /// The tags for the last rows are kept for the last fault.
    func release(_ part: Int, of parts: Int) { box.released = max(1, ids.count * 9 / 10 * part / parts) }

    /// Lets the stations work until the plan is done.
    ///
    /// When all stations have started, `trouble` causes faults.
    func work(_ trouble: @Sendable @escaping () async throws -> Void) async throws {
        try await crew.work { [box, crew] in
            for station in await crew.connections.indices { await crew.waitForBegin(of: station) }
            try await trouble()
            box.released = box.count
        }
    }

    var tags: [HeldTag] {
        (0..<box.count).map { index in
            HeldTag(uid: box[index].uid, message: box[index].content, isLocked: box[index].isLocked)
        }
    }

    /// Compares the database with each tag, and returns a summary in one line.
    ///
    /// `server` is the server that has the database at the end.
    func audit(on server: PostgreSQLServer) async throws -> String {
        let told = await crew.told
        let audit = PlanAudit(server: server, database: database, ids: ids, tags: tags, told: told)
        let findings = try audit.findings()
        #expect(findings == [])
        let unexplained = await crew.unexplained
        #expect(unexplained == [])
        let stops = await crew.stops.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key) \($0.value)" }
        let absences = await crew.absences
        let seconds = Int((ContinuousClock.now - begin) / .seconds(1))
        return """
            \(try audit.summary(findings)); \(told.count) told; stops: \(stops.joined(separator: ", ")), \
            unexplained \(unexplained.count); database away \(absences) times; \(seconds) s
            """
    }

    /// Returns a moment during the stations' work.
    static func moment(below limit: Int, _ chance: inout SplitMix) -> Duration {
        .milliseconds(Int.random(in: 0..<limit, using: &chance))
    }
}

/// The seed of a campaign: `NFCTOOL_SEED` or, without it, always the same in CI and random in the long form.
enum CampaignSeed {
    static let value: UInt64 =
        ProcessInfo.processInfo.environment["NFCTOOL_SEED"].flatMap { UInt64($0) }
        ?? (Campaign.isLong ? .random(in: 1...1_000_000) : 0x0411_571F)
}

/// A separate thread for blocking work, because the threads of the pool must listen to stations.
enum OwnThread {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}
