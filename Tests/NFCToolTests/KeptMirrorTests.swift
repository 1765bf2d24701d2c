// The content that a chip mirrors survives interrupted writes, added records, restores and copies

import Chance
import Foundation
import Testing

extension BuiltBinaryMemory {
    @Suite(.alsoAtRealLatencyInCampaigns) struct KeptMirrorTests {
        private struct Place {
            let folder: String

            func run(
                _ arguments: [String], on tag: String = "tag", kind: String = "ntag213", serial: Int = 1,
                options: String = ""
            ) async throws -> Outcome {
                let reader = "virtual:\(tag).nfc?kind=\(kind)&serial=\(serial)\(options)"
                return try await Tool.run(arguments + ["--reader", reader], in: folder)
            }

            func json(
                _ arguments: [String], on tag: String = "tag", kind: String = "ntag213", serial: Int = 1
            ) async throws -> [String: Any] {
                try await run(arguments + ["--json"], on: tag, kind: kind, serial: serial).json()
            }

            /// Returns the URI or text of each record.
            func texts(on tag: String = "tag", kind: String = "ntag213") async throws -> [String] {
                Self.texts(in: try await json(["read"], on: tag, kind: kind))
            }

            static func texts(in message: [String: Any]) -> [String] {
                let records = message["records"] as? [[String: Any]] ?? []
                return records.map { record in
                    let content = record["content"] as? [String: Any]
                    return content?["uri"] as? String ?? content?["text"] as? String ?? ""
                }
            }

            func mirror(on tag: String = "tag", kind: String = "ntag213") async throws -> String? {
                (try await json(["info"], on: tag, kind: kind)["mirror"] as? [String: Any])?["content"] as? String
            }

            var hasEntry: Bool {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/nfctool/writes")) ?? []
                return names.contains { $0.hasSuffix(".json") }
            }

            func contents(of file: String) throws -> String {
                try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
            }
        }

        private static let uid = "0410571F000180"
        private static let uri = "https://e.com/?u={uid:mirror}x{counter:mirror}"

        private static func isShown(_ texts: [String], uid: String = uid) -> Bool {
            (texts.first ?? "").wholeMatch(of: /https:\/\/e\.com\/\?u=([0-9A-F]{14})x([0-9A-F]{6})/)?.1 ?? "" == uid
        }

        private func withMirroredTag(_ body: (Place) async throws -> Void) async throws {
            try await Tool.withFolder { folder in
                let place = Place(folder: folder)
                #expect(try await place.run(["write", "--uri", Self.uri]).status == 0)
                #expect(Self.isShown(try await place.texts()))
                try await body(place)
            }
        }

        // MARK: Interrupted writes

        static let changes = [
            ["write", "--text", "new text much longer than what it was before"], ["erase"],
            ["write", "--atomic", "--text", "new text"],
        ]

