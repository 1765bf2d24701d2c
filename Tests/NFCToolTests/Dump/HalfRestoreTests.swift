// After an interrupted restore, no content is lost, and no command treats the mixture as complete

import Chance
import Foundation
import Testing

extension BuiltBinaryCuts {
    @Suite(.alsoAtRealLatencyInCampaigns) struct HalfRestoreTests {
        private static let (dumped, precious) = ("dumped " * 14, "PRECIOUS " * 13)
        private static let kept = "0411571F000180.json"

        /// A tag in a file, and the content that nfctool keeps for it.
        private struct Place {
            let folder: String

            func run(_ arguments: [String], options: String = "") async throws -> Outcome {
                try await Tool.run(
                    arguments + ["--reader", "virtual:tag.nfc?serial=1\(options)"], in: folder)
            }

            func write(_ text: String, _ more: [String] = []) async throws {
                let outcome = try await run(["write", "--text", text] + more)
                #expect(outcome.status == 0, "\(outcome.errors)")
            }

            /// Writes text to the tag like another computer or a phone.
            func writeElsewhere(_ text: String) async throws {
                let written = try await Tool.shell(
                    "XDG_STATE_HOME=$PWD/elsewhere nfctool write --text '\(text)' --reader 'virtual:tag.nfc?serial=1'",
                    in: folder)
                #expect(written.status == 0, "\(written.errors)")
            }

            func restore(_ file: String, options: String = "") async throws -> Outcome {
                try await run(["restore", "--yes", "--json", file], options: options)
            }

            func tag() throws -> String { try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8) }

            func text() async throws -> String? {
                let records = try await run(["read", "--json"]).json()["records"] as? [[String: Any]]
                return (records?.first?["content"] as? [String: Any])?["text"] as? String
            }

            func isUnfinished() async throws -> Bool {
                // `info` also shows a tag whose message is broken.
                try await run(["info", "--json"]).json()["unfinished"] as? Bool ?? false
            }

            /// The content kept for restores, without the records.
            var restores: [String] {
                let names = try? FileManager.default.contentsOfDirectory(atPath: folder + "/nfctool/restores")
                return (names ?? []).filter { !$0.hasSuffix(".record") }.sorted()
            }

            func path(_ file: String) -> String { folder + "/nfctool/restores/" + file }

            /// Interrupts a restore after some of its blocks, at the first suitable command from number `first` on.
            func cut(_ file: String, from first: Int = 14) async throws -> (number: Int, failure: [String: Any]) {
                let (before, dumps) = (try tag(), restores)
                for number in first..<first + 40 {
                    let outcome = try await restore(file, options: "&tear=\(number)")
                    #expect(outcome.status == 75, "\(outcome.output)\(outcome.errors)")
                    if !restores.isEmpty, try await isUnfinished() { return (number, try outcome.failure()) }
                    try before.write(toFile: folder + "/tag.nfc", atomically: true, encoding: .utf8)
                    guard dumps.isEmpty else { continue }
                    try? FileManager.default.removeItem(atPath: folder + "/nfctool/restores")
                }
                Issue.record("No restore was interrupted in the middle.")
                return (0, [:])
            }
        }

        /// Creates a tag with a precious message, and a dump of it with another message.
        private func withTag<Result>(
            kind: String? = nil, _ body: (Place) async throws -> Result
        ) async throws -> Result {
            try await Tool.withFolder { folder in
                let place = Place(folder: folder)
                let written = try await place.run(
                    ["write", "--yes", "--text", Self.dumped], options: kind.map { "&kind=\($0)" } ?? "")
                #expect(written.status == 0, "\(written.errors)")
                #expect(try await place.run(["dump", "a.json"]).status == 0)
                try await place.write(Self.precious)
                return try await body(place)
            }
        }

        /// Creates a tag that holds a part of the dump and a part of the precious message.
        private func withHalfRestoredTag(_ body: (Place) async throws -> Void) async throws {
            try await withTag { place in
                _ = try await place.cut("a.json")
                #expect(place.restores == [Self.kept])
                try await body(place)
            }
        }

        @Test(arguments: [[], ["--no-journal"], ["--atomic"]])
        func aMessageWrittenSinceACutRestoreIsWhatTheNextOneKeeps(options: [String]) async throws {
            try await withHalfRestoredTag { place in
                try await place.write("NEWEST", options)
                #expect(place.restores == [Self.kept + ".superseded-1"])
                let old = try #require(try await place.cut("a.json").failure["old"] as? String)
                #expect(try await place.restore(old).status == 0)
                #expect(try await place.text() == "NEWEST")
                #expect(try await place.restore(place.path(Self.kept + ".superseded-1")).status == 0)
                #expect(try await place.text() == Self.precious)
            }
        }

