// Passwords that are set, required, refused, removed, or interrupted at any command — NXP NTAG21x and MF0ICU2

import Chance
import Foundation
import Testing

extension BuiltBinaryPasswords {
    @Suite(.alsoAtRealLatency) struct ProtectionTests {
        private static let old = "11223344"
        private static let new = "A1B2C3D4:0102"
        private static let key = "00112233445566778899AABBCCDDEEFF"

        /// A tag in a file, and passwords in other files.
        private struct Bench {
            let folder: String
            let kind: String
            var path: String { folder + "/tag.nfc" }

            func run(_ arguments: [String], password: String? = nil, options: String = "") async throws -> Outcome {
                var arguments = arguments
                if let password { arguments += ["--password-file", try file(password)] }
                let reader = "virtual:\(path)?kind=\(kind)\(options)"
                return try await Tool.run(arguments + ["--json", "--reader", reader], in: folder)
            }

            /// This is the state on a computer that does not know the tag.
            func forgetPasswords() { try? FileManager.default.removeItem(atPath: folder + "/nfctool/passwords") }

            func protect(
                with password: String, _ arguments: [String] = [], replacing old: String? = nil, options: String = ""
            ) async throws -> Outcome {
                let oldFile = try old.map { ["--old-password-file", try file($0)] } ?? []
                return try await run(["protect"] + arguments + oldFile, password: password, options: options)
            }

            func file(_ password: String) throws -> String {
                let path = folder + "/password-\(password.count)-\(password.hashValue.magnitude)"
                try Data((password + "\n").utf8).write(to: URL(filePath: path))
                return path
            }
        }

        private static func withBench(_ kind: String, _ body: (Bench) async throws -> Void) async throws {
            try await Tool.withFolder { try await body(Bench(folder: $0, kind: kind)) }
        }

        private static func password(_ outcome: Outcome) throws -> [String: Any] {
            try outcome.json()["password"] as? [String: Any] ?? [:]
        }

        @Test(arguments: [("ntag213", new), ("ultralight-ev1", old), ("ultralight-c", key), ("ultralight-aes", key)])
        func aProtectedTagIsRestoredWithItsPasswordOnly(kind: String, password: String) async throws {
            try await Self.withBench(kind) { bench in
                #expect(try await bench.run(["write", "--text", "one", "--yes"]).status == 0)
                let dump = bench.folder + "/one.json"
                #expect(try await bench.run(["dump", dump]).status == 0)
                #expect(try await bench.run(["write", "--text", "two"]).status == 0)
                #expect(try await bench.protect(with: password).status == 0)
                let refused = try await bench.run(["restore", dump])
                #expect(refused.status == 77)
                #expect(try refused.failure()["error"] as? String == "passwordNeeded")
                #expect(try await bench.run(["read"]).output.contains("two"))
                let restored = try await bench.run(["restore", dump], password: password)
                #expect(restored.status == 0, "\(restored.errors)")
                #expect(try await bench.run(["read"]).output.contains("one"))
            }
        }

        @Test(arguments: [
            ("ntag213", new), ("ntag216", new), ("ultralight-ev1", old), ("ultralight-ev1-128", new),
            ("ultralight-c", key), ("ultralight-aes", key),
        ])
        func aProtectedTagIsWrittenWithItsPasswordOnly(kind: String, password: String) async throws {
            try await Self.withBench(kind) { bench in
                #expect(try await bench.run(["write", "--text", "one", "--yes"]).status == 0)
                let protected = try await bench.protect(with: password)
                #expect(protected.status == 0, "\(protected.errors)")
                #expect(try protected.json()["verified"] as? Bool == true)
                #expect(try Self.password(protected)["from"] as? Int == 4)
                #expect(try Self.password(protected)["protectsReading"] as? Bool == false)

                let refused = try await bench.run(["write", "--text", "two"])
                #expect(refused.status == 77)
                #expect(try refused.failure()["error"] as? String == "passwordNeeded")
                #expect((try refused.failure()["advice"] as? String)?.contains("--password-file") == true)
                for command in [["write", "--text", "two"], ["erase"], ["write", "--text", "three"]] {
                    #expect(try await bench.run(command, password: password).status == 0)
                }
                #expect(try await bench.run(["read"]).output.contains("three"))
                #expect(try await bench.run(["unprotect"], password: password).status == 0)
                #expect(try await bench.run(["write", "--text", "four"]).status == 0)
                let again = try await bench.run(["unprotect"], password: password)
                #expect(again.status == 0)
                #expect(try again.json()["verified"] == nil)
            }
        }

