// The speed at which stations get rows, by the number of stations, and a long plan: the figures in Docs/Stations.md

import Chance
import Foundation
import Synchronization
import Testing

extension StationCampaigns {
    @Suite struct StationCurveCampaign {
        private static let stations = Campaign.isLong ? [1, 8, 64, 256] : [1, 8]

        /// The benchmark fails if a row was lost or given twice, or if one station needs more than 4 round trips per
        /// tag.
        @Test func stationsOfAnyNumberLoseNoRowAndTheDatabaseIsAskedAtMostFourTimesATag() async throws {
            let rows = Campaign.count(240, long: 100_000)
            let lines = try await Self.benchmark(["curve", String(rows)] + Self.stations.map(String.init))
            #expect(lines.count == Self.stations.count + 2)
        }

        @Test func aLongPlanIsLoadedAndLookedAt() async throws {
            let rows = Campaign.count(2000, long: 1_000_000)
            let lines = try await Self.benchmark(["plans", String(rows)])
            #expect(lines.count == 4)
        }

        private static func benchmark(_ arguments: [String]) async throws -> [String] {
            let heard = Mutex<[String]>([])
            let end = try await StationProcess.run(
                "JournalBenchmark", arguments, in: FileManager.default.temporaryDirectory.path
            ) { line in
                print(line)
                heard.withLock { $0.append(line) }
            }
            #expect(end.status == 0, "\(end.lastWords)")
            return heard.withLock(\.self)
        }
    }
}
