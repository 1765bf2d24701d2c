// A tag whose lock bits read as set but have no effect: no command calls it locked, however often it is run

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct UselessLockTests {
        private static let uri = "https://example.com/1"
        private static let reader = "virtual:tag.nfc?vendor=53"

        /// Creates a folder with a tag of an unknown chip whose Lock Control TLV points to the wrong block.
        private static func withTag(_ body: (String) async throws -> Void) async throws {
            try await Tool.withFolder { folder in
                let written = try await Tool.run(
                    "write", "--uri", uri, "--reader", "virtual:tag.nfc?kind=ntag213", in: folder)
                #expect(written.status == 0, "\(written.errors)")
                let file = folder + "/tag.nfc"
                let text = try String(contentsOfFile: file, encoding: .utf8)
                    .replacing("\nPage 4: 01 03 A0 0C", with: "\nPage 4: 01 03 A4 0C")
                    .replacing("\nPage 41: 04 00 00 FF", with: "\nPage 41: 00 00 00 FF")
                #expect(text.contains("01 03 A4 0C") && text.contains("Page 41: 00"))
                try text.write(toFile: file, atomically: true, encoding: .utf8)
                try await body(folder)
            }
        }

        private static func run(_ arguments: String..., in folder: String) async throws -> Outcome {
            try await Tool.run(arguments + ["--json", "--reader", reader], in: folder)
        }

        /// Checks that the failure reports a lock without effect, and that the tag still accepts a write.
        private static func expectNoLock(_ outcome: Outcome, in folder: String) async throws {
            #expect(outcome.status == 76, "\(outcome.output)\(outcome.errors)")
            let failure = try outcome.failure()
            #expect((failure["message"] as? String)?.contains("block 16 can still be written") == true)
            #expect((failure["advice"] as? String)?.contains("Do not rely on this lock.") == true)
            let write = try await Tool.run("transceive", "A2 14 01 02 03 04", "--reader", reader, in: folder)
            #expect(write.output.contains("ACK"))
        }

        @Test("lock reports a lock without effect each time") func lockTwice() async throws {
            try await Self.withTag { folder in
                for _ in 0..<3 {
                    try await Self.expectNoLock(try await Self.run("lock", "--yes", in: folder), in: folder)
                }
            }
        }

        @Test("recover does not call a lock without effect finished") func recover() async throws {
            try await Self.withTag { folder in
                try await Self.expectNoLock(try await Self.run("lock", "--yes", in: folder), in: folder)
                try await Self.expectNoLock(try await Self.run("recover", "--yes", in: folder), in: folder)
                let back = try await Self.run("recover", "--rollback", in: folder)
                #expect(try back.json()["rolledBack"] as? Bool == true)
            }
        }

        @Test("provision does not call a row locked if its lock has no effect, even when its tag comes again")
        func provision() async throws {
            try await Self.withTag { folder in
                try "uri\n\(Self.uri)\n".write(toFile: folder + "/rows.csv", atomically: true, encoding: .utf8)
                for _ in 0..<2 {
                    let outcome = try await Self.run(
                        "provision", "rows.csv", "--lock", "--yes", "--overwrite", "always", "--timeout", "500ms",
                        in: folder)
                    #expect(outcome.status == 75)
                    let events = try outcome.jsonLines()
                    let failed = events.filter { $0["event"] as? String == "failed" }
                    #expect(failed.count == 1, "\(outcome.output)")
                    #expect(failed.first?["error"] as? String == "uselessLock", "\(outcome.output)")
                    #expect((failed.first?["message"] as? String)?.contains("can still be written") == true)
                    let summary = try #require(events.last)
                    #expect(summary["locked"] as? Int == 0 && summary["provisioned"] as? Int == 0)
                }
            }
        }

        @Test("A row that failed is locked only with consent, like every other row") func provisionAsksForAFailedRow()
            async throws
        {
            try await Self.withTag { folder in
                try "uri\n\(Self.uri)\n".write(toFile: folder + "/rows.csv", atomically: true, encoding: .utf8)
                let lock = [
                    "provision", "rows.csv", "--lock", "--overwrite", "always", "--timeout", "500ms", "--reader",
                    Self.reader,
                ]
                #expect(try await Tool.run(lock + ["--yes"], in: folder).status == 75)
                let asked = try await Tool.run(lock + ["--json"], in: folder)
                #expect(asked.status == 64, "\(asked.output)")
                #expect(try asked.failure()["error"] as? String == "confirmationNeeded")
                let told = try await Tool.run(lock + ["--yes"], in: folder)
                #expect(told.errors.contains("1 tag will be locked permanently"), "\(told.errors)")
            }
        }

        @Test("A lock is tested on every block below 16, including those that show the UID") func mirroredBlocks()
            async throws
        {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=ntag213"]
                let message = ["--uri", "https://example.com/item/{uid:mirror}"]
                #expect(try await Tool.run(["write"] + message + tag, in: folder).status == 0)
                let lock = try await Tool.run(["lock", "--yes", "--trace"] + tag, in: folder)
                #expect(lock.status == 0, "\(lock.errors)")
                for block in 3...16 {
                    #expect(
                        lock.errors.contains("A2 " + String(format: "%02X", block)), "block \(block): \(lock.errors)")
                }
            }
        }

        @Test("A tag that was locked before is verified to be locked, and not changed") func lockedBefore() async throws
        {
            try await Tool.withFolder { folder in
                let reader = "virtual:tag.nfc?kind=ntag213"
                #expect(try await Tool.run("write", "--uri", Self.uri, "--reader", reader, in: folder).status == 0)
                #expect(try await Tool.run("lock", "--yes", "--reader", reader, in: folder).status == 0)
                let before = try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8)
                let again = try await Tool.run("lock", "--yes", "--reader", reader, in: folder)
                #expect(again.status == 0 && again.output.contains("is already read-only; nothing was changed"))
                #expect(try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8) == before)
            }
        }
    }
}
