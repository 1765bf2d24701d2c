// Many stations with one plan in a private PostgreSQL server — Docs/Stations.md

import Foundation
import PostgreSQLServer
import Testing

extension BuiltBinaryProvision {
    @Suite struct ProvisionStationTests {
        @Test func aCopyOfAPlanIsStartedWithAWarning() async throws {
            let database = try await StationServer(PostgreSQLServer.shared.get())
            try await ProvisionRun.with { run in
                try run.plan(2)
                let first = try await Tool.run(
                    database.station("desk-1", "virtual:ntag213", hasFile: true) + ["--count", "1"], in: run.folder)
                #expect(first.status == 75, "\(first.errors)")
                try FileManager.default.copyItem(
                    atPath: run.folder + "/tags.csv", toPath: run.folder + "/tags (1).csv")
                for more in [["--dry-run"], ["--reader", "virtual:ntag213?serial=9", "--timeout", "1s"]] {
                    let copy = try await Tool.run(
                        ["provision", "tags (1).csv", "--uri", run.uri, "--journal", database.uri] + more,
                        in: run.folder)
                    let warning = """
                        (tags.csv) already belongs to a plan with the same content, tags.csv: 1 of its 2 rows has a \
                        tag. This run would write the same rows to other tags. To continue that plan instead, use \
                        --plan tags.csv in place of this plan's name.
                        """
                    #expect(copy.errors.contains(warning), "\(copy.errors)")
                    #expect(copy.status == (more == ["--dry-run"] ? 0 : 64))
                }
            }
        }

        @Test func twoStationsShareAPlanOfWhichOneHasTheFile() async throws {
            let database = try await StationServer(PostgreSQLServer.shared.get())
            try await ProvisionRun.with { run in
                try run.plan(16)
                let first = try await Tool.run(
                    database.station("desk-1", "virtual:ntag213*4?stream&dwell=300ms&gap=20ms", hasFile: true),
                    in: run.folder)
                #expect(first.status == 75, "\(first.errors)")
                try await Tool.withFolder { elsewhere in
                    async let a = Tool.run(
                        database.station("desk-1", "virtual:ntag213*16?stream&dwell=300ms&gap=20ms&serial=5"),
                        in: elsewhere)
                    async let b = Tool.run(
                        database.station("desk-2", "virtual:ntag215*16?stream&dwell=300ms&gap=20ms&serial=100"),
                        in: elsewhere)
                    let (one, two) = try await (a, b)
                    // One station may end before the other has finished the last row.
                    #expect([one.status, two.status].contains(0), "\(one.errors) \(two.errors)")
                    #expect(Set([one.status, two.status]).isSubset(of: [0, 75]), "\(one.errors) \(two.errors)")
                    let rows = try ProvisionRun.rows(one.jsonLines()) + ProvisionRun.rows(two.jsonLines())
                    #expect(rows.sorted() == Array(5...16))
                    #expect(try !ProvisionRun.rows(two.jsonLines()).isEmpty)
                }
                #expect(
                    try database.sql(
                        "SELECT count(*), count(DISTINCT uid), min(state), max(state) FROM nfctool.plan_row")
                        == "16|16|proven|proven")
                let status = try await Tool.run("provision", "status", "--journal", database.uri, "--json")
                #expect(try status.json()["provisioned"] as? Int == 16)
                let report = try await Tool.run(
                    "provision", "export", "r.csv", "--journal", database.uri, in: run.folder)
                #expect(report.status == 0, "\(report.errors)")
                let lines = try String(contentsOfFile: run.folder + "/r.csv", encoding: .utf8)
                    .split(whereSeparator: \.isNewline)
                #expect(lines.count == 17)
            }
        }

        /// The options in the database apply, and the file is compared with the plan in the database.
        @Test func aLaterStationNeedsNoOptionsWhereTheFileIs() async throws {
            let database = try await StationServer(PostgreSQLServer.shared.get())
            try await ProvisionRun.with { run in
                try run.plan(3)
                let first = try await Tool.run(
                    database.station("desk-1", "virtual:ntag213*1?stream", hasFile: true) + ["--count", "1"],
                    in: run.folder)
                #expect(try ProvisionRun.rows(first.jsonLines()) == [1], "\(first.errors)")
                let second = try await Tool.run(
                    database.station("desk-2", "virtual:ntag213*1?stream&serial=9") + ["--count", "1"], in: run.folder)
                #expect(try ProvisionRun.rows(second.jsonLines()) == [2], "\(second.errors)")
                try "id\n101\n102\n999\n".write(toFile: run.folder + "/tags.csv", atomically: true, encoding: .utf8)
                let other = try await Tool.run(
                    database.station("desk-3", "virtual:ntag213*1?stream&serial=20"), in: run.folder)
                #expect(other.status == 65 && other.errors.contains("started with another plan"), "\(other.errors)")
                // A plan that has not been started requires the options.
                try "id\n1\n".write(toFile: run.folder + "/new.csv", atomically: true, encoding: .utf8)
                let new = try await Tool.run(
                    "provision", "new.csv", "--journal", database.uri, "--station", "desk-1", in: run.folder)
                #expect(new.status == 64 && new.errors.contains("There is nothing to write"), "\(new.errors)")
            }
        }

