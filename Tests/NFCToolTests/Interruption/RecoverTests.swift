// A write that is interrupted at any command ends, after recover, in the new or the old message: never empty, never a
// mixture

import Chance
import Foundation
import Testing

extension BuiltBinaryCuts {
    @Suite(.alsoAtRealLatencyInCampaigns) struct RecoverTests {
        private static let old = "The old message, long enough to be seen in a mixture with the new one: 0123456789"
        private static let new = "A new message of another length: ABCDEFGHIJKLMNOPQRSTUVWXYZ"

        private static func text(on path: String, in folder: String) async throws -> String? {
            let outcome = try await Tool.run("read", "--json", "--reader", "virtual:\(path)?serial=1", in: folder)
            let records = try outcome.json()["records"] as? [[String: Any]]
            return (records?.first?["content"] as? [String: Any])?["text"] as? String
        }

        @Test(arguments: ["ntag213", "type4"], ["loss", "tear"])
        func everyCutIsRecoveredEitherWay(kind: String, fault: String) async throws {
            try await Tool.withFolder { folder in
                let path = folder + "/tag.nfc"
                func run(_ arguments: [String], options: String = "") async throws -> Outcome {
                    try await Tool.run(
                        arguments + ["--json", "--reader", "virtual:\(path)?serial=1&kind=\(kind)\(options)"],
                        in: folder)
                }
                #expect(try await run(["write", "--text", Self.old]).status == 0)
                let original = try String(contentsOfFile: path, encoding: .utf8)
                var cuts = 0
                for number in Campaign.cuts(through: 200, every: 3) {
                    var isDone = false
                    for rollback in [false, true] {
                        try original.write(toFile: path, atomically: true, encoding: .utf8)
                        let cut = try await run(
                            ["write", "--text", Self.new, "--no-wait"], options: "&\(fault)=\(number)")
                        isDone = cut.status == 0
                        if isDone { break }
                        #expect(cut.status == 75)
                        let outcome = try await run(rollback ? ["recover", "--rollback"] : ["recover"])
                        #expect(outcome.status == 0, "\(outcome.errors)")
                        let isRecovered = try outcome.json()["recovered"] as? Bool == true
                        // If the tag left before anything was planned, there is nothing to recover, and the tag holds
                        // the old message.
                        let expected = isRecovered && !rollback ? Self.new : Self.old
                        #expect(try await Self.text(on: path, in: folder) == expected, "\(fault)=\(number)")
                        #expect(try await run(["recover"]).json()["recovered"] as? Bool == false)
                        cuts += 1
                    }
                    if isDone { break }
                    #expect(number < 198)
                }
                print("\(kind), \(fault): \(cuts) cut writes recovered")
                // In CI, two of three commands are left out.
                #expect(cuts > (Campaign.isLong ? 20 : 8))
            }
        }

        @Test func aTagThatComesBackIsFinishedByItself() async throws {
            try await Tool.withFolder { folder in
                let path = folder + "/tag.nfc"
                try await Self.write(Self.old, to: path, in: folder)
                let outcome = try await Tool.run(
                    "write", "--json", "--text", Self.new, "--reader", "virtual:\(path)?serial=1&tear=9&back=50ms",
                    in: folder)
                #expect(outcome.status == 0)
                let result = try outcome.json()
                #expect(result["verified"] as? Bool == true)
                #expect((result["sha256"] as? String)?.count == 64)
                let text = try await Self.text(on: path, in: folder)
                #expect(text == Self.new)
            }
        }

        @Test func aKilledWriteIsRecovered() async throws {
            try await Tool.withFolder { folder in
                let path = folder + "/tag.nfc"
                try await Self.write(Self.old, to: path, in: folder)
                let new = String(repeating: "A message that takes its time. ", count: 12)
                let journal = folder + "/nfctool/writes/0411571F000180.json"
                // The reader stops answering in the middle of the write. The command is killed when the journal contains
                // the write.
                let killed = try await Tool.shell(
                    """
                    nfctool write --text '\(new)' --reader 'virtual:\(path)?serial=1&hang=60' & write=$!
                    for i in $(seq 1000); do [ -s \(journal) ] && break; sleep 0.005; done; kill -9 $write; wait $write
                    """, in: folder)
                #expect(killed.status == 128 + SIGKILL)
                let outcome = try await Tool.run(
                    "recover", "--json", "--reader", "virtual:\(path)?serial=1", in: folder)
                #expect(try outcome.json()["recovered"] as? Bool == true)
                let text = try await Self.text(on: path, in: folder)
                #expect(text == new)
            }
        }

