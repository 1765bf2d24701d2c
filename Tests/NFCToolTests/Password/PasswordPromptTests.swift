// The password that a tag turns out to need, which nfctool asks for on a terminal — Docs/CommandLine.md, Questions

import Foundation
import Testing

extension BuiltBinaryPasswords {
    @Suite struct PasswordPromptTests {
        private static func reader(_ bench: PasswordBench) -> [String] {
            ["--reader", "virtual:\(bench.folder)/tag.nfc?kind=ntag213"]
        }

        private static func starts(_ command: [String], on bench: PasswordBench) async throws -> TerminalRun {
            let run = try TerminalRun(command + Self.reader(bench), in: bench.folder)
            try await run.wait(for: "Block 4 is protected by a password.\r\nPassword of tag 04")
            #expect(!run.showsTyping)
            return run
        }

        @Test(arguments: [(["read"], "one"), (["write", "--text", "two"], "two"), (["erase"], "empty")])
        func theCommandGoesOnOnceWithTheTypedPassword(command: [String], content: String) async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--read", state: nil)
                let run = try await Self.starts(command, on: bench)
                run.type(PasswordBench.right + "\n")
                #expect(try await run.ended() == 0, "\(run.output)")
                #expect(!run.output.contains(PasswordBench.right))
                #expect(run.output.components(separatedBy: content).count == 2, "\(run.output)")
                let read = try await bench.run(["read"], password: PasswordBench.right, json: false)
                #expect(read.output.contains(content), "\(read.output)")
                let undo = try await bench.run(["undo", "--list"], json: false).output
                #expect(undo.split(separator: "\n").count == (command == ["read"] ? 1 : 2), "\(undo)")
            }
        }

        @Test func aLockIsStillAskedFor() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--read", state: nil)
                let run = try await Self.starts(["lock"], on: bench)
                run.type(PasswordBench.right + "\n")
                try await run.wait(for: "Lock tag")
                run.type("n\n")
                #expect(try await run.ended() == 130)
                #expect(try await bench.run(["write", "--text", "x"], password: PasswordBench.right).status == 0)
            }
        }

        /// Another tag that was placed on the reader meanwhile must not be changed in place of the first one.
        @Test func theCommandGoesOnOnlyWithTheSameTag() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--read", state: nil)
                let write = ["write", "--text", "keepme", "--reader", "virtual:b.nfc"]
                #expect(try await Tool.run(write, in: bench.folder).status == 0)
                let reader = "virtual:tag.nfc,b.nfc?stream&dwell=1s&gap=50ms"
                let run = try TerminalRun(["erase", "--timeout", "3s", "--reader", reader], in: bench.folder)
                try await run.wait(for: "Password of tag 04")
                try await Task.sleep(for: .milliseconds(1500))
                run.type(PasswordBench.right + "\n")
                #expect(try await run.ended() != 0, "\(run.output)")
                let other = try await Tool.run("read", "--reader", "virtual:b.nfc", in: bench.folder)
                #expect(other.output.contains("keepme"), "\(run.output)")
            }
        }

        @Test func ctrlCEndsTheCommandAndTheTerminalShowsTypingAgain() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--read", state: nil)
                let run = try await Self.starts(["read"], on: bench)
                run.type("\u{3}")
                #expect(try await run.ended() == 130)
                #expect(run.showsTyping)
            }
        }

        @Test(arguments: [
            ["read", "--json"], ["read", "--yes"], ["erase", "--quiet"], ["write", "--text", "x", "--count", "2"],
            ["copy"],
        ])
        func aCommandForScriptsOrManyTagsDoesNotAsk(command: [String]) async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--read", state: nil)
                let run = try TerminalRun(command + ["--timeout", "1s"] + Self.reader(bench), in: bench.folder)
                #expect([75, 77].contains(try await run.ended()))
                #expect(!run.output.contains("Password of tag"), "\(run.output)")
                #expect(try await bench.run(["read"]).status == 77)
            }
        }

        /// An interrupted restore is the way back to the content of the tag, and is reported even without a password.
        @Test func readReportsAnInterruptedRestoreOfATagThatNeedsAPassword() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--read", state: nil)
                let dump = ["dump", "old.nfc"]
                #expect(try await bench.run(dump, password: PasswordBench.right).status == 0)
                #expect(try await bench.run(["write", "--text", "two"], password: PasswordBench.right).status == 0)
                let cut = try await bench.run(
                    ["restore", "old.nfc", "--yes", "--timeout", "1s"], password: PasswordBench.right,
                    options: "&tear=20")
                #expect(cut.status != 0, "\(cut.output)")
                let read = try await bench.run(["read"], json: false)
                #expect(read.status == 77)
                #expect(read.errors.contains("was interrupted"), "\(read.errors)")
            }
        }

        @Test func nothingTypedMeansNoPassword() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--read", state: nil)
                let run = try TerminalRun(["read"] + Self.reader(bench), in: bench.folder)
                try await run.wait(for: "Password of tag 04")
                run.type("\n")
                #expect(try await run.ended() == 77)
                #expect(run.output.contains("Give the file with the password:  --password-file FILE"), "\(run.output)")
            }
        }

        @Test func aWrongPasswordIsAskedForOnlyOnce() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--read")
                let run = try TerminalRun(["read"] + Self.reader(bench), in: bench.folder)
                try await run.wait(for: "Password of tag 04")
                run.type(PasswordBench.wrong + "\n")
                // The tag does not show whether wrong passwords close it.
                try await run.wait(for: "Send the password to tag")
                run.type("y\n")
                #expect(try await run.ended() == 77)
                #expect(run.output.components(separatedBy: "Password of tag ").count == 2, "\(run.output)")
            }
        }

        @Test func aPasswordInPlaceOfItsFileIsNotRepeated() async throws {
            try await PasswordBench.with { bench in
                let options = [
                    ["read", "--password-file"], ["write", "--text", "x", "--protect"],
                    ["protect", "--old-password-file"], ["read", "--key-file"], ["sdm", "status", "--key-file"],
                ]
                for option in options {
                    let outcome = try await bench.run(option + [PasswordBench.right], password: "11111111")
                    #expect(outcome.status == 64)
                    #expect(
                        outcome.errors.contains("takes the name of a file that contains the password or key"),
                        "\(outcome.errors)")
                    #expect(!outcome.errors.contains(PasswordBench.right))
                }
            }
        }

        @Test(arguments: [
            ["read", "--password-file"], ["read", "--key-file"], ["sdm", "status", "--key-file"], ["scan", "--rules"],
            ["write", "--text", "x", "--protect"],
        ])
        func aMissingFileIsNamedWithItsOption(command: [String]) async throws {
            try await PasswordBench.with { bench in
                let outcome = try await bench.run(command + ["nix"])
                #expect(outcome.status == 65)
                let message = try outcome.failure()["message"] as? String
                #expect(message == "\(command.last ?? ""): nix cannot be read: No such file or directory.")
            }
        }
    }
}