        /// Without a record option, the plan's settings apply.
        @Test func aLaterStationMayRepeatSettingsWithoutTheRecords() async throws {
            let database = try await StationServer(PostgreSQLServer.shared.get())
            try await ProvisionRun.with { run in
                try run.plan(3)
                let settings = ["--count", "1", "--lock", "--yes"]
                let first = try await Tool.run(
                    database.station("desk-1", "virtual:ntag213*1?stream", hasFile: true) + settings, in: run.folder)
                #expect(try ProvisionRun.rows(first.jsonLines()) == [1], "\(first.errors)")
                let second = try await Tool.run(
                    database.station("desk-2", "virtual:ntag213*1?stream&serial=9") + settings, in: run.folder)
                #expect(try ProvisionRun.rows(second.jsonLines()) == [2], "\(second.errors)")
                #expect(try database.sql("SELECT count(*) FROM nfctool.plan_row WHERE state = 'sealed'") == "2")
                let other = try await Tool.run(
                    database.station("desk-3", "virtual:ntag215*1?stream&serial=20") + ["--require", "ntag215"],
                    in: run.folder)
                #expect(other.status == 65 && other.errors.contains("other options"), "\(other.errors)")
            }
        }

        @Test func aPlanIsWatchedUntilItIsDoneOrSomebodyInterrupts() async throws {
            let database = try await StationServer(PostgreSQLServer.shared.get())
            try await ProvisionRun.with { run in
                try run.plan(2)
                let first = try await Tool.run(
                    database.station("desk-1", "virtual:ntag213*1?stream&dwell=300ms&gap=20ms", hasFile: true),
                    in: run.folder)
                #expect(first.status == 75, "\(first.errors)")
                let watch = ["provision", "status", "--watch", "--journal", database.uri]
                let interrupted = try await Tool.start(watch, in: run.folder) { tool in
                    let line = try await tool.line { $0.contains("provisioned") }
                    #expect(line.contains("1 of 2 provisioned"))
                    tool.send(SIGINT)
                }
                #expect(interrupted.status == 130, "\(interrupted.errors)")
                let done = try await Tool.run(
                    database.station("desk-1", "virtual:ntag213*1?stream&dwell=300ms&gap=20ms&serial=5", hasFile: true),
                    in: run.folder)
                // Without this check, the next command would watch forever.
                try #require(done.status == 0, "\(done.errors)")
                let last = try await Tool.run(watch + ["--json"], in: run.folder)
                #expect(last.status == 0, "\(last.errors)")
                let progress = try #require(try last.jsonLines().last)
                #expect(progress["event"] as? String == "progress" && progress["provisioned"] as? Int == 2)
                // A station whose run is over has ended, and does not count as lost.
                let stations = try #require(progress["stations"] as? [[String: Any]])
                #expect(stations.map { $0["state"] as? String } == ["ended"])
            }
        }

        @Test func aBoardBeyondThisMachineNeedsATokenWhichIsPrintedOnce() async throws {
            let database = try await StationServer(PostgreSQLServer.shared.get())
            try await ProvisionRun.with { run in
                try run.plan(2)
                _ = try await Tool.run(database.station("desk-1", "virtual:ntag213", hasFile: true), in: run.folder)
                let board = ["provision", "board", "--journal", database.uri, "--listen", "0.0.0.0:0"]
                let refused = try await Tool.run(board, in: run.folder)
                #expect(refused.status == 64 && refused.errors.contains("Add --token"), "\(refused.errors)")
                let shown = try await Tool.start(board + ["--token"], in: run.folder) { tool in
                    let line = try await tool.line { $0.contains("http://") }
                    #expect(line.contains("/?token="))
                    tool.send(SIGINT)
                }
                #expect(shown.status == 130, "\(shown.errors)")
                try "a-token-of-our-own\n".write(toFile: run.folder + "/token", atomically: true, encoding: .utf8)
                let own = try await Tool.start(board + ["--token-file", "token"], in: run.folder) { tool in
                    let line = try await tool.line { $0.contains("http://") }
                    #expect(!line.contains("token"))
                    tool.send(SIGINT)
                }
                #expect(own.status == 130, "\(own.errors)")
            }
        }