        private static func write(_ text: String, to path: String, in folder: String) async throws {
            let outcome = try await Tool.run(
                "write", "--text", text, "--reader", "virtual:\(path)?serial=1", in: folder)
            #expect(outcome.status == 0)
        }

        @Test func aDamagedJournalIsReportedAndKept() async throws {
            try await Tool.withFolder { folder in
                let path = folder + "/tag.nfc"
                let reader = "virtual:\(path)?serial=1"
                let cut = try await Tool.run(
                    "write", "--text", Self.new, "--no-wait", "--reader", reader + "&tear=5", in: folder)
                #expect(cut.status == 75)
                let journal = folder + "/nfctool/writes"
                let name = try #require(try FileManager.default.contentsOfDirectory(atPath: journal).first)
                try Data("{}".utf8).write(to: URL(filePath: journal + "/" + name))
                let outcome = try await Tool.run("recover", "--json", "--reader", reader, in: folder)
                #expect(outcome.status == 65)
                #expect((try outcome.failure()["message"] as? String)?.contains("damaged") == true)
                let listed = try await Tool.run("recover", "--list", in: folder)
                #expect(listed.status == 65)
                #expect(!listed.output.contains("Nothing to recover"))
                #expect(try FileManager.default.contentsOfDirectory(atPath: journal) == [name])
                // An entry is moved only if its place is needed.
                let write = ["write", "--text", Self.new, "--reader", reader]
                #expect(try await Tool.run(write, in: folder).status == 65)
                #expect(try FileManager.default.contentsOfDirectory(atPath: journal) == [name + ".damaged-1"])
                #expect(try await Tool.run(write, in: folder).status == 0)
            }
        }

        /// Interrupts a write of a tag with the old message.
        private static func cut(_ path: String, in folder: String) async throws {
            try await write(old, to: path, in: folder)
            let cut = try await Tool.run(
                "write", "--text", new, "--no-wait", "--reader", "virtual:\(path)?serial=1&tear=9", in: folder)
            #expect(cut.status == 75)
        }

        @Test(arguments: [(["recover"], new), (["recover", "--rollback"], old)])
        func whatSomebodyElseWroteSinceIsNotOverwrittenUnasked(recover: [String], wanted: String) async throws {
            try await Tool.withFolder { folder in
                let path = folder + "/tag.nfc"
                let recover = recover + ["--json", "--reader", "virtual:\(path)?serial=1"]
                try await Self.cut(path, in: folder)
                // This uses a separate journal, like another program or machine.
                try await Tool.withFolder { try await Self.write("theirs", to: path, in: $0) }
                let refused = try await Tool.run(recover, in: folder)
                #expect(refused.status == 64)
                #expect(try refused.failure()["error"] as? String == "confirmationNeeded")
                let message = try refused.failure()["message"] as? String
                #expect(message?.contains("holds another message, written since") == true)
                let kept = try await Self.text(on: path, in: folder)
                #expect(kept == "theirs")
                #expect(try await Tool.run(recover + ["--yes"], in: folder).status == 0)
                let text = try await Self.text(on: path, in: folder)
                #expect(text == wanted)
            }
        }

        @Test(arguments: [
            ["write", "--no-journal", "--text", "later", "--reader", "virtual:tag.nfc?serial=1"],
            ["restore", "later.nfc", "--reader", "virtual:tag.nfc?serial=1"],
        ])
        func whatReplacedACutWriteEndsIt(arguments: [String]) async throws {
            try await Tool.withFolder { folder in
                try await Self.write("later", to: folder + "/later.nfc", in: folder)
                try await Self.cut(folder + "/tag.nfc", in: folder)
                let replaced = try await Tool.run(arguments, in: folder)
                #expect(replaced.status == 0, "\(replaced.errors)")
                let outcome = try await Tool.run(
                    "recover", "--json", "--reader", "virtual:tag.nfc?serial=1", in: folder)
                #expect(try outcome.json()["recovered"] as? Bool == false)
                let kept = try FileManager.default.contentsOfDirectory(atPath: folder + "/nfctool/writes")
                #expect(kept == ["0411571F000180.json.superseded-1"])
                let text = try await Self.text(on: folder + "/tag.nfc", in: folder)
                #expect(text == "later")
            }
        }