        /// Interrupts a change at every command.
        @Test("A rollback restores the mirror of the old message", arguments: changes, ["loss", "tear"])
        func rollback(change: [String], fault: String) async throws {
            try await withMirroredTag { place in
                let original = try place.contents(of: "tag.nfc")
                var (cuts, withoutMirror) = (0, 0)
                for number in Campaign.cuts(through: 200, every: 3) {
                    try original.write(toFile: place.folder + "/tag.nfc", atomically: true, encoding: .utf8)
                    let cut = try await place.run(change + ["--no-wait", "--json"], options: "&\(fault)=\(number)")
                    if cut.status == 0 { break }
                    #expect(cut.status == 75, "\(fault)=\(number): \(cut.errors)")
                    #expect(number < 198)
                    // A torn message may be unreadable. If the journal knows this, the message counts as an unfinished
                    // write.
                    let read = try await place.run(["read", "--json"])
                    #expect([0, 75, 76].contains(read.status), "\(fault)=\(number): \(read.errors)")
                    let texts = read.status == 0 ? Place.texts(in: try read.json()) : []
                    let isWhole = Self.isShown(texts)
                    let claim = try cut.failure()["contents"] as? String
                    if claim == "unchanged" { #expect(isWhole, "\(fault)=\(number): \(texts)") }
                    guard place.hasEntry else {
                        #expect(isWhole, "\(fault)=\(number): \(texts)")
                        continue
                    }
                    cuts += 1
                    if texts.first?.hasPrefix("https://e.com/?u=0000") == true {
                        withoutMirror += 1
                        let message = try cut.failure()["message"] as? String ?? ""
                        #expect(message.contains("show"), "\(fault)=\(number): \(message)")
                        try await checkRefusals(place)
                    }
                    let recovered = try await place.run(["recover", "--rollback"])
                    #expect(recovered.status == 0, "\(fault)=\(number): \(recovered.errors)")
                    #expect(Self.isShown(try await place.texts()), "\(fault)=\(number)")
                    #expect(try await place.mirror() == "uidAndCounter")
                    #expect(!place.hasEntry)
                }
                #expect(cuts > 2)
                #expect(withoutMirror > 0)
            }
        }

        /// Checks that commands are refused if they would make it permanent that an interrupted write left a mirror
        /// off.
        private func checkRefusals(_ place: Place) async throws {
            #expect(try await place.json(["read"])["unfinished"] as? Bool == true)
            #expect(try await place.json(["info"])["unfinished"] as? Bool == true)
            for command in [["lock", "--yes"], ["write", "--append", "--text", "x", "--yes"], ["copy"]] {
                let refused = try await place.run(command + ["--json", "--timeout", "1s"])
                #expect(refused.status == 75, "\(command)")
                #expect(try refused.failure()["error"] as? String == "unfinishedWrite")
                let message = try refused.failure()["message"] as? String ?? ""
                #expect(message.contains("no longer shows its UID or counter"), "\(message)")
            }
        }

        @Test("An interrupted write that replaces the mirror is finished") func forward() async throws {
            try await withMirroredTag { place in
                let original = try place.contents(of: "tag.nfc")
                var recoveries = 0
                for number in Campaign.cuts(through: 200, every: 3) {
                    try original.write(toFile: place.folder + "/tag.nfc", atomically: true, encoding: .utf8)
                    let cut = try await place.run(
                        ["write", "--no-wait", "--text", "I am {uid:mirror}."], options: "&tear=\(number)")
                    if cut.status == 0 { break }
                    guard place.hasEntry else { continue }
                    recoveries += 1
                    #expect(try await place.run(["recover"]).status == 0)
                    #expect(try await place.texts() == ["I am \(Self.uid)."], "tear=\(number)")
                    #expect(!place.hasEntry)
                }
                #expect(recoveries > 2)
            }
        }

        // MARK: Added records

        @Test("Added records do not move the mirror", arguments: [10, 60])
        func append(length: Int) async throws {
            try await withMirroredTag { place in
                let text = String(repeating: "a", count: length)
                for command in [["--text", text], ["--uri", "https://b.com"]] {
                    let added = try await place.run(["write", "--append"] + command)
                    #expect(added.status == 0, "\(added.errors)")
                }
                #expect(try await place.mirror() == "uidAndCounter")
                let texts = try await place.texts()
                #expect(Self.isShown(texts), "\(texts)")
                #expect(texts.dropFirst() == [text, "https://b.com"])
            }
        }

        /// From 255 bytes on, the length takes three bytes, so the whole message moves.
        @Test("The mirror moves with the message") func longMessage() async throws {
            try await Tool.withFolder { folder in
                let place = Place(folder: folder)
                let text = String(repeating: "a", count: 250)
                for command in [["--uri", Self.uri], ["--append", "--text", text]] {
                    let written = try await place.run(["write"] + command, kind: "ntag216")
                    #expect(written.status == 0, "\(written.errors)")
                }
                let texts = try await place.texts(kind: "ntag216")
                #expect(Self.isShown(texts, uid: String(texts[0].dropFirst(17).prefix(14))), "\(texts)")
                #expect(!texts[0].contains("000000000"))
                #expect(try await place.mirror(kind: "ntag216") == "uidAndCounter")
            }
        }

        @Test("A second mirror requires confirmation, because the first stays as fixed characters") func twoMirrors()
            async throws
        {
            try await withMirroredTag { place in
                let command = ["write", "--append", "--text", "{uid:mirror}"]
                let asked = try await place.run(command + ["--json"])
                #expect(asked.status == 64)
                #expect(try asked.failure()["error"] as? String == "confirmationNeeded")
                #expect((try asked.failure()["message"] as? String)?.contains("fixed characters") == true)
                #expect(Self.isShown(try await place.texts()))
                let agreed = try await place.run(command + ["--yes"])
                #expect(agreed.status == 0, "\(agreed.errors)")
                #expect(try await place.texts().last == Self.uid)
                #expect(try await place.mirror() == "uid")
            }
        }

        // MARK: Restores

        @Test("The content that a restore kept is restored with its mirror") func rescue() async throws {
            try await withMirroredTag { place in
                #expect(try await place.run(["write", "--text", "other"], on: "other", serial: 2).status == 0)
                #expect(try await place.run(["dump", "o.json"], on: "other", serial: 2).status == 0)
                let original = try place.contents(of: "tag.nfc")
                var rescues = 0
                for number in Campaign.cuts(through: 200, every: 4) {
                    try original.write(toFile: place.folder + "/tag.nfc", atomically: true, encoding: .utf8)
                    let cut = try await place.run(
                        ["restore", "o.json", "--yes", "--json", "--timeout", "1s"], options: "&tear=\(number)")
                    if cut.status == 0 { break }
                    #expect(number < 198)
                    guard let old = try cut.failure()["old"] as? String else { continue }
                    rescues += 1
                    // A message that is half old and half new may be unreadable.
                    let held = try? await place.texts()
                    // The restore was interrupted after the last block, so the tag holds the whole dump.
                    if !Self.isShown(held ?? []), held != ["other"] {
                        let refused = try await place.run(["lock", "--yes", "--json"])
                        #expect(refused.status == 75, "tear=\(number)")
                        #expect(try refused.failure()["operation"] as? String == "restore")
                        let read = try await place.run(["read", "--json"])
                        let isNoted = try held == nil || read.json()["unfinished"] as? Bool == true
                        #expect(isNoted, "tear=\(number)")
                    }
                    let rescued = try await place.run(["restore", old, "--yes"])
                    #expect(rescued.status == 0, "tear=\(number): \(rescued.errors)")
                    let texts = try await place.texts()
                    #expect(Self.isShown(texts), "tear=\(number): \(texts)")
                    #expect(try await place.mirror() == "uidAndCounter")
                }
                #expect(rescues > 2)
            }
        }

        @Test("A restore that changes nothing leaves an interrupted write to recover") func unchangingRestore()
            async throws
        {
            try await withMirroredTag { place in
                for number in Campaign.cuts(through: 60, every: 3) {
                    let cut = try await place.run(
                        ["write", "--no-wait", "--timeout", "1s", "--text", "a replacement"], options: "&tear=\(number)"
                    )
                    guard cut.status != 0, place.hasEntry else { continue }
                    let dump = try await place.json(["dump", "z.json", "--overwrite"])
                    let isTorn = try await place.json(["info"])["unfinished"] as? Bool == true
                    #expect((dump["unfinished"] as? Bool == true) == isTorn, "tear=\(number)")
                    #expect(try await place.run(["restore", "z.json"]).status == 0, "tear=\(number)")
                    #expect(place.hasEntry, "tear=\(number)")
                    #expect(try await place.run(["recover", "--rollback"]).status == 0, "tear=\(number)")
                    #expect(Self.isShown(try await place.texts()), "tear=\(number)")
                }
            }
        }

        @Test("A restore that would lock zeros says so before") func lockedZeros() async throws {
            try await withMirroredTag { place in
                #expect(try await place.run(["lock", "--yes"]).status == 0)
                #expect(try await place.run(["dump", "locked.json"]).status == 0)
                let command = ["restore", "locked.json", "--lock-bits", "--otp"]
                let asked = try await place.run(command + ["--json"], on: "fresh", serial: 3)
                #expect(asked.status == 64)
                let facts = try asked.failure()["facts"] as? [String] ?? []
                #expect(facts.contains { $0.contains("zeros") && $0.contains("permanent") }, "\(facts)")
                let agreed = try await place.run(command + ["--yes"], on: "agreed", serial: 4)
                #expect(agreed.status == 0)
                #expect(agreed.errors.contains("zeros"), "\(agreed.errors)")
                let own = try await place.run(command + ["--configuration", "--yes"], on: "fresh", serial: 3)
                #expect(own.status == 0, "\(own.errors)")
                #expect(Self.isShown(try await place.texts(on: "fresh"), uid: "0410571F000380"))
            }
        }

        // MARK: Copies

        @Test("Each copy shows its own UID") func copy() async throws {
            try await withMirroredTag { place in
                for name in ["a", "b"] {
                    let serial = name == "a" ? 2 : 3
                    #expect(try await place.run(["write", "--text", "x"], on: name, serial: serial).status == 0)
                }
                let copied = try await Tool.run(
                    ["copy", "--count", "2", "--json", "--reader", "virtual:tag.nfc,a.nfc,b.nfc?stream"],
                    in: place.folder)
                #expect(copied.status == 0, "\(copied.errors)")
                #expect(Self.isShown(try await place.texts(on: "a"), uid: "0410571F000280"))
                #expect(Self.isShown(try await place.texts(on: "b"), uid: "0410571F000380"))
                #expect(try copied.jsonLines().allSatisfy { $0["fixed"] == nil })
            }
        }

        @Test("A copy that would contain the UID of its source requires confirmation") func fixedCopy() async throws {
            try await withMirroredTag { place in
                let type4 = ["--reader", "virtual:tag.nfc,b.nfc?stream"]
                #expect(try await place.run(["write", "--text", "x"], on: "b", kind: "type4").status == 0)
                let asked = try await Tool.run(["copy", "--json"] + type4, in: place.folder)
                #expect(asked.status == 64, "\(asked.errors)")
                #expect((try asked.failure()["message"] as? String)?.contains(Self.uid) == true)
                let agreed = try await Tool.run(["copy", "--json", "--yes"] + type4, in: place.folder)
                #expect(agreed.status == 0, "\(agreed.errors)")
                #expect(try agreed.json()["fixed"] as? String == "uidAndCounter")
                let read = try await place.json(["read"], on: "b", kind: "type4")["records"] as? [[String: Any]]
                let uri = (read?.first?["content"] as? [String: Any])?["uri"] as? String
                #expect(uri?.contains(Self.uid) == true)
            }
        }
    }
}
