// A reader that is unplugged, plugged in or mute, or whose process is stopped, while a command works with the reader

import Foundation
import Glibc
import Testing
import USBBus
import VirtualPN532

extension USBTool {
    @Suite struct HotPlugTests {
        /// Returns the number of descriptors and the resident memory (KiB) of nfctool on the bus.
        private static func footprint(under launcher: Int32) throws -> (descriptors: Int, kilobytes: Int) {
            let process = try #require(try children(of: launcher).first)
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
            let statm = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")
            return (descriptors, try #require(statm.dropFirst().first.flatMap { Int($0) }) * Int(getpagesize()) / 1024)
        }

        private static func children(of process: Int32) throws -> [Int32] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { child in
                guard let stat = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8) else {
                    return false
                }
                // PID (NAME) STATE PPID, where a name may contain spaces.
                return stat.split(separator: ")").last?.split(separator: " ").dropFirst().first == "\(process)"
            }
        }

        @Test func everyTagIsSeenThroughAHundredUnpluggings() async throws {
            let reader = try EmulatedReader(.acr122u)
            let tag = VirtualTagKind.ntag213.make()
            var bus = USBBus([reader])
            bus.timeLimit = 280
            var first: (descriptors: Int, kilobytes: Int)?
            var last: (descriptors: Int, kilobytes: Int)?
            let cycles = 100
            let outcome = try await bus.nfctool("scan", "--json", "--count", "\(cycles)", "--timeout", "60s") {
                program in
                for cycle in 1...cycles {
                    if reader.chip.field.identifiers.isEmpty { reader.chip.field.place(tag) }
                    try await program.wait(for: "tag \(cycle)", within: .seconds(30)) {
                        program.lines(with: #""event":"tag""#) == cycle
                    }
                    if cycle == 10 { first = try Self.footprint(under: program.process) }
                    guard cycle < cycles else { return }
                    last = try Self.footprint(under: program.process)
                    try program.unplug()
                    // Half of the time, the tag stays in place.
                    if cycle.isMultiple(of: 2) { reader.chip.field.remove() }
                    try await program.wait(for: "loss \(cycle)", within: .seconds(30)) {
                        program.lines(with: #""event":"readerLost""#) == cycle
                    }
                    try program.plug()
                }
            }
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.events.count { $0["event"] as? String == "tag" } == cycles)
            #expect(outcome.events.count { $0["event"] as? String == "removed" } == cycles - 1)
            // libnfc gives the reader another number each time, but the user sees one name for it.
            #expect(Set(outcome.events.compactMap { $0["reader"] as? String }) == ["usb:1-2"])
            let (before, after) = (try #require(first), try #require(last))
            print(
                "\(cycles) unpluggings: \(cycles) tags seen; descriptors \(before.descriptors) → \(after.descriptors),",
                "memory \(before.kilobytes) → \(after.kilobytes) KB, in \(outcome.duration)")
            // A watch or a timer may be about to end when it is counted.
            #expect(after.descriptors <= before.descriptors + 4)
            #expect(after.kilobytes <= before.kilobytes + 4096)
        }

        @Test(arguments: EmulatedReader.Model.allCases) func aPlanGoesOnWhenTheReaderIsBack(model: EmulatedReader.Model)
            async throws
        {
            let plan = FileManager.default.temporaryDirectory.appending(
                path: "usb-plan-\(UUID().uuidString.prefix(8)).csv")
            try Data("id\n1\n2\n".utf8).write(to: plan)
            defer {
                for suffix in ["", ".journal", ".journal-wal", ".journal-shm"] {
                    try? FileManager.default.removeItem(atPath: plan.path + suffix)
                }
            }
            let reader = try EmulatedReader(model, tags: [VirtualTagKind.ntag213.make(serial: 1)])
            let outcome = try await USBBus([reader]).nfctool(
                "provision", plan.path, "--uri", "https://example.com/{id}", "--json", "--timeout", "20s"
            ) { program in
                try await program.wait(for: "row 1") { program.lines(with: #""event":"row""#) == 1 }
                try program.unplug()
                try await program.wait(for: "loss") { program.lines(with: #""event":"readerLost""#) == 1 }
                reader.chip.field.remove()
                reader.chip.field.place(VirtualTagKind.ntag213.make(serial: 2))
                try program.plug()
            }
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.events.last?["proven"] as? Int == 2)
            #expect(outcome.log.first?.device ?? 0 > 2)
        }

        @Test func aMuteReaderIsResetAndTakenBack() async throws {
            let reader = try EmulatedReader(.acr122u, tags: [VirtualTagKind.ntag213.make()])
            let outcome = try await USBBus([reader]).nfctool("scan", "--json", "--count", "2", "--timeout", "25s") {
                program in
                try await program.wait(for: "the tag") { program.lines(with: #""event":"tag""#) == 1 }
                try program.fault("mute-until-reset")
                try await program.wait(for: "the loss") { program.lines(with: #""event":"readerLost""#) == 1 }
            }
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.log.first?.resets ?? 0 > 1)
            let readers = ["tag", "removed"].map { name in
                outcome.events.first { $0["event"] as? String == name }?["reader"]
            }
            #expect(readers[0] as? String != nil && readers[0] as? String == readers[1] as? String)
        }

        /// The state is that after the machine slept for a night: time has passed, and nothing answers.
        @Test func aReaderProcessThatHangsIsReplaced() async throws {
            let reader = try EmulatedReader(.acr122u, tags: [VirtualTagKind.ntag213.make()])
            let outcome = try await USBBus([reader]).nfctool("scan", "--json", "--count", "2", "--timeout", "25s") {
                program in
                try await program.wait(for: "the tag") { program.lines(with: #""event":"tag""#) == 1 }
                let tool = try #require(try Self.children(of: program.process).first)
                let host = try #require(try Self.children(of: tool).first)
                kill(host, SIGSTOP)
                try await program.wait(for: "the loss") { program.lines(with: #""event":"readerLost""#) == 1 }
            }
            #expect(outcome.status == 0, "\(outcome.errors)")
            let loss = try #require(outcome.events.first { $0["event"] as? String == "readerLost" })
            #expect(loss["error"] as? String == "readerIO")
        }

        @Test(arguments: [SIGINT, SIGTERM]) func theReaderIsUsableAfterCtrlC(signal: Int32) async throws {
            let reader = try EmulatedReader(.pn533, tags: [VirtualTagKind.ntag213.make()])
            let outcome = try await USBBus([reader]).nfctool("scan", "--json") { program in
                try await program.wait(for: "the tag") { program.lines(with: #""event":"tag""#) == 1 }
                let tool = try #require(try Self.children(of: program.process).first)
                kill(tool, signal)
            }
            #expect(outcome.status == 130)
            #expect(outcome.log.allSatisfy { $0.opens == $0.closes && $0.claims == $0.releases })
            #expect(try await USBBus([reader]).nfctool("read").status == 0)
        }

        /// The process that holds the reader notices that it gets no more requests, and closes the reader in an orderly
        /// way.
        @Test func theReaderIsGivenBackEvenAfterSIGKILL() async throws {
            let reader = try EmulatedReader(.acr122u, tags: [VirtualTagKind.ntag213.make()])
            let outcome = try await USBBus([reader]).run(
                [
                    "/bin/sh", "-c",
                    """
                    out=$(mktemp); trap 'rm $out' EXIT
                    nfctool scan --json > $out & scan=$!
                    until grep -q '"event":"tag"' $out; do sleep 0.05; done
                    kill -9 $scan; wait
                    for attempt in 1 2 3 4 5 6 7 8 9 10; do nfctool read --json && exit; sleep 0.3; done
                    exit 1
                    """,
                ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let log = try #require(outcome.log.first)
            #expect(log.claims == log.releases && log.opens == log.closes)
        }
    }
}
