// The network between some of the stations and the database fails, in all the ways in which networks fail

import Chance
import Foundation
import PostgreSQLServer
import Testing

extension StationCampaigns {
    @Suite struct PartitionCampaign {
        private static let stations = 4
        /// Every other station reaches the server over the relay.
        private static let cutOff = [0, 2]
        private static let pace = 10

        private enum Partition: CaseIterable {
            /// At first nothing arrives. Later everything arrives, although its sender may have given up.
            case silentThenLate
            /// Nothing arrives, and the connections break later.
            case silentThenReset
            case reset
            /// The server has carried out the request, and its answer is lost.
            case lostAnswer
            case slow
        }

        @Test func partitionsLoseAndDoubleNoRow() async throws {
            let partitions = Campaign.count(2, long: 20)
            var chance = SplitMix(state: CampaignSeed.value)
            let server = try await OwnThread.run { try PostgreSQLServer() }
            let relay = try Relay(to: server, over: .tcp)
            let plant = try SimulatedPlant(
                on: server, rows: max(120, partitions * 60), stations: Self.stations, pace: Self.pace, &chance
            ) { station, database in Self.cutOff.contains(station) ? relay.uri(database) : server.uri(database) }
            let seed = chance.next()
            try await plant.work {
                var chance = SplitMix(state: seed)
                for number in 1...partitions {
                    plant.release(number, of: partitions)
                    try await Task.sleep(for: SimulatedPlant.moment(below: 300, &chance))
                    let kind = Partition.allCases[number % Partition.allCases.count]
                    try await Self.carryOut(kind, on: relay, plant, &chance)
                    await plant.crew.waitUntilNoneIsAway()
                }
            }
            print(
                "Partitions: \(partitions), \(Self.cutOff.count) of \(Self.stations) stations cut off; \(try await plant.audit(on: server)); seed \(CampaignSeed.value)"
            )
        }

        private static func carryOut(
            _ kind: Partition, on relay: Relay, _ plant: SimulatedPlant, _ chance: inout SplitMix
        ) async throws {
            let before = await plant.crew.connections
            // In the long form, the silence may exceed the 10 s after which a station stops waiting for an answer.
            let silence = SimulatedPlant.moment(below: Campaign.count(1500, long: 14_000), &chance)
            switch kind {
            case .silentThenLate, .silentThenReset:
                relay.change(to: .silent)
                if Bool.random(using: &chance) {
                    await plant.crew.killStation(cutOff.randomElement(using: &chance) ?? 0)
                }
                try await Task.sleep(for: silence)
                if kind == .silentThenReset { relay.resetConnections() }
                relay.change(to: .clear)
                if kind == .silentThenReset { await plant.crew.waitForConnections(after: before, of: cutOff) }
            case .reset:
                relay.resetConnections()
                await plant.crew.waitForConnections(after: before, of: cutOff)
            case .lostAnswer:
                relay.loseNextAnswer()
                await plant.crew.waitForConnections(after: before, of: cutOff, atLeast: 1)
            case .slow:
                relay.change(to: .slow(.milliseconds(Int.random(in: 20...200, using: &chance))))
                try await Task.sleep(for: silence)
                relay.change(to: .clear)
            }
        }
    }
}