        @Test func aTagThatWasErasedSinceACutRestoreIsWholeAndItsOldContentKept() async throws {
            try await withHalfRestoredTag { place in
                let erased = try await place.run(["erase"])
                #expect(erased.status == 0)
                #expect(place.restores == [Self.kept + ".superseded-1"])
                // The old name that the interrupted restore printed leads to the new name.
                let renamed = place.path(Self.kept) + ".superseded-1"
                #expect(erased.errors.contains("nfctool restore \(renamed)"), "\(erased.errors)")
                let refused = try await place.run(["restore", "--yes", place.path(Self.kept)])
                #expect(refused.status == 65 && refused.errors.contains(renamed), "\(refused.errors)")
                #expect(try await !place.isUnfinished())
                #expect(try await place.run(["lock", "--yes", "--force"]).status == 0)
            }
        }

        @Test func aMessageFromAnotherDeviceIsKeptAndTheOlderContentToo() async throws {
            try await withHalfRestoredTag { place in
                try await place.writeElsewhere("theirs")
                #expect(try await !place.isUnfinished())
                let cut = try await place.cut("a.json").failure
                #expect(cut["old"] as? String == place.path(Self.kept))
                let older = place.path(Self.kept + ".superseded-1")
                #expect(place.restores == [Self.kept, Self.kept + ".superseded-1"])
                #expect(try await place.restore(place.path(Self.kept)).status == 0)
                #expect(try await place.text() == "theirs")
                #expect(try await place.restore(older).status == 0)
                #expect(try await place.text() == Self.precious)
            }
        }

        /// Kinds of tags, each with the number of a command before the first block is written.
        @Test(arguments: [("ntag213", 10), ("felica-lite-s-ndef", 22), ("type3", 70), ("classic1k-ndef", 110)])
        func theMixtureDoesNotReplaceWhatWasThereBefore(kind: String, first: Int) async throws {
            try await withTag(kind: kind) { place in
                #expect(try await place.run(["dump", "precious.json"]).status == 0)
                let (number, _) = try await place.cut("a.json", from: first)
                // The restore is interrupted a second time, at the same command.
                #expect(try await place.restore("a.json", options: "&tear=\(number)").status == 75)
                #expect(place.restores.count == 1)
                let old = place.path(try #require(place.restores.first))
                let same = try await Tool.run("diff", old, "precious.json", "--json", in: place.folder)
                #expect(try same.json()["same"] as? Bool == true, "\(same.output)")
                #expect(try await place.restore(old).status == 0)
                #expect(try await place.text() == Self.precious)
                #expect(place.restores == [])
            }
        }

        @Test(arguments: [
            ["lock", "--yes"], ["protect", "--password-file", "password"],
            ["unprotect", "--password-file", "password"],
            ["format"], ["write", "--append", "--text", "x"], ["copy"],
        ])
        func whatNeedsAWholeMessageRefusesAHalfRestoredTag(command: [String]) async throws {
            try await withHalfRestoredTag { place in
                try Data("11223344".utf8).write(to: URL(filePath: place.folder + "/password"))
                let before = try place.tag()
                let outcome = try await place.run(command + ["--json"])
                #expect(outcome.status == 75)
                let failure = try outcome.failure()
                #expect(failure["error"] as? String == "unfinishedWrite")
                #expect(failure["operation"] as? String == "restore")
                #expect(failure["old"] as? String == place.path(Self.kept))
                let advice = try #require(failure["advice"] as? String)
                #expect(advice.contains("/a.json   finishes the restore\nnfctool restore "), "\(advice)")
                #expect(advice.contains(Self.kept + "   brings the old content back"), "\(advice)")
                #expect(try place.tag() == before)
                #expect(place.restores == [Self.kept])
                #expect(try await place.restore("a.json").status == 0)
                #expect(try await place.text() == Self.dumped)
                #expect(try await !place.isUnfinished())
            }
        }

        @Test func readAndInfoSayThatARestoreWasCutOff() async throws {
            try await withHalfRestoredTag { place in
                for command in ["read", "info"] {
                    let outcome = try await place.run([command])
                    #expect(outcome.status == 0)
                    #expect(
                        outcome.errors.contains("Restoring tag 0411571F000180 was interrupted. It began "),
                        "\(outcome.errors)")
                    #expect(outcome.errors.contains("/a.json   finishes the restore\n"), "\(outcome.errors)")
                    #expect(outcome.errors.contains(Self.kept + "   brings the old content back\n"))
                    let json = try await place.run([command, "--json"])
                    #expect(try json.json()["unfinished"] as? Bool == true)
                    #expect(json.errors.isEmpty)
                }
                #expect(try await place.restore("a.json").status == 0)
                for command in ["read", "info"] {
                    #expect(try await place.run([command]).errors.isEmpty)
                    #expect(try await place.run([command, "--json"]).json()["unfinished"] == nil)
                }
            }
        }

