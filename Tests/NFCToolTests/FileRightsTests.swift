// The rights of files on a DESFire: a file that needs a key is neither reported as writable nor written

import Testing

extension BuiltBinaryMemory {
    @Suite struct FileRightsTests {
        /// A DESFire whose NDEF file needs key 0 to write: `00 E0`, low byte first, of file 2.
        private static let prepare = """
            nfctool write -q --yes --text hello --reader 'virtual:d.nfc?kind=desfire' &&
            sed -i -E 's/^(Application.* File 2 Access Rights: ).*/\\100 E0/' d.nfc && cp d.nfc kept.nfc

            """

        @Test func aDESFireFileThatNeedsAKeyIsNotWritable() async throws {
            try await Tool.withFolder { folder in
                func shell(_ line: String) async throws -> Outcome { try await Tool.shell(line, in: folder) }
                #expect(try await shell(Self.prepare).status == 0)
                for command in ["info", "read"] {
                    let shown = try await shell("nfctool \(command) --reader virtual:d.nfc")
                    #expect(shown.status == 0 && shown.output.contains("writable with key 0, 12 of"), "\(shown.output)")
                    let object = try await shell("nfctool \(command) --json --reader virtual:d.nfc").json()
                    #expect(object["ndefStatus"] as? String == "readOnly")
                    #expect(object["writeKeys"] as? [Int] == [0])
                }
                let table = try await shell("nfctool info --reader virtual:d.nfc").output
                #expect(table.contains("E103  CC    15 bytes    free  free\nE104  NDEF  7680 bytes  free  key 0\n"))
                for option in ["--dry-run", "--yes"] {
                    let refused = try await shell("nfctool write --text foo \(option) --reader virtual:d.nfc")
                    #expect(refused.status == 77 && refused.output.isEmpty, "\(refused.output)")
                    #expect(refused.errors.contains("The tag is read-only: writing needs key 0."), "\(refused.errors)")
                }
                #expect(try await shell("cmp d.nfc kept.nfc").status == 0)
            }
        }

        @Test(
            "write --lock refuses a tag whose lock needs a key before it writes the message",
            arguments: [("ntag424", "can be written only with key 0"), ("type4", "cannot be written, SW 6982")])
        func unlockable(kind: String, words: String) async throws {
            try await Tool.withFolder { folder in
                func shell(_ line: String) async throws -> Outcome { try await Tool.shell(line, in: folder) }
                let old = "nfctool write -q --yes --text first --reader 'virtual:q.nfc?kind=\(kind)'"
                #expect(try await shell(old).status == 0)
                let dryRun = try await shell("nfctool write --text other --lock --dry-run --reader virtual:q.nfc")
                #expect(dryRun.status == (kind == "type4" ? 0 : 77), "\(dryRun.errors)")
                #expect(kind != "type4" || dryRun.output.contains("locked if it allows this"), "\(dryRun.output)")
                let refused = try await shell("nfctool write --text other --lock --yes --reader virtual:q.nfc")
                #expect(refused.status == 77 && refused.errors.contains(words), "\(refused.errors)")
                #expect(refused.errors.contains("Nothing was changed."), "\(refused.errors)")
                #expect(try await shell("nfctool read --reader virtual:q.nfc").output.contains("first"))
            }
        }

        @Test("write --lock --dry-run says that a tag would only be marked as read-only")
        func onlyMarked() async throws {
            try await Tool.withFolder { folder in
                let line = "nfctool write --text hello --lock --dry-run --reader virtual:type3"
                let dryRun = try await Tool.shell(line, in: folder)
                #expect(dryRun.status == 0 && dryRun.output.contains("would only be marked as read-only"))
                #expect(try await Tool.shell(line + " --json", in: folder).json()["lock"] as? String == "mark")
            }
        }
    }
}
