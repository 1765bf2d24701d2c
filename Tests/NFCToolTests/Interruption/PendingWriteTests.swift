// A write that was interrupted before it changed the message: no command makes the old message permanent, or forgets
// the write

import Foundation
import Testing

extension BuiltBinaryKills {
    @Suite struct PendingWriteTests {
        private struct Place {
            let folder: String

            func run(_ arguments: String..., options: String = "") async throws -> Outcome {
                try await Tool.run(
                    arguments + ["--json", "--reader", "virtual:tag.nfc?serial=1\(options)"], in: folder)
            }

            func text() async throws -> String? {
                let records = try await run("read").json()["records"] as? [[String: Any]]
                return (records?.first?["content"] as? [String: Any])?["text"] as? String
            }

            var journal: [String] {
                (try? FileManager.default.contentsOfDirectory(atPath: folder + "/nfctool/writes").sorted()) ?? []
            }

            func tag() throws -> String { try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8) }
        }

        private static let entry = "0411571F000180.json"

        /// Creates a tag with the text `old`, on which a write of the text `new` stopped before its first block.
        private func withPendingWrite(_ body: (Place) async throws -> Void) async throws {
            try await Tool.withFolder { folder in
                let place = Place(folder: folder)
                try Data("11223344".utf8).write(to: URL(filePath: folder + "/password"))
                #expect(try await place.run("write", "--text", "old").status == 0)
                let before = try place.tag()
                let cut = try await place.run("write", "--no-wait", "--text", "new", options: "&loss=3")
                #expect(cut.status == 75)
                #expect(try place.tag() == before)
                #expect(place.journal == [Self.entry])
                try await body(place)
            }
        }

        @Test func lockRefusesTheOldMessageUntilTheWriteIsFinished() async throws {
            try await withPendingWrite { place in
                let before = try place.tag()
                let refused = try await place.run("lock", "--yes", "--force")
                #expect(refused.status == 75)
                let failure = try refused.failure()
                #expect(failure["error"] as? String == "unfinishedWrite")
                #expect(failure["operation"] as? String == "write")
                #expect((failure["advice"] as? String)?.contains("nfctool recover --rollback") == true)
                #expect(try place.tag() == before)
                #expect(place.journal == [Self.entry])
                #expect(try await place.run("recover").status == 0)
                #expect(try await place.text() == "new")
                #expect(try await place.run("lock", "--yes").status == 0)
            }
        }

        @Test func afterARollbackTheOldMessageMayBeLocked() async throws {
            try await withPendingWrite { place in
                let rolledBack = try await place.run("recover", "--rollback")
                #expect(rolledBack.status == 0)
                #expect(place.journal == [])
                #expect(try await place.run("lock", "--yes").status == 0)
                #expect(try await place.text() == "old")
            }
        }

        @Test func readAndInfoReportTheWrite() async throws {
            try await withPendingWrite { place in
                for command in ["read", "info"] {
                    #expect(try await place.run(command).json()["unfinished"] as? Bool == true)
                    let text = try await Tool.run(command, "--reader", "virtual:tag.nfc?serial=1", in: place.folder)
                    #expect(
                        text.errors.contains(
                            "It still holds its old message. To finish, run nfctool recover; to keep it, "))
                }
                #expect(place.journal == [Self.entry])
            }
        }

        @Test func aPasswordDoesNotForgetTheWrite() async throws {
            try await withPendingWrite { place in
                let password = place.folder + "/password"
                let protected = try await place.run("protect", "--password-file", password)
                #expect(protected.status == 0)
                #expect(place.journal == [Self.entry])
                #expect(try await place.run("recover", "--password-file", password).status == 0)
                #expect(try await place.text() == "new")
                #expect(place.journal == [])
            }
        }

        @Test(arguments: [["write", "--append", "--text", "more"], ["write", "--text", "other", "--lock", "--yes"]])
        func aNewMessageEndsTheWrite(command: [String]) async throws {
            try await withPendingWrite { place in
                let outcome = try await Tool.run(
                    command + ["--json", "--reader", "virtual:tag.nfc?serial=1"], in: place.folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(place.journal == [])
                #expect(try await place.run("read").json()["unfinished"] as? Bool == nil)
            }
        }
    }
}
