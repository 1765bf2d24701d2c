// Passwords for tags that wrong passwords close: none is sent for reading, and none without consent — NXP NTAG21x,
// AUTHLIM

import Foundation
import Testing

extension BuiltBinaryPasswords {
    @Suite struct PasswordRiskTests {
        private static let right = PasswordBench.right
        private static let wrong = PasswordBench.wrong

        static let readers: [[String]] = [
            ["read"], ["info"], ["scan", "--count", "1"], ["dump", "tag.json", "--yes"], ["ndef", "check", "--tag"],
            ["diff", "reference.json"], ["read", "--yes"], ["scan", "--count", "1", "--yes"],
        ]

        @Test func aCommandThatOnlyReadsSendsNoPasswordToATagThatProtectsWriting() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "1")
                #expect(try await bench.run(["dump", "reference.json"]).status == 0)
                for arguments in Self.readers {
                    let outcome = try await bench.run(arguments, password: Self.wrong)
                    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
                    #expect(try bench.count() == 0, "\(arguments)")
                }
                let owner = try await bench.run(["write", "--text", "two", "--yes"], password: Self.right)
                #expect(owner.status == 0, "\(owner.errors)")
            }
        }

        @Test func aCopyReadsItsSourceWithoutThePassword() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "1")
                let outcome = try await bench.run(["copy", "--timeout", "1s"], password: Self.wrong)
                // The next tag does not arrive.
                #expect(outcome.status == 75)
                #expect(try bench.count() == 0)
            }
        }

        @Test func aPasswordThatMayCloseTheTagIsAskedFor() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "3")
                let asked = try await bench.run(["write", "--text", "x"], password: Self.wrong)
                #expect(asked.status == 64)
                #expect(try asked.failure()["error"] as? String == "confirmationNeeded")
                let message = try asked.failure()["message"] as? String
                #expect(message?.contains("Send the password to tag") == true)
                let facts = try asked.failure()["facts"] as? [String]
                #expect(facts?.first?.contains("3 wrong passwords in a row close this tag permanently.") == true)
                #expect(try bench.count() == 0)
                let shown = try await bench.run(["write", "--text", "x", "--yes"], password: Self.wrong, json: false)
                #expect(shown.status == 77)
                #expect(shown.errors.contains("3 wrong passwords in a row close this tag permanently."))
                #expect(shown.errors.contains("After at most 2 more wrong passwords, the tag closes permanently."))
                #expect(try bench.count() == 1)
                #expect(try await bench.run(["write", "--text", "x", "--yes"], password: Self.right).status == 0)
                #expect(try bench.count() == 0)
            }
        }

        /// The tag does not show its limit, which this computer set.
        @Test func theLastTryOfAKnownLimitSaysThatTheTagMayBeClosed() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "1", "--read", state: nil)
                let path = bench.folder + "/wrong"
                try Self.wrong.write(toFile: path, atomically: true, encoding: .utf8)
                let reader = "virtual:\(bench.folder)/tag.nfc"
                let run = try TerminalRun(["read", "--reader", reader, "--password-file", path], in: bench.folder)
                try await run.wait(for: "[y/N]")
                run.type("y\n")
                #expect(try await run.ended() == 77)
                #expect(run.output.contains("This may have been the last attempt"), "\(run.output)")
                #expect(run.output.contains("It may be closed now."))
            }
        }

        /// The tag does not show its limit, which this computer set.
        @Test func aScanSaysThatTheTagMayBeClosedAfterTheLastTry() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "1", "--read", state: nil)
                // A wrong password on a computer that knows only the limit of the tag.
                let scan = try await bench.run(
                    ["scan", "--count", "1", "--yes"], password: Self.wrong, state: Self.stranger(bench))
                #expect(scan.status == 77)
                let message = try scan.json()["message"] as? String ?? ""
                #expect(message.contains("This may have been the last attempt"), "\(message)")
                #expect(message.contains("It may be closed now."), "\(message)")
                let failure = try scan.failure()
                #expect(failure["message"] as? String == message)
                #expect(
                    (failure["advice"] as? String)?.contains("A tag that is closed refuses even the right password")
                        == true)
            }
        }

        @Test func provisionSaysThatTheTagMayBeClosedAfterTheLastTry() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "1", "--read", state: nil)
                try "id\n1\n".write(toFile: bench.folder + "/plan.csv", atomically: true, encoding: .utf8)
                let outcome = try await bench.run(
                    [
                        "provision", "plan.csv", "--text", "{id}", "--overwrite", "always", "--timeout", "1s", "--yes",
                    ], password: Self.wrong, json: false, state: Self.stranger(bench))
                #expect(outcome.status == 75)
                let told = outcome.output + outcome.errors
                #expect(told.contains("This may have been the last attempt"), "\(told)")
                #expect(!told.contains("add --password-file FILE."), "\(told)")
            }
        }

        /// Creates a state folder that contains the tag's limit of 1 but none of its passwords.
        private static func stranger(_ bench: PasswordBench) throws -> String {
            let passwords = bench.folder + "/nfctool/passwords"
            let folder = bench.folder + "/stranger/nfctool/passwords"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in try FileManager.default.contentsOfDirectory(atPath: passwords) {
                let file = try Data(contentsOf: URL(filePath: passwords + "/" + name))
                var record = try #require(try JSONSerialization.jsonObject(with: file) as? [String: Any])
                record["lastAccepted"] = nil
                record["entries"] = [Any]()
                try JSONSerialization.data(withJSONObject: record).write(to: URL(filePath: folder + "/" + name))
            }
            return "stranger"
        }

        @Test func aScanWithoutConsentReportsTheTagAsProtected() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "3", "--read")
                let scan = try await bench.run(["scan", "--count", "1"], password: Self.wrong)
                #expect(scan.status == 77)
                #expect(try scan.json()["error"] as? String == "passwordNeeded")
                #expect((try scan.json()["message"] as? String)?.contains("The password was not sent.") == true)
                #expect(try bench.count() == 0)
            }
        }

        /// The tag does not show its limit if the password protects the configuration.
        @Test func aPasswordThatTheTagAcceptedBeforeNeedsNoConsentWhereTheLimitIsHidden() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--read", state: nil)
                #expect(try await bench.run(["read"], password: Self.right).status == 0)
                let stranger = try await bench.run(["read"], password: Self.right, state: "other")
                #expect(stranger.status == 64)
                #expect(try await bench.run(["read", "--yes"], password: Self.right, state: "other").status == 0)
                #expect(try await bench.run(["read"], password: Self.right, state: "other").status == 0)
            }
        }

        @Test func theLastRefusalSaysThatTheTagIsClosed() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "2")
                let first = try await bench.run(["erase", "--yes"], password: Self.wrong, json: false)
                #expect(first.errors.contains("One more wrong password closes it permanently."))
                let question = try await bench.run(["erase"], password: "00000000").failure()
                let facts = try #require(question["facts"] as? [String])
                #expect(facts.last == "This is the last try: one more wrong password closes the tag permanently.")
                let last = try await bench.run(["erase", "--yes"], password: "00000000", json: false)
                #expect(last.status == 77)
                #expect(last.errors.contains("is closed permanently"))
                #expect(last.errors.contains("Trying again does not help"))
                let closed = try await bench.run(["erase", "--yes"], password: Self.right, json: false)
                #expect(closed.status == 77)
                #expect(closed.errors.contains("is closed permanently"))
                #expect(try await bench.run(["read"], password: Self.right).status == 0)
            }
        }

        @Test func provisionSendsNoPasswordThatMayCloseATagWithoutConsent() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "3")
                try "id\n1\n".write(toFile: bench.folder + "/plan.csv", atomically: true, encoding: .utf8)
                let plan = ["provision", "plan.csv", "--text", "{id}", "--overwrite", "always", "--timeout", "1s"]
                let outcome = try await bench.run(plan, password: Self.wrong)
                #expect(outcome.status == 75)
                #expect(outcome.output.contains("The password was not sent."))
                #expect(try bench.count() == 0)
                let refused = try await bench.run(
                    plan.map { $0 == "always" ? "never" : $0 } + ["--yes", "--journal", "other.journal"],
                    password: Self.wrong)
                #expect(refused.output.contains("foreignContent"))
                #expect(try bench.count() == 0)
                let agreed = try await bench.run(plan + ["--yes", "--journal", "third.journal"], password: Self.right)
                #expect(agreed.status == 0, "\(agreed.output)\(agreed.errors)")
            }
        }

        @Test(arguments: [
            (["read", "--yes"], "run the same command on a terminal without --yes"),
            (["scan", "--count", "1", "--yes"], "run a command for one tag on a terminal without --yes"),
        ])
        func theAdviceAfterAnotherPasswordNamesTheCommandThatAsks(command: [String], advice: String) async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "3", "--read", state: nil)
                let outcome = try await bench.run(command, password: Self.wrong)
                #expect(outcome.status == 77)
                let failure = try outcome.failure()
                #expect((failure["advice"] as? String)?.contains(advice) == true, "\(failure)")
                #expect(
                    (failure["message"] as? String)?.contains(
                        "3 wrong passwords in a row were enough to close the tag permanently. This tag accepted another password"
                    )
                        == true, "\(failure)")
                #expect(try bench.count() == 0)
            }
        }
    }
}
