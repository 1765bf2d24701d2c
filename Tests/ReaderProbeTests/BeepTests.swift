// The commands that make an ACR122U signal: one for each event, and no sound unless requested

import Foundation
import Testing
import USBBus
import VirtualPN532

extension USBDriverTests {
    @Suite struct BeepTests {
        private static let good = "FF 00 40 0E 04 01 00 01 01"
        private static let goodUnheard = "FF 00 40 0E 04 00 00 00 00"
        private static let bad = "FF 00 40 0D 04 01 01 02 01"
        private static let dark = "FF 00 40 0C 04 00 00 00 00"
        /// The command that is sent each time that the reader is closed.
        private static let quietDetection = "FF 00 52 00 00"

        private func run(
            _ arguments: [String], _ tags: [any VirtualTag] = [VirtualTagKind.ntag213.make(serial: 1)]
        ) async throws -> USBBus.Outcome {
            let state = FileManager.default.temporaryDirectory.appending(path: "beep-\(UUID().uuidString.prefix(8))")
            defer { try? FileManager.default.removeItem(at: state) }
            let bus = USBBus([try EmulatedReader(.acr122u, tags: tags)], environment: ["XDG_STATE_HOME": state.path])
            return try await bus.run(["nfctool"] + arguments)
        }

        @Test func aReadIsSilentUntilItIsAskedToBeep() async throws {
            let silent = try await run(["read"])
            #expect(silent.status == 0, "\(silent.errors)")
            #expect(silent.log[0].shown == [Self.quietDetection])
            let heard = try await run(["read", "--beep", "ok,fail"])
            #expect(heard.log[0].shown == [Self.good, Self.quietDetection])
            #expect(heard.output == silent.output)
        }

        @Test func aWriteBeepsWhenItIsProvenAndTwiceWhenItFails() async throws {
            let good = try await run(["write", "--yes", "--text", "x", "--beep", "ok,fail"])
            #expect(good.status == 0, "\(good.errors)")
            #expect(good.log[0].shown == [Self.good, Self.quietDetection])
            let long = String(repeating: "x", count: 500)
            let bad = try await run(["write", "--yes", "--text", long, "--beep", "ok,fail"])
            #expect(bad.status != 0)
            #expect(bad.log[0].shown == [Self.bad, Self.quietDetection])
            let unheard = try await run(["write", "--yes", "--text", long, "--beep", "ok"])
            // The LED accompanies the sound.
            #expect(unheard.log[0].shown.count == 2)
            #expect(unheard.log[0].shown[0].hasPrefix("FF 00 40 0D 04 00"))
        }

        @Test func aScanShowsEachTag() async throws {
            let outcome = try await run(["scan", "--count", "1", "--beep", "ok", "--led", "on"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.log[0].shown == [Self.good, Self.quietDetection])
            let unasked = try await run(["scan", "--count", "1"])
            #expect(unasked.log[0].shown == [Self.goodUnheard, Self.quietDetection])
        }

        @Test func aProvisionedTagIsShownAndHeardAsAsked() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "beep-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            for (index, (arguments, shown)) in [
                (["--beep", "ok,fail"], Self.good), ([], Self.goodUnheard),
            ].enumerated() {
                let plan = folder.appending(path: "plan\(index).csv")
                try Data("text\none\n".utf8).write(to: plan)
                let outcome = try await run(["provision", plan.path, "--repeat-rows"] + arguments)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.log[0].shown == [shown, Self.quietDetection])
            }
            let plan = folder.appending(path: "plan.csv")
            try Data("text\none\n".utf8).write(to: plan)
            let dark = try await run(["provision", plan.path, "--repeat-rows", "--beep", "off", "--led", "off"])
            #expect(dark.log[0].shown == [Self.quietDetection])
        }

        /// After Ctrl-C during polling, the reader is released like after any other end.
        @Test func anInterruptedScanGivesTheReaderBack() async throws {
            let bus = USBBus([try EmulatedReader(.acr122u, tags: [VirtualTagKind.ntag213.make(serial: 1)])])
            let outcome = try await bus.run(["nfctool", "scan", "--led", "on", "--trace"]) { program in
                try await program.wait(for: "the tag") { !program.output.isEmpty }
                program.send(SIGINT)
            }
            #expect(outcome.status == 130, "\(outcome.errors)")
            #expect(outcome.log[0].shown.last == Self.quietDetection)
            #expect(outcome.errors.contains("> FF 00 51 FF 00"))
            #expect(outcome.log[0].claims == outcome.log[0].releases)
        }
    }
}
