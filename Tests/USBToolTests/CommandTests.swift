// Reading, writing, scanning and provisioning through libnfc's own USB drivers

import Foundation
import Testing
import USBBus
import VirtualPN532

extension USBTool {
    @Suite struct CommandTests {
        @Test(arguments: EmulatedReader.Model.allCases) func aTagIsWrittenAndReadBack(model: EmulatedReader.Model)
            async throws
        {
            let reader = try EmulatedReader(model, tags: [VirtualTagKind.ntag215.make()])
            let bus = USBBus([reader])
            let text = String(repeating: "through a real driver ", count: 20)
            let write = try await bus.nfctool("write", "--text", text, "--json")
            #expect(write.status == 0, "\(write.errors)")
            #expect(write.events.first?["verified"] as? Bool == true)
            let read = try await bus.nfctool("read", "--json")
            #expect(read.status == 0, "\(read.errors)")
            let records = try #require(read.events.first?["records"] as? [[String: Any]])
            #expect((records.first?["content"] as? [String: Any])?["text"] as? String == text)
            #expect(read.events.first?["reader"] as? String == "usb:1-2")
            // The reader was released in an orderly way: closed as often as opened, released as often as claimed.
            for log in write.log + read.log {
                #expect(log.opens == log.closes && log.claims == log.releases)
                #expect(log.claims > 0)
            }
        }

        @Test(arguments: EmulatedReader.Model.allCases, [VirtualTagKind.type4, .type3, .classic1kNDEF, .topaz96])
        func allKindsOfTagsAreWritten(model: EmulatedReader.Model, kind: VirtualTagKind) async throws {
            // Only a PN532 supports the commands that a Type 1 Tag needs beyond its static memory, into which 90 bytes
            // fit.
            let bus = USBBus([try EmulatedReader(model, tags: [kind.make()])])
            let outcome = try await bus.nfctool("write", "--uri", "https://example.com/usb", "--json", "--yes")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.events.first?["verified"] as? Bool == true)
        }

        /// The longest commands and answers, which an ACR122U carries in APDUs of 255 bytes.
        @Test(arguments: EmulatedReader.Model.allCases) func aLargeMessageGoesThrough(model: EmulatedReader.Model)
            async throws
        {
            let bus = USBBus([try EmulatedReader(model, tags: [VirtualTagKind.type4.make()])])
            let text = String(repeating: "0123456789", count: 180)
            let write = try await bus.nfctool("write", "--text", text, "--json")
            #expect(write.status == 0, "\(write.errors)")
            let read = try await bus.nfctool("read", "--json")
            let records = try #require(read.events.first?["records"] as? [[String: Any]])
            #expect((records.first?["content"] as? [String: Any])?["text"] as? String == text)
        }

        /// The reader is also released in an orderly way.
        @Test(arguments: EmulatedReader.Model.allCases) func noUSBReaderCanBeATag(model: EmulatedReader.Model)
            async throws
        {
            let bus = USBBus([try EmulatedReader(model, tags: [VirtualTagKind.ntag215.make()])])
            let outcome = try await bus.nfctool("emulate", "--text", "Hi", "--json")
            #expect(outcome.status == 78)
            #expect(outcome.errorName == "wrongReader")
            #expect(outcome.message?.contains("cannot emulate a tag") == true)
            #expect(outcome.events.isEmpty)
            let read = try await bus.nfctool("read", "--json")
            #expect(read.status == 0, "\(read.errors)")
        }

        @Test(arguments: EmulatedReader.Model.allCases) func tagsAreSeenComingAndGoing(model: EmulatedReader.Model)
            async throws
        {
            let reader = try EmulatedReader(model)
            let tag = VirtualTagKind.ntag213.make()
            let outcome = try await USBBus([reader]).nfctool("scan", "--json", "--count", "3", "--timeout", "20s") {
                program in
                for round in 1...3 {
                    reader.chip.field.place(tag)
                    try await program.wait(for: "arrival \(round)") { program.lines(with: #""event":"tag""#) == round }
                    guard round < 3 else { return }
                    reader.chip.field.remove()
                    try await program.wait(for: "departure \(round)") {
                        program.lines(with: #""event":"removed""#) == round
                    }
                }
            }
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.log.allSatisfy { $0.opens == $0.closes && $0.claims == $0.releases })
        }

        @Test(arguments: EmulatedReader.Model.allCases) func aPlanIsCarriedOut(model: EmulatedReader.Model) async throws
        {
            let plan = FileManager.default.temporaryDirectory.appending(
                path: "usb-plan-\(UUID().uuidString.prefix(8)).csv")
            try Data("id\n1\n2\n3\n".utf8).write(to: plan)
            defer {
                for suffix in ["", ".journal", ".journal-wal", ".journal-shm"] {
                    try? FileManager.default.removeItem(atPath: plan.path + suffix)
                }
            }
            let reader = try EmulatedReader(model)
            let outcome = try await USBBus([reader]).nfctool(
                "provision", plan.path, "--uri", "https://example.com/{id}?t={uid}", "--json", "--timeout", "20s"
            ) { program in
                for row in 1...3 {
                    reader.chip.field.place(VirtualTagKind.ntag213.make(serial: row))
                    try await program.wait(for: "row \(row)") { program.lines(with: #""event":"row""#) == row }
                    reader.chip.field.remove()
                }
            }
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.events.last?["proven"] as? Int == 3)
        }

        @Test func twoReadersWorkOnOnePlan() async throws {
            let plan = FileManager.default.temporaryDirectory.appending(
                path: "usb-plan-\(UUID().uuidString.prefix(8)).csv")
            try Data(("id\n" + (1...6).map { "\($0)\n" }.joined()).utf8).write(to: plan)
            defer {
                for suffix in ["", ".journal", ".journal-wal", ".journal-shm"] {
                    try? FileManager.default.removeItem(atPath: plan.path + suffix)
                }
            }
            let readers = [try EmulatedReader(.acr122u), try EmulatedReader(.pn533)]
            let outcome = try await USBBus(readers).nfctool(
                "provision", plan.path, "--uri", "https://example.com/{id}", "--json", "--timeout", "20s",
                "--all-readers"
            ) { program in
                for round in 0..<3 {
                    for (number, reader) in readers.enumerated() {
                        reader.chip.field.place(VirtualTagKind.ntag213.make(serial: round * 2 + number))
                    }
                    try await program.wait(for: "round \(round)") {
                        program.lines(with: #""event":"row""#) == round * 2 + 2
                    }
                    for reader in readers { reader.chip.field.remove() }
                }
            }
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(
                Set(outcome.events.filter { $0["event"] as? String == "row" }.compactMap { $0["reader"] as? String })
                    == ["usb:1-2", "usb:1-3"])
        }
    }
}
