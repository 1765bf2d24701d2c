// The audit finds errors, so an audit without findings proves something

import Chance
import Foundation
import PostgreSQLServer
import Testing

extension StationCampaigns {
    @Suite struct PlanAuditTests {
        /// SQL that damages a database, and words from the finding that it must cause.
        private static let damages = [
            ("UPDATE nfctool.plan_row SET state = 'written' WHERE number = 2", "not done"),
            ("UPDATE nfctool.plan_row SET uid = '\\x04FFFFFFFFFFFF' WHERE number = 2", "which does not exist"),
            (
                "UPDATE nfctool.plan_row SET sha256 = upper(encode(sha256('a'), 'hex')) WHERE number = 3",
                "another message"
            ),
            ("UPDATE nfctool.plan_row SET message_length = 1 WHERE number = 3", "another message"),
            ("DELETE FROM nfctool.plan_row WHERE number = 4", "not the row of the plan"),
            ("UPDATE nfctool.plan_row SET fields = '[\"id\",\"x\"]' WHERE number = 4", "not the row of the plan"),
            ("UPDATE nfctool.tally SET count = count + 1 WHERE state = 'proven'", "the tally says"),
            ("UPDATE nfctool.plan_row SET station = 4711 WHERE number = 1", "unknown station"),
            (
                """
                DROP INDEX nfctool.row_of_tag;
                UPDATE nfctool.plan_row SET uid = (SELECT uid FROM nfctool.plan_row WHERE number = 1) WHERE number = 2
                """, "has 2 rows"
            ),
            (
                """
                INSERT INTO nfctool.refused_tag
                SELECT plan, uid, '', '', '', '', true, now(), station FROM nfctool.plan_row WHERE number = 1
                """, "is in quarantine"
            ),
            (
                """
                UPDATE nfctool.plan_row SET state = 'pending', uid = NULL, chip = NULL, reader = NULL, bound = NULL,
                    station = NULL WHERE number = 5
                """, "touched without a row"
            ),
        ]

        @Test func theAuditSeesWhatIsWrong() async throws {
            var chance = SplitMix(state: 1)
            let server = try await OwnThread.run { try PostgreSQLServer.shared.get() }
            let plant = try SimulatedPlant(on: server, rows: 6, stations: 1, pace: 0, &chance) { server.uri($1) }
            try await plant.work {}
            let tags = plant.tags
            let told = await plant.crew.told
            let ids = plant.ids
            func findings(_ tags: [HeldTag], in database: String) throws -> String {
                try PlanAudit(server: server, database: database, ids: ids, tags: tags, told: told).findings()
                    .joined(separator: "\n")
            }
            #expect(try findings(tags, in: plant.database) == "")
            #expect(told.count == 6)
            for (damage, word) in Self.damages {
                let copy = "damaged_" + UUID().uuidString.lowercased().replacing("-", with: "")
                try server.sql("CREATE DATABASE \(copy) TEMPLATE \(plant.database)", in: "postgres")
                try server.sql(damage, in: copy)
                let found = try findings(tags, in: copy)
                #expect(found.contains(word), "\(damage): \(found)")
            }
            let (first, blank) = (
                try #require(tags.firstIndex { !$0.message.isEmpty }), tags.firstIndex(where: \.message.isEmpty)
            )
            let (one, other) = (tags[first], try #require(blank))
            func changed(_ index: Int, _ message: [UInt8], isLocked: Bool = false) -> [HeldTag] {
                var all = tags
                all[index] = HeldTag(uid: tags[index].uid, message: message, isLocked: isLocked)
                return all
            }
            let wrongTags = [
                (changed(first, []), "does not hold it"), (changed(first, [0xD0, 0, 0]), "not a row's"),
                (changed(other, one.message), "not a row's"),
                (changed(first, one.message, isLocked: !one.isLocked), "lock"),
                (tags.filter { $0.uid != one.uid }, "which does not exist"),
            ]
            for (wrong, word) in wrongTags {
                let found = try findings(wrong, in: plant.database)
                #expect(found.contains(word), "\(word): \(found)")
            }
        }
    }
}