        /// The virtual chips follow public sources, and share no code with the tool.
        @Test(arguments: [
            ("ntag223-dna", ["A22B11223344", "A22C55660000", "A22900000004"], old),
            ("ntag224-dna", ["A240FFEEDDCC", "A241BBAA9988", "A24277665544", "A24333221100", "A23900000004"], key),
        ])
        func anNTAG22xIsOpenedWithItsPasswordOrKey(
            kind: String, set: [String], right: String
        ) async throws {
            try await Self.withBench(kind) { bench in
                #expect(try await bench.run(["write", "--text", "one"]).status == 0)
                // AUTH0 is written last, because after that, the chip requires the password or key for the blocks
                // before it.
                #expect(try await bench.run(["transceive"] + set).status == 0)
                let closed = try await bench.run(["write", "--text", "two"])
                #expect(try closed.failure()["error"] as? String == "passwordNeeded")
                let other = String(right.reversed())
                let refused = try await bench.run(["write", "--text", "two", "--yes"], password: other)
                #expect(try refused.failure()["error"] as? String == "wrongPassword")
                for command in [["write", "--text", "two", "--yes"], ["erase"], ["write", "--text", "three"]] {
                    let opened = try await bench.run(command, password: right)
                    #expect(opened.status == 0, "\(opened.errors)")
                }
                #expect(try await bench.run(["read"]).output.contains("three"))
                let kept = try await bench.run(["unprotect"], password: right)
                #expect(try kept.failure()["error"] as? String == "wrongChip")
            }
        }

        @Test(arguments: [("ntag213", new), ("ultralight-c", key)])
        func aPasswordForReadingHidesTheMessage(kind: String, password: String) async throws {
            try await Self.withBench(kind) { bench in
                #expect(try await bench.run(["write", "--text", "one", "--yes"]).status == 0)
                #expect(try await bench.protect(with: password, ["--read", "--from", "5"]).status == 0)
                let refused = try await bench.run(["read"])
                #expect(refused.status == 77)
                #expect(try refused.failure()["error"] as? String == "passwordNeeded")
                for command in [["read"], ["info"], ["scan", "--count", "1"], ["lock", "--yes"]] {
                    #expect(try await bench.run(command, password: password).status == 0, "\(command)")
                }
                let information = try Self.password(try await bench.run(["info"], password: password))
                #expect(information["from"] as? Int == 5)
                #expect(information["protectsReading"] as? Bool == true)
            }
        }

