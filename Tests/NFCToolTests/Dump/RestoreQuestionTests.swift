// The refusals, questions and notes of restore before it writes

import Foundation
import Testing

extension BuiltBinaryRestores {
    @Suite struct RestoreQuestionTests {
        private static func tag(_ serial: Int, _ options: String = "") -> [String] {
            ["--reader", "virtual:\(serial).nfc?kind=ntag213&serial=\(serial)\(options)"]
        }

        private static func ok(_ arguments: [String], in folder: String) async throws -> Outcome {
            let outcome = try await Tool.run(arguments, in: folder)
            #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
            return outcome
        }

        private static func edit(_ file: String, _ change: (inout [UInt8]) -> Void) throws {
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
            change(&bytes)
            try Data(bytes).write(to: URL(filePath: file))
        }

        // MARK: A message that phones would not see

        @Test(
            "A restore without the parts that make a blank tag an NDEF tag asks first",
            arguments: [
                ("ultralight", "--otp"), ("classic1k", "--configuration"), ("felica-lite-s", "--configuration"),
            ])
        func hiddenMessage(kind: String, option: String) async throws {
            try await Tool.withFolder { folder in
                let from = ["--reader", "virtual:from.nfc?kind=\(kind)"]
                let to = ["--reader", "virtual:to.nfc?kind=\(kind)"]
                _ = try await Self.ok(["write", "--yes", "--text", "backup"] + from, in: folder)
                _ = try await Self.ok(["dump", "a.json"] + from, in: folder)
                let asked = try await Tool.run(["restore", "a.json"] + to, in: folder)
                #expect(asked.status == 64 && asked.errors.contains("Phones will see no message"), "\(asked.errors)")
                #expect(asked.errors.contains("without \(option)"), "\(asked.errors)")
                let whole = try await Self.ok(["restore", "a.json", "--yes", option] + to, in: folder)
                #expect(!whole.errors.contains("Phones will see no message"), "\(whole.errors)")
                #expect(try await Self.ok(["read"] + to, in: folder).output.contains("backup"))
            }
        }

        // MARK: A protection without its password

        @Test("A restored protection has the factory password, unless protect sets one first")
        func factoryPassword() async throws {
            try await Tool.withFolder { folder in
                try "11223344".write(toFile: folder + "/pw", atomically: true, encoding: .utf8)
                let password = ["--password-file", "pw"]
                _ = try await Self.ok(["write", "--text", "backup"] + Self.tag(1), in: folder)
                _ = try await Self.ok(["protect", "--read"] + password + Self.tag(1), in: folder)
                _ = try await Self.ok(["dump", "a.json"] + password + Self.tag(1), in: folder)
                let restore = ["restore", "a.json", "--configuration"]
                let asked = try await Tool.run(restore + Self.tag(2), in: folder)
                #expect(asked.status == 64 && asked.errors.contains("public factory password"), "\(asked.errors)")
                _ = try await Self.ok(["protect"] + password + Self.tag(2), in: folder)
                let agreed = try await Self.ok(restore + ["--yes"] + password + Self.tag(2), in: folder)
                #expect(!agreed.errors.contains("factory"), "\(agreed.errors)")
                #expect(try await Tool.run(["read"] + Self.tag(2), in: folder).status == 77)
                let read = try await Self.ok(["read", "--yes"] + password + Self.tag(2), in: folder)
                #expect(read.output.contains("backup"), "\(read.output)")
            }
        }

        // MARK: A UID that the chip shows in its message

        @Test("A restore turns off the UID mirror") func mirrorIsTurnedOff() async throws {
            try await Tool.withFolder { folder in
                let tag = Self.tag(1)
                _ = try await Self.ok(["write", "--text", "the one before, which is longer"] + tag, in: folder)
                _ = try await Self.ok(["dump", "before.bin"] + tag, in: folder)
                _ = try await Self.ok(["write", "--uri", "https://e.com/?t={uid:mirror}"] + tag, in: folder)
                let restored = try await Self.ok(["restore", "before.bin"] + tag, in: folder)
                #expect(restored.output.contains("the tag showed the UID in the message, which is off now."))
                let read = try await Self.ok(["read"] + tag, in: folder)
                #expect(read.output.contains("the one before, which is longer"))
                let same = try await Self.ok(["diff", "before.bin"] + tag, in: folder)
                #expect(same.output.contains("hold the same"), "\(same.output)")
            }
        }

