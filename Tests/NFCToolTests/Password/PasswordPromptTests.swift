// The password that a tag turns out to need, which nfctool asks for on a terminal — Docs/CommandLine.md, Questions

import Foundation
import Testing

extension BuiltBinaryPasswords {
    @Suite struct PasswordPromptTests {
        private static func reader(_ bench: PasswordBench) -> [String] {
            ["--reader", "virtual:\(bench.folder)/tag.nfc?kind=ntag213"]
        }

        @Test(arguments: [["read"], ["write", "--text", "one"], ["erase"], ["lock", "--yes"]])
        func theCommandGoesOnWithTheTypedPassword(command: [String]) async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--read", state: nil)
                let run = try TerminalRun(command + Self.reader(bench), in: bench.folder)
                try await run.wait(for: "Block 4 is protected by a password.\r\nPassword: ")
                #expect(!run.showsTyping)
                run.type(PasswordBench.right + "\n")
                #expect(try await run.ended() == 0, "\(run.output)")
                #expect(!run.output.contains(PasswordBench.right))
            }
        }

        @Test func nothingTypedMeansNoPassword() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--read", state: nil)
                let run = try TerminalRun(["read"] + Self.reader(bench), in: bench.folder)
                try await run.wait(for: "Password: ")
                run.type("\n")
                #expect(try await run.ended() == 77)
                #expect(run.output.contains("Give the file with the password:  --password-file FILE"), "\(run.output)")
            }
        }

        @Test func aWrongPasswordIsAskedForOnlyOnce() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--read")
                let run = try TerminalRun(["read"] + Self.reader(bench), in: bench.folder)
                try await run.wait(for: "Password: ")
                run.type(PasswordBench.wrong + "\n")
                // The tag does not show whether wrong passwords close it.
                try await run.wait(for: "Send the password to tag")
                run.type("y\n")
                #expect(try await run.ended() == 77)
                #expect(run.output.components(separatedBy: "Password: ").count == 2, "\(run.output)")
            }
        }

        /// A copy needs two tags in turn, so it must not begin again.
        @Test func aCopyAndAScriptAreNotAsked() async throws {
            try await PasswordBench.with { bench in
                try await bench.protect("--read", state: nil)
                let run = try TerminalRun(["copy"] + Self.reader(bench), in: bench.folder)
                #expect(try await run.ended() == 77)
                #expect(!run.output.contains("Password: "), "\(run.output)")
                #expect(try await bench.run(["read"]).status == 77)
            }
        }

        @Test func aPasswordInPlaceOfItsFileIsNotRepeated() async throws {
            try await PasswordBench.with { bench in
                let options = [
                    ["read", "--password-file"], ["write", "--text", "x", "--protect"],
                    ["protect", "--old-password-file"],
                ]
                for option in options {
                    let outcome = try await bench.run(option + [PasswordBench.right], password: "11111111")
                    #expect(outcome.status == 64)
                    #expect(
                        outcome.errors.contains("takes the name of a file that contains the password"),
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
