// A tag that is removed, written by a phone and put back while nfctool asks about the tag or waits for it

import Foundation
import SafeTag
import Testing
import VirtualPN532

extension BuiltBinary {
    @Suite struct ChangedTagTests {
        /// A tag, and its state when it comes back.
        private struct Bench: Sendable {
            let folder: String
            let reader: VirtualReader

            static func with(_ prepare: String, _ work: (Bench) async throws -> Void) async throws {
                try await Tool.withFolder { folder in
                    let outcome = try await Tool.shell("set -e\n" + prepare, in: folder)
                    try #require(outcome.status == 0, "\(outcome.errors)")
                    let reader = try VirtualReader()
                    defer { reader.stop() }
                    let bench = Bench(folder: folder, reader: reader)
                    try reader.place(TagFile(path: folder + "/shown.nfc"))
                    try await work(bench)
                }
            }

            /// Runs nfctool, swaps the tags when it prints a text, and answers the question.
            func run(
                _ arguments: [String], swappingAt text: String = "[y/N] ", answer: String = "y\n"
            ) async throws -> (status: Int32?, output: String) {
                let run = try TerminalRun(arguments + ["--timeout", "5s", "--reader", reader.connection], in: folder)
                try await run.wait(for: text)
                reader.field.remove()
                reader.faults = Faults()
                // The tag is away for longer than nfctool assumes it to be unchanged.
                try await Task.sleep(for: TagChange.glance * 1.5)
                try reader.place(TagFile(path: folder + "/changed.nfc"))
                run.type(answer)
                return (try await run.ended(), run.output)
            }

            func bytes(_ name: String) throws -> String {
                try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            }
        }

        private static func written(_ kind: String, _ shown: String, _ changed: String) -> String {
            """
            nfctool write -q --yes --force --reader 'virtual:shown.nfc?kind=\(kind)' \(shown)
            cp shown.nfc changed.nfc; nfctool write -q --yes --force --reader virtual:changed.nfc \(changed)
            cp changed.nfc kept.nfc
            """
        }

        @Test(arguments: ["ntag213", "ntag216", "ultralight-ev1", "felica-lite-s-ndef", "classic1k-ndef", "desfire"])
        func aLockIsOfWhatWasShown(_ kind: String) async throws {
            let prepare = Self.written(kind, "--text AAAA", "--text BBBB")
            try await Bench.with(prepare) { bench in
                let (status, output) = try await bench.run(["lock"])
                #expect(status == 75, "\(output)")
                #expect(
                    output.contains("The tag changed while the question was open. Nothing was written."), "\(output)")
                #expect(output.contains("Run the command again; it shows the tag as it is now."))
                #expect(try bench.bytes("changed.nfc") == bench.bytes("kept.nfc"))
                #expect(try await Tool.shell("nfctool recover --list", in: bench.folder).output.hasPrefix("Nothing"))
            }
        }

        @Test func aTagThatOnlyCameBackIsLocked() async throws {
            let prepare = """
                nfctool write -q --reader 'virtual:shown.nfc?kind=ntag213' --text A; cp shown.nfc changed.nfc
                """
            try await Bench.with(prepare) { bench in
                let (status, output) = try await bench.run(["lock"])
                #expect(status == 0, "\(output)")
                #expect(output.contains("Locked NTAG213"))
            }
        }

        @Test(arguments: ["ntag213", "desfire"])
        func aRestoreReplacesWhatWasShown(_ kind: String) async throws {
            let prepare =
                Self.written(kind, "--text AAAA", "--text 'BBBB and more'") + """

                    nfctool write -q --yes --reader 'virtual:other.nfc?kind=\(kind)' --text C
                    nfctool dump -q --reader virtual:other.nfc other.json
                    """
            try await Bench.with(prepare) { bench in
                let (status, output) = try await bench.run(["restore", "other.json"])
                #expect(status == 75, "\(output)")
                #expect(try bench.bytes("changed.nfc") == bench.bytes("kept.nfc"))
            }
        }

