// Tags whose rows another station has — Docs/Stations.md

import PostgreSQLServer
import Testing

extension BuiltBinaryProvision {
    @Suite struct OtherStationTests {
        private static let tag = "virtual:tag.nfc?serial=1"

        /// Writes the first of two rows at desk-1, and returns why desk-2 refuses the tag after that.
        private static func refusal(
            _ more: [String], losing tagAt: String = "",
            after change: (StationServer, ProvisionRun) async throws -> Void
        ) async throws -> String? {
            let database = try await StationServer(PostgreSQLServer.shared.get())
            var message: String?
            try await ProvisionRun.with { run in
                try run.plan(2)
                let first = try await Tool.run(
                    database.station("desk-1", tag + ",kind=ntag213" + tagAt, hasFile: true) + more + ["--count", "1"],
                    in: run.folder)
                let rows = try ProvisionRun.rows(first.jsonLines())
                #expect(tagAt != "" || rows == [1], "\(first.errors)")
                try await change(database, run)
                let second = try await Tool.run(
                    database.station("desk-2", tag, hasFile: true) + more, in: run.folder)
                let refused = try second.jsonLines().first { $0["event"] as? String == "refused" }
                #expect(refused?["error"] as? String == "otherStation", "\(second.errors)\(second.output)")
                message = refused?["message"] as? String
            }
            return message
        }

        @Test func aDisplayWaitsForTheFirstPlan() async throws {
            let database = try await StationServer(PostgreSQLServer.shared.get())
            try await ProvisionRun.with { run in
                try run.plan(1)
                let watch = "exec nfctool provision status --watch --journal '\(database.uri)' 2>&1"
                let watched = try await Tool.startShell(watch, in: run.folder) { tool in
                    _ = try await tool.line { $0.contains("has no plan yet. Waiting for the first one.") }
                    let station = database.station("desk-1", "virtual:ntag213", hasFile: true)
                    #expect(try await Tool.run(station, in: run.folder).status == 0)
                    _ = try await tool.line { $0.contains("1 of 1 provisioned") }
                }
                #expect(watched.status == 0, "\(watched.output)")
                // The name of a plan is misspelt if the database has other plans.
                let other = try await Tool.run(
                    "provision", "status", "other.csv", "--watch", "--journal", database.uri)
                #expect(other.status == 65, "\(other.errors)")
            }
        }

        @Test func aTagThatIsVerifiedButNotLockedYetIsNotSaidToBeErased() async throws {
            let message = try await Self.refusal(["--lock", "--yes"], losing: "&loss=20") { database, _ in
                let state = try database.sql("SELECT state FROM nfctool.plan_row WHERE number = 1")
                #expect(state == "proven")
            }
            #expect(message == "The station desk-1 has started row 1 on this tag. Place the tag there, or free row 1.")
        }

        @Test func aTagThatWasErasedSinceIsWrittenAgainOnlyAtItsStation() async throws {
            let message = try await Self.refusal([]) { _, run in
                let erase = try await Tool.run("erase", "--quiet", "--reader", Self.tag, in: run.folder)
                #expect(erase.status == 0, "\(erase.errors)")
            }
            #expect(message?.contains("verified row 1 on this tag, and the tag has since been erased.") == true)
        }
    }
}
