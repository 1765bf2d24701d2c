// The files of virtual tags that a command creates, or that are misspelt

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct NewTagFileTests {
        @Test("A command that writes says once on a terminal that it created a tag")
        func creation() async throws {
            try await Tool.withFolder { folder in
                let line = "script -qc 'nfctool write --text hi --reader virtual:new.nfc' /dev/null </dev/null"
                let first = try await Tool.shell(line, in: folder).output
                #expect(first.contains("Created new.nfc, a new virtual tag."), "\(first)")
                let second = try await Tool.shell(line, in: folder).output
                #expect(!second.contains("Created"), "\(second)")
            }
        }

        @Test("A command that writes tells scripts nothing about a new tag") func script() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.run("write", "--text", "hi", "--reader", "virtual:new.nfc", in: folder)
                #expect(outcome.status == 0)
                #expect(outcome.errors == "")
            }
        }

        @Test(
            "A command that does not write creates no tag",
            arguments: [
                "read", "info", "dump d.json", "diff kept.json", "scan --count 1", "erase", "lock --yes",
                "ndef check --tag", "transceive 3004", "doctor", "emulate --text x --for 1s",
            ])
        func refusal(command: String) async throws {
            try await Tool.withFolder { folder in
                let made = try await Tool.shell(
                    """
                    nfctool write -q --text hi --reader virtual:tag.nfc && nfctool dump -q kept.json --reader virtual
                    ls > before
                    """, in: folder)
                #expect(made.status == 0, "\(made.errors)")
                let refused = try await Tool.shell("nfctool \(command) --reader virtual:tga.nfc", in: folder)
                #expect(refused.status == 65, "\(refused.output)")
                #expect(
                    refused.errors == """
                        nfctool: The tag file tga.nfc does not exist.
                          Did you mean  virtual:tag.nfc ?
                          To create it as a new virtual tag:  --reader 'virtual:tga.nfc?kind=ntag215'

                        """)
                #expect(try await Tool.shell("ls | diff before -", in: folder).output == "")
            }
        }

        @Test("provision verify creates no tag") func verification() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    nfctool provision --range 1-1 --text '{n}' --timeout 5s -q --reader 'virtual:a.nfc?kind=ntag213'
                    nfctool provision verify range-1-1.journal --timeout 1s --reader 'virtual:a.nfc,c.nfc?stream' --json
                    """, in: folder)
                #expect(outcome.status == 65, "\(outcome.output)")
                let failure = try outcome.failure()
                #expect(failure["error"] as? String == "badFile")
                #expect(failure["message"] as? String == "The tag file c.nfc does not exist.")
                let advice = failure["advice"] as? String
                #expect(advice?.hasSuffix("--reader 'virtual:a.nfc,c.nfc?stream&kind=ntag215'") == true)
                #expect(!FileManager.default.fileExists(atPath: folder + "/c.nfc"))
            }
        }

        @Test("The option kind creates the tag for every command") func kind() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.run("read", "--reader", "virtual:new.nfc?kind=ntag213", in: folder)
                #expect(outcome.status == 0 && outcome.output.contains("NTAG213"), "\(outcome.errors)")
                #expect(FileManager.default.fileExists(atPath: folder + "/new.nfc"))
            }
        }

        @Test("An existing file is suggested for its name without an extension, or with another one")
        func suggestion() async throws {
            try await Tool.withFolder { folder in
                let made = try await Tool.run("write", "-q", "--text", "x", "--reader", "virtual:tag.nfc", in: folder)
                #expect(made.status == 0, "\(made.errors)")
                for name in ["tag", "TAG.bak"] {
                    let outcome = try await Tool.run("read", "--reader", "virtual:\(name)", in: folder)
                    #expect(outcome.status == 64)
                    #expect(outcome.errors.contains("Did you mean  virtual:tag.nfc ?"), "\(outcome.errors)")
                }
            }
        }

        @Test("A link without a target is not suggested") func link() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    "ln -s missing.nfc tag.nfc; nfctool read --reader virtual:tag.nfc", in: folder)
                #expect(outcome.status == 65)
                #expect(outcome.errors.hasPrefix("nfctool: The tag file tag.nfc does not exist.\n  To create it"))
            }
        }

        @Test("The name of a virtual reader in the place of a file has advice") func reader() async throws {
            let outcome = try await Tool.run("read", "virtual:tag.nfc")
            #expect(outcome.status == 65)
            #expect(
                outcome.errors.contains("This is the name of a reader. To use it:  --reader virtual:tag.nfc"),
                "\(outcome.errors)")
        }
    }
}
