// This computer's record of a tag's passwords: refused, accepted, changed and unanswered ones — NXP NTAG21x, AUTHLIM

import Foundation
import Testing

extension BuiltBinaryPasswords {
    @Suite struct KnownPasswordTests {
        private static let right = PasswordBench.right
        private static let wrong = PasswordBench.wrong

        @Test(arguments: [["--yes"], []])
        func aPasswordThatTheTagRefusedIsNotSentAgainByAScript(consent: [String]) async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "3")
                #expect(try await bench.run(["write", "--text", "x", "--yes"], password: Self.wrong).status == 77)
                for _ in 0..<3 {
                    let again = try await bench.run(["write", "--text", "x"] + consent, password: Self.wrong)
                    #expect(again.status == 77)
                    let failure = try again.failure()
                    #expect(failure["error"] as? String == "wrongPassword")
                    let message = failure["message"] as? String
                    #expect(message?.contains("The tag refused this password before.") == true)
                    #expect(message?.hasSuffix("The password was not sent.") == true)
                    let advice = failure["advice"] as? String
                    #expect(advice?.contains("on a terminal without --yes") == true)
                    #expect(try bench.count() == 1)
                }
                #expect(try await bench.run(["write", "--text", "x", "--yes"], password: Self.right).status == 0)
            }
        }

        @Test func aPasswordThatTheTagRefusedIsSentAgainWhenAPersonTypesYes() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "3")
                #expect(try await bench.run(["write", "--text", "x", "--yes"], password: Self.wrong).status == 77)
                try Self.wrong.write(toFile: bench.folder + "/password", atomically: true, encoding: .utf8)
                let run = try TerminalRun(
                    ["write", "--text", "x", "--password-file", "password", "--reader", "virtual:tag.nfc"],
                    in: bench.folder)
                try await run.wait(for: "[y/N] ")
                #expect(run.output.contains("The tag refused this password before."))
                run.type("y\n")
                #expect(try await run.ended() == 77)
                #expect(try bench.count() == 2)
            }
        }

        @Test(arguments: [["--read"], []], [["--yes"], []])
        func anotherPasswordThanTheOneThatTheTagAcceptedIsNotSentByAScript(
            access: [String], consent: [String]
        ) async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "1", access.first ?? "--quiet", state: nil)
                let outcome = try await bench.run(["write", "--text", "x"] + consent, password: Self.wrong)
                #expect(outcome.status == 77)
                let failure = try outcome.failure()
                #expect(failure["error"] as? String == "wrongPassword")
                #expect(failure["limit"] as? Int == 1)
                let message = try #require(failure["message"] as? String)
                #expect(message.contains("This tag accepted another password from this computer."), "\(message)")
                #expect(
                    message.contains(/[oO]ne wrong password (was enough to close the|closes this) tag perm/),
                    "\(message)")
                #expect(message.hasSuffix("The password was not sent."))
                #expect((failure["advice"] as? String)?.contains("on a terminal without --yes") == true)
                #expect(try bench.count() == 0)
                #expect(try await bench.run(["write", "--text", "x", "--yes"], password: Self.right).status == 0)
            }
        }

        @Test func anotherPasswordThanTheOneThatTheTagAcceptedIsSentWhenAPersonTypesYes() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "3", "--read", state: nil)
                try Self.wrong.write(toFile: bench.folder + "/password", atomically: true, encoding: .utf8)
                let run = try TerminalRun(
                    ["read", "--password-file", "password", "--reader", "virtual:tag.nfc"], in: bench.folder)
                try await run.wait(for: "[y/N] ")
                #expect(run.output.contains("This tag accepted another password from this computer."))
                #expect(run.output.contains("3 wrong passwords in a row were enough to close the tag permanently."))
                run.type("y\n")
                #expect(try await run.ended() == 77)
                #expect(run.output.contains("This attempt may have counted."))
                #expect(!run.output.contains("Nothing was changed"))
                #expect(try bench.count() == 1)
            }
        }

        @Test func onesOwnPasswordIsChangedWithoutAnotherQuestion() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "1", "--read", state: nil)
                // The password is changed and changed back, so the tag has accepted both.
                for (old, new) in [(Self.right, Self.wrong), (Self.wrong, Self.right)] {
                    try old.write(toFile: bench.folder + "/old", atomically: true, encoding: .utf8)
                    let change = ["protect", "--yes", "--limit", "1", "--read", "--old-password-file", "old"]
                    let changed = try await bench.run(change, password: new)
                    #expect(changed.status == 0, "\(changed.errors)")
                    #expect(try await bench.run(["read"], password: new).status == 0)
                    #expect(try await bench.run(["read", "--yes"], password: old).status == 77)
                    #expect(try bench.count() == 0)
                }
            }
        }

        /// Before the first change, the command ends without a password.
        ///
        /// Later, it waits for the tag, which does not come back.
        @Test(arguments: [8, 12, 16, 20, 24, 28])
        func aChangeOfPasswordThatIsTornNeverCountsAsAWrongOne(tear: Int) async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "1", "--read", state: nil)
                try Self.right.write(toFile: bench.folder + "/old", atomically: true, encoding: .utf8)
                let change = [
                    "protect", "--yes", "--limit", "1", "--read", "--old-password-file", "old", "--timeout", "1s",
                ]
                let changed = try await bench.run(change, password: Self.wrong, options: "&tear=\(tear)")
                #expect([0, 75].contains(changed.status), "\(changed.errors)")
                #expect(!changed.errors.contains("wrongPassword"), "\(changed.errors)")
                #expect(try bench.count() == 0)
            }
        }

        @Test func aTagThatWasUnprotectedHereTakesAnyPasswordAgain() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "3", "--read", state: nil)
                #expect(try await bench.run(["unprotect", "--yes"], password: Self.right).status == 0)
                let again = ["protect", "--yes", "--limit", "3", "--read"]
                #expect(try await bench.run(again, password: Self.wrong, state: "other").status == 0)
                #expect(try await bench.run(["read", "--yes"], password: Self.wrong).status == 0)
            }
        }

        @Test func aPasswordThatATagRefusedBeforeItWasGivenIsItsPasswordNow() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "3")
                #expect(try await bench.run(["erase", "--yes"], password: Self.wrong).status == 77)
                #expect(try await bench.run(["unprotect", "--yes"], password: Self.right).status == 0)
                let protection = ["protect", "--yes", "--limit", "3"]
                #expect(try await bench.run(protection, password: Self.wrong).status == 0)
                #expect(try await bench.run(["erase", "--yes"], password: Self.wrong).status == 0)
            }
        }

        @Test func aPasswordThatTheTagAnswersWithAnotherPACKIsNotedAsAccepted() async throws {
            try await PasswordBench.with { bench in
                let (right, foreign) = ("\(Self.right):AABB", "\(Self.right):CCDD")
                #expect(try await bench.run(["write", "--text", "one"]).status == 0)
                let protection = ["protect", "--yes", "--limit", "5", "--read"]
                #expect(try await bench.run(protection, password: right).status == 0)
                let refused = try await bench.run(["read", "--yes"], password: foreign)
                #expect(refused.status == 77)
                #expect(try refused.failure()["error"] as? String == "wrongPassword")
                let message = try refused.failure()["message"] as? String
                #expect(message == "The tag accepted the password but answered with a different PACK.")
                #expect(!refused.errors.contains("AA BB") && !refused.errors.contains("AABB"))
                let scan = try await bench.run(["scan", "--count", "1", "--yes"], password: right)
                #expect(scan.status == 0, "\(scan.output)\(scan.errors)")
                #expect(try bench.count() == 0)
            }
        }

        @Test func scanningInALoopSendsAWrongPasswordOnce() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "3", "--read")
                for round in 0..<5 {
                    let scan = try await bench.run(["scan", "--count", "1", "--yes"], password: Self.wrong)
                    #expect(scan.status == 77, "\(scan.errors)")
                    #expect(try scan.json()["error"] as? String == "wrongPassword")
                    #expect(try bench.count() == 1, "round \(round)")
                }
                let owner = try await bench.run(["scan", "--count", "1", "--yes"], password: Self.right)
                #expect(owner.status == 0, "\(owner.errors)")
                #expect(owner.output.contains("one"))
            }
        }

        @Test func aPasswordWhoseAnswerIsLostIsSentOnceAndNotTakenForWrong() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "3")
                var unanswered = 0
                // The password is one of the first commands.
                for number in 1...8 {
                    let outcome = try await bench.run(
                        ["write", "--text", "x", "--yes", "--no-wait"], password: Self.right, options: "&crc=\(number)")
                    #expect(!outcome.errors.contains("wrongPassword"), "\(number): \(outcome.errors)")
                    #expect(try bench.count() == 0)
                    guard outcome.errors.contains("passwordUnanswered") else { continue }
                    #expect(outcome.status == 75)
                    unanswered += 1
                    let asked = try await bench.run(["erase"], password: Self.right)
                    #expect(asked.status == 64)
                    #expect(asked.errors.contains("the answer was lost"))
                }
                #expect(unanswered == 1)
            }
        }

        /// The tag does not show its limit, which is 1.
        @Test func aLostAnswerLetsNoOldPasswordBeSentToTheTag() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "1", "--read", state: nil)
                try Self.right.write(toFile: bench.folder + "/old", atomically: true, encoding: .utf8)
                let change = ["protect", "--yes", "--limit", "1", "--read", "--old-password-file", "old"]
                #expect(try await bench.run(change, password: Self.wrong).status == 0)
                var unanswered = 0
                for number in 1...20 where unanswered == 0 {
                    let cut = try await bench.run(
                        ["read", "--timeout", "1s"], password: Self.wrong, options: "&crc=\(number)")
                    if cut.errors.contains("passwordUnanswered") { unanswered += 1 }
                }
                #expect(unanswered == 1)
                for consent in [[], ["--yes"]] {
                    let old = try await bench.run(["read"] + consent, password: Self.right)
                    #expect(old.status == 77)
                    #expect(old.errors.contains("This tag accepted another password from this computer."))
                    #expect(try bench.count() == 0)
                }
                let asked = try await bench.run(["read"], password: Self.wrong)
                #expect(asked.status == 64, "\(asked.errors)")
                #expect(asked.errors.contains("the answer was lost"))
                let owner = try await bench.run(["read", "--yes"], password: Self.wrong)
                #expect(owner.status == 0, "\(owner.errors)")
                #expect(try await bench.run(["read"], password: Self.wrong).status == 0)
            }
        }

        @Test func whatTagsRefusedIsKeptWithoutThePassword() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--limit", "3")
                #expect(try await bench.run(["erase", "--yes"], password: Self.wrong).status == 77)
                let folder = bench.folder + "/nfctool/passwords"
                let names = try FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(names.count == 1)
                for name in names {
                    let path = folder + "/" + name
                    let attributes = try FileManager.default.attributesOfItem(atPath: path)
                    #expect(attributes[.posixPermissions] as? Int == 0o600)
                    let text = try String(contentsOfFile: path, encoding: .utf8)
                    #expect(!text.contains(Self.wrong) && !text.contains(Self.right))
                }
            }
        }
    }
}