        @Test func aTagWithNothingToRecoverIsNotWaitedForUnnamed() async throws {
            try await Tool.withFolder { folder in
                try await Self.cut(folder + "/tag.nfc", in: folder)
                let outcome = try await Tool.run(
                    ["recover", "--timeout", "1s", "--reader", "virtual:ntag213"], in: folder)
                #expect(outcome.status == 75)
                #expect(
                    outcome.errors == """
                        nfctool: The tag with a write to recover was not found within 1 s: 0411571F000180. \
                        Tag 0410571F000180 is on the reader, but has nothing to recover.
                          Place tag 0411571F000180 on the reader. To wait longer, use --timeout 60s; to wait forever, --timeout 0.

                        """)
            }
        }

        @Test func onlyTheFirstOfManyTagsAreNamed() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    for number in 2 3 4 5 6; do
                        nfctool format --quiet --reader "virtual:$number.nfc?kind=ntag213&serial=$number"
                        nfctool write --text one --no-wait --reader "virtual:$number.nfc?tear=6" 2>/dev/null
                    done
                    nfctool recover --timeout 1s --reader virtual:ntag213
                    """, in: folder)
                #expect(
                    outcome.errors == """
                        nfctool: No tag with a write to recover was found within 1 s: 0410571F000280, 0410571F000380, \
                        0410571F000480 and 2 more. Tag 0410571F000180 is on the reader, but has nothing to recover.
                          Place one of these tags on the reader. To wait longer, use --timeout 60s; to wait forever, --timeout 0.

                        """)
            }
        }

        @Test func aTagWithAnInterruptedRestoreIsAnsweredAtOnce() async throws {
            try await Tool.withFolder { folder in
                try await Self.cut(folder + "/tag.nfc", in: folder)
                let outcome = try await Tool.shell(
                    """
                    reader='virtual:half.nfc?kind=ntag213'
                    nfctool write --quiet --text dumped --reader "$reader"
                    nfctool dump dump.nfc --quiet --reader "$reader"
                    nfctool write --quiet --text other --reader "$reader"
                    nfctool restore dump.nfc --yes --quiet --reader "$reader&tear=12"
                    echo "restore $?"
                    nfctool undo --yes --json --reader virtual:half.nfc; echo "undo $?"
                    nfctool recover --json --timeout 20s --reader virtual:half.nfc; echo "recover $?"
                    nfctool recover --uid 04A1B2C3D4E580
                    """, in: folder)
                #expect(
                    outcome.output == """
                        restore 75
                        undo 75
                        recover 75
                        Nothing to recover: no write to tag 04A1B2C3D4E580 was interrupted.

                        """, "\(outcome.errors)")
                let failures = outcome.errors.split(separator: "\n").filter { $0.contains("\"unfinishedWrite\"") }
                #expect(failures.count == 2, "\(outcome.errors)")
                #expect(failures.allSatisfy { $0.contains("\"operation\":\"restore\"") }, "\(outcome.errors)")
            }
        }

        @Test func onlyTheTagThatIsAskedForIsListed() async throws {
            try await Tool.withFolder { folder in
                try await Self.cut(folder + "/tag.nfc", in: folder)
                let list = ["recover", "--list", "--json", "--uid"]
                let (mine, other) = (list + ["0411571F000180"], list + ["04A1B2C3D4E580"])
                #expect(try await Tool.run(mine, in: folder).json()["event"] as? String == "pending")
                let none = try await Tool.run(other, in: folder)
                #expect(none.status == 0 && none.output.isEmpty)
            }
        }

        @Test func anEmptyTagThatWasRestoredStaysEmptyForTheNextAppend() async throws {
            try await Tool.withFolder { folder in
                #expect(try await Tool.run("dump", "e.nfc", "--reader", "virtual:ntag215", in: folder).status == 0)
                try await Self.cut(folder + "/tag.nfc", in: folder)
                #expect(
                    try await Tool.run("restore", "e.nfc", "--reader", "virtual:tag.nfc?serial=1", in: folder).status
                        == 0)
                let appended = try await Tool.run(
                    "write", "--append", "--text", "first", "--reader", "virtual:tag.nfc?serial=1", in: folder)
                #expect(appended.status == 0)
                let text = try await Self.text(on: folder + "/tag.nfc", in: folder)
                #expect(text == "first")
            }
        }

        @Test func aJournalThatCannotBeKeptStopsTheWriteBeforeItBegins() async throws {
            try await Tool.withFolder { folder in
                try Data().write(to: URL(filePath: folder + "/nfctool"))
                let outcome = try await Tool.run(
                    "write", "--json", "--text", "x", "--reader", "virtual:\(folder)/tag.nfc?serial=1", in: folder)
                #expect(outcome.status == 65)
                let text = try await Self.text(on: folder + "/tag.nfc", in: folder)
                #expect(text == nil)
            }
        }
    }
}
