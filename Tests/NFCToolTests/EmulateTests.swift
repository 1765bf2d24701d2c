// nfctool emulate, read and written by nfctool and nfcpy on a second virtual reader whose antenna is coupled to the
// first

import Foundation
import ReaderInterface
import Testing

@testable import nfctool

extension BuiltBinaryKills {
    @Suite(.timeLimit(.minutes(5))) struct EmulateTests {
        private static let python = ProcessInfo.processInfo.environment["NFCTOOL_TEST_PYTHON"] ?? "python3"

        /// Creates two readers with coupled antennas, under a unique name.
        private func withAntenna(_ body: (_ reader: String) async throws -> Void) async throws {
            try await body("virtual:?antenna=\(UUID().uuidString)")
        }

        private func isStarted(_ line: String) -> Bool { line.contains("started") || line.contains("Type 4 Tag") }

        @Test func nfctoolReadsIt() async throws {
            try await withAntenna { reader in
                var read: Outcome?
                var lines: [String] = []
                let emulated = try await Tool.start(
                    [
                        "emulate", "--uri", "https://example.com", "--text", "Grüße", "--uid", "12AB34", "--count", "1",
                        "--reader", reader, "--json",
                    ]
                ) { tool in
                    lines.append(try await tool.line(where: isStarted))
                    read = try await Tool.run("read", "--reader", reader, "--json")
                    while lines.last?.contains("removed") != true { lines.append(try await tool.line { _ in true }) }
                }
                let tag = try #require(read).json()
                #expect(tag["uid"] as? String == "0812AB34")
                #expect(tag["tagType"] as? Int == 4)
                #expect(tag["ndefStatus"] as? String == "readOnly")
                #expect((tag["records"] as? [[String: Any]])?.count == 2)
                #expect(emulated.status == 0, "\(emulated.errors)")
                let events = try lines.map(Outcome.object)
                #expect(events.first?["uid"] as? String == "0812AB34")
                #expect(events.first?["writable"] as? Bool == false)
                #expect((events.first?["records"] as? [[String: Any]])?.count == 2)
                #expect(events.allSatisfy { $0["schema"] as? Int == 1 && $0["uid"] as? String == "0812AB34" })
                let names = events.compactMap { $0["event"] as? String }
                try #require(names.prefix(3) == ["started", "reader", "apdu"])
                #expect(names.last == "removed")
                #expect(Set(names) == ["started", "reader", "apdu", "removed"])
                // SELECT of the NDEF application.
                #expect(events[2]["command"] as? String == "00A4040007D276000085010100")
                #expect(events[2]["answer"] as? String == "9000")
            }
        }

        @Test func nfctoolWritesItAndReadsWhatItWrote() async throws {
            try await withAntenna { reader in
                try await Tool.withFolder { folder in
                    var outcomes: [Outcome] = []
                    let emulated = try await Tool.start(
                        ["emulate", "--writable", "--output", "written.ndef", "--reader", reader, "--json"], in: folder
                    ) { tool in
                        _ = try await tool.line(where: isStarted)
                        let long = "https://example.com/" + String(repeating: "x", count: 700)
                        outcomes.append(try await Tool.run("write", "--uri", long, "--reader", reader))
                        _ = try await tool.line { $0.contains("\"written\"") }
                        outcomes.append(try await Tool.run("read", "--reader", reader))
                        outcomes.append(try await Tool.run("erase", "--reader", reader))
                        _ = try await tool.line { $0.contains("\"messageLength\":0") && $0.contains("\"written\"") }
                        outcomes.append(try await Tool.run("write", "--text", "Hi", "--reader", reader))
                        _ = try await tool.line { $0.contains("\"written\"") }
                        tool.send(SIGINT)
                    }
                    #expect(outcomes.map(\.status) == [0, 0, 0, 0], "\(outcomes)")
                    #expect(outcomes[1].output.contains("https://example.com/xxxx"))
                    #expect(emulated.status == 130)
                    let kept = try Data(contentsOf: URL(fileURLWithPath: folder + "/written.ndef"))
                    #expect([UInt8](kept) == [0xD1, 0x01, 0x05, 0x54, 0x02] + Array("enHi".utf8))
                }
            }
        }

        @Test func aPipeThatNobodyReadsDoesNotKeepItFromEnding() async throws {
            try await withAntenna { reader in
                try await Tool.withFolder { folder in
                    #expect(try await Tool.shell("mkfifo pipe", in: folder).status == 0)
                    let outcome = try await Tool.start(
                        ["emulate", "--writable", "--output", "pipe", "--reader", reader, "--quiet"], in: folder
                    ) { tool in
                        // The reader does not get the last answer, because emulate would first save the message to the
                        // pipe.
                        _ = try await Tool.run("write", "--text", "Hi", "--reader", reader)
                        tool.send(SIGINT)
                    }
                    #expect(outcome.status == 130)
                }
            }
        }

        @Test func quietTellsWhatWasWrittenAlone() async throws {
            try await withAntenna { reader in
                var first = ""
                let outcome = try await Tool.start(
                    ["emulate", "--writable", "--reader", reader, "--quiet", "--count", "1"]
                ) { tool in
                    _ = try await Tool.run("write", "--text", "Hi", "--reader", reader)
                    first = try await tool.line { _ in true }
                }
                #expect(outcome.status == 0)
                #expect(first.hasSuffix("written: Text: Hi"))
            }
        }

        @Test func aReaderThatOnlyLooksDoesNotProlongTheWait() async throws {
            try await withAntenna { reader in
                let outcome = try await Tool.start(
                    ["emulate", "--text", "Hi", "--reader", reader, "--timeout", "3s", "--json"]
                ) { tool in
                    _ = try await tool.line(where: isStarted)
                    // This scan activates the emulated tag at each poll, but sends no command.
                    _ = try await Tool.run(
                        "scan", "--type", "2", "--for", "4s", "--reader", reader)
                }
                #expect(outcome.status == 75)
            }
        }

        @Test func aReadOnlyOneCannotBeWritten() async throws {
            try await withAntenna { reader in
                var written: Outcome?
                _ = try await Tool.start(["emulate", "--text", "Hi", "--reader", reader]) { tool in
                    _ = try await tool.line(where: isStarted)
                    written = try await Tool.run("write", "--text", "Ho", "--reader", reader, "--json")
                    tool.send(SIGINT)
                }
                #expect(written?.status == 77)
                #expect(try #require(written).failure()["error"] as? String == "readOnly")
            }
        }

        @Test func nfcpyReadsIt() async throws {
            let script = """
                import sys, nfc, nfc.clf.transport, nfc.clf.pn532, ndef
                clf = nfc.ContactlessFrontend()
                clf.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(sys.argv[1]))
                tag = clf.connect(rdwr={'on-connect': lambda tag: False})
                print(tag.type, tag.identifier.hex(), tag.ndef.is_writeable, [record.uri for record in tag.ndef.records])
                clf.close()
                """
            try await withAntenna { reader in
                var read: Outcome?
                let uri = "https://example.org/" + String(repeating: "x", count: 500)
                let emulated = try await Tool.start(
                    ["emulate", "--uri", uri, "--uid", "010203", "--count", "1", "--reader", reader, "--json"]
                ) { tool in
                    _ = try await tool.line(where: isStarted)
                    _ = try await Tool.start(["simulate", "--tag", String(reader.dropFirst("virtual:".count))]) {
                        simulator in
                        let port = try await simulator.line { $0.hasPrefix("pn532_uart:") }.dropFirst(
                            "pn532_uart:".count)
                        read = try await Tool.shell("\(Self.python) -c \"\(script)\" \(port)")
                        simulator.send(SIGTERM)
                    }
                }
                #expect(try #require(read).output == "Type4Tag 08010203 False ['\(uri)']\n", "\(read?.errors ?? "")")
                #expect(emulated.status == 0, "\(emulated.errors)")
            }
        }

        @Test func peopleSeeALineForEachEvent() async throws {
            try await withAntenna { reader in
                var lines: [String] = []
                _ = try await Tool.start(
                    ["emulate", "--text", "Hi", "--uid", "010203", "--count", "1", "--reader", reader]
                ) { tool in
                    lines.append(try await tool.line(where: isStarted))
                    _ = try await Tool.run("read", "--reader", reader)
                    for _ in 1...2 { lines.append(try await tool.line { _ in true }) }
                }
                // The text of each line after its time.
                #expect(
                    lines.map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [
                        "08010203 Type 4 Tag, read-only Text: Hi", "08010203 a reader connected",
                        "08010203 the reader left",
                    ])
            }
        }

