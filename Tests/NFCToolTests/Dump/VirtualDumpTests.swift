// Dumps in every format as virtual tags, which store what is written to them

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct VirtualDumpTests {
        @Test(arguments: [
            ("ntag213", "json"), ("ntag215", "bin"), ("ntag213", "eml"), ("ntag216", "hex"), ("classic1k-ndef", "mct"),
            ("classic1k-ndef", "mfd"), ("felica-lite-s-ndef", "json"),
        ])
        func aWriteToAVirtualTagChangesItsDump(kind: String, ending: String) async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=\(kind)"]
                #expect(try await Tool.run(["write", "--text", "before"] + tag, in: folder).status == 0)
                // Raw memory has no place for a signature, but this tag has no signature to lose.
                #expect(try await Tool.run(["dump", "copy.\(ending)"] + tag, in: folder).status == 0)
                let copy = ["--reader", "virtual:copy.\(ending)"]
                let written = try await Tool.run(["write", "--text", "after"] + copy, in: folder)
                #expect(written.status == 0, "\(written.errors)")
                #expect(try await Tool.run("read", "copy.\(ending)", in: folder).output.contains("after"))
                #expect(try await Tool.run(["read"] + tag, in: folder).output.contains("before"))
            }
        }

        /// Flipper has no type for this size, but the files of virtual tags do.
        @Test func theFileOfAVirtualClassic2KIsADump() async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=classic2k"]
                let write = try await Tool.run(["write", "--yes", "--text", "two kilobytes"] + tag, in: folder)
                #expect(write.status == 0, "\(write.errors)")
                let read = try await Tool.run("read", "tag.nfc", in: folder)
                #expect(read.output.contains("two kilobytes"), "\(read.errors)")
                let info = try await Tool.run("info", "tag.nfc", "--json", in: folder).json()
                #expect(info["chip"] as? String == "MIFARE Classic 2K")
                let same = try await Tool.run(["diff", "tag.nfc", "--exit-code"] + tag, in: folder)
                #expect(same.status == 0, "\(same.output)\(same.errors)")
                // A dump that a Flipper refuses is not created.
                let refused = try await Tool.run(["dump", "flipper.nfc"] + tag, in: folder)
                #expect(refused.status == 78 && refused.errors.contains("but not MIFARE Classic 2K"))
                #expect(!FileManager.default.fileExists(atPath: folder + "/flipper.nfc"))
            }
        }

        @Test(arguments: ["json", "mct", "bin", "eml"])
        func aDumpOfAClassic2KIsAVirtualTag(ending: String) async throws {
            try await Tool.withFolder { folder in
                let dumped = try await Tool.run(
                    "dump", "copy.\(ending)", "--reader", "virtual:classic2k", in: folder)
                #expect(dumped.status == 0, "\(dumped.errors)")
                let copy = ["--reader", "virtual:copy.\(ending)"]
                let written = try await Tool.run(["write", "--yes", "--text", "after"] + copy, in: folder)
                #expect(written.status == 0, "\(written.errors)")
                #expect(try await Tool.run(["read"] + copy, in: folder).output.contains("after"))
                #expect(try await Tool.run("read", "copy.\(ending)", in: folder).output.contains("after"))
            }
        }

        @Test func aFileThatWouldLoseItsSignatureIsNotChanged() async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=ntag215"]
                #expect(try await Tool.run(["write", "--text", "before"] + tag, in: folder).status == 0)
                #expect(try await Tool.run(["dump", "plain.bin"] + tag, in: folder).status == 0)
                let path = URL(fileURLWithPath: folder + "/signed.bin")
                let signed = try Data(contentsOf: URL(fileURLWithPath: folder + "/plain.bin")) + Data(1...32)
                try signed.write(to: path)
                let refused = try await Tool.run(
                    "write", "--text", "after", "--reader", "virtual:signed.bin", in: folder)
                #expect(refused.status == 65 && refused.errors.contains("signature"))
                #expect(try Data(contentsOf: path) == signed)
            }
        }

        /// A Proxmark dump, in which the version, counters and tearing flags are in a header of 56 bytes before the
        /// memory.
        @Test func aFileThatWouldLoseItsHeaderIsNotChanged() async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=ntag213"]
                #expect(try await Tool.run(["write", "--text", "before"] + tag, in: folder).status == 0)
                #expect(try await Tool.run(["dump", "plain.bin"] + tag, in: folder).status == 0)
                let memory = try Data(contentsOf: URL(fileURLWithPath: folder + "/plain.bin"))
                var header = Data([0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03, 0x00, 0x00, 0x00])
                header.append(UInt8(memory.count / 4 - 1))
                header.append(Data(count: 32))
                header.append(Data([0, 0, 0, 0xBD, 0, 0, 0, 0xBD, 5, 0, 0, 0xBD]))
                let path = URL(fileURLWithPath: folder + "/proxmark.bin")
                try (header + memory).write(to: path)
                #expect(try await Tool.run("read", "proxmark.bin", in: folder).output.contains("before"))
                let refused = try await Tool.run(
                    "write", "--text", "after", "--reader", "virtual:proxmark.bin", in: folder)
                #expect(refused.status == 65 && refused.errors.contains("GET_VERSION"), "\(refused.errors)")
                #expect(try Data(contentsOf: path) == header + memory)
            }
        }

        @Test(arguments: ["nfc", "mct", "json"]) func unknownKeysStayUnknownAfterAWrite(ending: String) async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    nfctool dump -q card.nfc --reader virtual:classic1k-ndef
                    sed -i 's/^Block 63: .*/Block 63: ?? ?? ?? ?? ?? ?? 7F 07 88 40 ?? ?? ?? ?? ?? ??/' card.nfc
                    nfctool dump -q --partial part.\(ending) --reader virtual:card.nfc
                    nfctool write -q --text hi --reader virtual:part.\(ending)
                    nfctool dump -q --partial again.nfc --reader virtual:part.\(ending)
                    grep '^Block 6[023]:' again.nfc
                    """, in: folder)
                let unknown = Array(repeating: "??", count: 16).joined(separator: " ")
                #expect(
                    outcome.output == "Block 60: \(unknown)\nBlock 62: \(unknown)\nBlock 63: \(unknown)\n",
                    "\(outcome.output)\(outcome.errors)")
                #expect(try await Tool.run("read", "part.\(ending)", in: folder).output.contains("hi"))
            }
        }

        @Test(arguments: [
            ("classic1k-ndef", "s/^Block 9: .*/Block 9: ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??/", "Block 9"),
            ("ntag213", "s/^Pages read: 45/Pages read: 20/", "Page 20"),
        ])
        func aFileWithoutABlockThatItsTagShowsIsNoVirtualTag(kind: String, change: String, block: String) async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    nfctool dump -q card.nfc --reader virtual:\(kind)
                    sed -i '\(change)' card.nfc; cp card.nfc before.nfc
                    nfctool write -q --text hi --reader virtual:card.nfc; echo $?
                    cmp card.nfc before.nfc && echo same
                    """, in: folder)
                #expect(outcome.output == "65\nsame\n", "\(outcome.errors)")
                #expect(outcome.errors.contains(block) && outcome.errors.contains("nfctool info card.nfc"))
            }
        }

        @Test func aBrokenDumpIsNoTag() async throws {
            try await Tool.withFolder { folder in
                try "+Sector: 99\n".write(toFile: folder + "/a.mct", atomically: true, encoding: .utf8)
                let refused = try await Tool.run("read", "--reader", "virtual:a.mct", "--json", in: folder).failure()
                #expect(refused["error"] as? String == "badFile")
            }
        }
    }
}
