// Writes that are undone, and tags that are locked after a write, with the real libnfc and virtual chips

import Foundation
import NDEF
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes
import Testing
import VirtualPN532
import WriteJournal

@Suite struct UndoTests {
    private static let first = Result { try Bench.text("https://example.com/first") }
    private static let second = Result { try Bench.text("https://example.com/the/second") }
    private static let foreign = Result { try Bench.text("https://example.org/of-somebody-else") }

    private static var password: Type2Credential {
        get throws { .password(try #require(Type2Password(pwd: [1, 2, 3, 4], pack: [0, 0]))) }
    }

    private static func write(_ message: [UInt8], on bench: Bench, isUndoable: Bool = true) async throws {
        _ = try await bench.session { session in
            try await SafeWrite(session, isUndoable: isUndoable)
                .change(within: .seconds(10), to: .replaceMessage).write(message)
        }
    }

    private static func undo(
        on bench: Bench, asking dialogue: any Dialogue = NoDialogue()
    ) async throws -> TagReading? {
        try await bench.session(asking: dialogue) { session in
            try await SafeWrite(session, patience: .none).undo(within: .seconds(10)).reading
        }
    }

    @Test(arguments: [VirtualTagKind.ntag213, .type4, .topaz512, .feliCaLiteSNDEF, .classic1kNDEF])
    func eachUndoTakesOneMoreWriteBack(_ kind: VirtualTagKind) async throws {
        let (first, second) = (try Self.first.get(), try Self.second.get())
        try await Bench.with(kind) { bench in
            let delivered = try await bench.message()
            try await Self.write(first, on: bench)
            try await Self.write(second, on: bench)
            #expect(try await Self.undo(on: bench)?.bytes == first)
            #expect(try await bench.message() == first)
            #expect(try await Self.undo(on: bench)?.bytes == delivered)
            #expect(try await bench.message() == delivered)
            #expect(try await Self.undo(on: bench) == nil)
            #expect(try bench.journals.writes.entries().entries.isEmpty)
        }
    }

    /// The tag is new, so its message before the last write was empty, like the interrupted message.
    @Test(arguments: [VirtualTagKind.ntag213, .type4, .classic1kNDEF])
    func aWriteThatWasInterruptedComesFirst(_ kind: VirtualTagKind) async throws {
        let (first, second) = (try Self.first.get(), try Self.second.get())
        try await Bench.with(kind) { bench in
            try await Self.write(first, on: bench)
            // Interrupt later and later, until the message is incomplete.
            for number in 4...200 {
                bench.reader.faults.tear = bench.reader.statistics.tagCommands + number
                bench.reader.faults.back = .milliseconds(50)
                _ = try? await bench.session { session in
                    try await SafeWrite(session, patience: .none).change(within: .seconds(10), to: .replaceMessage)
                        .write(second)
                }
                bench.reader.faults.tear = nil
                if try !bench.journals.writes.entries().entries.isEmpty, try await bench.message().isEmpty { break }
            }
            await #expect(throws: UnfinishedWrite.self) { try await Self.undo(on: bench, asking: Answers(true)) }
            let entry = try #require(try bench.journals.writes.entries().entries.first)
            #expect(entry.oldMessage == first && entry.plan.newMessage == second)
            #expect(try bench.journals.done.writes(of: nil).count == 1)
        }
    }

    @Test func anotherMessageIsAskedAbout() async throws {
        let (first, foreign) = (try Self.first.get(), try Self.foreign.get())
        try await Bench.with(.ntag213) { bench in
            try await Self.write(first, on: bench)
            try await Self.write(foreign, on: bench, isUndoable: false)
            await #expect(throws: NotAgreed.self) { try await Self.undo(on: bench, asking: Answers(false)) }
            #expect(try await bench.message() == foreign)
            let answers = Answers(true)
            #expect(try await Self.undo(on: bench, asking: answers)?.bytes == [])
            #expect(answers.words.filter { $0 != "awaitingTag" } == ["undo"])
            // No stored write left this message, so it is stored too. So is the message before it, which was no longer
            // on any tag.
            for message in [foreign, first, []] { #expect(try await Self.undo(on: bench)?.bytes == message) }
            #expect(try await Self.undo(on: bench) == nil)
        }
    }

    /// The user has already undone the write: no question is asked, nothing is written, and the message of the write is
    /// kept.
    @Test func aMessageThatIsThereAlreadyIsNotSaidToBeWritten() async throws {
        let (first, second) = (try Self.first.get(), try Self.second.get())
        try await Bench.with(.ntag213) { bench in
            try await Self.write(first, on: bench)
            try await Self.write(second, on: bench)
            try await Self.write(first, on: bench, isUndoable: false)
            for wasThere in [true, false] {
                let undone = try await bench.session { session in
                    try await SafeWrite(session, patience: .none).undo(within: .seconds(10))
                }
                #expect(undone.wasThere == wasThere && undone.isLeftKept == wasThere)
                #expect(try await bench.message() == (wasThere ? first : second))
            }
            for message in [first, []] { #expect(try await Self.undo(on: bench)?.bytes == message) }
            #expect(try await Self.undo(on: bench) == nil)
        }
    }

    @Test func aBrokenMessageThatIsBackIsNoFailure() async throws {
        try await Bench.with(.ntag215) { bench in
            // The payload is shorter than its length says.
            let broken: [UInt8] = [0xD1, 0x01, 0x7F, 0x54, 0x02, 0x65, 0x6E]
            try await Self.write(broken, on: bench)
            try await Self.write(try Self.second.get(), on: bench)
            let read = try await Self.undo(on: bench)
            let undone = try #require(read)
            #expect(undone.failure is BrokenMessage)
            #expect(undone.isVerified == true)
            #expect(undone.message.records.isEmpty)
            #expect(undone.bytes == broken)
        }
    }

    @Test func anUndoThatIsCutOffGoesOnWithoutAQuestion() async throws {
        let first = try Bench.text("https://example.com/" + String(repeating: "a", count: 90))
        let second = try Bench.text("https://example.com/" + String(repeating: "b", count: 90))
        try await Bench.with(.ntag213) { bench in
            try await Self.write(first, on: bench)
            try await Self.write(second, on: bench)
            var cuts = 0
            for number in stride(from: 6, through: 90, by: 3) {
                // The count of commands includes all commands since the reader was created.
                bench.reader.faults.tear = bench.reader.statistics.tagCommands + number
                bench.reader.faults.back = .milliseconds(200)
                let before = try bench.journals.done.writes().count
                do {
                    _ = try await Self.undo(on: bench)
                } catch {
                    cuts += 1
                    // A write that can be undone is not forgotten before it is undone.
                    #expect(try bench.journals.done.writes().count == before)
                    continue
                }
                break
            }
            bench.reader.faults.tear = nil
            #expect(cuts > 2)
            #expect(try await bench.message() == first)
        }
    }

    @Test func anUndoThatRecoverBringsToItsEndIsDone() async throws {
        let first = try Bench.text("https://example.com/" + String(repeating: "a", count: 90))
        let second = try Bench.text("https://example.com/" + String(repeating: "b", count: 90))
        try await Bench.with(.ntag213) { bench in
            let delivered = try await bench.message()
            try await Self.write(first, on: bench)
            try await Self.write(second, on: bench)
            bench.reader.faults.tear = bench.reader.statistics.tagCommands + 30
            bench.reader.faults.back = .milliseconds(500)
            await #expect(throws: (any Error).self) { try await Self.undo(on: bench) }
            bench.reader.faults.tear = nil
            try #require(try bench.journals.writes.entries().entries.count == 1)
            try await bench.session { session in
                let write = SafeWrite(session, isUndoable: true)
                _ = try await write.recover(
                    UnfinishedChanges.onDisk(in: bench.journals), within: .seconds(10), rollingBack: false)
            }
            #expect(try await bench.message() == first)
            #expect(try bench.journals.done.writes().map(\.entry.plan.newMessage) == [first])
            #expect(try await Self.undo(on: bench)?.bytes == delivered)
        }
    }

    @Test(arguments: [true, false])
    func aWipedMessageIsForgottenWithAllStoredWritesOfTheTag(isJournaled: Bool) async throws {
        let (first, second) = (try Self.first.get(), try Self.second.get())
        try await Bench.with(.ntag213) { bench in
            try await Self.write(first, on: bench)
            try await Self.write(second, on: bench)
            _ = try await bench.session { session in
                try await SafeWrite(session, isJournaled: isJournaled, isUndoable: true)
                    .change(within: .seconds(10), to: .replaceMessage).erase(wiping: true)
            }
            #expect(try bench.journals.done.count() == 0)
            #expect(try await Self.undo(on: bench) == nil)
        }
    }

    @Test("A wipe whose stored writes cannot be forgotten is finished by recover")
    func wipeIsFinishedByRecover() async throws {
        let first = try Self.first.get()
        try await Bench.with(.ntag213) { bench in
            try await Self.write(first, on: bench)
            let done = bench.journals.done
            let names = try FileManager.default.contentsOfDirectory(atPath: done.folder.path)
            let stored = done.folder.appending(path: try #require(names.first))
            let bytes = try Data(contentsOf: stored)
            // A folder cannot be deleted as a file.
            try FileManager.default.removeItem(at: stored)
            try FileManager.default.createDirectory(at: stored, withIntermediateDirectories: false)
            await #expect(throws: (any Error).self) {
                _ = try await bench.session { session in
                    try await SafeWrite(session, isUndoable: true)
                        .change(within: .seconds(10), to: .replaceMessage).erase(wiping: true)
                }
            }
            #expect(try bench.journals.writes.entries().entries.count == 1)
            try FileManager.default.removeItem(at: stored)
            try bytes.write(to: stored)
            try #require(try done.count() == 1)
            try await bench.session { session in
                _ = try await SafeWrite(session, isUndoable: true).recover(
                    UnfinishedChanges.onDisk(in: bench.journals), within: .seconds(10), rollingBack: false)
            }
            #expect(try done.count() == 0)
            #expect(try bench.journals.writes.entries().entries.isEmpty)
        }
    }

    @Test func whatIsForgottenIsOnThisComputerNoMore() async throws {
        let first = try Self.first.get()
        try await Bench.with(.ntag213) { bench in
            try await Self.write(first, on: bench)
            #expect(try bench.journals.done.writes().map(\.entry.plan.newMessage) == [first])
            #expect(try bench.journals.done.forgetAll(of: [1, 2, 3, 4]) == 0)
            #expect(try bench.journals.done.forgetAll() == 1)
            #expect(try await Self.undo(on: bench) == nil)
        }
    }

    @Test func foreignFilesAmongThemArePassedOver() async throws {
        let first = try Self.first.get()
        try await Bench.with(.ntag213) { bench in
            try await Self.write(first, on: bench)
            let folder = bench.journals.done.folder
            let names = [
                "-.json", "04-.json", "-1.json", "x-1.json", "04A1-99999999999999999999.json", "04A1-\(Int64.max).json",
                "04A1-\(Int64.min).json", "04A1-1-2.json", ".json", "04A1-12.JSON",
            ]
            for name in names { try Data("{".utf8).write(to: folder.appending(path: name)) }
            #expect(try bench.journals.done.writes().count == 1)
            // A file of a later version is counted, and deleted with the rest.
            #expect(try bench.journals.done.count() == 2)
            #expect(try bench.journals.done.forgetAll() == 2)
        }
    }

    @Test func aBlankTagIsWrittenAndLocked() async throws {
        let first = try Self.first.get()
        try await Bench.with(.ultralight) { bench in
            let locked = try await bench.session(asking: Answers(true)) { session in
                var isLocked = false
                let change = try await SafeWrite(session).change(within: .seconds(10), to: .replaceMessage)
                let seal = Seal(isLocking: true)
                try await change.require(seal)
                _ = try await change.write(first)
                try await change.seal(seal) { _, reading in isLocked = reading.state.status == .readOnly }
                return isLocked
            }
            #expect(locked)
        }
    }

    @Test func aTagIsProtectedAndThenLockedBehindItsMessage() async throws {
        let first = try Self.first.get()
        let credential = try Self.password
        try await Bench.with(.ntag213) { bench in
            let steps = try await bench.session(asking: Answers(true)) { session in
                var steps: [String] = []
                let change = try await SafeWrite(session).change(within: .seconds(10), to: .replaceMessage)
                let seal = Seal(credential, isLocking: true)
                try await change.require(seal)
                _ = try await change.write(first)
                try await change.seal(seal) { step, reading in
                    steps.append("\(step)".prefix { $0 != "(" } + " \(reading.state.status)")
                }
                return steps
            }
            #expect(steps == ["protected readOnly", "locked readOnly"])
            let held = try await bench.message()
            #expect(held == first)
        }
    }

    @Test func whatAChipCannotDoIsSaidBeforeItIsWritten() async throws {
        let first = try Self.first.get()
        try await Bench.with(.type4) { bench in
            let before = try await bench.message()
            await #expect(throws: TagError.self) {
                try await bench.session(asking: Answers(true)) { session in
                    let change = try await SafeWrite(session).change(within: .seconds(10), to: .replaceMessage)
                    try await change.require(Seal(Self.password))
                    _ = try await change.write(first)
                }
            }
            #expect(try await bench.message() == before)
        }
    }

    @Test func aPreviewWritesNothing() async throws {
        let (first, long) = (try Self.first.get(), [UInt8](repeating: 0, count: 500))
        try await Bench.with(.ntag213) { bench in
            let before = try await bench.message()
            try await bench.session { session in
                let change = try await SafeWrite(session).change(within: .seconds(10), to: .replaceMessage)
                let preview = try await change.preview(PlacedMessage(bytes: first, mirror: nil))
                #expect(preview.before.bytes == before && !preview.needsInitialising)
                await #expect(throws: TagError.self) {
                    try await change.preview(PlacedMessage(bytes: long, mirror: nil))
                }
            }
            #expect(try await bench.message() == before)
        }
    }
}
