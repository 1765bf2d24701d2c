// A restore that made a change permanent, and one that sets a mark: its advice on restoring the old content is true

import Foundation
import Testing

extension BuiltBinaryRestores {
    @Suite struct PermanentRestoreTests {
        /// Two tags of one kind: `a`, whose dump is restored, and `b`, to which it is restored.
        private struct Place {
            let folder: String
            let kind: String
            let options: [String]

            func run(_ arguments: [String], on tag: String = "b", faults: String = "") async throws -> Outcome {
                let serial = tag == "a" ? 1 : 2
                return try await Tool.run(
                    arguments + ["--reader", "virtual:\(tag).nfc?kind=\(kind)&serial=\(serial)\(faults)"], in: folder)
            }

            func text() async throws -> String? {
                let records = try await run(["read", "--json"]).json()["records"] as? [[String: Any]]
                return (records?.first?["content"] as? [String: Any])?["text"] as? String
            }

            func edit(_ file: String, _ change: (String) -> String) throws {
                let path = folder + "/" + file
                let text = try String(contentsOfFile: path, encoding: .utf8)
                let changed = change(text)
                #expect(changed != text)
                try changed.write(toFile: path, atomically: true, encoding: .utf8)
            }

            /// Interrupts the restore at the first of these commands that leaves the tag in the wanted state.
            ///
            /// Returns the output of the restore.
            func cut(at numbers: StrideTo<Int>, where isWanted: (String) -> Bool) async throws -> String {
                let file = folder + "/b.nfc"
                let before = try String(contentsOfFile: file, encoding: .utf8)
                for number in numbers {
                    let outcome = try await run(
                        ["restore", "a.json", "--yes"] + options, faults: "&tear=\(number)")
                    let after = try String(contentsOfFile: file, encoding: .utf8)
                    if outcome.status == 75, isWanted(after) { return outcome.errors }
                    try before.write(toFile: file, atomically: true, encoding: .utf8)
                    try? FileManager.default.removeItem(atPath: folder + "/nfctool/restores")
                }
                Issue.record("No restore was interrupted at these commands.")
                return ""
            }

            func note() async throws -> String { try await run(["read"]).errors }

            func follow(_ purpose: String, in note: String) async throws -> Outcome {
                let line = note.split(separator: "\n").first { $0.contains("   \(purpose)") }
                let command = try #require(line?.firstRange(of: "   \(purpose)").map { line?[..<$0.lowerBound] })
                return try await Tool.shell(
                    "\(command ?? "") --yes --reader 'virtual:b.nfc?kind=\(kind)&serial=2'", in: folder)
            }
        }

        /// Runs a test with a dump of tag a, which is locked first if `isLocked`, and a second tag that holds another
        /// message.
        private static func withTags(
            _ kind: String, isLocked: Bool, options: [String], _ body: (Place) async throws -> Void
        ) async throws {
            try await Tool.withFolder { folder in
                let place = Place(folder: folder, kind: kind, options: options)
                let write = ["write", "--yes", "--quiet", "--text"]
                #expect(try await place.run(write + ["dumped dumped dumped dumped"], on: "a").status == 0)
                if isLocked { #expect(try await place.run(["lock", "--yes"], on: "a").status == 0) }
                #expect(try await place.run(["dump", "a.json"], on: "a").status == 0)
                #expect(try await place.run(write + ["PRECIOUS PRECIOUS PRECIOUS"]).status == 0)
                try await body(place)
            }
        }

        private static let whole = "   brings the old content back\n"

        @Test func aFrozenSectorIsNotSaidToComeBack() async throws {
            try await Self.withTags("classic1k-ndef", isLocked: true, options: ["--configuration"]) { place in
                let said = try await place.cut(at: stride(from: 140, to: 240, by: 20)) {
                    $0.contains(/Block 7: D3 F7 D3 F7 D3 F7 07 8F 0F/) && !$0.contains(/Block 63: .{17} 07 8F 0F/)
                }
                #expect(
                    said.contains("unless these bits were set permanently: access bits of sectors 0, 1, 2,"), "\(said)")
                let refused = try await place.run(["lock", "--yes"]).errors
                for note in [try await place.note(), refused] {
                    #expect(!note.contains("brings the old"), "\(note)")
                    let bits = note.firstMatch(
                        of: /cannot bring the old content back: access bits of sectors 0, 1([, 0-9]*) are/)
                    #expect(bits.map { !$0.1.contains("15") } == true, "\(note)")
                    #expect(note.contains("/restores/"), "\(note)")
                    #expect(!note.contains("nfctool erase"), "\(note)")
                }
                let list = try await Tool.run("recover", "--list", in: place.folder)
                #expect(
                    list.output.contains("unless these bits were set permanently: access bits of sectors 0, 1, 2,"),
                    "\(list.output)")
                let done = try await place.follow("finishes the restore", in: try await place.note())
                #expect(done.status == 0, "\(done.errors)")
            }
        }

