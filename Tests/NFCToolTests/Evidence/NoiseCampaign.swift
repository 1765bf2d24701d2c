// Commands on a bad radio link succeed or ask the user to try again, and claim nothing that was not read

import Chance
import Foundation
import Testing

extension BuiltBinaryRadio {
    /// Every command at several levels of noise.
    ///
    /// A level is the share of 260-byte frames that are lost, or the time in which a tag that is being placed receives
    /// only short frames.
    @Suite struct NoiseCampaign {
        struct Level: CustomTestStringConvertible, Sendable {
            let options: String
            /// The share of commands that succeed on a tag that lies on the reader, or nil if no share is required.
            let success: Double?

            var testDescription: String { options }
        }

        private static let levels = [
            Level(options: "noise=5%", success: 0.99), Level(options: "noise=20%", success: 0.99),
            Level(options: "noise=50%", success: nil), Level(options: "edge=80ms", success: nil),
            Level(options: "edge=200ms", success: nil),
        ]
        /// Words of claims about a tag that noise alone never supports.
        private static let claims = ["password", "damaged", "faulty", "read-only", "quarantine", "breaks its"]
        private static let kinds = [
            "ntag213", "ntag215", "ntag216", "ultralight-ev1-128", "ultralight-c", "ntag203", "ntag-i2c-1k",
            "ntag-i2c-2k", "type4", "type4b", "felica-lite-s-ndef", "type3", "topaz96", "topaz512", "classic1k-ndef",
            "ntag424", "ntag215?version=none&fastread=none", "ntag216?vendor=53&fastread=16", "ntag215?duplicates=5",
        ]

        private static let lockable = [
            "ntag213", "ntag215", "ntag216", "ntag203", "ntag-i2c-1k", "ntag-i2c-2k", "felica-lite-s-ndef", "type3",
            "topaz96", "topaz512", "classic1k-ndef",
        ]

        @Test(arguments: levels) func commandsSucceedOrAskForAnotherTry(level: Level) async throws {
            let count = Campaign.count(8, long: 1_000)
            let results = try await Self.results(of: count, at: level)
            let good = results.count { $0.status == 0 }
            print("\(level.options): \(good) of \(count) commands succeeded, the others ended with 75")
            for result in results {
                #expect([0, 75].contains(result.status), "\(result.command)\n\(result.text)")
                #expect(result.unprovenClaims.isEmpty, "\(result.command)\n\(result.text)")
            }
            if let success = level.success { #expect(Double(good) >= (success * Double(count)).rounded(.down)) }
        }

        /// The number of commands that run at the same time, because they mostly wait for their tags.
        private static let lanes = Campaign.count(4, long: 16)

        private struct Result {
            let command: String
            let status: Int32
            let text: String
            /// The output of the command for the same tag without noise.
            ///
            /// In it, `info` names the blocks of a password, and a locked tag is read-only.
            let quietText: String

            /// The lines with a claim about the tag that do not appear without noise.
            var unprovenClaims: [Substring] {
                let proven = Set(quietText.split(separator: "\n"))
                return text.split(separator: "\n").filter { line in
                    claims.contains(where: line.contains) && !proven.contains(line)
                }
            }
        }

        private static func results(of count: Int, at level: Level) async throws -> [Result] {
            try await withThrowingTaskGroup(of: Result.self) { group in
                var results: [Result] = []
                for number in 0..<count {
                    if number >= lanes, let result = try await group.next() { results.append(result) }
                    group.addTask { try await result(number: number, at: level) }
                }
                for try await result in group { results.append(result) }
                return results
            }
        }

        /// Returns the result of one command with its own tag and its own noise.
        private static func result(number: Int, at level: Level) async throws -> Result {
            try await Tool.withFolder { folder in
                let commands = [
                    ["read"], ["info"],
                    ["write", "--yes", "--text", String(repeating: "noise ", count: 1 + number % 7)],
                    ["dump", "d.json"], ["lock", "--yes", "--force"],
                    ["provision", "p.csv", "--uri", "https://example.com/{id}", "--overwrite", "always", "--yes"],
                    ["erase", "--yes"],
                ]
                let command = commands[number % commands.count]
                let isRun = command[0] == "provision"
                // Blank tags cannot be locked or erased, and types without a lock cannot be locked.
                let kinds = ["lock", "erase"].contains(command[0]) ? lockable : kinds
                let words = kinds[number / commands.count % kinds.count].split(separator: "?").map(String.init)
                let options = words.dropFirst() + [level.options, "seed=\(number + 1)", "latency=real"]
                let tags = isRun ? "\(words[0])*20?stream&" : "\(words[0])?"
                let reader = "virtual:" + tags + options.joined(separator: "&")
                if isRun {
                    let plan = "id\n" + (1...20).map { "\($0)\n" }.joined()
                    try plan.write(toFile: folder + "/p.csv", atomically: true, encoding: .utf8)
                }
                let outcome = try await Tool.run(
                    command + ["--timeout", isRun ? "5s" : "10s", "--reader", reader], in: folder)
                let quiet = try await Tool.withFolder { folder in
                    let options = words.dropFirst().joined(separator: "&")
                    return isRun
                        ? nil : try await Tool.run(command + ["--reader", "virtual:\(tags)\(options)"], in: folder)
                }
                return Result(
                    command: "\(command.joined(separator: " ")) --reader '\(reader)'", status: outcome.status,
                    text: outcome.output + outcome.errors, quietText: (quiet?.output ?? "") + (quiet?.errors ?? ""))
            }
        }
    }
}
