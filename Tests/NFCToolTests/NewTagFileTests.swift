// The files of virtual tags that a command creates, as reported on a terminal

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct NewTagFileTests {
        @Test(arguments: ["read", "info", "dump --overwrite d.json"])
        func aCommandSaysOnceThatItMadeANewTag(command: String) async throws {
            try await Tool.withFolder { folder in
                let line = "script -qc 'nfctool \(command) --reader virtual:typo.nfc' /dev/null </dev/null"
                let first = try await Tool.shell(line, in: folder).output
                #expect(first.contains("Created typo.nfc, a new virtual tag."), "\(first)")
                let second = try await Tool.shell(line, in: folder).output
                #expect(!second.contains("Created"), "\(second)")
            }
        }

        @Test(arguments: [
            ("tga.nfc", "tag.nfc", " Did you mean tag.nfc?"), ("v.nfc", "t.nfc", ""), ("tag2.nfc", "tag1.nfc", ""),
            ("badge.nfc", "card.nfc", ""),
        ])
        func onlyASimilarNameIsAHint(name: String, other: String, hint: String) async throws {
            try await Tool.withFolder { folder in
                #expect(
                    try await Tool.run("write", "--text", "a", "--reader", "virtual:\(other)", in: folder).status == 0)
                let line = "script -qc 'nfctool read --reader virtual:\(name)' /dev/null </dev/null"
                let output = try await Tool.shell(line, in: folder).output
                #expect(output.contains("Created \(name), a new virtual tag.\(hint)\r\n"), "\(output)")
            }
        }

        @Test func aVirtualTagWithoutAFileIsForOneCommand() async throws {
            try await Tool.withFolder { folder in
                let line = "script -qc 'nfctool read --reader virtual:ntag213' /dev/null </dev/null"
                let output = try await Tool.shell(line, in: folder).output
                #expect(output.contains("Virtual tags without a file end with the command."), "\(output)")
            }
        }

        /// No shell replaces ~ after a colon.
        @Test func theHomeFolderCanHoldTheFile() async throws {
            try await Tool.withFolder { folder in
                let line = "HOME=\(folder) nfctool write --text a --reader 'virtual:~/a.nfc,~/b.nfc?serial=1'"
                _ = try await Tool.shell(line, in: folder)
                for name in ["a.nfc", "b.nfc"] {
                    #expect(FileManager.default.fileExists(atPath: "\(folder)/\(name)"), "\(name)")
                }
            }
        }

        @Test func scriptsAreNotTold() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.run("read", "--reader", "virtual:typo.nfc", in: folder)
                #expect(outcome.status == 0)
                #expect(outcome.errors == "")
            }
        }
    }
}
