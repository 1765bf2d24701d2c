// The database server is killed, disconnected or replaced by its replica, while stations work or are killed

import Chance
import Foundation
import PostgreSQLServer
import Testing

extension StationCampaigns {
    @Suite struct ServerTroubleCampaign {
        private static let stations = 4
        private static let pace = 10

        private static func rows(_ rounds: Int) -> Int { max(120, rounds * 60) }

        /// Kills a station in about half of the rounds.
        private static func maybeKillStation(of plant: SimulatedPlant, _ chance: inout SplitMix) async {
            guard Bool.random(using: &chance) else { return }
            await plant.crew.killStation(Int.random(in: 0..<Self.stations, using: &chance))
        }

        /// Stops the server with `pg_ctl stop -m immediate`, which ends all of its processes at once.
        ///
        /// After a restart, the server recovers from its log.
        @Test func aServerThatIsKilledLosesAndDoublesNoRow() async throws {
            let kills = Campaign.count(2, long: 20)
            var chance = SplitMix(state: CampaignSeed.value)
            let server = try await OwnThread.run { try PostgreSQLServer() }
            let plant = try SimulatedPlant(
                on: server, rows: Self.rows(kills), stations: Self.stations, pace: Self.pace, &chance
            ) { server.uri($1) }
            let seed = chance.next()
            try await plant.work {
                var chance = SplitMix(state: seed)
                for number in 1...kills {
                    plant.release(number, of: kills)
                    try await Task.sleep(for: SimulatedPlant.moment(below: 300, &chance))
                    let before = await plant.crew.connections
                    try await OwnThread.run { try server.stopAtOnce() }
                    await Self.maybeKillStation(of: plant, &chance)
                    try await OwnThread.run { try server.start() }
                    await plant.crew.waitForConnections(after: before)
                }
            }
            print(
                "Server kills: \(kills), \(Self.stations) stations; \(try await plant.audit(on: server)); seed \(CampaignSeed.value)"
            )
        }

        /// The primary server is killed permanently, its synchronous replica is promoted, and a new replica is created.
        @Test func failOversLoseAndDoubleNoRow() async throws {
            let failOvers = Campaign.count(1, long: 5)
            var chance = SplitMix(state: CampaignSeed.value)
            let servers = try await OwnThread.run { try ReplicatedServer() }
            let plant = try SimulatedPlant(
                on: servers.primary, rows: Self.rows(failOvers * 3), stations: Self.stations, pace: Self.pace, &chance
            ) { servers.uri($1) }
            let seed = chance.next()
            try await plant.work {
                var chance = SplitMix(state: seed)
                for number in 1...failOvers {
                    plant.release(number, of: failOvers)
                    try await Task.sleep(for: SimulatedPlant.moment(below: 500, &chance))
                    let before = await plant.crew.connections
                    async let change: Void = OwnThread.run { try servers.failOver() }
                    await Self.maybeKillStation(of: plant, &chance)
                    try await change
                    await plant.crew.waitForConnections(after: before)
                }
            }
            print(
                "Fail-overs: \(failOvers) to a synchronous replica, \(Self.stations) stations; \(try await plant.audit(on: servers.primary)); seed \(CampaignSeed.value)"
            )
        }
    }
}
