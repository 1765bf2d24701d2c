// MIFARE Classic cards with their own keys: no interruption loses data, and no key is shown

import Chance
import Foundation
import Testing

extension BuiltBinaryCuts {
    @Suite struct OwnKeysTests {
        private static let keyA = "102030405060"
        private static let keyB = "A1B2C3D4E5F6"

        /// Creates a card whose sectors 1 to 3 have their own keys, and whose sector 2 has data.
        ///
        /// keys.dic contains the keys.
        private func withCard(_ body: (String) async throws -> Void) async throws {
            try await Tool.withFolder { folder in
                let dumped = try await Tool.run(
                    "dump", "blank.mct", "--reader", "virtual:card.nfc?kind=classic1k", in: folder)
                #expect(dumped.status == 0, "\(dumped.errors)")
                var lines = try String(contentsOfFile: folder + "/blank.mct", encoding: .utf8).split(separator: "\n")
                for sector in 1...3 { lines[sector * 5 + 4] = "\(Self.keyA)7F078840\(Self.keyB)" }
                lines[2 * 5 + 1] = "E803000017FCFFFFE803000008F708F7"
                try lines.map { $0 + "\n" }.joined().write(
                    toFile: folder + "/own.mct", atomically: true, encoding: .utf8)
                try "# cards\n\(Self.keyA)\n\(Self.keyB)\n".write(
                    toFile: folder + "/keys.dic", atomically: true, encoding: .utf8)
                let restored = try await Tool.run(
                    "restore", "own.mct", "--configuration", "--yes", "--reader", "virtual:card.nfc", in: folder)
                #expect(restored.status == 0, "\(restored.errors)")
                try await body(folder)
            }
        }

        @Test func infoTellsKeysOnlyWhenAsked() async throws {
            try await withCard { folder in
                let card = ["info", "--reader", "virtual:card.nfc", "--key-file", "keys.dic"]
                let plain = try await Tool.run(card, in: folder)
                #expect(
                    plain.output.contains(
                        "Sectors 1 to 3   key A is a key from keys.dic, key B is a key from keys.dic;"))
                #expect(plain.output.contains("Value            1000 in block 8, address 8"))
                let json = try await Tool.run(card + ["--json"], in: folder)
                for output in [plain.output, json.output] {
                    #expect(!output.replacing(" ", with: "").contains(Self.keyA))
                    #expect(!output.replacing(" ", with: "").contains(Self.keyB))
                }
                let secret = try await Tool.run(card + ["--show-secrets"], in: folder)
                #expect(secret.output.contains("key A is \(Self.keyA) (a key from keys.dic)"))
                #expect(secret.output.contains("10 20 30 40 50 60 7F 07 88 40 A1 B2 C3 D4 E5 F6"))
            }
        }

