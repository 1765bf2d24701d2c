// A change of protection that is killed at various moments, and then run again — Docs/Passwords.md

import Chance
import Foundation
import Testing

extension BuiltBinaryKills {
    @Suite struct ProtectionKillCampaign {
        /// The number of times that each command is killed.
        private static let kills = Campaign.count(8, long: 60)
        /// The line in the trace that marks each command to the tag.
        private static let frame = " > "
        /// The number of commands that run at the same time.
        private static let lanes = 3

        /// A change of a tag that one wrong password closes.
        struct Change: Sendable, CustomTestStringConvertible {
            let arguments: [String]
            let password: String
            /// The password that opens the tag afterwards, or nil for a tag that requires none.
            let opener: String?
            var testDescription: String { arguments[0] }
        }

        private static let changes = [
            Change(arguments: ["protect", "--yes", "--old-password-file", "old"], password: "new", opener: "new"),
            Change(arguments: ["unprotect", "--yes"], password: "old", opener: nil),
        ]

        /// A copy of the tag and of the content that nfctool keeps for it.
        private struct Bench {
            let folder: String

            func arguments(_ change: Change, pace: String = "") -> [String] {
                change.arguments + [
                    "--password-file", change.password, "--reader", "virtual:tag.nfc?kind=ntag215\(pace)",
                ]
            }

            func run(_ line: String) async throws -> Outcome {
                try await Tool.shell("cd '\(folder)' && \(line)", in: folder)
            }

            func tag() throws -> String { try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8) }

            /// Returns AUTH0, ACCESS, the password and its PACK, and the number of wrong passwords that the chip
            /// counted.
            func configuration() throws -> [Substring] {
                try tag().split(separator: "\n").filter {
                    $0.contains(/^(Page 13[1-4]:|Failed authentication attempts:)/)
                }
            }

            /// Runs the change to its end, in a folder to which relative paths refer.
            func finish(_ change: Change, pace: String = "") async throws -> Outcome {
                let words = arguments(change, pace: pace).map { "'\($0)'" }.joined(separator: " ")
                return try await run("nfctool \(words) --trace")
            }

            /// Ends the change with SIGKILL after a delay from its nth command to the tag, before or after the answer.
            func kill(_ change: Change, at frame: Int, after delay: Duration) async throws -> Outcome {
                let words = arguments(change, pace: "&latency=real").map { "'\($0)'" }.joined(separator: " ")
                let line = "cd '\(folder)' && exec nfctool \(words) --trace 2>&1"
                return try await Tool.startShell(line, in: folder) { tool in
                    do {
                        for _ in 0..<frame { _ = try await tool.line { $0.contains(ProtectionKillCampaign.frame) } }
                        try await Task.sleep(for: delay)
                        tool.send(SIGKILL)
                        while true { _ = try await tool.line { _ in false } }
                    } catch is UnexpectedEnd {}
                }
            }
        }

        @Test(arguments: changes) func theSameCommandOpensAndFinishesAKilledChange(change: Change) async throws {
            try await Tool.withFolder { folder in
                let original = Bench(folder: folder + "/original")
                try FileManager.default.createDirectory(
                    atPath: original.folder, withIntermediateDirectories: true)
                let prepared = try await original.run(
                    """
                    set -e; echo 11223344 > old; echo 55667788 > new
                    nfctool write --quiet --text Hello --reader 'virtual:tag.nfc?kind=ntag215'
                    nfctool protect --limit 1 --read --from 5 --yes --password-file old --reader virtual:tag.nfc
                    """)
                #expect(prepared.status == 0, "\(prepared.errors)")
                let whole = try Self.copy(of: original, to: folder + "/whole")
                let done = try await whole.finish(change, pace: "&latency=real")
                #expect(done.status == 0, "\(done.errors.suffix(500))")
                let frames = done.errors.split(separator: "\n").filter { $0.contains(Self.frame) }
                let writes = frames.indices.filter { frames[$0].contains(Self.frame + "A2 ") }
                // In CI, the moments around the writes. In a campaign, the moments during all of the work.
                let (first, last) = (try #require(writes.first), try #require(writes.last))
                let moments = Campaign.isLong ? 1...frames.count : first - 3...last + 3
                let (before, wanted) = (try original.tag(), try whole.configuration())
                #expect(wanted.count == 5)
                let halves = try await withThrowingTaskGroup(of: Int.self) { group in
                    for lane in 0..<Self.lanes {
                        group.addTask {
                            var halves = 0
                            for number in stride(from: lane, to: Self.kills, by: Self.lanes) {
                                let bench = try Self.copy(of: original, to: folder + "/\(number)")
                                let moment = moments.lowerBound + number * moments.count / Self.kills
                                let delay = Duration.milliseconds(number % 4 * 3)
                                let killed = try await bench.kill(change, at: moment, after: delay)
                                #expect([0, -SIGKILL].contains(killed.status), "\(killed.output.suffix(500))")
                                let left = try bench.configuration()
                                if try bench.tag() != before, left != wanted { halves += 1 }
                                try await Self.check(
                                    bench, change, wanted, "killed \(delay) after frame \(moment), left \(left)")
                            }
                            return halves
                        }
                    }
                    return try await group.reduce(0, +)
                }
                print(
                    "\(change.arguments[0]): \(halves) of \(Self.kills) kills left half a change; \(frames.count) frames"
                )
                #expect(halves > 0)
            }
        }

        private static func copy(of bench: Bench, to folder: String) throws -> Bench {
            try FileManager.default.copyItem(atPath: bench.folder, toPath: folder)
            return Bench(folder: folder)
        }

        /// Runs the command again, and checks that the tag has received no wrong password and has the wanted
        /// protection.
        private static func check(
            _ bench: Bench, _ change: Change, _ wanted: [Substring], _ place: String
        ) async throws {
            let again = try await bench.finish(change)
            #expect(again.status == 0, "\(place): \(again.errors.suffix(500))")
            // If a tag with a limit refused or did not answer a password, no other attempt follows.
            let frames = again.errors.split(separator: "\n").filter { $0.contains("nfctool.reader: [") }
            let answers = zip(frames, frames.dropFirst()).filter { $0.0.contains("> 1B ") }.map(\.1)
            #expect(answers.allSatisfy { $0.hasSuffix("< ** ** ** **") }, "\(place): \(answers)")
            #expect(try bench.configuration() == wanted, "\(place): \(again.errors.suffix(500))")
            let password = change.opener.map { "--password-file \($0) --yes" } ?? ""
            let read = try await bench.run("nfctool read \(password) --reader virtual:tag.nfc")
            #expect(read.status == 0 && read.output.contains("Hello"), "\(place): \(read.errors)")
        }
    }
}
