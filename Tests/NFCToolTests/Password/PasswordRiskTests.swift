// Passwords where wrong ones close the tag: none is sent for reading, none without consent, none twice — NXP NTAG21x, AUTHLIM

import Foundation
import Testing

extension BuiltBinaryPasswords {
    @Suite struct PasswordRiskTests {
        private static let right = "11223344"
        private static let wrong = "55667788"

        /// A protected tag in a file, which knows how many wrong passwords it got.
        private struct Bench {
            let folder: String

            func run(
                _ arguments: [String], password: String? = nil, options: String = "", json: Bool = true,
                state: String? = nil
            ) async throws -> Outcome {
                let reader = "virtual:\(folder)/tag.nfc?kind=ntag213\(options)"
                var line =
                    "nfctool '\(arguments.joined(separator: "' '"))'\(json ? " --json" : "") --reader '\(reader)'"
                if let password { line = "NFCTOOL_PASSWORD=\(password) \(line)" }
                if let state { line = "export XDG_STATE_HOME=\(folder)/\(state); \(line)" }
                return try await Tool.shell("cd \(folder); \(line)", in: folder)
            }

            /// Writes and protects the tag, on another computer unless it is to be this one.
            func protect(_ arguments: String..., state: String? = "other") async throws {
                #expect(try await run(["write", "--text", "one"]).status == 0)
                let outcome = try await run(
                    ["protect", "--yes"] + arguments, password: PasswordRiskTests.right, state: state)
                #expect(outcome.status == 0, "\(outcome.errors)")
            }

            /// The wrong passwords that the chip counted.
            func count() throws -> Int? {
                let text = try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8)
                return text.firstMatch(of: /Failed authentication attempts: (\d+)/).flatMap { Int($0.1) }
            }
        }

        private static func withBench(_ body: (Bench) async throws -> Void) async throws {
            try await Tool.withFolder { try await body(Bench(folder: $0)) }
        }

        static let readers: [[String]] = [
            ["read"], ["info"], ["scan", "--count", "1"], ["dump", "tag.json", "--yes"], ["ndef", "check", "--tag"],
            ["diff", "reference.json"], ["read", "--yes"], ["scan", "--count", "1", "--yes"],
        ]