        @Test("The UID mirror stays on if the dump has the same mirror") func sameMirrorStays() async throws {
            try await Tool.withFolder { folder in
                let tag = Self.tag(1)
                _ = try await Self.ok(["write", "--text", "zzzz {uid:mirror}"] + tag, in: folder)
                let dump = try await Self.ok(["dump", "own.bin"] + tag, in: folder)
                #expect(dump.errors.contains("Warning: The chip shows the UID in the message."))
                let held = try await Self.ok(["restore", "own.bin"] + tag, in: folder)
                #expect(held.output.contains("already holds the dump"))
                try Self.edit(folder + "/own.bin") { bytes in
                    for index in bytes.indices where bytes[index] == UInt8(ascii: "z") {
                        bytes[index] = UInt8(ascii: "y")
                    }
                }
                let restored = try await Self.ok(["restore", "own.bin"] + tag, in: folder)
                #expect(restored.output.contains("the tag shows the UID in the message, as the dump says."))
                let read = try await Self.ok(["read"] + tag, in: folder)
                #expect(read.output.contains("yyyy 0410571F000180"), "\(read.output)")
            }
        }

        @Test("The UID of a dumped tag is not written to another tag") func anotherTagsUIDIsNotWritten() async throws {
            try await Tool.withFolder { folder in
                _ = try await Self.ok(
                    ["write", "--uri", "https://e.com/?t={uid:mirror}"] + Self.tag(1), in: folder)
                _ = try await Self.ok(["dump", "one.bin"] + Self.tag(1), in: folder)
                let restored = try await Self.ok(["restore", "one.bin"] + Self.tag(2), in: folder)
                #expect(restored.output.contains("--configuration turns it on"))
                let zeros = try await Self.ok(["read"] + Self.tag(2), in: folder)
                #expect(zeros.output.contains("https://e.com/?t=00000000000000"), "\(zeros.output)")
                _ = try await Self.ok(["restore", "one.bin", "--configuration", "--yes"] + Self.tag(2), in: folder)
                let own = try await Self.ok(["read"] + Self.tag(2), in: folder)
                #expect(own.output.contains("https://e.com/?t=0410571F000280"), "\(own.output)")
            }
        }

        // MARK: Files that are not dumps, partial dumps, dumps of other tags