        @Test func nobodyCameInTime() async throws {
            try await withAntenna { reader in
                let late = try await Tool.run(
                    "emulate", "--text", "Hi", "--reader", reader, "--timeout", "50ms", "--json")
                #expect(late.status == 75)
                #expect(try late.failure()["error"] as? String == "timeout")
                #expect(try late.failure()["message"] as? String == "No reader connected within 50 ms.")
                #expect(
                    try late.failure()["advice"] as? String
                        == "Hold a phone near the reader's antenna. To wait longer, use --timeout 60s; to wait forever, --timeout 0."
                )
                let short = try await Tool.run(
                    "emulate", "--text", "Hi", "--reader", reader, "--for", "50ms", "--quiet")
                #expect(short.status == 0)
                #expect(short.output == "")
            }
        }

        @Test(arguments: [SIGINT, SIGTERM]) func aSignalEndsIt(signal: Int32) async throws {
            try await withAntenna { reader in
                let outcome = try await Tool.start(["emulate", "--text", "Hi", "--reader", reader]) { tool in
                    _ = try await tool.line(where: isStarted)
                    tool.send(signal)
                }
                #expect(outcome.status == 130)
                #expect(outcome.errors == "nfctool: Interrupted.\n")
            }
        }

        @Test func aReaderThatIsPulledOutEndsIt() async throws {
            var outcome: Outcome?
            _ = try await Tool.start(["simulate"]) { simulator in
                let reader = try await simulator.line { $0.hasPrefix("pn532_uart:") }
                outcome = try await Tool.start(["emulate", "--text", "Hi", "--reader", reader, "--json"]) { tool in
                    _ = try await tool.line(where: isStarted)
                    simulator.send(SIGKILL)
                    // Read its output until it has ended.
                    _ = try? await tool.line { _ in false }
                }
            }
            #expect(outcome?.status == 74)
            #expect(try #require(outcome).failure()["error"] as? String == "readerIO")
        }

        /// `USBToolTests` covers this for an emulated ACR122U.
        @Test func aReaderThatCannotBeATagIsNamed() throws {
            let error = ReaderError.cannotListen(
                connection: "acr122_usb:001:004", reason: "an ACR122 does not allow emulation")
            let failure = try #require(TagFailure(error))
            #expect(failure.name == .wrongReader)
            #expect(failure.name.exitStatus == 78)
            #expect(
                failure.message
                    == "The reader acr122_usb:001:004 cannot emulate a tag: an ACR122 does not allow emulation.")
            #expect(
                Advice(for: failure)?.text == """
                    This needs a PN532 on a serial port, I2C or SPI:  --reader pn532_uart:/dev/ttyUSB0
                    To try without one:  --reader 'virtual:?antenna=desk'
                    """)
        }

        @Test(arguments: [
            (["emulate"], "usage"), (["emulate", "--text", "Hi", "--uid", "0102"], "usage"),
            (["emulate", "--text", "Hi", "--count", "0"], "usage"),
            (["emulate", "--text", "Hi", "--output", "x"], "usage"),
            (["emulate", "--writable", "--output", "-"], "usage"),
            (["emulate", "--writable", "--output", "/nosuch/written.ndef", "--reader", "virtual"], "badFile"),
            (["emulate", "--writable", "--output", "/tmp", "--reader", "virtual"], "badFile"),
            (["emulate", "--uri", "https://example.com/{uid:mirror}"], "usage"),
            (["emulate", "--ndef", "hex:D1"], "badNDEF"),
            (["emulate", "--mime", "text/plain=@/nosuch/file"], "badFile"),
            (["emulate", "--text", "Hi", "--reader", "pn532_uart:/dev/nosuch"], "noReader"),
            (["emulate", "--text", "Hi", "--reader", "virtual:?mute=0"], "readerIO"),
        ])
        func aFailureHasItsName(arguments: [String], name: String) async throws {
            let outcome = try await Tool.run(arguments + ["--json"])
            #expect(try outcome.failure()["error"] as? String == name)
            #expect(outcome.status == ErrorName(rawValue: name)?.exitStatus)
            #expect(outcome.output == "")
        }

        @Test func aMessageThatFitsNoFileIsRefused() async throws {
            let outcome = try await Tool.shell(
                "head -c 32766 /dev/zero | nfctool emulate --mime application/octet-stream=@- --reader virtual --json")
            #expect(outcome.status == 78)
            #expect(try outcome.failure()["error"] as? String == "tooLarge")
            // No other kind of tag is larger.
            #expect(try outcome.failure()["advice"] as? String == "Shorten the message by 31 bytes.")
        }
    }
}
