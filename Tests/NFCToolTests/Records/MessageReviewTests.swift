// Errors that `ndef check` reports are not written silently

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct MessageReviewTests {
        private static let question = "This URI has no scheme; did you mean https://example.com?"

        @Test func aURIWithoutASchemeIsWrittenOnlyWithForce() async throws {
            try await Tool.withFolder { folder in
                let write = ["write", "--uri", "example.com", "--reader", "virtual:tag.nfc?kind=ntag213"]
                for more in [[], ["--yes"]] {
                    let refused = try await Tool.run(write + more, in: folder)
                    #expect(refused.status == 65)
                    #expect(refused.errors.hasPrefix("nfctool: \(Self.question)\n"))
                    #expect(refused.errors.contains("--force"))
                }
                #expect(!FileManager.default.fileExists(atPath: folder + "/tag.nfc"))
                let json = try await Tool.run(write + ["--json"], in: folder).failure()
                #expect(json["error"] as? String == "badNDEF" && json["rules"] as? [String] == ["uriForm"])
                let forced = try await Tool.run(write + ["--force"], in: folder)
                #expect(forced.status == 0)
                #expect(forced.errors == "nfctool: Warning: \(Self.question)\n")
            }
        }

        @Test func anErrorAmongTheRecordsOfAnAppendIsSeen() async throws {
            try await Tool.withFolder { folder throws in
                let reader = ["--reader", "virtual:tag.nfc?kind=ntag213"]
                let first = ["write", "--uri", "example.com", "--force", "--quiet"]
                #expect(try await Tool.run(first + reader, in: folder).status == 0)
                let append = ["write", "--append", "--uri", "https://example.org"]
                #expect(try await Tool.run(append + reader, in: folder).status == 65)
                #expect(try await Tool.run(append + ["--force"] + reader, in: folder).status == 0)
            }
        }

        @Test func warningsAreShownOnceAndNotForPrograms() async throws {
            try await Tool.withFolder { folder in
                let write = ["write", "--wifi", "ssid=Guests", "--reader", "virtual:tag.nfc?kind=ntag213"]
                let shown = try await Tool.run(write, in: folder)
                #expect(shown.status == 0)
                #expect(shown.errors == "nfctool: Warning: iPhones ignore Wi-Fi records.\n")
                for quiet in ["--quiet", "--json"] {
                    #expect(try await Tool.run(write + [quiet], in: folder).errors == "")
                }
            }
        }

        @Test func encodeWarnsAndMakesTheMessage() async throws {
            let outcome = try await Tool.run("ndef", "encode", "--uri", "example.com", "--hex")
            #expect(outcome.status == 0)
            #expect(outcome.output == "D1010C55006578616D706C652E636F6D\n")
            #expect(outcome.errors == "nfctool: Warning: \(Self.question)\n")
        }

        @Test(arguments: [["copy"], ["lock", "--yes"]])
        func whatIsOnATagIsNotCopiedOrLockedSilently(command: [String]) async throws {
            try await Tool.withFolder { folder in
                let reader = ["--reader", "virtual:tag.nfc?kind=ntag213", "--timeout", "1s"]
                let write = ["write", "--uri", "example.com", "--force", "--quiet"]
                #expect(try await Tool.run(write + reader, in: folder).status == 0)
                let before = try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8)
                let refused = try await Tool.run(command + reader, in: folder)
                #expect(refused.status == 65)
                #expect(refused.errors.contains(Self.question))
                #expect(try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8) == before)
                // The copy command waits for a second tag.
                let forced = try await Tool.run(command + ["--force"] + reader, in: folder)
                #expect(forced.status == (command == ["copy"] ? 75 : 0))
            }
        }

        @Test("An empty message is locked only with --force, and one that is locked stays accepted")
        func anEmptyMessageIsNotLockedSilently() async throws {
            try await Tool.withFolder { folder in
                let lock = ["lock", "--yes", "--reader", "virtual:tag.nfc?kind=ntag213"]
                let refused = try await Tool.run(lock + ["--json"], in: folder)
                #expect(refused.status == 65)
                #expect(try refused.failure()["error"] as? String == "badNDEF")
                let read = try await Tool.run("read", "--reader", "virtual:tag.nfc?kind=ntag213", in: folder)
                #expect(read.output.contains("empty, writable"), "\(read.output)")
                #expect(try await Tool.run(lock + ["--force"], in: folder).status == 0)
                #expect(try await Tool.run(lock, in: folder).status == 0)
                // A requested empty record is not an accident.
                let empty = ["write", "--empty", "--lock", "--yes", "--reader", "virtual:other.nfc?kind=ntag213"]
                #expect(try await Tool.run(empty, in: folder).status == 0)
            }
        }

        @Test(arguments: [[], ["--dry-run"], ["--lock", "--yes"]])
        func provisionRefusesBadRowsBeforeTheFirstTag(more: [String]) async throws {
            try await Tool.withFolder { folder in
                try "uri\nhttps://example.com\nexample.com\n"
                    .write(toFile: folder + "/tags.csv", atomically: true, encoding: .utf8)
                let run = ["provision", "tags.csv", "--reader", "virtual:ntag213*2?stream&dwell=200ms&gap=20ms"]
                let refused = try await Tool.run(run + more, in: folder)
                #expect(refused.status == 65)
                #expect(refused.errors.contains("Line 3: \(Self.question)"))
                #expect(refused.errors.contains("--force"))
                #expect(!FileManager.default.fileExists(atPath: folder + "/tags.csv.journal"))
                let forced = try await Tool.run(run + more + ["--force"], in: folder)
                #expect(forced.status == 0, "\(forced.errors)")
                #expect(forced.errors.contains("Warning: Row 2 (line 3): \(Self.question)"))
            }
        }

        @Test func aTextThatNamesAFileIsWrittenWithAWarning() async throws {
            try await Tool.withFolder { folder in
                try "x".write(toFile: folder + "/f", atomically: true, encoding: .utf8)
                let outcome = try await Tool.run(
                    "write", "--text", "@f", "--reader", "virtual:ntag213", in: folder)
                #expect(outcome.status == 0)
                #expect(outcome.errors.contains("--text writes the text “@f”, not the content of the file f."))
            }
        }

        @Test func aNetworkIsReadFromStandardInput() async throws {
            let piped = try await Tool.run(
                "ndef", "encode", "--wifi", "@-", "--hex", input: "ssid=Guests\npassword=correct horse\n")
            let typed = try await Tool.run(
                "ndef", "encode", "--wifi", "ssid=Guests;password=correct horse", "--hex")
            #expect(piped.status == 0 && piped.output == typed.output)
        }
    }
}