        @Test(
            "A file of the right size that is not a dump is refused",
            arguments: [("ntag213", 180), ("classic1k-ndef", 1024)])
        func noDump(kind: String, size: Int) async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=\(kind)"]
                _ = try await Self.ok(["write", "--text", "precious"] + tag, in: folder)
                let before = try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8)
                try Data([UInt8](repeating: 0, count: size)).write(to: URL(filePath: folder + "/zeros.bin"))
                let refused = try await Tool.run(["restore", "zeros.bin", "--json", "--yes"] + tag, in: folder)
                #expect(refused.status == 65)
                #expect((try refused.failure()["message"] as? String)?.hasSuffix(" Nothing was written.") == true)
                #expect(try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8) == before)
            }
        }

        @Test("The dump of another tag replaces a message only after confirmation") func anotherTag() async throws {
            try await Tool.withFolder { folder in
                for (serial, text) in [(1, "the first"), (2, "the second")] {
                    _ = try await Self.ok(["write", "--text", text] + Self.tag(serial), in: folder)
                }
                _ = try await Self.ok(["dump", "one.json"] + Self.tag(1), in: folder)
                let asked = try await Tool.run(["restore", "one.json", "--json"] + Self.tag(2), in: folder)
                #expect(asked.status == 64)
                #expect(try asked.failure()["error"] as? String == "confirmationNeeded")
                let facts = try #require(try asked.failure()["facts"] as? [String])
                #expect(facts.first?.contains("from tag 0410571F000180, not from this tag, 0410571F000280.") == true)
                #expect(facts.contains { $0.contains("the second") })
                #expect(try await Self.ok(["read"] + Self.tag(2), in: folder).output.contains("the second"))
                _ = try await Self.ok(["restore", "one.json", "--yes"] + Self.tag(2), in: folder)
                #expect(try await Self.ok(["read"] + Self.tag(2), in: folder).output.contains("the first"))
                // A tag without a message loses nothing.
                _ = try await Self.ok(["restore", "one.json"] + Self.tag(3), in: folder)
            }
        }

        @Test("The dump of another Type 4 Tag replaces a message only after confirmation")
        func anotherType4Tag() async throws {
            try await Tool.withFolder { folder in
                let tags = [1, 2].map { ["--reader", "virtual:\($0).nfc?kind=type4&serial=\($0)"] }
                for (tag, text) in zip(tags, ["the first", "the second"]) {
                    _ = try await Self.ok(["write", "--text", text] + tag, in: folder)
                }
                _ = try await Self.ok(["dump", "one.json"] + tags[0], in: folder)
                #expect(try await Tool.run(["restore", "one.json"] + tags[1], in: folder).status == 64)
                _ = try await Self.ok(["restore", "one.json", "--yes"] + tags[1], in: folder)
            }
        }

        @Test("A partial dump does not cut a message in half without asking") func partialDump() async throws {
            try await Tool.withFolder { folder in
                let tag = Self.tag(1)
                let text = "old old old old old old old old"
                _ = try await Self.ok(["write", "--text", text] + tag, in: folder)
                _ = try await Self.ok(["dump", "whole.json"] + tag, in: folder)
                let dump = try String(contentsOfFile: folder + "/whole.json", encoding: .utf8)
                _ = try await Self.ok(["write", "--text", "new new new new new new new new"] + tag, in: folder)
                func missing(_ block: Int) async throws -> Outcome {
                    let part = dump.replacing(try Regex("\"\(block)\": \"[0-9A-F]{8}\""), with: "\"\(block)\": null")
                    #expect(part != dump)
                    try part.write(toFile: folder + "/part.json", atomically: true, encoding: .utf8)
                    return try await Tool.run(["restore", "part.json", "--json"] + tag, in: folder)
                }
                let asked = try await missing(10)
                #expect(asked.status == 64, "\(asked.output)")
                #expect(asked.errors.contains("the message reaches into block 10"), "\(asked.errors)")
                #expect(try await Self.ok(["read"] + tag, in: folder).output.contains("new new"))
                // Blocks outside the message may be missing.
                #expect(try await missing(30).status == 0)
                #expect(try await Self.ok(["read"] + tag, in: folder).output.contains(text))
            }
        }

        // MARK: Lock bits

        private static func lockedDump(_ folder: String, _ options: String = "") async throws {
            _ = try await ok(["write", "--text", "hello"] + tag(1), in: folder)
            _ = try await ok(["dump", "locked.bin"] + tag(1), in: folder)
            try edit(folder + "/locked.bin") { bytes in
                bytes.replaceSubrange(10..<12, with: [0xF8, 0xFF])
                bytes.replaceSubrange(160..<162, with: [0xFF, 0x0F])
            }
        }

        @Test(
            "restore --lock-bits names the blocks that it locks permanently, and tests them",
            arguments: ["", "&version=none"])
        func lockBits(options: String) async throws {
            try await Tool.withFolder { folder in
                try await Self.lockedDump(folder)
                let restore = ["restore", "locked.bin", "--lock-bits"]
                let tag = ["--reader", "virtual:1.nfc?kind=ntag213\(options)"]
                let asked = try await Tool.run(restore + tag, in: folder)
                #expect(asked.status == 64)
                #expect(
                    asked.errors.contains("block 2: 9E480000 becomes 9E48F8FF: blocks 3-15 can never be written again"))
                #expect(
                    asked.errors.contains("dynamic lock bits, block 40: 000000BD becomes FF0F00BD: blocks 16-39 can"))
                #expect(asked.errors.contains(options.isEmpty ? "This cannot be undone." : "nfctool cannot undo it."))
                let done = try await Self.ok(restore + ["--yes"] + tag, in: folder)
                #expect(done.errors.contains("can never be written again"))
                #expect(done.output.contains("the locked blocks refuse writes (tested on blocks 3-16, 18, 20"))
                #expect(try await Tool.run(["write", "--text", "other"] + tag, in: folder).status != 0)
                #expect(try await Self.ok(["read"] + tag, in: folder).output.contains("hello"))
            }
        }

        @Test(
            "Blocks in which the chip shows its UID are also tested before they are reported as locked",
            arguments: [([0xF0, 0xFF] as [UInt8], "blocks 4-15"), ([0x00, 0x3C], "blocks 10-13")])
        func lockedMirrorIsTried(bits: [UInt8], blocks: String) async throws {
            try await Tool.withFolder { folder in
                _ = try await Self.ok(
                    ["write", "--uri", "https://example.com/item/{uid:mirror}"] + Self.tag(1), in: folder)
                _ = try await Self.ok(["dump", "locked.bin"] + Self.tag(1), in: folder)
                try Self.edit(folder + "/locked.bin") { $0.replaceSubrange(10..<12, with: bits) }
                let restore = ["restore", "locked.bin", "--lock-bits", "--yes", "--trace"]
                let done = try await Self.ok(restore + Self.tag(1), in: folder)
                #expect(done.output.contains("(tested on \(blocks))"), "\(done.output)")
                for block in bits == [0xF0, 0xFF] ? 4...15 : 10...13 {
                    let write = "A2 " + [UInt8(block)].map { String(format: "%02X", $0) }.joined()
                    #expect(done.errors.contains(write), "block \(block): \(done.errors)")
                }
            }
        }

        @Test(
            "A password-protected block that refuses a write is not reported as locked",
            arguments: [true, false])
        func lockBehindPassword(reachesBelow: Bool) async throws {
            try await Tool.withFolder { folder in
                try await Self.lockedDump(folder)
                try Self.edit(folder + "/locked.bin") { bytes in
                    // AUTH0 — NXP NTAG213, page 41.
                    bytes[41 * 4 + 3] = reachesBelow ? 4 : 10
                }
                let restore = ["restore", "locked.bin", "--configuration", "--lock-bits", "--yes"]
                let done = try await Self.ok(restore + Self.tag(1), in: folder)
                let tried = reachesBelow ? "(tested on block 3)" : "(tested on blocks 3-9)"
                #expect(done.output.contains(tried), "\(done.output)")
                #expect(done.output.contains("; not tested on blocks "), "\(done.output)")
                #expect(done.output.contains(", which a password protects"), "\(done.output)")
            }
        }

        @Test("restore --lock-bits reports lock bits without effect") func lockWithoutEffect() async throws {
            try await Tool.withFolder { folder in
                try await Self.lockedDump(folder)
                // An unknown chip whose Lock Control TLV points to a block of data.
                let file = folder + "/1.nfc"
                let text = try String(contentsOfFile: file, encoding: .utf8)
                    .replacing("\nPage 4: 01 03 A0 0C", with: "\nPage 4: 01 03 A4 0C")
                    .replacing("\nPage 41: 04 00 00 FF", with: "\nPage 41: 00 00 00 FF")
                try text.write(toFile: file, atomically: true, encoding: .utf8)
                try Self.edit(folder + "/locked.bin") { bytes in
                    bytes.replaceSubrange(16..<20, with: [0x01, 0x03, 0xA4, 0x0C])
                    bytes.replaceSubrange(10..<12, with: [0, 0])
                    bytes.replaceSubrange(160..<168, with: [0, 0, 0, 0xBD, 0xFF, 0x0F, 0, 0xFF])
                }
                let outcome = try await Tool.run(
                    ["restore", "locked.bin", "--lock-bits", "--yes", "--json", "--reader", "virtual:1.nfc?vendor=53"],
                    in: folder)
                #expect(outcome.status == 76, "\(outcome.output)\(outcome.errors)")
                let message = try outcome.failure()["message"] as? String
                #expect(message?.contains("block 16 can still be written") == true, "\(outcome.errors)")
            }
        }
    }
}