        @Test func aPasswordBehindTheMessageIsWarnedAbout() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    echo A1B2C3D4 > pw
                    nfctool write -q --reader 'virtual:t.nfc?kind=ntag213' --uri https://a.example
                    nfctool protect -q --from 20 --password-file pw --reader virtual:t.nfc
                    nfctool protect --from 20 --password-file pw --reader virtual:t.nfc
                    export XDG_STATE_HOME=$PWD/other
                    nfctool read --json --reader virtual:t.nfc | grep -o '"ndefStatus":"[^"]*"'
                    nfctool read --reader virtual:t.nfc
                    nfctool write -q --text free --reader virtual:t.nfc; echo $?
                    nfctool write -q --text "$(printf %080d 0)" --reader virtual:t.nfc; echo $?
                    nfctool protect --from 4 --password-file pw --reader virtual:t.nfc
                    nfctool write --text mine --password-file pw --reader virtual:t.nfc | sed -n 2p
                    """, in: folder)
                let warning = "Warning: The message in blocks 4-9 lies before block 20: anyone can still write it"
                #expect(outcome.errors.components(separatedBy: warning).count == 2, "\(outcome.errors)")
                #expect(outcome.errors.components(separatedBy: "Warning").count == 2, "\(outcome.errors)")
                #expect(outcome.output.contains("\"ndefStatus\":\"readWrite\""))
                #expect(outcome.output.contains("writable, 14 of 137 bytes (10 %): writing from block 20"))
                #expect(outcome.output.contains("\n0\n77\n"), "\(outcome.output)")
                // The command had the password, but others need it.
                let state = "writable, 11 of 137 bytes (8 %): writing from block 4 onwards needs a password\n"
                #expect(outcome.output.hasSuffix(state), "\(outcome.output)")
            }
        }

        @Test func aNewPasswordKeepsWhatTheTagProtects() async throws {
            try await Self.withBench("ntag213") { bench in
                let options = ["--read", "--limit", "3", "--from", "3", "--yes"]
                #expect(try await bench.protect(with: Self.old, options).status == 0)
                let changed = try await bench.protect(with: Self.new, replacing: Self.old)
                #expect(changed.status == 0, "\(changed.errors)")
                let rules = try Self.password(changed)
                #expect(rules["from"] as? Int == 3)
                #expect(rules["protectsReading"] as? Bool == true)
                #expect(rules["limit"] as? Int == 3)
                #expect(try await bench.run(["read"]).status == 77)
            }
        }

        /// Options, and the fact that is shown before they take effect.
        @Test(arguments: [
            (["--no-read"], "At present, reading needs the password; after this change, anyone can read the tag."),
            (
                ["--from", "10"],
                "Blocks 3 to 9: at present protected by the password; after this change, anyone can write here."
            ),
            (
                ["--limit", "0"],
                "At present, 3 wrong passwords in a row close the tag; after this change, there is no limit."
            ),
        ])
        func protectingLessThanBeforeIsAskedFor(options: [String], fact: String) async throws {
            try await Self.withBench("ntag213") { bench in
                let before = ["--read", "--limit", "3", "--from", "3", "--yes"]
                #expect(try await bench.protect(with: Self.old, before).status == 0)
                let asked = try await bench.protect(with: Self.new, options, replacing: Self.old)
                #expect(asked.status == 64)
                #expect((try asked.failure()["message"] as? String)?.contains(fact) == true, "\(asked.errors)")
                #expect(try await bench.run(["read"]).status == 77)
                let agreed = try await bench.protect(with: Self.new, options + ["--yes"], replacing: Self.old)
                #expect(agreed.status == 0, "\(agreed.errors)")
                let rules = try Self.password(agreed)
                #expect(rules["from"] as? Int == (options[0] == "--from" ? 10 : 3))
                #expect(rules["protectsReading"] as? Bool == (options[0] != "--no-read"))
                #expect(rules["limit"] as? Int == (options[0] == "--limit" ? 0 : 3))
            }
        }

        @Test func aWrongPasswordSaysHowManyTriesAreLeft() async throws {
            try await Self.withBench("ntag213") { bench in
                let asked = try await bench.protect(with: Self.new, ["--limit", "2"])
                #expect(asked.status == 64)
                #expect(try asked.failure()["error"] as? String == "confirmationNeeded")
                #expect(try await bench.protect(with: Self.new, ["--limit", "2", "--yes"]).status == 0)
                bench.forgetPasswords()
                let wrong = try await bench.run(["write", "--text", "x", "--yes"], password: Self.old)
                #expect(wrong.status == 77)
                #expect(try wrong.failure()["error"] as? String == "wrongPassword")
                #expect(try wrong.failure()["remaining"] as? Int == 1)
                #expect(try await bench.run(["write", "--text", "x", "--yes"], password: Self.new).status == 0)
                // After a correct password, the chip counts from zero again.
                for wrong in ["00000001", "00000002"] {
                    bench.forgetPasswords()
                    #expect(try await bench.run(["erase", "--yes"], password: wrong).status == 77)
                }
                #expect(try await bench.run(["write", "--text", "x", "--yes"], password: Self.new).status == 77)
                #expect(try await bench.run(["read"]).status == 0)
            }
        }

        @Test func aPasswordIsNotSentToATagThatAsksForNone() async throws {
            try await Self.withBench("ntag213") { bench in
                let outcome = try await bench.run(["write", "--text", "x"], password: Self.new)
                #expect(outcome.status == 0)
            }
        }

        /// Arguments, and the content of the password's file.
        static let refusals: [(arguments: [String], password: String?, status: Int32, name: String)] = [
            (["protect"], "1122334", 64, "usage"), (["protect"], "secret", 64, "usage"),
            (["protect"], "", 64, "usage"), (["read"], "11223344:01", 64, "usage"),
            (["read"], "11223344 55", 64, "usage"), (["protect", "--limit", "8"], old, 78, "wrongChip"),
            (["protect", "--from", "300"], old, 64, "usage"), (["protect", "--from", "42"], old, 78, "wrongChip"),
            (["protect", "--from", "42", "--limit", "3"], old, 78, "wrongChip"),
            (["protect"], key, 78, "wrongChip"), (["protect"], nil, 77, "passwordNeeded"),
            (["unprotect"], nil, 77, "passwordNeeded"),
        ]

        @Test(arguments: refusals)
        func whatCannotBeDoneIsRefused(arguments: [String], password: String?, status: Int32, name: String) async throws
        {
            try await Self.withBench("ntag213") { bench in
                let outcome = try await bench.run(arguments, password: password)
                #expect(outcome.status == status)
                #expect(try outcome.failure()["error"] as? String == name)
                // A password must not appear in logs.
                if let password, password.count > 4 { #expect(!outcome.errors.contains(password)) }
            }
        }

        @Test(arguments: ["type4", "ultralight", "ntag203"])
        func aChipWithoutPasswordIsRefused(kind: String) async throws {
            try await Self.withBench(kind) { bench in
                for command in ["protect", "unprotect"] {
                    let outcome = try await bench.run([command], password: Self.old)
                    #expect(outcome.status == 78)
                    #expect(try outcome.failure()["error"] as? String == "wrongChip")
                }
            }
        }

        @Test func thePasswordMayComeFromTheEnvironment() async throws {
            try await Tool.withFolder { folder in
                let reader = "--reader 'virtual:\(folder)/tag.nfc?kind=ntag213'"
                let lines = """
                    set -e
                    NFCTOOL_PASSWORD=\(Self.new) nfctool protect --quiet \(reader)
                    NFCTOOL_PASSWORD=\(Self.new) nfctool write --quiet --text x \(reader)
                    NFCTOOL_PASSWORD= nfctool write --text y \(reader)
                    """
                let outcome = try await Tool.shell(lines, in: folder)
                #expect(outcome.status == 77)
                #expect(outcome.errors.contains("protected by a password"))
            }
        }

        @Test func aPasswordIsAskedForOnATerminalTwiceAndNotShown() async throws {
            try await Tool.withFolder { folder in
                func typed(_ first: String, _ second: String) async throws -> (status: Int32?, output: String) {
                    let reader = "virtual:\(folder)/tag.nfc?kind=ntag213"
                    let run = try TerminalRun(["protect", "--reader", reader], in: folder)
                    try await run.wait(for: "New password (8 hexadecimal digits, or 32 for a key): ")
                    // Both passwords are typed at once, as if they were pasted.
                    run.type("\(first)\n\(second)\n")
                    return (try await run.ended(), run.output)
                }
                let differing = try await typed(Self.old, "00000000")
                #expect(differing.status == 64)
                #expect(differing.output.contains("The two passwords differ."))
                let agreed = try await typed(Self.old, Self.old)
                #expect(agreed.status == 0)
                #expect(!agreed.output.contains(Self.old))
                #expect(agreed.output.contains("Again: "))
                #expect(agreed.output.contains("Protected NTAG213"))
            }
        }

        @Test(arguments: [["hello", Self.old], ["hello", "1234", "x"]])
        func aTextThatIsNotAPasswordIsAskedForAgain(answers: [String]) async throws {
            try await Tool.withFolder { folder in
                let run = try TerminalRun(
                    ["protect", "--reader", "virtual:\(folder)/tag.nfc?kind=ntag213"], in: folder)
                for (count, answer) in zip(1..., answers) {
                    let isAsked = try await Self.isAsked("New password", count, by: run)
                    #expect(isAsked, "\(run.output)")
                    run.type(answer + "\n")
                }
                let isSet = answers.last == Self.old
                if isSet {
                    try await run.wait(for: "Again: ")
                    run.type(Self.old + "\n")
                }
                #expect(try await run.ended() == (isSet ? 0 : 64))
                #expect(run.output.contains("The typed text is not a password. Give 8 hexadecimal digits"))
                #expect(run.output.contains("Protected NTAG213") == isSet)
            }
        }

        /// Waits until a question was asked several times.
        ///
        /// Returns false if the command ended before that, or took too long.
        private static func isAsked(_ question: String, _ count: Int, by run: TerminalRun) async throws -> Bool {
            for _ in 0..<2000 {
                if run.output.components(separatedBy: question).count > count { return true }
                if run.hasEnded() { return false }
                try await Task.sleep(for: .milliseconds(10))
            }
            return false
        }
    }
}
