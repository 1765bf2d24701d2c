// Access bits that let no key read the data of a MIFARE Classic

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct ClosedSectorTests {
        private static let card = ["--reader", "virtual:card.nfc"]

        private func withDump(closing sector: Int, _ body: (String) async throws -> Void) async throws {
            try await Tool.withFolder { folder in
                let new = ["--reader", "virtual:card.nfc?kind=classic1k"]
                #expect(try await Tool.run(["dump", "open.eml"] + new, in: folder).status == 0)
                let text = try String(contentsOfFile: folder + "/open.eml", encoding: .utf8)
                var lines = text.split(separator: "\n").map(String.init)
                lines[sector * 4 + 3] = "FFFFFFFFFFFF00F0FF69FFFFFFFFFFFF"
                try lines.joined(separator: "\n").write(
                    toFile: folder + "/closed.eml", atomically: true, encoding: .utf8)
                try await body(folder)
            }
        }

        private static let restore = ["restore", "closed.eml", "--configuration"] + card

        @Test("The question says that data can never be read again") func question() async throws {
            try await withDump(closing: 4) { folder in
                let asked = try await Tool.run(Self.restore, in: folder)
                #expect(asked.status == 64)
                #expect(
                    asked.errors.contains(
                        "blocks 16-18 can never be read or written again, the access bits can never be changed again"),
                    "\(asked.errors)")
            }
        }

        @Test("No key is requested if none would help") func noKeyHelps() async throws {
            try await withDump(closing: 4) { folder in
                #expect(try await Tool.run(Self.restore + ["--yes"], in: folder).status == 0)
                let dump = try await Tool.run(["dump", "x.mct"] + Self.card, in: folder)
                #expect(dump.status == 77)
                #expect(
                    dump.errors.contains("cannot be read with any key: blocks 16-18. The access bits let no key read"),
                    "\(dump.errors)")
                #expect(dump.errors.contains("--partial") && !dump.errors.contains("--key-file"), "\(dump.errors)")
                let reset = try await Tool.run(["format", "--factory", "--yes"] + Self.card, in: folder)
                #expect(reset.status == 77)
                #expect(
                    reset.errors.contains(
                        "the access bits of sector 4 let no key read block 16, and can never be changed"),
                    "\(reset.errors)")
                #expect(!reset.errors.contains("--key-file"), "\(reset.errors)")
            }
        }

        @Test("A blocked sector does not hide the other sectors") func blocked() async throws {
            try await Tool.withFolder { folder in
                let new = ["--reader", "virtual:card.nfc?kind=classic1k-ndef"]
                #expect(try await Tool.run(["write", "--uri", "https://a.b"] + new, in: folder).status == 0)
                let file = folder + "/card.nfc"
                let text = try String(contentsOfFile: file, encoding: .utf8)
                let start = try #require(text.range(of: "Block 39: "))
                let bits = try #require(text.range(of: "7F 07 88", range: start.upperBound..<text.endIndex))
                try text.replacingCharacters(in: bits, with: "7F 07 89").write(
                    toFile: file, atomically: true, encoding: .utf8)

                let info = try await Tool.run(["info"] + Self.card, in: folder)
                #expect(info.status == 0, "\(info.errors)")
                #expect(info.output.contains("blocked permanently: its access bits are invalid"), "\(info.output)")
                let whole = try await Tool.run(["dump", "whole.nfc"] + Self.card, in: folder)
                #expect(whole.status == 77)
                #expect(
                    whole.errors.contains(
                        "cannot be read with any key: blocks 36-39. Sector 9 is blocked permanently"),
                    "\(whole.errors)")
                let dump = try await Tool.run(["dump", "part.nfc", "--partial"] + Self.card, in: folder)
                #expect(dump.status == 0, "\(dump.errors)")
                #expect(dump.output.contains("blocks 36-39 could not be read"), "\(dump.output)")
                let restore = try await Tool.run(["restore", "part.nfc", "--yes", "--json"] + Self.card, in: folder)
                #expect(restore.status == 0, "\(restore.errors)")
                let report = try restore.json()
                #expect(report["missing"] as? [Int] == [36, 37, 38, 39], "\(restore.output)")
                #expect(report["verified"] as? Bool == false, "\(restore.output)")
                let reset = try await Tool.run(["format", "--factory", "--yes"] + Self.card, in: folder)
                #expect(reset.status == 0, "\(reset.errors)")
                #expect(reset.errors.contains("Sector 9 is blocked permanently"), "\(reset.errors)")
                let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
                #expect(lines.contains { $0.hasPrefix("Block 43: FF FF FF FF FF FF FF 07 80 69") })
                #expect(lines.contains { $0.hasPrefix("Block 39: D3 F7 D3 F7 D3 F7 7F 07 89") })
            }
        }

        @Test("info and read explain a first sector that no key reads") func firstSector() async throws {
            try await withDump(closing: 0) { folder in
                #expect(try await Tool.run(Self.restore + ["--yes"], in: folder).status == 0)
                let info = try await Tool.run(["info"] + Self.card, in: folder)
                #expect(info.status == 0, "\(info.errors)")
                #expect(
                    info.output.contains("the access bits of sector 0 let no key read block 1"), "\(info.output)")
                let read = try await Tool.run(["read"] + Self.card, in: folder)
                #expect(
                    (read.output + read.errors).contains("the access bits of sector 0 let no key read block 1"),
                    "\(read.errors)")
                #expect(!read.errors.contains("did not execute"), "\(read.errors)")
            }
        }
    }
}
