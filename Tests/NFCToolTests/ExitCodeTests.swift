// Each exit code of Docs/ExitCodes.md that these commands can reach, with its name in JSON

import Foundation
import Testing

extension BuiltBinaryDocumentation {
    @Suite struct ExitCodeTests {
        /// A command line, its exit code and its error name.
        static let failures: [(arguments: [String], status: Int32, name: String)] = [
            (["read", "--bogus"], 64, "usage"),
            (["write", "--reader", "virtual"], 64, "usage"),
            (["write", "--reader", "virtual", "--geo", "north"], 64, "usage"),
            (["read", "--reader", "virtual:bogus"], 64, "usage"),
            (["read", "--reader", "virtual:?bogus=1"], 64, "usage"),
            (["read", "--reader", "virtual:?tear=soon"], 64, "usage"),
            (["scan", "--count", "0"], 64, "usage"),
            (["write", "--reader", "virtual:ultralight", "--text", "hi"], 64, "confirmationNeeded"),
            (["write", "--reader", "virtual", "--ndef", "hex:D1"], 65, "badNDEF"),
            (["write", "--reader", "virtual", "--ndef", "@/nosuch/file"], 65, "badFile"),
            (["ndef", "decode", "/nosuch/file"], 65, "badFile"),
            (["dump", "tag.txt", "--reader", "virtual"], 64, "usage"),
            (["restore", "/nosuch/file", "--reader", "virtual"], 65, "badFile"),
            (["restore", "/etc/passwd", "--reader", "virtual"], 65, "badFile"),
            (["diff", "/etc/passwd"], 65, "badFile"),
            (["dump", "/nosuch/tag.nfc", "--reader", "virtual"], 65, "badFile"),
            (["dump", "/dev/null", "--format", "nfc", "--reader", "virtual:type4"], 78, "wrongChip"),
            (["read", "--reader", "virtual:/nosuch/tag.nfc"], 65, "badFile"),
            (["read", "--reader", "nosuch"], 69, "noReader"),
            (["read", "--reader", "pn532_uart:/dev/nosuch"], 69, "noReader"),
            (["read", "--reader", "acr122_usb:250:250"], 69, "noReader"),
            (["read", "--reader", "auto"], 69, "noReader"),
            (["readers"], 69, "noReader"),
            (["read", "--reader", "virtual:?mute=0"], 74, "readerIO"),
            (["read", "--reader", "virtual:?hang=0"], 74, "readerIO"),
            (["read", "--reader", "virtual:?mute=1"], 74, "readerIO"),
            (["write", "--reader", "virtual:?hang=3", "--text", "hi"], 74, "readerIO"),
            (["read", "--reader", "virtual:?loss=1"], 75, "tagLost"),
            (["write", "--no-wait", "--reader", "virtual:?loss=4", "--text", "hi"], 75, "tagLost"),
            (
                [
                    "read", "--reader", "virtual:ntag213?stream&dwell=1ms&gap=900s", "--uid", "01020304", "--timeout",
                    "200ms",
                ], 75, "timeout"
            ),
            (["write", "--reader", "virtual:ntag215-read-only", "--text", "hi"], 77, "readOnly"),
            (["write", "--reader", "virtual:type4-read-only", "--text", "hi"], 77, "readOnly"),
            (["write", "--reader", "virtual:ntag215-protected", "--text", "hi"], 77, "passwordNeeded"),
            (["write", "--reader", "virtual:ntag213", "--text", String(repeating: "x", count: 131)], 78, "tooLarge"),
            (
                ["write", "--reader", "virtual:ultralight", "--yes", "--text", String(repeating: "x", count: 40)], 78,
                "tooLarge"
            ),
            (["write", "--reader", "virtual:ntag213,ntag215", "--text", "hi"], 78, "severalTags"),
            (["transceive", "--reader", "virtual"], 64, "usage"),
            (["transceive", "300", "--reader", "virtual"], 64, "usage"),
            (["transceive", "", "--reader", "virtual"], 64, "usage"),
            (["transceive", "3000=9000", "--reader", "virtual"], 64, "usage"),
            (["transceive", "3000", String(repeating: "00", count: 261), "--reader", "virtual"], 64, "usage"),
            (["transceive", "0006", "--reader", "virtual:type3"], 64, "usage"),
            (["transceive", "3004", "--reader", "virtual:classic1k"], 75, "tagLost"),
            (["transceive", "3000", "--reader", "virtual:ntag213*2"], 78, "severalTags"),
            (["apdu", "00A404", "--reader", "virtual:type4"], 64, "usage"),
            (["apdu", "00A40400=90", "--reader", "virtual:type4"], 64, "usage"),
            (["apdu", "00A40400", String(repeating: "00", count: 263), "--reader", "virtual:type4"], 64, "usage"),
            (["apdu", "00A40400", "--reader", "virtual:ntag213"], 78, "wrongChip"),
            (["apdu", "00A40400", "--reader", "virtual:classic1k"], 78, "wrongChip"),
        ]