        @Test func recoverNamesTheCommandsThatEndARestore() async throws {
            try await withHalfRestoredTag { place in
                let recover = try await Tool.run("recover", "--json", in: place.folder)
                #expect(recover.status == 75)
                #expect(try recover.failure()["operation"] as? String == "restore")
                let listed = try await Tool.run("recover", "--list", "--json", in: place.folder).json()
                #expect(listed["operation"] as? String == "restore")
                #expect(listed["uid"] as? String == "0411571F000180")
                let chip = try await place.run(["read", "--json"]).json()["chip"] as? String
                #expect(listed["chip"] as? String == chip)
                #expect(listed["old"] as? String == place.path(Self.kept))
                let list = try await Tool.run("recover", "--list", in: place.folder)
                let commands = list.output.split(separator: "\n").dropFirst()
                    .compactMap { $0.split(separator: "   ").first }
                #expect(commands.count == 2, "\(list.output)")
                for (command, text) in zip(commands.reversed(), [Self.precious, Self.dumped]) {
                    let line = "\(command) --yes --reader 'virtual:tag.nfc?serial=1'"
                    #expect(try await Tool.shell(line, in: place.folder).status == 0, "\(line)")
                    #expect(try await place.text() == text)
                }
                let nothing = try await Tool.run("recover", in: place.folder)
                #expect(nothing.status == 0 && nothing.output.contains("Nothing to recover"))
            }
        }

        @Test func theOptionsOfARestoreWhoseRecordIsDamagedAreCalledUnknown() async throws {
            try await withHalfRestoredTag { place in
                let unknown = "the options of that restore are not known: it may need --configuration"
                #expect(try await !place.run(["read"]).errors.contains(unknown))
                try "{".write(toFile: place.path("0411571F000180.record"), atomically: true, encoding: .utf8)
                for arguments in [["read"], ["lock", "--yes"]] {
                    let outcome = try await place.run(arguments)
                    #expect(
                        outcome.errors.contains(Self.kept + "   brings the old content back (" + unknown),
                        "\(outcome.errors)")
                }
                let list = try await Tool.run("recover", "--list", in: place.folder)
                #expect(list.output.contains(unknown), "\(list.output)")
            }
        }

        @Test func theWayBackFromARestoreHasItsOptions() async throws {
            try await withTag { place in
                var failure: [String: Any] = [:]
                for number in 14..<54 where failure["old"] == nil {
                    let restore = ["restore", "--yes", "--json", "--configuration", "a.json"]
                    let outcome = try await place.run(restore, options: "&tear=\(number)")
                    if outcome.status != 0 { failure = try outcome.failure() }
                }
                let advice = try #require(failure["advice"] as? String)
                #expect(advice.contains("/\(Self.kept) --configuration   brings it back"), "\(advice)")
            }
        }

        @Test func aTagThatLeftBeforeTheFirstBlockIsWhole() async throws {
            try await withTag { place in
                let before = try place.tag()
                var number = 1
                while place.restores.isEmpty, number < 80 {
                    #expect(try await place.restore("a.json", options: "&loss=\(number)").status == 75)
                    number += 1
                }
                #expect(try place.tag() == before)
                #expect(place.restores == [Self.kept])
                #expect(try await !place.isUnfinished())
                #expect(try await place.run(["lock", "--yes"]).status == 0)
                #expect(place.restores == [])
                #expect(try await place.text() == Self.precious)
            }
        }

        @Test func aPartialDumpDoesNotEndTheRestoreOfBlocksThatItLacks() async throws {
            try await withHalfRestoredTag { place in
                let dump = try String(contentsOfFile: place.folder + "/a.json", encoding: .utf8)
                let partial = dump.replacing(/"20": "[0-9A-F]{8}"/, with: #""20": null"#)
                #expect(partial != dump)
                try partial.write(toFile: place.folder + "/b.json", atomically: true, encoding: .utf8)
                let restored = try await place.restore("b.json")
                #expect(restored.status == 0, "\(restored.errors)")
                #expect(place.restores == [Self.kept])
                #expect(try await place.run(["lock", "--yes"]).status == 75)
                #expect(try await place.restore("a.json").status == 0)
                #expect(place.restores == [])
            }
        }

        @Test func aRestoreThatWasEndedBySIGTERMLeavesATagThatIsNotLocked() async throws {
            try await inTime { isLast in
                try await withTag { place in
                    try await place.write("long " * 90)
                    let kept = place.path(Self.kept)
                    // The restore is ended as soon as the tag's content is stored and some blocks are written.
                    let ended = try await Tool.shell(
                        """
                        nfctool restore --yes a.json --reader 'virtual:tag.nfc?serial=1&latency=real' & restore=$!
                        for i in $(seq 1000); do [ -s \(kept) ] && break; sleep 0.005; done
                        sleep 0.2; kill $restore; wait $restore
                        """, in: place.folder)
                    guard ended.status != 0 || isLast else { return false }
                    #expect(ended.status == 130, "\(ended.output)\(ended.errors)")
                    #expect(place.restores == [Self.kept])
                    #expect(try await place.run(["lock", "--yes"]).status == 75)
                    return true
                }
            }
        }
    }
}

extension String {
    fileprivate static func * (text: Self, count: Int) -> Self { Self(repeating: text, count: count) }
}
