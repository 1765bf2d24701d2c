// The content that a chip shows in its message — NXP NTAG213/215/216, ASCII mirror function

import Chance
import Foundation
import Testing

extension BuiltBinaryMemory {
    @Suite(.alsoAtRealLatency) struct MirrorTests {
        private static func withTag(
            _ kind: String, _ body: (_ run: ([String]) async throws -> Outcome) async throws -> Void
        ) async throws {
            try await Tool.withFolder { folder in
                try await body { arguments in
                    try await Tool.run(
                        arguments + ["--json", "--reader", "virtual:\(folder)/tag.nfc?kind=\(kind)"], in: folder)
                }
            }
        }

        private static func texts(_ outcome: Outcome) throws -> [String] {
            let records = try outcome.json()["records"] as? [[String: Any]] ?? []
            return records.map { record in
                let content = record["content"] as? [String: Any]
                return content?["uri"] as? String ?? content?["text"] as? String ?? ""
            }
        }

        /// Placeholders, the pattern of the text that is read, and the mirror's offset in the message.
        static let rows: [(arguments: [String], pattern: String, offset: Int)] = [
            (["--uri", "https://x.example/?u={uid:mirror}"], "https://x.example/\\?u=(UID)", 18),
            (["--uri", "https://x.example/?c={counter:mirror}&z"], "https://x.example/\\?c=[0-9A-F]{6}&z", 18),
            (
                ["--uri", "https://x.example/?{uid:mirror}x{counter:mirror}"],
                "https://x.example/\\?(UID)x[0-9A-F]{6}", 16
            ),
            (["--text", "I am {uid:mirror}."], "I am (UID)\\.", 12),
            (["--text", "{counter:mirror}", "--lang", "de"], "[0-9A-F]{6}", 7),
        ]

        @Test(arguments: rows, ["ntag213", "ntag215", "ntag216"])
        func theChipShowsItsUIDAndCounter(
            row: (arguments: [String], pattern: String, offset: Int), kind: String
        ) async throws {
            try await Self.withTag(kind) { run in
                let written = try await run(["write"] + row.arguments)
                #expect(written.status == 0, "\(written.errors)")
                #expect(try written.json()["verified"] as? Bool == true)
                let uid = try #require(try written.json()["uid"] as? String)
                let pattern = try Regex(row.pattern.replacing("(UID)", with: uid))
                for outcome in [written, try await run(["read"])] {
                    let text = try #require(try Self.texts(outcome).first)
                    #expect(text.wholeMatch(of: pattern) != nil, "\(text)")
                }
                let mirror = try await run(["info"]).json()["mirror"] as? [String: Any]
                #expect(mirror?["offset"] as? Int == row.offset)
            }
        }

        @Test func eachPowerUpIsCounted() async throws {
            try await Self.withTag("ntag213") { run in
                #expect(try await run(["write", "--text", "{counter:mirror}"]).status == 0)
                let first = try #require(Int(try Self.texts(try await run(["read"]))[0], radix: 16))
                let second = try #require(Int(try Self.texts(try await run(["read"]))[0], radix: 16))
                #expect(second == first + 1)
            }
        }

        @Test(arguments: [["write", "--text", "Hello, world, this covers it all"], ["erase"], ["erase", "--wipe"]])
        func aLaterChangeTakesTheMirrorOff(_ arguments: [String]) async throws {
            try await Self.withTag("ntag213") { run in
                #expect(try await run(["write", "--text", "{uid:mirror}x{counter:mirror}"]).status == 0)
                let changed = try await run(arguments)
                #expect(changed.status == 0, "\(changed.errors)")
                let mirror = try await run(["info"]).json()["mirror"] as? [String: Any]
                #expect(mirror?["content"] as? String == "none")
                let texts = try Self.texts(try await run(["read"]))
                #expect(texts == (arguments[0] == "write" ? [arguments[2]] : []))
            }
        }

        @Test func aMessageThatDoesNotFitLeavesTheMirrorOn() async throws {
            try await Self.withTag("ntag213") { run in
                #expect(try await run(["write", "--text", "{uid:mirror}"]).status == 0)
                #expect(try await run(["write", "--text", String(repeating: "x", count: 200)]).status == 78)
                let mirror = try await run(["info"]).json()["mirror"] as? [String: Any]
                #expect(mirror?["content"] as? String == "uid")
            }
        }

        @Test func theMirrorMovesToARecordBehindThoseOnTheTag() async throws {
            try await Self.withTag("ntag213") { run in
                #expect(try await run(["write", "--text", "one"]).status == 0)
                let written = try await run(["write", "--append", "--text", "{uid:mirror}"])
                #expect(written.status == 0)
                let uid = try #require(try written.json()["uid"] as? String)
                let texts = try Self.texts(try await run(["read"]))
                #expect(texts == ["one", uid])
            }
        }

        @Test func aMirroredTagIsProtectedAndLocked() async throws {
            try await Tool.withFolder { folder in
                let reader = ["--reader", "virtual:\(folder)/tag.nfc?kind=ntag213", "--json"]
                try Data("11223344".utf8).write(to: URL(filePath: folder + "/password"))
                let password = ["--password-file", folder + "/password"]
                for arguments in [
                    ["protect"], ["write", "--text", "{uid:mirror}x{counter:mirror}"], ["lock", "--yes"],
                ] {
                    let outcome = try await Tool.run(arguments + password + reader, in: folder)
                    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
                }
            }
        }

        static let refusals: [(kind: String, arguments: [String], status: Int32, name: String)] = [
            ("ultralight-ev1", ["--text", "{uid:mirror}"], 78, "wrongChip"),
            ("ntag203", ["--text", "{uid:mirror}"], 78, "wrongChip"),
            ("type4", ["--text", "{counter:mirror}"], 78, "wrongChip"),
            ("ntag213", ["--text", "{uid:mirror}", "--uri", "x:{counter:mirror}"], 64, "usage"),
            ("ntag213", ["--text", "{uid:mirror}-{counter:mirror}"], 64, "usage"),
            ("ntag213", ["--text", "{counter:mirror}x{uid:mirror}"], 64, "usage"),
            ("ntag213", ["--text", "{uid:mirror}{uid:mirror}"], 64, "usage"),
            ("ntag213", ["--mime", "text/plain={uid:mirror}"], 64, "usage"),
        ]

        @Test(arguments: refusals)
        func whatNoChipShowsIsRefusedBeforeAnyWrite(
            kind: String, arguments: [String], status: Int32, name: String
        ) async throws {
            try await Self.withTag(kind) { run in
                let before = try await run(["info"]).output
                let outcome = try await run(["write", "--yes"] + arguments)
                #expect(outcome.status == status)
                #expect(try outcome.failure()["error"] as? String == name)
                let after = try await run(["info"]).output
                #expect(
                    after.replacing(/pts\/\d+/, with: "") == before.replacing(/pts\/\d+/, with: ""))
            }
        }

        @Test func withoutATagThereIsNoMirror() async throws {
            let outcome = try await Tool.run("ndef", "encode", "--hex", "--text", "{uid:mirror}")
            #expect(outcome.status == 64)
        }
    }
}