        @Test func aStationThatWasKilledTakesItsTagUpAgainAndNoOtherDoes() async throws {
            let database = try await StationServer(PostgreSQLServer.shared.get())
            try await ProvisionRun.with { run in
                try run.plan(2)
                // The reader stops answering during the write, so the row cannot be finished.
                let tag = "virtual:tag.nfc?serial=1,kind=ntag213&hang=12"
                let killed = try await Tool.start(database.station("desk-1", tag, hasFile: true), in: run.folder) {
                    tool in
                    _ = try await tool.line { $0.contains(#""event":"started""#) }
                    tool.send(SIGKILL)
                }
                #expect(killed.status == -SIGKILL)
                let status = try await Tool.run("provision", "status", "--journal", database.uri)
                #expect(status.output.contains("desk-1"), "\(status.output)")
                let other = try await Tool.run(
                    database.station("desk-2", "virtual:tag.nfc?serial=1,kind=ntag213", hasFile: true), in: run.folder)
                let refusal = try other.jsonLines().first { $0["event"] as? String == "refused" }
                #expect(refusal?["error"] as? String == "otherStation")
                #expect((refusal?["message"] as? String)?.contains("desk-1") == true)
                let again = try await Tool.run(
                    database.station("desk-1", "virtual:tag.nfc?serial=1,kind=ntag213", hasFile: true), in: run.folder)
                #expect(try ProvisionRun.rows(again.jsonLines()) == [1], "\(again.errors)")
                #expect(try await run.uri(on: "tag.nfc") == "https://example.com/101?t=0410571F000180")
                #expect(
                    try database.sql("SELECT string_agg(state, ',' ORDER BY number) FROM nfctool.plan_row")
                        == "proven,pending")
                let verified = try await Tool.run(
                    "provision", "verify", "--journal", database.uri, "--reader", "virtual:tag.nfc", "--timeout", "2s",
                    in: run.folder)
                #expect(verified.status == 0, "\(verified.errors)")
                #expect(
                    try await Tool.run("erase", "--yes", "--reader", "virtual:tag.nfc", in: run.folder).status == 0)
                let erased = try await Tool.run(
                    "provision", "verify", "--journal", database.uri, "--reader", "virtual:tag.nfc", "--timeout", "2s",
                    in: run.folder)
                #expect(
                    erased.status == 65 && erased.errors.contains("To write row 1 to its tag again"), "\(erased.errors)"
                )
                #expect(
                    try database.sql("SELECT reason FROM nfctool.plan_row WHERE number = 1")
                        == "The tag was verified with row 1, but has since been erased.")
                let released = try await Tool.run(
                    "provision", "release", "1", "--journal", database.uri, "--plan", "tags.csv", "--yes")
                #expect(released.status == 0, "\(released.errors)")
                #expect(try database.sql("SELECT count(*) FROM nfctool.plan_row WHERE state = 'pending'") == "2")
            }
        }

        @Test func aRowThatIsBeingWrittenIsFreedOnlyOnDemandAndItsTagIsNamed() async throws {
            let database = try await StationServer(PostgreSQLServer.shared.get())
            try await ProvisionRun.with { run in
                try run.plan(2)
                // Writing this text takes long enough for the question to be asked.
                let text = "{id} " + String(repeating: "y", count: 1800)
                let desk = database.station("desk-1", "virtual:a.nfc?kind=ntag-i2c-2k&latency=real") + ["--text", text]
                let ended = try await Tool.start(desk, in: run.folder) { tool in
                    _ = try await tool.line { $0.contains(#""event":"started""#) }
                    let status = try await Tool.run("provision", "status", "--journal", database.uri)
                    #expect(status.output.contains(", 1 being written, "), "\(status.output)")
                    #expect(status.output.contains("row 1  being written"), "\(status.output)")
                    #expect(!status.output.contains("Place these tags"), "\(status.output)")
                    let release = ["provision", "release", "1", "--journal", database.uri]
                    let refused = try await Tool.run(release)
                    #expect(refused.status == 64, "\(refused.errors)")
                    #expect(refused.errors.contains("The station desk-1 is connected and may be writing row 1"))
                    let freed = try await Tool.run(release + ["--yes"])
                    #expect(freed.status == 0, "\(freed.errors)")
                    let line = try await tool.line { $0.contains(#""event":"refused""#) }
                    #expect(line.contains(#""error":"rowMoved""#) && line.contains("may still carry row 1"), "\(line)")
                    tool.send(SIGINT)
                }
                #expect(ended.status == 130, "\(ended.errors)")
                let report = try await Tool.run(
                    "provision", "export", "r.jsonl", "--journal", database.uri, in: run.folder)
                #expect(report.status == 0, "\(report.errors)")
                let lines = try String(contentsOfFile: run.folder + "/r.jsonl", encoding: .utf8)
                #expect(lines.contains(#""refusedTags":1"#), "\(lines)")
                #expect(lines.contains(#""station":"desk-1","cause":"rowMoved""#), "\(lines)")
            }
        }

        @Test func aServerThatDiesInTheMiddleIsToldAndWaitedFor() async throws {
            let server = try PostgreSQLServer()
            let database = try await StationServer(server)
            try await ProvisionRun.with { run in
                try run.plan(6)
                let arguments = database.station(
                    "desk-1", "virtual:ntag213*12?stream&dwell=2s&gap=20ms&latency=real", hasFile: true)
                var rows: [Int] = []
                let outcome = try await Tool.start(arguments, in: run.folder) { tool in
                    rows.append(try ToldEvent(try await tool.line { $0.contains(#""event":"row""#) }).row ?? 0)
                    _ = try await tool.line { $0.contains(#""event":"started""#) }
                    // The server stops while the second tag is being written.
                    try server.stopAtOnce()
                    let away = try await tool.line { line in
                        if let event = try? ToldEvent(line), event.event == "row" { rows.append(event.row ?? 0) }
                        return line.contains(#""event":"databaseAway""#)
                    }
                    #expect(away.contains(#""rows":"#))
                    try server.start()
                    _ = try await tool.line { $0.contains(#""event":"databaseBack""#) }
                    while let line = try? await tool.line(where: { $0.contains(#""event":"row""#) }) {
                        rows.append(try ToldEvent(line).row ?? 0)
                    }
                }
                #expect(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
                #expect(rows.sorted() == Array(1...6))
                #expect(
                    try database.sql(
                        "SELECT count(*), count(DISTINCT uid), min(state), max(state) FROM nfctool.plan_row")
                        == "6|6|proven|proven")
            }
        }

        /// For tags that sign their URL, a station without the plan's file gets the template and the key version from
        /// the database.
        @Test func aStationJoinsAPlanOfTagsThatSignTheirURL() async throws {
            let database = try await StationServer(PostgreSQLServer.shared.get())
            try await ProvisionRun.with { run in
                try run.plan(2)
                try "00112233445566778899AABBCCDDEEFF\n".write(
                    toFile: run.folder + "/master.key", atomically: true, encoding: .utf8)
                let more = ["--key-file", "master.key", "--yes"]
                let first = try await Tool.run(
                    database.station("desk-1", "virtual:one.nfc?kind=ntag424") + more + [
                        "--sdm", "https://example.com/{id}?e={picc}&c={mac}", "--key-version", "3", "--count", "1",
                    ], in: run.folder)
                #expect(try ProvisionRun.rows(first.jsonLines()) == [1], "\(first.errors)")
                try FileManager.default.removeItem(atPath: run.folder + "/tags.csv")
                let second = try await Tool.run(
                    database.station("desk-2", "virtual:two.nfc?kind=ntag424") + more, in: run.folder)
                #expect(second.status == 0, "\(second.errors)")
                #expect(try ProvisionRun.rows(second.jsonLines()) == [2])
            }
        }

        @Test func aRunEndsWhileTheDatabaseStaysAway() async throws {
            let server = try PostgreSQLServer()
            let database = try await StationServer(server)
            try await ProvisionRun.with { run in
                try run.plan(6)
                let arguments = [
                    "provision", "tags.csv", "--journal", database.uri, "--station", "desk-1", "--json", "--timeout",
                    "1s",
                    "--uri", "https://example.com/{id}", "--reader", "virtual:ntag213*12?stream&dwell=2s&gap=20ms",
                ]
                let outcome = try await Tool.start(arguments, in: run.folder) { tool in
                    _ = try await tool.line { $0.contains(#""event":"row""#) }
                    try server.stopAtOnce()
                    while (try? await tool.line { _ in true }) != nil {}
                }
                #expect(outcome.status == 75, "\(outcome.errors)")
                #expect(
                    (outcome.errors + outcome.output).contains("Cannot reach the database"),
                    "\(outcome.errors)\(outcome.output)")
            }
        }
    }
}
