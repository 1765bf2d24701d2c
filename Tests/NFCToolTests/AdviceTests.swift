// The next step that each failure recommends

import Foundation
import NDEF
import Provisioning
import ReaderInterface
import SafeTag
import TagImage
import TagTypes
import Testing
import VirtualPN532
import WriteJournal

@testable import nfctool

@Suite struct AdviceTests {
    @Test(arguments: [(TagError.Contents.unchanged, true), (.unchangedOrEmpty, false), (.empty, false)])
    func nothingWasWrittenIsSaidOfAnUnchangedTagOnly(contents: TagError.Contents, isSaid: Bool) throws {
        let cause = TagError.reader(.cannotSend(command: 0x21, reader: "ACS ACR1552", technology: .nfcV))
        let failure = try #require(
            TagFailure(TagError.writeInterrupted(contents: contents, written: 0, of: 20, cause: cause)))
        let text = try #require(Advice(for: failure)).text
        #expect(text.contains("Nothing was written.") == isSaid)
        #expect(
            text.contains("ACR1552U") && text.contains(isSaid ? "that can send it: " : "that can send this command: "),
            "\(text)")
    }

    @Test func nothingWasChangedIsNotSaidOfAProtectionThatWasBegun() throws {
        for cause in [TagError.unsupported(reason: "its chip is not known"), .readOnly(reason: "its lock bits")] {
            for error in [cause, .protectionInterrupted(done: ["key"], missing: ["access rules"], cause: cause)] {
                let failure = try #require(TagFailure(ProtectionCut.error(error, afterProtecting: true)))
                let text = try #require(Advice(for: failure)).text
                #expect(text.hasPrefix("Part of the change is done"), "\(text)")
            }
        }
    }

    /// While an ICODE SLIX2 is initialised, blocks before the refused one may have been written.
    @Test func nothingWasChangedIsNotSaidOfABlockWhosePasswordIsNotSupported() throws {
        let failure = try #require(TagFailure(TagError.passwordUnsupported(block: 1)))
        let text = try #require(Advice(for: failure)).text
        #expect(!text.contains("Nothing was changed") && text.contains("another tag"), "\(text)")
    }

    @Test(arguments: [
        (JournalError.damaged(path: "p.journal", code: 11, reason: "malformed"), "Restore the journal from a backup."),
        (.held(path: "p.journal", byProcess: 7, command: "nfctool"), "--journal postgresql://…"),
        (.held(path: "p.journal", byProcess: nil, command: ""), "Do not copy the journal"),
        (.notAJournal(path: "a/p.journal", found: "an empty file"), "restore the journal from a backup."),
        (.unusable(path: "/a b/p.journal.lock", code: EACCES, reason: "Permission denied"), "  ls -ld '/a b'\n"),
        (.unusable(path: "/a b/p.journal", code: 1544, reason: "a readonly database"), "  --journal FILE"),
        (.full(path: "a/p.journal", code: 13, reason: "full"), "Free some space on the disk"),
        (.otherVersion(path: "a/p.journal", found: 2, known: 1), "Update nfctool."),
    ])
    func aJournalThatCannotBeUsedComesWithAdvice(error: JournalError, advice: String) throws {
        let failure = try #require(TagFailure(error))
        #expect(try #require(Advice(for: failure)).text.contains(advice))
    }

    @Test func aSpeedThatTheSerialLineDoesNotCarryIsToBeLowered() throws {
        let error = ReaderError.readerFailed(
            operation: "raising the speed of its serial line", reason: "it does not answer at 921600 baud", code: -2,
            fault: .tooFast)
        let failure = try #require(TagFailure(error))
        #expect(try #require(Advice(for: failure)).text.contains("?speed=230400"))
    }

    @Test func theBeginningOfASubcommandIsEnoughForASuggestion() {
        let known = ["run", "verify", "status", "release", "reset", "init-db"]
        let words = ["stat", "init", "verif", "re", "tags"]
        let suggestions = words.map { UnknownPlan(word: $0, known: known)?.suggestion }
        #expect(suggestions == ["status", "init-db", "verify", nil, nil])
        #expect(UnknownCommand(word: "prov", known: ["read", "provision"]).suggestion == "provision")
        let free = JournalError.illegalStep(row: 2, from: .pending, to: .pending)
        #expect("\(free)" == "Row 2 is already free: no tag has it.")
    }

    @Test func unlockIsNotTakenForLock() {
        let unlock = UnknownCommand(word: "unlock", known: ["lock", "unprotect"])
        #expect(unlock.suggestion == nil)
        #expect(unlock.message.contains("A lock cannot be removed. `nfctool unprotect` removes a password."))
        #expect(UnknownCommand(word: "lokc", known: ["lock", "unprotect"]).message.contains("Did you mean lock?"))
    }

    @Test(arguments: [
        (["--reader", "virtual:a b.nfc", "read", "--json"], "Try:  nfctool read --reader 'virtual:a b.nfc' --json"),
        (["-q", "write", "--text", "read"], "Try:  nfctool write -q --text read"),
        (["--reader", "virtual"], "`nfctool help` lists the commands."),
        (["-V"], "To show the version:  nfctool --version"), (["-v", "read"], "Try:  nfctool read -v"),
    ])
    func anOptionBeforeTheCommandIsSaidToComeAfterIt(_ arguments: [String], _ advice: String) throws {
        let option = try #require(MisplacedOption(arguments))
        #expect(option.message == "The option \(arguments[0]) must come after the name of a command.")
        #expect(Advice(for: option)?.text == advice)
        #expect(throws: MisplacedOption.self) { try CommandWords(arguments).check() }
    }

    @Test(arguments: [
        ["read", "--reader", "virtual"], ["--help"], ["--version"], ["---completion", "read"], ["-"], [],
    ])
    func optionsOfNfctoolItselfMayComeFirst(_ arguments: [String]) {
        #expect(MisplacedOption(arguments) == nil)
    }

    @Test func aMissingClientLibraryIsToBeInstalled() {
        #expect(JournalError.libraryMissing.advice?.contains("apt install libpq5") == true)
        #expect(JournalError.libraryMissing.description.contains("libpq"))
    }

    @Test func aFileAsReaderIsAVirtualTag() async throws {
        try await Tool.withFolder { folder in
            let path = folder + "/a.nfc"
            try Data().write(to: URL(filePath: path))
            let missing = try #require(TagFailure(ReaderError.noReader(connection: path)))
            #expect(Advice(for: missing)?.text == "For the virtual tag in this file:  --reader virtual:\(path)")
        }
    }

    @Test func misspeltReadersAndTagsHaveASuggestion() throws {
        func advice(_ error: any Error) throws -> String? { Advice(for: try #require(TagFailure(error)))?.text }
        let missing = try advice(ReaderError.noReader(connection: "vitual"))
        #expect(
            missing == "Did you mean  --reader virtual ?\n`nfctool readers` lists the connected readers.")
        let kind = VirtualReaderError.notAKind("ntag217", known: ["type4", "ntag213", "icode-slix"])
        #expect(try advice(kind) == "Did you mean  virtual:ntag213 ?")
        let option = VirtualReaderError.notAnOption("laency", known: ["loss", "latency"])
        #expect(try advice(option) == "Did you mean  latency ?")
        let other = VirtualReaderError.notAKind("elephant", known: ["type4"])
        #expect(try advice(other) == "Known tags: type4.")
        let kinds = ["type4", "ntag213", "desfire", "ntag215", "classic1k", "ntag216", "topaz96"]
        let many = try #require(try advice(VirtualReaderError.notAKind("ntag", known: kinds)))
        #expect(
            many == "Known tags: ntag213, ntag215, ntag216, …\nVirtualReader.md in the documentation lists all of them."
        )
        #expect(
            try advice(VirtualReaderError.notAKind("elephant", known: kinds))
                == "Known tags: ntag213, ntag215, ntag216, classic1k, desfire, …\nVirtualReader.md in the documentation lists all of them."
        )
        let file = VirtualReaderError.notAKind("tag.nfx", known: ["type4"])
        #expect(
            try advice(file)
                == "A tag in a file:  --reader virtual:tag.nfc\nVirtualReader.md in the documentation lists the kinds.")
    }

    @Test(arguments: [("12", [12]), ("2-4", [2, 3, 4]), ("7-7", [7])] as [(String, [Int])])
    func rowsAreNamedOneByOneOrAsSpans(argument: String, rows: [Int]) throws {
        let span = try #require(RowSpan(argument: argument))
        #expect([span].numbers == rows)
    }

    @Test(arguments: ["", "-", "4-2", "0", "-1", "1-", "1-2-3", "x", "1-9999999999999", "99999999999999999999"])
    func whatIsNoSpanOfRowsIsRefused(argument: String) {
        #expect(RowSpan(argument: argument) == nil)
    }

    @Test(
        arguments: [
            (
                TagError.factoryKeys, 77, "This tag still has its factory keys.",
                "Run this first:  nfctool sdm keys --key-file FILE"
            ),
            (
                .keyNeeded(sector: 1), 77, nil,
                """
                The well-known public keys do not open it, and neither do the keys that were given. Nothing was changed.
                Give the card's keys:  --key-file FILE  (a list of keys, or a dump of the card that has them)
                """
            ),
            (
                .notNDEF(reason: "it has no directory of a known version", hasForeignDirectory: true), 78, nil,
                """
                Nothing was changed. To erase the whole card and make it blank, as delivered:
                nfctool format --factory --key-file FILE
                """
            ),
        ] as [(TagError, Int32, String?, String)])
    func keysAndForeignCardsHaveAdvice(error: TagError, status: Int32, message: String?, advice: String) throws {
        let failure = try #require(TagFailure(error))
        #expect(failure.name.exitStatus == status)
        if let message { #expect(failure.message == message) }
        #expect(Advice(for: failure)?.text == advice)
    }

    @Test(arguments: [
        (
            ["nfctool", "dump", "a.mfd", "--partial", "--reader=virtual:a.nfc", "--key", "001122334455"],
            "nfctool dump a.json --partial --reader=virtual:a.nfc"
        ),
        (
            ["nfctool", "dump", "a.mfd", "--key-file", "my keys", "--reader"],
            "nfctool dump a.json --key-file 'my keys' --reader"
        ),
    ])
    func aDumpInAnotherFormatKeepsTheOptionsButNoKey(arguments: [String], command: String) {
        let dump = BrokenDump(source: "a.mfd", error: .notExpressible(.bin, reason: "x"))
        #expect(dump.command(after: arguments) == command)
    }

    @Test func aKeptWriteIsShownByTheClockHereAndByItsFirstRecord() throws {
        let old = try NDEFMessage(records: [
            TextRecord(text: "Ticket \u{1B} " + String(repeating: "x", count: 60)).record()
        ])
        .encoded()
        let piece = WritePlan.Piece(
            address: 16, old: [3, 0, 0, 0], new: [3, 1, 0, 0], messageOffset: 0, messageCount: 2)
        let plan = WritePlan(body: [], head: [piece], closed: [3, 0, 0, 0], oldMessage: old, newMessage: [])
        let entry = JournalEntry(uid: [4, 0xA1], tagName: "NTAG213", started: .now, plan: plan)
        let zone = try #require(TimeZone(secondsFromGMT: 3600))
        #expect(
            KeptWrites.line(entry, ended: Date(timeIntervalSince1970: 1_000_000_000), in: zone)
                == "04A1  2001-09-09 02:46:40+0100  NTAG213  old \(old.count) bytes (Text: Ticket \\u{1B} xxxxxxxxxxxxxxxxxxx…), new empty"
        )
    }
}