        @Test func aTagThatIsBlankNoMoreIsNotInitialised() async throws {
            let prepare = """
                nfctool info -q --reader 'virtual:shown.nfc?kind=ultralight-ev1' > /dev/null
                sed 's/Page 6: 00 00 00 00/Page 6: DE AD BE EF/' shown.nfc > changed.nfc; cp changed.nfc kept.nfc
                """
            try await Bench.with(prepare) { bench in
                let (status, output) = try await bench.run(["write", "--text", "x"])
                #expect(status == 78, "\(output)")
                #expect(try bench.bytes("changed.nfc") == bench.bytes("kept.nfc"))
            }
        }

        @Test func aMessageThatCameWhileATornTagWasAwayIsNotReplaced() async throws {
            try await Bench.with(Self.written("ntag213", "--text AAAA", "--text BBBB")) { bench in
                bench.reader.faults.tear = 15
                let (status, output) = try await bench.run(
                    ["write", "--append", "--text", "more of it, for several blocks"],
                    swappingAt: "Place tag", answer: "")
                #expect(status == 75, "\(output)")
                #expect(output.contains("came back with a different message, which was not changed"))
                #expect(try bench.bytes("changed.nfc") == bench.bytes("kept.nfc"))
            }
        }

        @Test("A message that came while the tag was away during its initialisation is not replaced")
        func messageDuringInitialisation() async throws {
            let prepare = """
                nfctool info -q --reader 'virtual:shown.nfc?kind=ultralight-ev1' > /dev/null
                cp shown.nfc changed.nfc; nfctool write -q --yes --reader virtual:changed.nfc --text BBBB
                cp changed.nfc kept.nfc
                """
            try await Bench.with(prepare) { bench in
                bench.reader.faults.loss = 4
                let (status, output) = try await bench.run(
                    ["write", "--yes", "--text", "x"], swappingAt: "Place tag", answer: "")
                #expect(status == 75, "\(output)")
                #expect(output.contains("came back with a different message, which was not changed"), "\(output)")
                #expect(try bench.bytes("changed.nfc") == bench.bytes("kept.nfc"))
            }
        }

        /// The tag leaves while its mirror is being turned off, before the message is touched.
        @Test(arguments: [5, 6, 8])
        func aMessageThatCameWhileTheMirrorWasTurnedOffIsNotReplaced(_ loss: Int) async throws {
            let shown = "--uri 'https://e.com/{uid:mirror}'"
            try await Bench.with(Self.written("ntag213", shown, "--text BBBBBBBB")) { bench in
                bench.reader.faults.loss = loss
                let (status, output) = try await bench.run(
                    ["write", "--text", "a new message"], swappingAt: "Place tag", answer: "")
                #expect(status == 75, "\(output)")
                #expect(output.contains("came back with a different message, which was not changed"), "\(output)")
                #expect(try bench.bytes("changed.nfc") == bench.bytes("kept.nfc"))
            }
        }

        @Test func nothingIsShownInAMessageThatCameMeanwhile() async throws {
            let changed = "--text 'BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'"
            try await Bench.with(Self.written("ntag213", "--text A", changed)) { bench in
                bench.reader.faults.loss = 22
                let (status, output) = try await bench.run(
                    ["write", "--uri", "https://e.com/{uid:mirror}"], swappingAt: "Place tag", answer: "")
                #expect(status == 75, "\(output)")
                #expect(!output.contains("The message is written"), "\(output)")
                #expect(try bench.bytes("changed.nfc") == bench.bytes("kept.nfc"))
            }
        }

        /// A counter that the chip shows differs at each power-up.
        @Test(arguments: [
            ["write", "--append", "--uri", "https://x.y/{uid:mirror}"], ["restore", "other.json"],
        ])
        func aCounterThatCountsIsNoChange(_ arguments: [String]) async throws {
            let prepare = """
                nfctool write -q --uri 'https://e.com/?c={counter:mirror}' --reader 'virtual:shown.nfc?kind=ntag213'
                cp shown.nfc changed.nfc
                nfctool write -q --text C --reader 'virtual:other.nfc?kind=ntag213'
                nfctool dump -q --reader virtual:other.nfc other.json
                """
            try await Bench.with(prepare) { bench in
                let (status, output) = try await bench.run(arguments)
                #expect(status == 0, "\(output)")
            }
        }
    }
}