        @Test func aSectorThatIsNotFrozenYetComesBack() async throws {
            try await Self.withTags("classic1k-ndef", isLocked: true, options: ["--configuration"]) { place in
                _ = try await place.cut(at: stride(from: 70, to: 150, by: 2)) {
                    $0.contains(/Block 5: .* 64 75 6D 70/) && !$0.contains(/Block 3: .{17} 07 8F 0F/)
                }
                let note = try await place.note()
                #expect(note.contains(Self.whole), "\(note)")
                let back = try await place.follow("brings the old content back", in: note)
                #expect(back.status == 0, "\(back.errors)")
                #expect(try await place.text() == "PRECIOUS PRECIOUS PRECIOUS")
            }
        }

        /// The access bits of sector 1 can never be changed again, but still allow writing its blocks.
        @Test func dataThatStaysWritableComesBackThoughItsAccessBitsDoNot() async throws {
            try await Self.withTags("classic1k-ndef", isLocked: false, options: ["--configuration"]) { place in
                try place.edit("a.json") { text in
                    text.replacing(#""7": "D3F7D3F7D3F77F078840"#, with: #""7": "D3F7D3F7D3F7778F0840"#)
                        .replacing(#""11": "D3F7D3F7D3F77F078840"#, with: #""11": "D3F7D3F7D3F7778F0840"#)
                }
                _ = try await place.cut(at: stride(from: 60, to: 180, by: 4)) {
                    $0.contains(/Block 7: .{17} 77 8F 08/) && $0.contains(/Block 11: .{17} 7F 07 88/)
                }
                let note = try await place.note()
                #expect(note.contains("; these bits are permanent now: access bits of sector 1\n"), "\(note)")
                let back = try await place.follow("brings the old data back", in: note)
                #expect(back.status == 0, "\(back.errors)")
                #expect(try await place.text() == "PRECIOUS PRECIOUS PRECIOUS")
            }
        }

        @Test func blocksThatLockBitsCloseAreNotSaidToComeBack() async throws {
            try await Self.withTags("ntag213", isLocked: true, options: ["--lock-bits"]) { place in
                _ = try await place.cut(at: stride(from: 16, to: 60, by: 1)) {
                    $0.contains(/Page 2: .. .. FF FF/) && $0.contains(/Page 40: 00 00 00/)
                }
                let note = try await place.note()
                #expect(!note.contains("brings the old"), "\(note)")
                #expect(
                    note.contains("cannot bring the old content back: static lock bits are permanent now."), "\(note)")
            }
        }

        /// Returns the dump of a writable tag, changed to contain the mark that forbids writing.
        private static func mark(_ text: String) -> String {
            text.replacing(/"0": "([0-9A-F]{20})01([0-9A-F]{6})([0-9A-F]{4})"/) { match in
                let sum = (Int(match.3, radix: 16) ?? 0) - 1
                let digits = String(sum, radix: 16, uppercase: true)
                return #""0": "\#(match.1)00\#(match.2)\#(String(repeating: "0", count: 4 - digits.count))\#(digits)""#
            }
        }

        @Test(arguments: ["type3", "felica-lite-s-ndef"])
        func theReadOnlyMarkOfAType3TagIsAskedFor(kind: String) async throws {
            try await Self.withTags(kind, isLocked: false, options: []) { place in
                // A dump of this same tag, so that no other question is asked.
                #expect(try await place.run(["dump", "open.json"]).status == 0)
                try FileManager.default.copyItem(
                    atPath: place.folder + "/open.json", toPath: place.folder + "/marked.json")
                try place.edit("marked.json", Self.mark)
                let before = try String(contentsOfFile: place.folder + "/b.nfc", encoding: .utf8)
                let asked = try await place.run(["restore", "marked.json", "--lock-bits", "--json"])
                #expect(asked.status == 64, "\(asked.output)")
                let facts = (try asked.failure()["facts"] as? [String] ?? []).joined(separator: "\n")
                #expect(facts.contains("block 0: "), "\(facts)")
                #expect(facts.contains("marks the tag as read-only for readers"), "\(facts)")
                #expect(facts.contains("ignore this mark can still write to the tag and remove the mark."), "\(facts)")
                #expect(!facts.contains("permanent") && !facts.contains("cannot be undone"), "\(facts)")
                #expect(try String(contentsOfFile: place.folder + "/b.nfc", encoding: .utf8) == before)
                let agreed = try await place.run(["restore", "marked.json", "--lock-bits", "--yes"])
                #expect(agreed.status == 0, "\(agreed.errors)")
                #expect(agreed.errors.contains("marks the tag as read-only for readers"), "\(agreed.errors)")
                // Removing the mark locks nothing.
                #expect(try await place.run(["restore", "open.json", "--lock-bits"]).status == 0)
                #expect(try await place.run(["write", "--text", "again"]).status == 0)
            }
        }

        @Test func aClassicWhoseKeysChangedIsSaidToNeedKeys() async throws {
            try await Self.withTags("classic1k-ndef", isLocked: false, options: []) { place in
                try place.edit("b.nfc") {
                    $0.replacing(
                        "Block 7: D3 F7 D3 F7 D3 F7 7F 07 88 40 FF FF FF FF FF FF",
                        with: "Block 7: A1 A2 A3 A4 A5 A6 7F 07 88 40 B1 B2 B3 B4 B5 B6")
                }
                let outcome = try await place.run(["restore", "a.json", "--yes", "--json"])
                #expect(outcome.status == 77)
                let failure = try outcome.failure()
                #expect(failure["error"] as? String == "passwordNeeded")
                let (message, advice) = (failure["message"] as? String ?? "", failure["advice"] as? String ?? "")
                #expect(message.contains("Sector 1"), "\(message)")
                #expect(advice.contains("keys"), "\(advice)")
                for text in [message, advice] { #expect(!text.contains("password"), "\(text)") }
                #expect(!advice.contains("hexadecimal"), "\(advice)")
            }
        }

        /// An NTAG213 has no dynamic lock bits in this place.
        @Test func lockBitsThatTheChipDoesNotKeepAreNamed() async throws {
            try await Self.withTags("ntag213", isLocked: false, options: []) { place in
                try place.edit("a.json") { $0.replacing(#""40": "000000BD""#, with: #""40": "00F0C0BD""#) }
                for _ in 1...2 {
                    let outcome = try await place.run(["restore", "a.json", "--lock-bits", "--yes", "--json"])
                    #expect(outcome.status == 76)
                    let advice = try outcome.failure()["advice"] as? String ?? ""
                    #expect(advice.contains("Block 40 did not keep the bits 00F0C000"), "\(advice)")
                    #expect(advice.contains("Write 000000BD for block 40 in the dump"), "\(advice)")
                    #expect(!advice.contains("Run the command again;"), "\(advice)")
                }
                try place.edit("a.json") { $0.replacing("00F0C0BD", with: "000000BD") }
                #expect(try await place.run(["restore", "a.json", "--lock-bits", "--yes"]).status == 0)
                #expect(try await place.text() == "dumped dumped dumped dumped")
            }
        }
    }
}
