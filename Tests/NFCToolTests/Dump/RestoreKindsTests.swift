// dump, restore and diff of every kind of tag

import Chance
import Foundation
import Testing

extension BuiltBinaryRestores {
    @Suite struct RestoreKindsTests {
        private static let kinds: [(kind: String, formats: [String])] = [
            ("felica-lite-s-ndef", ["nfc", "json"]), ("type3", ["nfc", "json"]), ("type4", ["json"]),
            ("type4-v3", ["json"]), ("classic1k-ndef", ["nfc", "mfd", "json", "mct"]),
            ("classic4k-ndef", ["bin", "mct"]),
            ("ultralight-c", ["json"]), ("ultralight-ev1-128", ["nfc"]), ("ntag203", ["bin"]),
            ("ntag-i2c-1k", ["nfc", "bin", "json"]), ("ntag-i2c-2k", ["nfc", "bin", "json"]),
        ]

        @Test(.alsoAtRealLatency, arguments: kinds)
        func aDumpBringsBackWhatWasOnTheTag(kind: String, formats: [String]) async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=\(kind)"]
                let write = ["write", "--yes", "--quiet", "--text"]
                for format in Campaign.isLong ? formats : [formats[0]] {
                    #expect(try await Tool.run(write + ["before, and long enough"] + tag, in: folder).status == 0)
                    let dump = try await Tool.run(["dump", "a.\(format)"] + tag, in: folder)
                    #expect(dump.status == 0, "\(dump.errors)")
                    #expect(try await Tool.run(write + ["after"] + tag, in: folder).status == 0)
                    let changed = try await Tool.run(["diff", "a.\(format)", "--json"] + tag, in: folder).json()
                    #expect(changed["same"] as? Bool == false)
                    let restored = try await Tool.run(["restore", "a.\(format)"] + tag, in: folder)
                    #expect(restored.status == 0, "\(restored.errors)")
                    #expect(!restored.output.contains("stay as they are"), "\(restored.output)")
                    let same = try await Tool.run(["diff", "a.\(format)"] + tag, in: folder)
                    #expect(same.output.contains("hold the same"), "\(same.output)")
                    let read = try await Tool.run(["read"] + tag, in: folder)
                    #expect(read.output.contains("before, and long enough"))
                }
                #expect(try Self.restores(in: folder) == [])
            }
        }

        /// The sectors of an NTAG I2C: a message of 1840 bytes reaches far into the second sector.
        ///
        /// In CI, SectorPaceTests restores both sectors at real latency.
        @Test(.alsoAtRealLatencyInCampaigns, arguments: [("ntag-i2c-1k", 840, 231), ("ntag-i2c-2k", 1840, 485)])
        func theSectorsOfAnNTAGI2CAreAllInItsDumps(kind: String, length: Int, blocks: Int) async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=\(kind)"]
                let text = String(repeating: "0123456789", count: length / 10)
                #expect(try await Tool.run(["write", "--text", text] + tag, in: folder).status == 0)
                for format in ["nfc", "bin", "json"] {
                    let dump = try await Tool.run(["dump", "a.\(format)", "--json"] + tag, in: folder)
                    #expect(try dump.json()["blocks"] as? Int == blocks)
                }
                #expect(try await Tool.run(["erase", "--wipe"] + tag, in: folder).status == 0)
                for (format, other) in [("nfc", "bin"), ("bin", "json"), ("json", "nfc")] {
                    let same = try await Tool.run("diff", "a.\(format)", "a.\(other)", "--json", in: folder)
                    #expect(try same.json()["same"] as? Bool == true, "\(same.output)")
                    let restored = try await Tool.run(["restore", "a.\(format)"] + tag, in: folder)
                    #expect(restored.status == 0, "\(restored.errors)")
                    #expect(try await Tool.run(["read"] + tag, in: folder).output.contains(text))
                    #expect(try await Tool.run(["erase", "--wipe"] + tag, in: folder).status == 0)
                }
                // Flipper's file is read as a tag by an implementation independent of the one that wrote it.
                let read = try await Tool.run("read", "--reader", "virtual:a.nfc", in: folder)
                #expect(read.output.contains(text))
            }
        }

        /// NC_REG and the rest of the configuration are restored only if requested, and REG_LOCK only with lock bits.
        @Test func registersOfAnNTAGI2CAreConfigurationAndREGLOCKIsForEver() async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=ntag-i2c-1k"]
                #expect(try await Tool.run(["dump", "a.json"] + tag, in: folder).status == 0)
                let path = folder + "/a.json"
                let file = try String(contentsOfFile: path, encoding: .utf8)
                let changed = file.replacing("\"0100F848\"", with: "\"0500F848\"")
                    .replacing("\"08010000\"", with: "\"08010300\"")
                #expect(changed != file)
                try changed.write(toFile: path, atomically: true, encoding: .utf8)
                func restore(_ arguments: String...) async throws -> [String: Any] {
                    let outcome = try await Tool.run(["restore", "a.json", "--json"] + arguments + tag, in: folder)
                    #expect(outcome.status == 0, "\(outcome.errors)")
                    return try outcome.json()
                }
                #expect(try await restore()["kept"] as? [Int] == [232, 233])
                #expect(try await restore("--configuration", "--yes")["written"] as? [Int] == [232])
                #expect(try await restore()["kept"] as? [Int] == [233])
                let asked = try await Tool.run(
                    ["restore", "a.json", "--json", "--configuration", "--lock-bits"] + tag, in: folder)
                #expect(asked.status == 64)
                #expect(asked.errors.contains("configuration, block 233: 08010000 becomes 08010300"), "\(asked.errors)")
                let all = try await restore("--configuration", "--lock-bits", "--yes")
                #expect(all["written"] as? [Int] == [233])
                let same = try await Tool.run(["diff", "a.json"] + tag, in: folder)
                #expect(same.output.contains("hold the same"), "\(same.output)")
            }
        }

        /// Returns the dumps of tags whose restore is not verified.
        private static func restores(in folder: String) throws -> [String] {
            let path = folder + "/nfctool/restores"
            guard FileManager.default.fileExists(atPath: path) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".json") }
        }

        @Test(arguments: ["felica-lite-s-ndef", "type3", "classic1k-ndef", "type4"])
        func aCutAfterAnyCommandIsMendedByTheNextRestore(kind: String) async throws {
            try await Tool.withFolder { folder in
                let path = folder + "/tag.nfc"
                let tag = ["--reader", "virtual:tag.nfc?kind=\(kind)"]
                #expect(try await Tool.run(["write", "--text", "old old old"] + tag, in: folder).status == 0)
                #expect(try await Tool.run(["dump", "a.json"] + tag, in: folder).status == 0)
                #expect(try await Tool.run(["write", "--uri", "tel:+123456789"] + tag, in: folder).status == 0)
                let changed = try String(contentsOfFile: path, encoding: .utf8)
                var cuts = 0
                var keeps = 0
                for number in Campaign.cuts(through: 399, every: 4) {
                    try changed.write(toFile: path, atomically: true, encoding: .utf8)
                    let cut = try await Tool.run(
                        "restore", "a.json", "--json", "--reader", "virtual:tag.nfc?kind=\(kind)&loss=\(number)",
                        in: folder)
                    if cut.status == 0 { break }
                    cuts += 1
                    #expect(cut.status == 75, "loss=\(number): \(cut.errors)")
                    let kept = try Self.restores(in: folder)
                    // Nothing has been sent yet that could need a repair.
                    if kept.isEmpty, kind != "type4" {
                        #expect(try String(contentsOfFile: path, encoding: .utf8) == changed)
                        continue
                    }
                    if let file = kept.first {
                        keeps += 1
                        #expect(try cut.failure()["old"] as? String == folder + "/nfctool/restores/" + file)
                        let old = try await Tool.run(
                            "diff", "nfctool/restores/\(file)", "a.json", "--json", in: folder)
                        #expect(try old.json()["same"] as? Bool == false)
                    }
                    let mended = try await Tool.run(["restore", "a.json"] + tag, in: folder)
                    #expect(mended.status == 0, "loss=\(number): \(mended.errors)")
                    #expect(try Self.restores(in: folder) == [])
                    let same = try await Tool.run(["diff", "a.json"] + tag, in: folder)
                    #expect(same.output.contains("hold the same"), "loss=\(number): \(same.output)")
                }
                #expect((Campaign.isLong ? 6..<399 : 2..<100).contains(cuts))
                #expect(keeps > 0 || kind == "type4")
            }
        }

        @Test func whatACutRestoreKeptBringsTheOldContentBack() async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=felica-lite-s-ndef"]
                #expect(try await Tool.run(["dump", "a.nfc"] + tag, in: folder).status == 0)
                #expect(try await Tool.run(["write", "--text", "the old content"] + tag, in: folder).status == 0)
                var old: String?
                for number in 1..<200 where old == nil {
                    let cut = try await Tool.run(
                        "restore", "a.nfc", "--json", "--reader",
                        "virtual:tag.nfc?kind=felica-lite-s-ndef&loss=\(number)", in: folder)
                    #expect(cut.status == 75)
                    old = try cut.failure()["old"] as? String
                }
                #expect(try await Tool.run(["restore", try #require(old)] + tag, in: folder).status == 0)
                #expect(try await Tool.run(["read"] + tag, in: folder).output.contains("the old content"))
                #expect(try Self.restores(in: folder) == [])
            }
        }

        /// The trailers contain keys and access bits: a card that was initialised for NDEF becomes blank again.
        @Test func trailersOfClassicAreRestoredWhenAskedFor() async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=classic1k"]
                #expect(try await Tool.run(["dump", "a.mfd"] + tag, in: folder).status == 0)
                let format = try await Tool.run(["format", "--yes"] + tag, in: folder)
                #expect(format.status == 0, "\(format.errors)")
                let data = try await Tool.run(["restore", "a.mfd", "--json"] + tag, in: folder)
                #expect(try data.json()["kept"] as? [Int] == Array(stride(from: 3, to: 64, by: 4)))
                let asked = try await Tool.run(["restore", "a.mfd", "--configuration", "--json"] + tag, in: folder)
                #expect(asked.status == 64)
                let restored = try await Tool.run(
                    ["restore", "a.mfd", "--configuration", "--yes", "--json"] + tag, in: folder)
                #expect(restored.status == 0, "\(restored.errors)")
                #expect(try restored.json()["written"] as? [Int] == Array(stride(from: 3, to: 64, by: 4)))
                let same = try await Tool.run(["diff", "a.mfd"] + tag, in: folder)
                #expect(same.output.contains("hold the same"), "\(same.output)")
            }
        }

        @Test(arguments: [
            ("topaz96", "topaz512"), ("classic1k", "classic4k"), ("felica-lite-s", "type4"), ("type4", "ntag213"),
            ("classic1k", "topaz512"), ("topaz512", "type3"), ("ntag216", "ntag-i2c-1k"),
            ("ntag-i2c-1k", "ntag-i2c-2k"),
        ])
        func aDumpOfAnotherChipIsRefusedBeforeAnyWrite(dumped: String, tag: String) async throws {
            try await Tool.withFolder { folder in
                let dump = try await Tool.run("dump", "a.json", "--reader", "virtual:\(dumped)", in: folder)
                #expect(dump.status == 0, "\(dump.errors)")
                let restore = try await Tool.run(
                    "restore", "a.json", "--json", "--reader", "virtual:\(tag)", in: folder)
                #expect(restore.status == 78)
                #expect(try restore.failure()["error"] as? String == "wrongChip")
            }
        }

        @Test(.alsoAtRealLatency, arguments: ["topaz96", "topaz512"])
        func aTopazHoldsItsOwnDump(kind: String) async throws {
            try await Tool.withFolder { folder in
                // A PN532 reads only the first 16 blocks, and raw memory cannot have gaps.
                for file in kind == "topaz96" ? ["a.bin", "a.json"] : ["a.json"] {
                    let dump = try await Tool.run("dump", file, "--reader", "virtual:\(kind)", in: folder)
                    #expect(dump.status == 0, "\(dump.errors)")
                    for command in ["restore", "diff"] {
                        let outcome = try await Tool.run(command, file, "--reader", "virtual:\(kind)", in: folder)
                        #expect(outcome.status == 0 && !outcome.output.contains("differ"), "\(outcome.output)")
                    }
                }
            }
        }

        @Test func aFileOfNoKnownFormatIsRefused() async throws {
            let files = [
                "{}", "Filetype: Flipper NFC device\nVersion: 9\n", "no dump",
                #"{"FileType": "nfctool", "schema": 1, "kind": "type4", "files": {"E103": "000F20"}}"#,
            ]
            for file in files {
                let outcome = try await Tool.run(
                    ["restore", "-", "--json", "--reader", "virtual:type4"], input: file)
                #expect(outcome.status == 65, "\(file): \(outcome.output)\(outcome.errors)")
            }
        }
    }
}
