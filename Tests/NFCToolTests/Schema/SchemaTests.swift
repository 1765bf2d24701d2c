// The schemas in Docs/Schema describe what every command prints with --json — Docs/JSON.md

import Foundation
import PhoneLint
import PostgreSQLServer
import ProvisionPresentation
import Provisioning
import Terminal
import Testing

@testable import nfctool

extension BuiltBinaryDocumentation {
    @Suite struct SchemaTests {
        private static let scenarios = [
            SchemaScenario(SchemaScenario.locksLines) { try quarantine(in: $0) },
            SchemaScenario(SchemaScenario.rowsLines),
            SchemaScenario(SchemaScenario.serverLines) { folder in
                let server = try PostgreSQLServer.shared.get()
                try Data(server.uri(server.newDatabase()).utf8).write(to: URL(filePath: folder + "/database"))
            },
            SchemaScenario(SchemaScenario.scanLines),
            SchemaScenario(SchemaScenario.systemLines) { folder in
                let tree = try SystemTree(folder + "/root")
                try tree.plugACR122()
                try tree.bindKernelDriver()
            },
            SchemaScenario(SchemaScenario.changeLines),
            SchemaScenario(SchemaScenario.readLines),
            SchemaScenario(SchemaScenario.writeLines),
            SchemaScenario(SchemaScenario.infoLines),
            SchemaScenario(SchemaScenario.recoverLines),
            SchemaScenario(SchemaScenario.undoLines),
            SchemaScenario(SchemaScenario.memoryLines),
            SchemaScenario(SchemaScenario.boardLines),
            SchemaScenario(SchemaScenario.emulateLines),
            SchemaScenario(SchemaScenario.rawLines),
            SchemaScenario(SchemaScenario.ndefLines),
        ]

        /// The journal of a plan with a tag in quarantine.
        private static func quarantine(in folder: String) throws {
            let file = URL(filePath: folder + "/quarantine.csv.journal")
            let journal = try EmbeddedJournal.create(at: file) { insert in
                try insert(PlanRow(number: 1, line: 2, fields: [PlanField(name: "id", value: "1")]))
                return PlanIdentity(
                    file: "quarantine.csv", sha256: String(repeating: "AB", count: 32), recipe: ["--uri x"])
            }
            try journal.refuse(
                RefusedTag(
                    uid: [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80], chip: "NTAG213", reader: "usb:1-2",
                    cause: "tagProtocol", reason: "The tag did not execute WRITE.", isQuarantined: true, time: .now))
        }

        @Test("Every line of every command fits its schema, and every schema has a line that fits it")
        func everyLineFits() async throws {
            var printed = try await withThrowingTaskGroup(of: SchemaScenario.Printed.self) { group in
                var all = SchemaScenario.Printed()
                for (index, scenario) in Self.scenarios.enumerated() {
                    // Readers time out if many programs share two cores.
                    if index >= 3, let printed = try await group.next() { all.add(printed) }
                    group.addTask { try await scenario.printed() }
                }
                for try await printed in group { all.add(printed) }
                return all
            }
            // The tests of stations cover a database that does not respond. Here, only its events are checked.
            let back = JournalReturn(after: .seconds(2), stored: [1], moved: [])
            for event in [
                ProvisionEvent.databaseAway(reason: "It is gone.", keptRows: 1, keptTags: 1), .databaseBack(back),
            ] {
                let object = try JSONEncoder().encode(TimedEvent(event, at: .now))
                printed.objects.append("provision-run\t" + String(decoding: object, as: UTF8.self))
            }
            let away = try JSONEncoder().encode(PlanWatch.Sight.away(reason: "It is gone.", since: .now))
            printed.objects.append("provision-status\t" + String(decoding: away, as: UTF8.self))
            #expect(printed.surprises == [])
            let judgement = try await SchemaJudge.judge(printed.objects, listsUnused: true)
            #expect(judgement.output == "")
            #expect(judgement.errors == "" && judgement.status == 0)
            // Each command succeeded once, and failed once.
            let commands = try SchemaJudge.names.subtracting(Self.noCommands)
            for isFailure in [false, true] {
                #expect(Set(printed.runs.filter { $0.isFailure == isFailure }.map(\.command)) == commands)
            }
        }

        /// The schemas that do not describe the output of a command.
        private static let noCommands: Set<String> = ["report", "verify-report", "stderr"]

        @Test("Every command with --json has a schema") func everyCommandHasASchema() async throws {
            let help = try Outcome.object(try await Tool.run("--experimental-dump-help").output)
            let root = try #require(help["command"] as? [String: Any])
            #expect(try Self.commandsWithJSON(root, path: []) == SchemaJudge.names.subtracting(Self.noCommands))
        }