        @Test func aCommandThatOnlyReadsSendsNoPasswordToATagThatProtectsWriting() async throws {
            try await Self.withBench { bench in
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
            try await Self.withBench { bench in
                try await bench.protect("--limit", "1")
                let outcome = try await bench.run(["copy", "--timeout", "1s"], password: Self.wrong)
                // The next tag does not come.
                #expect(outcome.status == 75)
                #expect(try bench.count() == 0)
            }
        }

        @Test func aPasswordThatMayCloseTheTagIsAskedFor() async throws {
            try await Self.withBench { bench in
                try await bench.protect("--limit", "3")
                let asked = try await bench.run(["write", "--text", "x"], password: Self.wrong)
                #expect(asked.status == 64)
                #expect(try asked.failure()["error"] as? String == "confirmationNeeded")
                let message = try asked.failure()["message"] as? String
                #expect(message?.contains("Send the password to the tag") == true)
                let facts = try asked.failure()["facts"] as? [String]
                #expect(facts?.first?.contains("3 wrong passwords in a row close this tag permanently.") == true)
                #expect(try bench.count() == 0)
                let shown = try await bench.run(["write", "--text", "x", "--yes"], password: Self.wrong, json: false)
                #expect(shown.status == 77)
                #expect(shown.errors.contains("3 wrong passwords in a row close this tag permanently."))
                #expect(shown.errors.contains("At most 2 more wrong passwords close it permanently."))
                #expect(try bench.count() == 1)
                #expect(try await bench.run(["write", "--text", "x", "--yes"], password: Self.right).status == 0)
                #expect(try bench.count() == 0)
            }
        }

        /// The tag hides its limit, which this computer set.
        @Test func theLastTryOfAKnownLimitSaysThatTheTagMayBeClosed() async throws {
            try await Self.withBench { bench in
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

        /// The tag hides its limit, which this computer set.
        @Test func aScanSaysThatTheTagMayBeClosedAfterTheLastTry() async throws {
            try await Self.withBench { bench in
                try await bench.protect("--limit", "1", "--read", state: nil)
                // The right password, which the new one of the chip is not any more for this computer.
                let scan = try await bench.run(
                    ["scan", "--count", "1", "--yes"], password: Self.wrong, state: Self.stranger(bench))
                #expect(scan.status == 77)
                let message = try scan.json()["message"] as? String ?? ""
                #expect(message.contains("This may have been the last attempt"), "\(message)")
                #expect(message.contains("It may be closed now."), "\(message)")
                let failure = try scan.failure()
                #expect(failure["message"] as? String == message)
                #expect(
                    (failure["advice"] as? String)?.contains("A tag that is closed refuses the right password") == true)
            }
        }

        @Test func provisionSaysThatTheTagMayBeClosedAfterTheLastTry() async throws {
            try await Self.withBench { bench in
                try await bench.protect("--limit", "1", "--read", state: nil)
                try "id\n1\n".write(toFile: bench.folder + "/plan.csv", atomically: true, encoding: .utf8)
                let outcome = try await bench.run(
                    [
                        "provision", "plan.csv", "--text", "{id}", "--overwrite", "always", "--timeout", "1s", "--yes",
                    ], password: Self.wrong, json: false, state: Self.stranger(bench))
                #expect(outcome.status == 75)
                let told = outcome.output + outcome.errors
                #expect(told.contains("This may have been the last attempt"), "\(told)")
                #expect(!told.contains("--password-file opens it."), "\(told)")
            }
        }

        /// A state folder that knows the tag's limit of 1 and no password of it.
        private static func stranger(_ bench: Bench) throws -> String {
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

        @Test(arguments: [["--yes"], []])
        func aPasswordThatTheTagRefusedIsNotSentAgainByAScript(consent: [String]) async throws {
            try await Self.withBench { bench in
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
                    #expect(advice?.contains("on a terminal, without --yes") == true)
                    #expect(try bench.count() == 1)
                }
                #expect(try await bench.run(["write", "--text", "x", "--yes"], password: Self.right).status == 0)
            }
        }

        @Test func aPasswordThatTheTagRefusedIsSentAgainWhenAPersonTypesYes() async throws {
            try await Self.withBench { bench in
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
            try await Self.withBench { bench in
                try await bench.protect("--limit", "1", access.first ?? "--quiet", state: nil)
                let outcome = try await bench.run(["write", "--text", "x"] + consent, password: Self.wrong)
                #expect(outcome.status == 77)
                let failure = try outcome.failure()
                #expect(failure["error"] as? String == "wrongPassword")
                #expect(failure["limit"] as? Int == 1)
                let message = try #require(failure["message"] as? String)
                #expect(message.contains("This tag accepted another password from this computer."), "\(message)")
                #expect(message.contains(/[oO]ne wrong password close[sd] (this tag|it) permanently\./), "\(message)")
                #expect(message.hasSuffix("The password was not sent."))
                #expect((failure["advice"] as? String)?.contains("on a terminal, without --yes") == true)
                #expect(try bench.count() == 0)
                #expect(try await bench.run(["write", "--text", "x", "--yes"], password: Self.right).status == 0)
            }
        }

        @Test func anotherPasswordThanTheOneThatTheTagAcceptedIsSentWhenAPersonTypesYes() async throws {
            try await Self.withBench { bench in
                try await bench.protect("--limit", "3", "--read", state: nil)
                try Self.wrong.write(toFile: bench.folder + "/password", atomically: true, encoding: .utf8)
                let run = try TerminalRun(
                    ["read", "--password-file", "password", "--reader", "virtual:tag.nfc"], in: bench.folder)
                try await run.wait(for: "[y/N] ")
                #expect(run.output.contains("This tag accepted another password from this computer."))
                #expect(run.output.contains("3 wrong passwords in a row closed it permanently."))
                run.type("y\n")
                #expect(try await run.ended() == 77)
                #expect(run.output.contains("This attempt may have counted."))
                #expect(!run.output.contains("Nothing was changed"))
                #expect(try bench.count() == 1)
            }
        }

        @Test func onesOwnPasswordIsChangedWithoutAnotherQuestion() async throws {
            try await Self.withBench { bench in
                try await bench.protect("--limit", "1", "--read", state: nil)
                // There and back again: the tag accepted both by then.
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

        /// Before the first change the command ends without one; later it waits for the tag, which does not come back.
        @Test(arguments: [8, 12, 16, 20, 24, 28])
        func aChangeOfPasswordThatIsTornNeverCountsAsAWrongOne(tear: Int) async throws {
            try await Self.withBench { bench in
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
            try await Self.withBench { bench in
                try await bench.protect("--limit", "3", "--read", state: nil)
                #expect(try await bench.run(["unprotect", "--yes"], password: Self.right).status == 0)
                let again = ["protect", "--yes", "--limit", "3", "--read"]
                #expect(try await bench.run(again, password: Self.wrong, state: "other").status == 0)
                #expect(try await bench.run(["read", "--yes"], password: Self.wrong).status == 0)
            }
        }

        @Test func aPasswordThatATagRefusedBeforeItWasGivenIsItsPasswordNow() async throws {
            try await Self.withBench { bench in
                try await bench.protect("--limit", "3")
                #expect(try await bench.run(["erase", "--yes"], password: Self.wrong).status == 77)
                #expect(try await bench.run(["unprotect", "--yes"], password: Self.right).status == 0)
                let protection = ["protect", "--yes", "--limit", "3"]
                #expect(try await bench.run(protection, password: Self.wrong).status == 0)
                #expect(try await bench.run(["erase", "--yes"], password: Self.wrong).status == 0)
            }
        }

        @Test func aPasswordThatTheTagAnswersWithAnotherPACKIsNotedAsAccepted() async throws {
            try await Self.withBench { bench in
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
            try await Self.withBench { bench in
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

        @Test func aScanWithoutConsentReportsTheTagAsProtected() async throws {
            try await Self.withBench { bench in
                try await bench.protect("--limit", "3", "--read")
                let scan = try await bench.run(["scan", "--count", "1"], password: Self.wrong)
                #expect(scan.status == 77)
                #expect(try scan.json()["error"] as? String == "passwordNeeded")
                #expect((try scan.json()["message"] as? String)?.contains("The password was not sent.") == true)
                #expect(try bench.count() == 0)
            }
        }

        /// The tag does not show its limit when the configuration is behind the password.
        @Test func aPasswordThatTheTagAcceptedBeforeNeedsNoConsentWhereTheLimitIsHidden() async throws {
            try await Self.withBench { bench in
                try await bench.protect("--read", state: nil)
                #expect(try await bench.run(["read"], password: Self.right).status == 0)
                let stranger = try await bench.run(["read"], password: Self.right, state: "other")
                #expect(stranger.status == 64)
                #expect(try await bench.run(["read", "--yes"], password: Self.right, state: "other").status == 0)
                #expect(try await bench.run(["read"], password: Self.right, state: "other").status == 0)
            }
        }

        @Test func theLastRefusalSaysThatTheTagIsClosed() async throws {
            try await Self.withBench { bench in
                try await bench.protect("--limit", "2")
                let first = try await bench.run(["erase", "--yes"], password: Self.wrong, json: false)
                #expect(first.errors.contains("One more wrong password closes it permanently."))
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

        @Test func aPasswordWhoseAnswerIsLostIsSentOnceAndNotTakenForWrong() async throws {
            try await Self.withBench { bench in
                try await bench.protect("--limit", "3")
                var unanswered = 0
                // The password is among the first commands.
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
            try await Self.withBench { bench in
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
            try await Self.withBench { bench in
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

        @Test func provisionSendsNoPasswordThatMayCloseATagWithoutConsent() async throws {
            try await Self.withBench { bench in
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
    }
}
