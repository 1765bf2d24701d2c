// nfctool itself as stations with two virtual readers each and the real libnfc. Every tag is audited by its dump

import Chance
import Foundation
import PostgreSQLJournal
import PostgreSQLServer
import Testing

extension StationCampaigns {
    @Suite struct VirtualReaderCampaign {
        private static let stations = number("NFCTOOL_CAMPAIGN_STATIONS", Campaign.count(4, long: 64))
        private static let rows = number("NFCTOOL_CAMPAIGN_ROWS", Campaign.count(60, long: 100_000))
        private static let kills = number("NFCTOOL_CAMPAIGN_KILLS", Campaign.count(2, long: 64))
        private static let serverKills = Campaign.count(1, long: 5)
        private static let readers = 2

        private static func number(_ variable: String, _ usual: Int) -> Int {
            ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? usual
        }

        private struct Event: Decodable {
            let event: String
            let reader: String?
            let uid: String?
            let row: Int?
        }

        /// All stations start with the plan's file, and one of them loads it.
        ///
        /// Stations and the server are killed.
        @Test func stationsWithTwoReadersEachLoseAndDoubleNoRow() async throws {
            var chance = SplitMix(state: CampaignSeed.value)
            let server = try await OwnThread.run { try PostgreSQLServer() }
            let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-desks-\(UUID().uuidString)")
                .path
            let tags = folder + "/tags"
            try FileManager.default.createDirectory(atPath: tags, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let database = try server.newDatabase()
            try PlanServer(try ServerAddress(server.uri(database))).prepare()
            let ids = (1...Self.rows).map {
                "\($0)-" + String(repeating: "x", count: Int.random(in: 0...40, using: &chance))
            }
            try ("id\n" + ids.joined(separator: "\n") + "\n").write(
                toFile: folder + "/tags.csv", atomically: true, encoding: .utf8)
            let desks = try (0..<Self.stations * Self.readers).map { try VirtualDesk($0, keepingTagsIn: tags) }
            let arguments = (0..<Self.stations).map { station in
                [
                    "provision", "tags.csv", "--uri", "https://example.com/{id}?t={uid}", "--json", "--timeout", "60s",
                    "--journal", server.uri(database), "--station", "desk-\(station)",
                ] + Self.desks(of: station).flatMap { ["--reader", desks[$0].connection] }
            }
            // The stations run at a low priority, because the virtual chips, like hardware, do not wait for the
            // programs that use them.
            let crew = StationCrew("nfctool", arguments, niceness: 10, startsAtOnce: 8, in: folder) { line, station in
                guard let event = try? JSONDecoder().decode(Event.self, from: Data(line.utf8)) else { return .nothing }
                return await Self.meaning(of: event, Self.desks(of: station).map { desks[$0] })
            }
            let begin = ContinuousClock.now
            let seed = chance.next()
            try await crew.work {
                var chance = SplitMix(state: seed)
                let all = Self.kills + Self.serverKills
                for number in stride(from: 1, through: all, by: 1) {
                    await crew.waitForProven(Self.rows * number / (all + 2))
                    // The kills of the server are distributed among those of stations.
                    if number * Self.serverKills / all > (number - 1) * Self.serverKills / all {
                        try await OwnThread.run {
                            try server.stopAtOnce()
                            try server.start()
                        }
                    } else {
                        let victim = Int.random(in: 0..<Self.stations, using: &chance)
                        if await crew.killStation(victim) { await crew.waitForEnd(of: victim) }
                    }
                }
            }
            let seconds = (ContinuousClock.now - begin) / .seconds(1)
            for desk in desks { try await desk.end() }
            let files = try FileManager.default.contentsOfDirectory(atPath: tags)
            let audit = PlanAudit(
                server: server, database: database, ids: ids,
                tags: try files.map { try HeldTag(dump: "\(tags)/\($0)") },
                told: await crew.told)
            let findings = try audit.findings()
            #expect(findings == [])
            let unexplained = await crew.unexplained
            #expect(unexplained == [])
            let stops = await crew.stops.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key) \($0.value)" }
            print(
                "Virtual readers: \(Self.stations) stations × \(Self.readers) readers, server killed \(Self.serverKills) times; \(try audit.summary(findings)); stops: \(stops.joined(separator: ", ")); \(Int(seconds)) s, \(String(format: "%.1f", Double(Self.rows) / seconds)) tags a second; seed \(CampaignSeed.value)"
            )
        }

        private static func desks(of station: Int) -> Range<Int> { station * readers..<(station + 1) * readers }

        private static func meaning(of event: Event, _ desks: [VirtualDesk]) async -> StationCrew.Said {
            switch event.event {
            // A reader was opened.
            case "reader":
                for desk in desks where desk.connection == event.reader { await desk.begin() }
                return .begun
            case "databaseAway": return .away
            case "databaseBack": return .back
            case "row", "known", "cut":
                guard let uid = event.uid else { return .nothing }
                for desk in desks { try? await desk.hear(event.event, of: uid) }
                guard event.event == "row", let row = event.row else { return .nothing }
                return .proven(.init(row: row, uid: uid))
            default: return .nothing
            }
        }
    }
}
