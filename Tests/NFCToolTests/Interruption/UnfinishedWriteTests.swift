// After an interrupted write or lock, commands that keep the message refuse, and those that replace it continue

import Chance
import Foundation
import Testing

extension BuiltBinaryKills {
    @Suite(.alsoAtRealLatencyInCampaigns) struct UnfinishedWriteTests {
        /// A tag in a file, and its journal.
        private struct Place {
            let folder: String

            func run(_ arguments: [String], options: String = "") async throws -> Outcome {
                try await Tool.run(
                    arguments + ["--json", "--reader", "virtual:tag.nfc?serial=1\(options)"], in: folder)
            }

            var journal: [String] {
                (try? FileManager.default.contentsOfDirectory(atPath: folder + "/nfctool/writes").sorted()) ?? []
            }

            func tag() throws -> String { try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8) }

            func uri() async throws -> String? {
                let records = try await run(["read"]).json()["records"] as? [[String: Any]]
                return (records?.first?["content"] as? [String: Any])?["uri"] as? String
            }
        }

        private static let (old, new) = ("https://old.example", "https://new.example")
        private static let entry = "0411571F000180.json"

        private func withTag<Result>(_ body: (Place) async throws -> Result) async throws -> Result {
            try await Tool.withFolder { folder in
                let place = Place(folder: folder)
                try Data("11223344".utf8).write(to: URL(filePath: folder + "/password"))
                #expect(try await place.run(["write", "--uri", Self.old]).status == 0)
                #expect(try await place.run(["dump", "old.json"]).status == 0)
                return try await body(place)
            }
        }

        /// Creates a tag that a write left empty.
        private func withTornTag(_ body: (Place) async throws -> Void) async throws {
            try await withTag { place in
                let cut = try await place.run(["write", "--no-wait", "--uri", Self.new], options: "&tear=6")
                #expect(cut.status == 75)
                #expect(place.journal == [Self.entry])
                try await body(place)
            }
        }

        @Test func whatKeepsTheMessageRefusesAndChangesNothing() async throws {
            try await withTornTag { place in
                let before = try place.tag()
                for command in [
                    ["lock", "--yes"], ["protect", "--password-file", "password"],
                    ["unprotect", "--password-file", "password"], ["format"], ["write", "--append", "--text", "x"],
                ] {
                    let outcome = try await place.run(command)
                    #expect(outcome.status == 75, "\(command)")
                    let failure = try outcome.failure()
                    #expect(failure["error"] as? String == "unfinishedWrite")
                    #expect(failure["operation"] as? String == "write")
                    #expect((failure["advice"] as? String)?.contains("nfctool recover --rollback") == true)
                    #expect(try place.tag() == before)
                    #expect(place.journal == [Self.entry])
                }
                #expect(try await place.run(["recover"]).json()["recovered"] as? Bool == true)
                #expect(try await place.uri() == Self.new)
            }
        }

        @Test func aMessageThatDoesNotFitDoesNotUndoTheEarlierWrite() async throws {
            try await withTornTag { place in
                let before = try place.tag()
                let outcome = try await place.run(["write", "--text", String(repeating: "x", count: 600)])
                #expect(outcome.status == 78)
                #expect(try place.tag() == before)
                #expect(place.journal == [Self.entry])
            }
        }