        @Test(arguments: failures)
        func failureHasItsExitCodeAndItsName(arguments: [String], status: Int32, name: String) async throws {
            let outcome = try await Tool.run(arguments + ["--json"])
            #expect(outcome.status == status)
            let failure = try outcome.failure()
            #expect(failure["error"] as? String == name)
            #expect(failure["schema"] as? Int == 1)
            #expect((failure["message"] as? String)?.isEmpty == false)
            #expect(outcome.output == "" || arguments == ["readers"])
            // The same command without JSON.
            #expect(try await Tool.run(arguments).status == status)
        }

        @Test func aMessageThatDoesNotFitIsRefusedWithBothNumbers() async throws {
            let outcome = try await Tool.run([
                "write", "--json", "--reader", "virtual:ntag213", "--text", String(repeating: "x", count: 131),
            ])
            #expect(try outcome.failure()["needed"] as? Int == 138)
            #expect(try outcome.failure()["capacity"] as? Int == 137)
        }

        @Test func severalTagsAreListed() async throws {
            let outcome = try await Tool.run(["write", "--json", "--reader", "virtual:ntag213*3", "--text", "hi"])
            #expect((try outcome.failure()["uids"] as? [String])?.count == 3)
        }

        @Test func aBrokenCapabilityContainerIsNamed() async throws {
            let outcome = try await withTagFile(block: 3, bytes: "E1 11 00 00") {
                try await Tool.run(["read", "--json"] + $0)
            }
            #expect(outcome.status == 76)
            #expect(try outcome.failure()["error"] as? String == "tagProtocol")
            #expect(try outcome.failure()["field"] as? String == "data area size of the capability container")
        }

        @Test func aBrokenTLVIsNamed() async throws {
            let outcome = try await withTagFile(block: 4, bytes: "03 FF 70 00") {
                try await Tool.run(["read", "--json"] + $0)
            }
            #expect(outcome.status == 76)
            #expect(try outcome.failure()["field"] as? String == "NDEF TLV length")
            #expect(try outcome.failure()["offset"] as? Int == 17)
        }

        @Test func aBrokenMessageIsNamed() async throws {
            let outcome = try await withTagFile(block: 4, bytes: "03 03 D1 01") {
                try await Tool.run(["read", "--json"] + $0)
            }
            #expect(outcome.status == 76)
            #expect(try outcome.failure()["error"] as? String == "tagProtocol")
            #expect(try outcome.failure()["field"] as? String == "TYPE")
        }

        @Test func aReaderInUseIsNamedWithItsUser() async throws {
            let simulator = try await Tool.start(["simulate"]) { simulator in
                let reader = try await simulator.line { $0.hasPrefix("pn532_uart:") }
                let scan = try await Tool.start(["scan", "--json", "--reader", reader]) { scan in
                    _ = try await scan.line { $0.contains("\"event\":\"tag\"") }
                    let outcome = try await Tool.run("read", "--json", "--reader", reader)
                    #expect(outcome.status == 69)
                    #expect(try outcome.failure()["error"] as? String == "readerBusy")
                    #expect(
                        (try outcome.failure()["message"] as? String)?.contains("in use by nfctool (process ") == true)
                    scan.send(SIGINT)
                }
                #expect(scan.status == 130)
                #expect(try await Tool.run("read", "--reader", reader).status == 0)
                simulator.send(SIGTERM)
            }
            #expect(simulator.status == 0)
        }

        @Test func aKilledProgramLeavesTheReaderUsable() async throws {
            let simulator = try await Tool.start(["simulate"]) { simulator in
                let reader = try await simulator.line { $0.hasPrefix("pn532_uart:") }
                let scan = try await Tool.start(["scan", "--json", "--reader", reader]) { scan in
                    _ = try await scan.line { $0.contains("\"event\":\"tag\"") }
                    scan.send(SIGKILL)
                }
                #expect(scan.status == -SIGKILL)
                #expect(try await Tool.run("read", "--reader", reader).status == 0)
                simulator.send(SIGINT)
            }
            #expect(simulator.status == 0)
        }

        @Test(arguments: [SIGINT, SIGTERM])
        func interruptionWhileWaitingEndsTheCommand(_ signal: Int32) async throws {
            let outcome = try await Tool.start([
                "scan", "--json", "--reader", "virtual:ntag213?stream&dwell=400ms&gap=900s",
            ]) {
                _ = try await $0.line { $0.contains("removed") }
                $0.send(signal)
            }
            #expect(outcome.status == 130)
            #expect(try outcome.failure()["error"] as? String == "interrupted")
        }

        @Test func interruptionEndsACommandThatRunsForATag() async throws {
            let outcome = try await Tool.start(["scan", "--exec", "echo started; sleep 600", "--reader", "virtual"]) {
                _ = try await $0.line { $0 == "started" }
                $0.send(SIGINT)
            }
            #expect(outcome.status == 130)
        }

        /// Runs a command on an NTAG215 in a file in which one block was changed by hand.
        private func withTagFile<Value>(
            block: Int, bytes: String, _ body: ([String]) async throws -> Value
        ) async throws -> Value {
            try await Tool.withFolder { folder in
                let path = folder + "/tag.nfc"
                let reader = ["--reader", "virtual:\(path)"]
                #expect(try await Tool.run(["write", "--text", "Hello", "--quiet"] + reader).status == 0)
                let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
                    line.hasPrefix("Page \(block): ") ? "Page \(block): \(bytes)" : String(line)
                }
                try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
                return try await body(reader)
            }
        }
    }
}
