// Stations are killed repeatedly, and no row is lost or given twice. SQL and every tag are used to check this

import Chance
import Foundation
import PostgreSQLServer
import SimulatedTags
import Synchronization
import Testing

/// The parent of the campaigns, which run one after the other, because each needs the whole machine.
@Suite(.serialized, .timeLimit(.minutes(240))) struct StationCampaigns {}

extension StationCampaigns {
    @Suite struct StationKillCampaign {
        private static let kills = Campaign.count(6, long: 200)
        private static let rows = Campaign.count(240, long: 6000)
        private static let stations = 4
        /// The maximum time for a tag, in milliseconds.
        private static let pace = 20

        /// Each station is killed with SIGKILL at a random moment, and started again under its name.
        @Test func killedStationsLoseAndDoubleNoRow() async throws {
            var chance = SplitMix(state: CampaignSeed.value)
            let server = try await OwnThread.run { try PostgreSQLServer() }
            let plant = try SimulatedPlant(
                on: server, rows: Self.rows, stations: Self.stations, pace: Self.pace, &chance
            ) { server.uri($1) }
            let kills = KillMoments()
            let seed = chance.next()
            try await plant.work {
                var chance = SplitMix(state: seed)
                for number in 1...Self.kills {
                    let victim = Int.random(in: 0..<Self.stations, using: &chance)
                    await plant.crew.waitForBegin(of: victim)
                    plant.release(number, of: Self.kills)
                    try await Task.sleep(for: SimulatedPlant.moment(below: 120, &chance))
                    guard await plant.crew.killStation(victim) else { continue }
                    await plant.crew.waitForEnd(of: victim)
                    kills.note(plant.box[momentOf: victim])
                }
            }
            let moments = kills.byMoment
            let line = try await plant.audit(on: server)
            let when = moments.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key) \($0.value)" }
            print(
                "Station kills: \(moments.values.reduce(0, +)) of \(Self.stations) stations (\(when.joined(separator: ", "))); \(line); seed \(CampaignSeed.value)"
            )
            #expect(moments.values.reduce(0, +) == Self.kills)
            if Campaign.isLong {
                // Some kills must happen while a tag is being written.
                for moment in StationMoment.allCases { #expect(moments[moment, default: 0] > 0, "\(moment)") }
            }
        }
    }
}

/// The work of stations at the moment when they were killed.
private final class KillMoments: Sendable {
    private let counts = Mutex<[StationMoment: Int]>([:])
    var byMoment: [StationMoment: Int] { counts.withLock(\.self) }
    func note(_ moment: StationMoment) { counts.withLock { $0[moment, default: 0] += 1 } }
}
