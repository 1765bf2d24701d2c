// Rows that do not fit the available tags do not delay rows that do — Docs/Provisioning.md

import Foundation
import Testing

extension BuiltBinaryProvision {
    @Suite struct RowFitTests {
        private static func plan(_ lines: [String], in run: ProvisionRun) throws {
            try lines.map { $0 + "\n" }.joined()
                .write(toFile: run.folder + "/tags.csv", atomically: true, encoding: .utf8)
        }

        private static func refusals(_ events: [[String: Any]]) -> [String] {
            events.filter { $0["event"] as? String == "refused" }.compactMap { $0["message"] as? String }
        }

        private static let long = "2" + String(repeating: "z", count: 150)

        @Test func aTagThatIsTooSmallForARowGetsTheNextRowThatFits() async throws {
            try await ProvisionRun.with { run in
                try Self.plan(["id", "1", Self.long, "3", "4"], in: run)
                let (status, events) = try await run.provision("virtual:ntag213*4?stream")
                #expect(status == 75 && ProvisionRun.rows(events) == [1, 3, 4])
                // No remaining row fits the fourth tag.
                let refusals = Self.refusals(events)
                #expect(refusals.count == 1 && refusals.first?.hasPrefix("Row 2 needs ") == true, "\(refusals)")
                let larger = try await run.provision("virtual:ntag215?serial=20")
                #expect(larger.status == 0 && ProvisionRun.rows(larger.events) == [2])
            }
        }

        @Test func aDryRunNamesRowsThatTheCommonestChipDoesNotHold() async throws {
            try await ProvisionRun.with { run in
                func dryRun(_ lines: [String]) async throws -> String {
                    try Self.plan(["id"] + lines, in: run)
                    return try await Tool.run(
                        ["provision", "tags.csv", "--uri", run.uri, "--dry-run"], in: run.folder
                    ).output
                }
                let mixed = try await dryRun(["1", Self.long, "3"])
                #expect(mixed.contains("\nRow 2 does not fit an NTAG213, which holds 137 bytes.\n"), "\(mixed)")
                let short = try await dryRun(["1", "3"])
                #expect(!short.contains("not fit an NTAG213"), "\(short)")
            }
        }

        @Test func aRowThatNoTagHasIsCorrectedWithExtend() async throws {
            try await ProvisionRun.with { run in
                try Self.plan(["id", "1", Self.long, "3"], in: run)
                let first = try await run.provision("virtual:ntag213*3?stream")
                #expect(first.status == 75 && ProvisionRun.rows(first.events) == [1, 3])
                try Self.plan(["id", "1", "2", "3", "4"], in: run)
                let line = ["provision", "tags.csv", "--uri", run.uri, "--timeout", "1s", "--json"]
                let reader = ["--reader", "virtual:ntag213*2?stream&serial=20"]
                let refused = try await Tool.run(line + reader, in: run.folder)
                #expect(refused.status == 65)
                let advice = try refused.failure()["advice"] as? String
                #expect(
                    advice?.hasPrefix(
                        "No tag has the changed row yet. Add --extend to write it as it is now, and to add the new rows."
                    )
                        == true, "\(advice ?? "")")
                let extended = try await Tool.run(Array(line.dropLast()) + reader + ["--extend"], in: run.folder)
                #expect(extended.status == 0, "\(extended.errors)")
                #expect(extended.output.contains("4 provisioned"), "\(extended.output)")
                #expect(extended.errors.contains("Row 2 changed in the plan. No tag has it yet"), "\(extended.errors)")
                // A tag has row 2 now, so the row cannot change any more.
                try Self.plan(["id", "1", "two", "3", "4"], in: run)
                #expect(try await Tool.run(line + reader + ["--extend"], in: run.folder).status == 65)
            }
        }

        @Test func aTagGetsTheNextRowThatDoesNotRequireAnotherChip() async throws {
            try await ProvisionRun.with { run in
                try Self.plan(["id,require", "1,ntag215", "2,ntag213", "3,ntag216"], in: run)
                let small = try await run.provision("virtual:ntag213*2?stream")
                #expect(small.status == 75 && ProvisionRun.rows(small.events) == [2])
                #expect(Self.refusals(small.events) == ["It is NTAG213, but row 1 requires NTAG215."])
                let large = try await run.provision("virtual:ntag216?serial=20")
                #expect(large.status == 75 && ProvisionRun.rows(large.events) == [3])
            }
        }
    }
}
