// Journals that cannot be written: the report about the tag matches what was done to the tag

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct JournalFailureTests {
        private static let reader = "'virtual:tag.nfc?kind=ntag215&latency=real'"
        private static let text = String(repeating: "long enough ", count: 20)

        /// Runs a command, and replaces the journal's entry with a folder as soon as there is an entry.
        private static func run(_ command: String, losing journal: String, in folder: String) async throws -> Outcome {
            let script = """
                (until set -- nfctool/\(journal)/*.json; test -e "$1"; do :; done; rm "$1"; mkdir "$1") &
                saboteur=$!
                nfctool \(command) --json --reader \(reader)
                status=$?
                kill $saboteur 2>/dev/null; exit $status
                """
            return try await Tool.shell("cd \(folder); \(script)", in: folder)
        }

        /// Makes a journal that has no entries and accepts none.
        private static func spoilJournal(in folder: String) throws {
            try FileManager.default.createDirectory(atPath: folder + "/nfctool", withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/nfctool/writes", withDestinationPath: folder + "/nowhere")
        }

        private static func expect(
            _ outcome: Outcome, says change: String, _ location: SourceLocation = #_sourceLocation
        ) throws {
            #expect(outcome.status == 65, "\(outcome.output)\(outcome.errors)", sourceLocation: location)
            let failure = try outcome.failure()
            #expect(failure["error"] as? String == "badFile", sourceLocation: location)
            let message = try #require(failure["message"] as? String)
            #expect(
                message.hasPrefix("The tag was \(change); the journal entry "), "\(message)", sourceLocation: location)
            #expect(message.contains("could not be updated: "), "\(message)", sourceLocation: location)
            #expect(
                (failure["advice"] as? String)?.hasPrefix("Nothing is left to do on the tag.") == true,
                sourceLocation: location)
            #expect(!outcome.errors.contains("Nothing was changed"), sourceLocation: location)
        }

        @Test func aWriteWhoseEntryCannotBeRemovedIsCalledWrittenAndVerified() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.run("write --text '\(Self.text)'", losing: "writes", in: folder)
                try Self.expect(outcome, says: "written and verified")
                let read = try await Tool.run("read", "--reader", "virtual:tag.nfc", in: folder)
                #expect(read.output.contains(Self.text), "\(read.output)")
            }
        }

        @Test func aLockWhoseEntryCannotBeRemovedIsCalledLockedAndVerified() async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=ntag215"]
                #expect(try await Tool.run(["write", "--text", "one"] + tag, in: folder).status == 0)
                try Self.expect(
                    try await Self.run("lock --yes", losing: "writes", in: folder), says: "locked and verified")
                let write = try await Tool.run(["transceive", "A2 05 01 02 03 04"] + tag, in: folder)
                #expect(!write.output.contains("ACK") || write.output.contains("NAK"), "\(write.output)")
            }
        }

        @Test func aRestoreWhoseOldContentCannotBeRemovedIsCalledRestored() async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=ntag215"]
                #expect(try await Tool.run(["write", "--text", Self.text] + tag, in: folder).status == 0)
                #expect(try await Tool.run(["dump", "dump.json"] + tag, in: folder).status == 0)
                #expect(try await Tool.run(["erase", "--wipe"] + tag, in: folder).status == 0)
                try Self.expect(
                    try await Self.run("restore dump.json --yes", losing: "restores", in: folder),
                    says: "restored, each block read back and compared")
            }
        }

        @Test func aJournalThatCannotBeBegunLeavesTheTagUnchanged() async throws {
            try await Tool.withFolder { folder in
                try Self.spoilJournal(in: folder)
                let tag = ["--json", "--reader", "virtual:tag.nfc?kind=ntag215"]
                let outcome = try await Tool.run(["write", "--text", "one"] + tag, in: folder)
                #expect(outcome.status == 65)
                let message = try outcome.failure()["message"] as? String
                #expect(message?.hasPrefix("The journal of writes cannot be kept in ") == true, "\(outcome.errors)")
                #expect(message?.hasSuffix(" Nothing was changed.") == true, "\(outcome.errors)")
            }
        }

        @Test func aBlankTagThatWasInitialisedIsNotCalledUnchanged() async throws {
            try await Tool.withFolder { folder in
                try Self.spoilJournal(in: folder)
                let tag = ["--json", "--reader", "virtual:tag.nfc?kind=ultralight"]
                let outcome = try await Tool.run(["write", "--text", "one", "--yes"] + tag, in: folder)
                #expect(outcome.status == 65)
                let message = try outcome.failure()["message"] as? String
                #expect(message?.hasSuffix(" The message was not written.") == true, "\(outcome.errors)")
                #expect(!outcome.errors.contains("Nothing was changed"))
            }
        }
    }
}
