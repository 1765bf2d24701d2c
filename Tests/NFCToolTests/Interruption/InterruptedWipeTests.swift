// A tag that was removed while it was wiped or locked: the reports about it, and the commands that refuse it

import Foundation
import Testing

extension BuiltBinaryCuts {
    @Suite struct InterruptedWipeTests {
        private static let secret = String(repeating: "PIN1234 ", count: 60)

        private struct Bench: Sendable {
            let folder: String

            func run(_ line: String) async throws -> Outcome {
                try await Tool.shell("nfctool \(line) --reader virtual:tag.nfc", in: folder)
            }

            func holdsSecret() throws -> Bool {
                // A block may begin at any character of `PIN1234`.
                let text = try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8)
                return ["50 49 4E 31", "49 4E 31 32", "4E 31 32 33", "31 32 33 34"].contains { text.contains($0) }
            }
        }

        /// Writes a secret to a tag, and interrupts its wiping.
        private static func withHalfWiped(_ body: (Bench) async throws -> Void) async throws {
            try await Tool.withFolder { folder in
                let prepare = "nfctool write -q --text '\(secret)' --reader 'virtual:tag.nfc?kind=ntag215'"
                #expect(try await Tool.shell(prepare, in: folder).status == 0)
                let cut = try await Tool.shell(
                    "nfctool erase --wipe --no-wait --reader 'virtual:tag.nfc?tear=40'", in: folder)
                #expect(cut.status == 75)
                #expect(cut.errors.contains("Old data after the message can still be read."), "\(cut.errors)")
                #expect(!cut.errors.contains("0 of 0"))
                try await body(Bench(folder: folder))
            }
        }

        @Test func eraseSaysThatOnlyAWipeOverwritesTheOldBytes() async throws {
            try await Tool.withFolder { folder in
                let bench = Bench(folder: folder)
                #expect(try await bench.run("write --text '\(Self.secret)'").status == 0)
                #expect(try await bench.run("erase").errors.contains("To overwrite them:  nfctool erase --wipe"))
                #expect(try bench.holdsSecret())
                let wiped = try await bench.run("erase --wipe")
                #expect(!wiped.errors.contains("old bytes"))
                #expect(wiped.output.contains("nfctool undo cannot bring its old message back."))
                let rest = try bench.holdsSecret()
                #expect(!rest)
            }
        }

        @Test func aHalfWipedTagIsNotLocked() async throws {
            try await Self.withHalfWiped { bench in
                for command in ["lock --yes", "lock", "lock --yes"] {
                    let refused = try await bench.run(command)
                    #expect(refused.status == 75, "\(refused.errors)")
                    #expect(
                        refused.errors.contains("an empty message, and may still hold old data after it"),
                        "\(refused.errors)")
                }
                #expect(try bench.holdsSecret())
                let done = try await bench.run("recover")
                #expect(done.status == 0, "\(done.errors)")
                let rest = try bench.holdsSecret()
                #expect(!rest)
                #expect(try await bench.run("lock --yes --force").status == 0)
            }
        }

        @Test func readSaysThatTheWipingIsNotFinished() async throws {
            try await Self.withHalfWiped { bench in
                for command in ["read", "info"] {
                    let note = try await bench.run(command).errors
                    #expect(
                        note.contains(
                            "was interrupted. To finish, run nfctool recover; to bring the old message back, "),
                        "\(note)")
                }
                #expect(try await bench.run("read --json").json()["unfinished"] as? Bool == true)
                // Content that was to be wiped is not restored.
                let written = try await bench.run("write --text x")
                #expect(written.status == 0, "\(written.errors)")
                let rest = try bench.holdsSecret()
                #expect(!rest)
            }
        }

        @Test func theOldMessageComesBackWhenThatIsAskedFor() async throws {
            try await Self.withHalfWiped { bench in
                let back = try await bench.run("recover --rollback")
                #expect(back.status == 0, "\(back.errors)")
                #expect(try await bench.run("read").output.contains("PIN1234 PIN1234"))
            }
        }

        @Test func readSaysThatALockIsNotFinished() async throws {
            try await Tool.withFolder { folder in
                let lines = """
                    nfctool write -q --text kept --reader 'virtual:tag.nfc?kind=ntag216'
                    nfctool lock --yes --reader 'virtual:tag.nfc?tear=13' ; echo $?
                    nfctool read --reader virtual:tag.nfc
                    """
                let outcome = try await Tool.shell(lines, in: folder)
                #expect(outcome.output.hasPrefix("75\n"), "\(outcome.output)\(outcome.errors)")
                #expect(outcome.errors.contains("was interrupted. To finish, run nfctool lock."), "\(outcome.errors)")
                let rest = try await Tool.shell(
                    "nfctool lock --yes --reader virtual:tag.nfc && nfctool read --reader virtual:tag.nfc", in: folder)
                #expect(rest.status == 0)
                #expect(!rest.errors.contains("was interrupted"))
            }
        }
    }
}