        @Test func aPartialDumpMarksWhatIsNotKnown() async throws {
            try await withCard { folder in
                let reader = ["--reader", "virtual:card.nfc"]
                let refused = try await Tool.run(["dump", "a.nfc"] + reader, in: folder)
                #expect(refused.status == 77 && refused.errors.contains("--key-file FILE"))
                let marks = [
                    ("p.nfc", "Block 4: ?? ??"), ("p.mct", "-----"), ("p.json", "\"4\": null"),
                    ("p.eml", String(repeating: "-", count: 32)), ("p.hex", "-- -- --"),
                ]
                for (name, mark) in marks {
                    #expect(try await Tool.run(["dump", name, "--partial"] + reader, in: folder).status == 0)
                    #expect(try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).contains(mark))
                }
                // If nothing can represent an unknown byte, no file is created.
                let holes = try await Tool.run(["dump", "p.mfd", "--partial"] + reader, in: folder)
                #expect(holes.status == 78)
                #expect(
                    holes.errors.contains("A .mfd file cannot hold this: ")
                        && holes.errors.contains(
                            "blocks could not be read, and only .nfc, .eml, .mct, .hex and .json files mark"),
                    "\(holes.errors)")
                #expect(
                    holes.errors.contains(
                        "Save the dump as JSON, which supports every tag:  nfctool dump p.json --partial --reader virtual:card.nfc"
                    ))
                let write = ["write", "--text", "x", "--yes"] + reader
                let closed = try await Tool.run(write, in: folder)
                #expect(closed.status == 77 && closed.errors.contains("Give the card's keys:  --key-file FILE"))
                // With its own keys, the card is not blank.
                let opened = try await Tool.run(write + ["--key-file", "own.mct"], in: folder)
                #expect(
                    opened.status == 78 && opened.errors.contains("sector 1 has its own keys"), "\(opened.errors)")
                #expect(!FileManager.default.fileExists(atPath: folder + "/p.mfd"))
                let whole = try await Tool.run(["dump", "p.mfd", "--key-file", "own.mct"] + reader, in: folder)
                #expect(whole.status == 0)
                let same = try await Tool.run(["diff", "p.mfd", "--exit-code"] + reader, in: folder)
                #expect(same.status == 0, "\(same.output)")
            }
        }

        @Test(arguments: ["eml", "hex"]) func aPartialDumpInHexadecimalIsOneLikeAnyOther(ending: String) async throws {
            try await withCard { folder in
                let reader = ["--reader", "virtual:card.nfc"]
                for name in ["p.mct", "p.\(ending)"] {
                    #expect(try await Tool.run(["dump", name, "--partial"] + reader, in: folder).status == 0)
                }
                var descriptions: [String] = []
                for name in ["p.mct", "p.\(ending)"] {
                    let info = try await Tool.run("info", name, in: folder)
                    #expect(info.status == 0, "\(info.errors)")
                    descriptions.append(info.output)
                    let diff = try await Tool.run(["diff", name, "--exit-code"] + reader, in: folder)
                    descriptions.append("\(diff.status) \(diff.output.replacing(name, with: "file"))")
                    let restore = try await Tool.run(["restore", name, "--yes", "--json"] + reader, in: folder)
                    #expect(restore.status == 0, "\(restore.errors)")
                    let missing = try restore.json()["missing"] as? [Int]
                    #expect(missing.map { Set($0).isSuperset(of: 4...6) } ?? false)
                    descriptions.append("\(missing ?? [])")
                }
                #expect(descriptions.prefix(3) == descriptions.suffix(3))
                let same = try await Tool.run("diff", "p.mct", "p.\(ending)", "--exit-code", in: folder)
                #expect(same.status == 0, "\(same.output)")
            }
        }

        @Test func aDumpWithZerosInPlaceOfAKeyIsSaidToLackIt() async throws {
            try await withCard { folder in
                let refused = try await Tool.shell(
                    """
                    nfctool dump d.eml -q --key-file keys.dic --reader virtual:card.nfc && cp card.nfc kept.nfc &&
                    sed -i -E '8s/^.{12}/000000000000/' d.eml &&
                    nfctool restore d.eml --configuration --yes --key-file keys.dic --reader virtual:card.nfc
                    """, in: folder)
                #expect(refused.status == 65, "\(refused.errors)")
                #expect(refused.errors.contains("The dump lacks key A of sector 1: it has zeros there"))
                #expect(refused.errors.contains("or restore the dump without --configuration"))
                #expect(try await Tool.shell("cmp card.nfc kept.nfc", in: folder).status == 0)
            }
        }

        /// The keys of the half-reset card are stored with its old content.
        @Test(arguments: Campaign.isLong ? Array(stride(from: 200, to: 900, by: 7)) : [480, 560])
        func aResetThatWasCutGoesOnWithoutTheKeyFile(number: Int) async throws {
            try await withCard { folder in
                let format = ["format", "--factory", "--yes", "--reader"]
                let cut = try await Tool.run(
                    format + ["virtual:card.nfc?loss=\(number)", "--key-file", "keys.dic"], in: folder)
                guard cut.status != 0 else { return }
                #expect([74, 75].contains(cut.status), "\(cut.output)\(cut.errors)")
                let isKept = FileManager.default.fileExists(atPath: folder + "/nfctool/restores")
                let keys = isKept ? [] : ["--key-file", "keys.dic"]
                let again = try await Tool.run(format + ["virtual:card.nfc"] + keys, in: folder)
                #expect(again.status == 0, "\(again.output)\(again.errors)")
                let same = try await Tool.run(
                    "diff", "blank.mct", "--exit-code", "--reader", "virtual:card.nfc", in: folder)
                #expect(same.status == 0, "\(same.output)")
            }
        }

        @Test func keysThatAreNoneAreNotShown() async throws {
            try await withCard { folder in
                let short = try await Tool.run(
                    "info", "--key", "10203040", "--reader", "virtual:card.nfc", "--json", in: folder)
                #expect(try short.failure()["error"] as? String == "usage" && !short.output.contains("10203040"))
                try "\(Self.keyA)\nxyz\n".write(toFile: folder + "/bad", atomically: true, encoding: .utf8)
                let bad = try await Tool.run("info", "--key-file", "bad", "--reader", "virtual:card.nfc", in: folder)
                #expect(bad.status == 65 && bad.errors.contains("bad, line 2: not a key."))
            }
        }
    }
}