        @Test(arguments: [
            (["write", "--uri", "https://third.example"], "https://third.example", []),
            (["write", "--uri", new], new, []), (["erase"], nil, []),
            (["restore", "old.json"], old, [entry + ".superseded-1"]),
        ])
        func whatReplacesTheMessageGoesOn(command: [String], uri: String?, journal: [String]) async throws {
            try await withTornTag { place in
                let outcome = try await place.run(command)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try await place.uri() == uri)
                #expect(place.journal == journal)
            }
        }

        @Test("undo restores the message that an interrupted write replaced, after a restore of another message")
        func whatTheWriteReplacedIsNotLostInARestore() async throws {
            try await withTornTag { place in
                let dump = try await Tool.shell(
                    """
                    export XDG_STATE_HOME=$PWD/elsewhere
                    cp tag.nfc other.nfc
                    nfctool write -q --uri https://third.example --reader 'virtual:other.nfc?serial=1'
                    nfctool dump -q third.json --reader 'virtual:other.nfc?serial=1'
                    """, in: place.folder)
                #expect(dump.status == 0, "\(dump.errors)")
                #expect(try await place.run(["restore", "third.json", "--yes"]).status == 0)
                #expect(try await place.uri() == "https://third.example")
                #expect(try await place.run(["undo"]).status == 0)
                #expect(try await place.uri() == Self.old)
            }
        }

        /// The parts of the tag that the dump does not contain may still be torn.
        @Test func aPartialDumpDoesNotEndTheEarlierWrite() async throws {
            try await withTag { place in
                let password = ["--password-file", "password"]
                #expect(try await place.run(["protect", "--read"] + password).status == 0)
                #expect(try await place.run(["dump", "--partial", "part.json"]).status == 0)
                #expect(try await place.run(["unprotect"] + password).status == 0)
                let cut = try await place.run(["write", "--no-wait", "--uri", Self.new], options: "&tear=6")
                #expect(cut.status == 75)
                let restored = try await place.run(["restore", "part.json"])
                #expect(try restored.json()["verified"] as? Bool == false)
                #expect(place.journal == [Self.entry])
                #expect(try await place.run(["recover"]).status == 0)
                #expect(try await place.uri() == Self.new)
            }
        }

        @Test func readingTellsOfAWriteThatWasCutOff() async throws {
            try await withTornTag { place in
                #expect(try await place.run(["read"]).json()["unfinished"] as? Bool == true)
                let text = try await Tool.run("read", "--reader", "virtual:tag.nfc?serial=1", in: place.folder)
                #expect(
                    text.errors.contains(
                        "was interrupted. To finish, run nfctool recover; to bring the old message back, "))
                #expect(try await place.run(["recover"]).status == 0)
                #expect(try await place.run(["read"]).json()["unfinished"] as? Bool == nil)
            }
        }

        @Test func anEntryOfANewerToolIsNamedAndStays() async throws {
            try await withTornTag { place in
                let file = place.folder + "/nfctool/writes/" + Self.entry
                let text = try String(contentsOfFile: file, encoding: .utf8)
                let newer = text.replacing("\"schema\":1", with: "\"schema\":2")
                try newer.write(toFile: file, atomically: true, encoding: .utf8)
                for command in [["recover", "--list"], ["recover"], ["write", "--text", "x"]] {
                    let outcome = try await place.run(command)
                    #expect(outcome.status == 65)
                    #expect(outcome.output == "")
                    #expect((try outcome.failure()["message"] as? String)?.contains("by a newer nfctool") == true)
                    #expect((try outcome.failure()["advice"] as? String)?.contains("Update nfctool") == true)
                    #expect(place.journal == [Self.entry])
                }
            }
        }

        @Test func aReaderThatFailsDuringAWriteIsToldOfRecovery() async throws {
            try await withTag { place in
                let outcome = try await place.run(["write", "--uri", Self.new], options: "&mute=5")
                #expect(outcome.status == 74)
                #expect(place.journal == [Self.entry])
                #expect((try outcome.failure()["advice"] as? String)?.contains("nfctool recover") == true)
            }
        }

        @Test func aCancelledWriteIsToldOfRecovery() async throws {
            try await inTime { isLast in
                try await withTag { place in
                    let outcome = try await Tool.shell(
                        """
                        nfctool write --text '\(String(repeating: "It takes its time. ", count: 12))' --json \
                        --reader 'virtual:tag.nfc?serial=1,latency=real' & write=$!
                        for i in $(seq 1000); do [ -s nfctool/writes/\(Self.entry) ] && break; sleep 0.005; done
                        kill -INT $write; wait $write
                        """, in: place.folder)
                    guard outcome.status != 0 || isLast else { return false }
                    #expect(outcome.status == 130)
                    #expect(outcome.errors.contains("nfctool recover"))
                    return true
                }
            }
        }

        /// Interrupts a write, whose message the chip will fill in, at every command.
        @Test(arguments: ["loss", "tear"])
        func aMirrorIsRecoveredFromEveryCut(fault: String) async throws {
            try await withTag { place in
                let original = try place.tag()
                var (cuts, shown) = (0, 0)
                for number in Campaign.cuts(through: 200, every: 3) {
                    try original.write(toFile: place.folder + "/tag.nfc", atomically: true, encoding: .utf8)
                    let cut = try await place.run(
                        ["write", "--no-wait", "--uri", "https://e.example/{uid:mirror}"],
                        options: "&\(fault)=\(number)")
                    if cut.status == 0 { break }
                    #expect(cut.status == 75)
                    let outcome = try await place.run(["recover"])
                    #expect(outcome.status == 0, "\(fault)=\(number): \(outcome.errors)")
                    let isRecovered = try outcome.json()["recovered"] as? Bool == true
                    let uri = try await place.uri()
                    #expect(uri == (isRecovered ? "https://e.example/0411571F000180" : Self.old), "\(fault)=\(number)")
                    #expect(place.journal == [])
                    cuts += 1
                    if isRecovered { shown += 1 }
                    #expect(number < 198)
                }
                #expect(shown > (Campaign.isLong ? 10 : 4))
                #expect(cuts > shown)
            }
        }

        /// Interrupts a lock at every command.
        @Test(arguments: ["loss", "tear"])
        func aLockIsNotCalledFinishedBeforeItIs(fault: String) async throws {
            try await withTag { place in
                let original = try place.tag()
                var unfinished = 0
                for number in Campaign.cuts(through: 200, every: 4) {
                    try original.write(toFile: place.folder + "/tag.nfc", atomically: true, encoding: .utf8)
                    let cut = try await place.run(["lock", "--yes"], options: "&\(fault)=\(number)")
                    if cut.status == 0 { break }
                    #expect(cut.status == 75)
                    #expect(number < 198)
                    guard place.journal == [Self.entry] else { continue }
                    #expect(try await place.run(["recover", "--list"]).json()["operation"] as? String == "lock")
                    let recovered = try await place.run(["recover"])
                    #expect(try await place.uri() == Self.old, "\(fault)=\(number)")
                    if recovered.status == 0 {
                        #expect(try await place.run(["read"]).json()["ndefStatus"] as? String == "readOnly")
                        #expect(place.journal == [])
                        continue
                    }
                    unfinished += 1
                    #expect(recovered.status == 75, "\(recovered.errors)")
                    #expect(try recovered.failure()["operation"] as? String == "lock")
                    #expect((try recovered.failure()["advice"] as? String)?.contains("nfctool lock") == true)
                    let locked = try await place.run(["lock", "--yes"])
                    #expect(locked.status == 0, "\(fault)=\(number): \(locked.errors)")
                    #expect(try await place.run(["read"]).json()["ndefStatus"] as? String == "readOnly")
                    #expect(place.journal == [])
                }
                #expect(unfinished > (Campaign.isLong ? 5 : 1))
            }
        }

        /// Creates a tag whose lock was interrupted before any bit was set.
        private func withUnlockedTag(_ body: (Place) async throws -> Void) async throws {
            try await withTag { place in
                #expect(try await place.run(["lock", "--yes"], options: "&loss=6").status == 75)
                #expect(place.journal == [Self.entry])
                try await body(place)
            }
        }

        /// Creates a tag whose lock was interrupted before any bit was set, and which another device has erased since.
        private func withErasedTag(_ body: (Place) async throws -> Void) async throws {
            try await withUnlockedTag { place in
                let erased = try await Tool.shell(
                    "XDG_STATE_HOME=$PWD/phone nfctool erase --reader 'virtual:tag.nfc?serial=1'", in: place.folder)
                #expect(erased.status == 0, "\(erased.errors)")
                try await body(place)
            }
        }

        /// It is not known which write tore the message: the message of the lock may have been replaced since.
        @Test(arguments: [["lock"], ["lock", "--yes"]])
        func aMessageThatWasTornSinceALockWasCutOffIsNotReplacedByThatOfTheLock(command: [String]) async throws {
            try await withUnlockedTag { place in
                // The message TLV: 03, and a length that a torn write left too small.
                let torn = try place.tag().replacing(/: 03 [0-9A-F]{2} D1 01/, with: ": 03 05 D1 01")
                #expect(try place.tag() != torn)
                try torn.write(toFile: place.folder + "/tag.nfc", atomically: true, encoding: .utf8)
                let outcome = try await place.run(command)
                #expect(outcome.status == 75)
                #expect(try outcome.failure()["error"] as? String == "unfinishedWrite")
                #expect(try place.tag() == torn)
                #expect(try await place.run(["recover", "--rollback"]).status == 0)
                #expect(try await place.uri() == Self.old)
            }
        }

        @Test func aMessageThatWasErasedSinceALockWasCutOffIsNotLockedIn() async throws {
            try await withErasedTag { place in
                let before = try place.tag()
                let outcome = try await place.run(["lock", "--yes"])
                #expect(outcome.status == 75)
                #expect(try outcome.failure()["error"] as? String == "unfinishedWrite")
                #expect((try outcome.failure()["advice"] as? String)?.contains("nfctool erase") == true)
                #expect(try place.tag() == before)
                #expect(try await place.run(["read"]).json()["unfinished"] as? Bool == nil)
                #expect(try await place.run(["erase"]).status == 0)
                #expect(place.journal == [])
                #expect(try await place.run(["lock", "--yes", "--force"]).status == 0)
                #expect(try await place.uri() == nil)
            }
        }

        @Test func recoverAsksBeforeItBringsBackAMessageThatWasErasedSinceALock() async throws {
            try await withErasedTag { place in
                let asked = try await place.run(["recover", "--rollback"])
                #expect(asked.status == 64)
                #expect(
                    (try asked.failure()["message"] as? String)?.contains("holds an empty message") == true,
                    "\(asked.errors)")
                #expect(try await place.uri() == nil)
                #expect(try await place.run(["recover", "--rollback", "--yes"]).status == 0)
                #expect(try await place.uri() == Self.old)
                #expect(place.journal == [])
            }
        }

        @Test func aLockThatTheTagRefusesLeavesNoEntryBehind() async throws {
            try await Tool.withFolder { folder in
                let place = Place(folder: folder)
                #expect(try await place.run(["write", "--uri", Self.old], options: "&kind=type4").status == 0)
                let outcome = try await place.run(["lock", "--yes"])
                #expect(outcome.status == 77)
                #expect((try outcome.failure()["advice"] as? String)?.hasPrefix("Nothing was changed.") == true)
                #expect(place.journal == [])
            }
        }

        @Test func theRestOfALockIsGivenUpByRollback() async throws {
            try await withTag { place in
                let cut = try await place.run(["lock", "--yes"], options: "&tear=8")
                #expect(cut.status == 75)
                let outcome = try await place.run(["recover", "--rollback"])
                #expect(try outcome.json()["rolledBack"] as? Bool == true)
                #expect(place.journal == [])
                #expect(try await place.uri() == Self.old)
            }
        }
    }
}