        /// Returns the subcommands of a command that have a flag `--json`, with their names joined by hyphens.
        ///
        /// For `ndef encode`, it is an option that names a file.
        private static func commandsWithJSON(_ command: [String: Any], path: [String]) -> Set<String> {
            let children = command["subcommands"] as? [[String: Any]] ?? []
            guard children.isEmpty else {
                return children.reduce(into: []) { names, child in
                    names.formUnion(commandsWithJSON(child, path: path + [child["commandName"] as? String ?? ""]))
                }
            }
            let flags = (command["arguments"] as? [[String: Any]] ?? []).filter { $0["kind"] as? String == "flag" }
            let options = flags.flatMap { argument in
                (argument["names"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
            }
            return options.contains("json") ? [path.joined(separator: "-")] : []
        }

        @Test("The schemas have each word of the program's closed lists, and no other") func wordsAreThoseOfTheProgram()
            throws
        {
            let words = [
                "errorName": ErrorName.allCases.map(\.rawValue), "rowState": RowState.allCases.map(\.rawValue),
                "rule": PhoneLint.ruleNames, "severity": Severity.allCases.map(\.rawValue),
                "tagProblem": TagCheck.Problem.allCases.map(\.rawValue),
                "phone": Phone.allCases.map(\.rawValue), "saving": Saving.Kind.allCases.map(\.rawValue),
            ]
            for (name, words) in words { #expect(try SchemaJudge.words(name) == Set(words), "\(name)") }
        }

        @Test("The examples in Docs/JSON.md fit the schemas") func examplesFit() async throws {
            let page = try String(
                contentsOf: SchemaJudge.folder.appending(path: "../JSON.md"), encoding: .utf8)
            var names: String?
            var lines: [String] = []
            for line in page.split(separator: "\n").map(String.init) {
                if let heading = line.firstMatch(of: /^##+ (.*)/)?.1 { names = Self.names[String(heading)] }
                if line.hasPrefix("{") { lines.append("\(try #require(names))\t\(line)") }
            }
            #expect(lines.count > 40)
            let judgement = try await SchemaJudge.judge(lines)
            #expect(judgement.output == "")
            #expect(judgement.errors == "" && judgement.status == 0)
        }

        /// The schemas of a section's examples.
        private static let names = [
            "Tag": "write|scan|recover", "Records": "record.json", "Scan": "scan", "Info": "info",
            "Recover --list": "recover", "Undo": "undo", "Write --dry-run": "write",
            "Dump, restore, diff": "dump|restore|diff", "Transceive, apdu": "transceive", "Emulate": "emulate",
            "Provision run": "provision-run", "Provision --dry-run": "provision-run",
            "Provision verify": "provision-verify",
            "Provision status, release, reset, export":
                "provision-status|provision-board|provision-release|provision-reset|provision-export",
            "Reports in `.jsonl`": "report", "ndef decode": "ndef-decode",
            "sdm verify": "sdm-verify", "sdm setup": "sdm-setup", "sdm keys": "sdm-keys", "ndef check": "ndef-check",
            "Readers": "readers", "Doctor": "doctor", "On stderr: confirmed": "stderr", "Errors": "stderr",
        ]

        @Test("A line that does not match is refused") func whatDoesNotFitIsRefused() async throws {
            let removed =
                #""event":"removed","reader":"usb:1-2","schema":1,"time":"2026-11-23T17:05:09.123Z","uid":"04A1B2C3""#
            let message = #""messageLength":3,"schema":1,"records":[{"id":"","payload":"","tnf":0,"type":"","content""#
            let fitting = [
                "scan\t{\(removed)}", "ndef-decode\t{\(message):{\"kind\":\"empty\"}}]}",
                #"stderr\#t{"error":"timeout","message":"No tag was found.","schema":1}"#,
            ]
            #expect(try await SchemaJudge.judge(fitting).output == "")
            let wrong = [
                ("scan\t{\(removed),\"row\":1}", "'row' was unexpected"),
                ("scan\t{\(removed.replacing("04A1", with: "04a1"))}", "$.uid: '04a1B2C3' does not match"),
                ("scan\t{\(removed.replacing("removed", with: "gone"))}", "$.event: 'removed' was expected"),
                ("scan\t{\(removed.replacing("\"schema\":1", with: "\"schema\":2"))}", "$.schema: 1 was expected"),
                (
                    "scan\t{\(removed.replacing("\"reader\":\"usb:1-2\",", with: ""))}",
                    "'reader' is a required property"
                ),
                ("scan\t{\(removed),\"schema\":1}", "a member stands there twice"),
                ("ndef-decode\t{\(message):{\"kind\":\"nonsense\"}}]}", "$.records[0].content.kind"),
                ("ndef-decode\t{\(message):{\"kind\":\"uri\"}}]}", "'uri' is a required property"),
                (#"stderr\#t{"error":"tooLate","message":"x","schema":1}"#, "'tooLate' is not one of"),
                (#"stderr\#t{"error":"tooLarge","message":"x","schema":1}"#, "'needed' is a required property"),
                (#"stderr\#t{"error":"timeout","message":"x","needed":1,"capacity":2,"schema":1}"#, "$.error"),
                ("scan\t{", "Expecting property name"),
            ]
            let judgement = try await SchemaJudge.judge(wrong.map(\.0))
            #expect(judgement.status == 1 && judgement.errors == "")
            for (number, (line, reason)) in wrong.enumerated() {
                let said = judgement.output.split(separator: "\n").filter { $0.hasPrefix("line \(number + 1), ") }
                #expect(said.contains { $0.contains(reason) }, "\(line): \(said)")
            }
        }
    }
}

extension SchemaScenario.Printed {
    fileprivate mutating func add(_ other: Self) {
        objects += other.objects
        runs.formUnion(other.runs)
        surprises += other.surprises
    }
}
