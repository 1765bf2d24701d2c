// A restore that is undone: the message that it replaced is not lost, with the real libnfc and virtual chips

import Foundation
import ReaderSession
import SafeTag
import TagImage
import Testing
import VirtualPN532
import WriteJournal

@Suite struct RestoreUndoTests {
    private static let dumped = Result { try Bench.text("https://example.com/dumped") }
    private static let newer = Result { try Bench.text("https://example.com/newer/and/longer/than/the/dump") }

    private static func write(_ message: [UInt8], on bench: Bench) async throws {
        _ = try await bench.session { session in
            try await SafeWrite(session, isUndoable: true).change(within: .seconds(10), to: .replaceMessage)
                .write(message)
        }
    }

    private static func dump(_ bench: Bench) async throws -> TagImage {
        try await bench.session { session in
            try await TagDump.read(session.connect(to: session.onlyTag(within: .seconds(10)))).image
        }
    }

    private static func restore(_ image: TagImage, on bench: Bench) async throws {
        _ = try await bench.session { session in
            try await Restore(image, [], from: "-", in: session).run(on: session.onlyTag(within: .seconds(10)))
        }
    }

    private static func undo(
        on bench: Bench, asking dialogue: any Dialogue = NoDialogue()
    ) async throws -> [UInt8]? {
        try await bench.session(asking: dialogue) { session in
            try await SafeWrite(session, patience: .none).undo(within: .seconds(10)).reading?.bytes
        }
    }

    @Test(
        "Undo brings back the message that a restore replaced, and then those before it",
        arguments: [VirtualTagKind.ntag215, .type4, .topaz512, .feliCaLiteSNDEF, .classic1kNDEF])
    func restoreIsTakenBack(_ kind: VirtualTagKind) async throws {
        let (dumped, newer) = (try Self.dumped.get(), try Self.newer.get())
        try await Bench.with(kind) { bench in
            let delivered = try await bench.message()
            try await Self.write(dumped, on: bench)
            let image = try await Self.dump(bench)
            try await Self.write(newer, on: bench)
            try await Self.restore(image, on: bench)
            #expect(try await bench.message() == dumped)
            #expect(try bench.journals.restores.pending().isEmpty)
            for message in [newer, dumped, delivered] {
                #expect(try await Self.undo(on: bench) == message)
                #expect(try await bench.message() == message)
            }
            #expect(try await Self.undo(on: bench) == nil)
        }
    }

    @Test("A restore that is interrupted and finished keeps the message from before the first attempt")
    func interruptedRestoreIsTakenBack() async throws {
        let (dumped, newer) = (try Self.dumped.get(), try Self.newer.get())
        try await Bench.with(.ntag215) { bench in
            try await Self.write(dumped, on: bench)
            let image = try await Self.dump(bench)
            try await Self.write(newer, on: bench)
            let kept = try bench.journals.done.writes().count
            // Interrupt later and later, until the restore has started.
            for number in 4...400 {
                bench.reader.faults.tear = bench.reader.statistics.tagCommands + number
                bench.reader.faults.back = .milliseconds(50)
                _ = try? await Self.restore(image, on: bench)
                bench.reader.faults.tear = nil
                if try !bench.journals.restores.pending().isEmpty { break }
            }
            try #require(try bench.journals.restores.pending().count == 1)
            #expect(try bench.journals.done.writes().count == kept)
            try await Self.restore(image, on: bench)
            #expect(try await Self.undo(on: bench) == newer)
        }
    }

    /// Restores a dump whose data area holds bytes that are not TLVs.
    private static func restoreOtherData(on bench: Bench) async throws {
        var image = try await Self.dump(bench)
        for index in image.blocks.indices where (4..<130).contains(image.blocks[index].number) {
            image.blocks[index].bytes = [0xA5, 0xF0, UInt8(image.blocks[index].number), 0x97]
        }
        try await Self.restore(image, on: bench)
    }

    @Test("After a question, undo replaces data that a restore wrote and that is not a message")
    func otherDataIsReplacedByUndo() async throws {
        let dumped = try Self.dumped.get()
        try await Bench.with(.ntag215) { bench in
            try await Self.write(dumped, on: bench)
            try await Self.restoreOtherData(on: bench)
            await #expect(throws: NotAgreed.self) { _ = try await Self.undo(on: bench) }
            await #expect(throws: (any Error).self) { _ = try await bench.message() }
            #expect(try await Self.undo(on: bench, asking: Answers(true)) == dumped)
            #expect(try await bench.message() == dumped)
            #expect(try bench.journals.done.writes().count == 1)
        }
    }

    @Test("Data that is not a message is wiped after a question, and only then forgotten")
    func otherDataIsWiped() async throws {
        func wipe(_ bench: Bench, asking dialogue: any Dialogue) async throws -> [UInt8] {
            try await bench.session(asking: dialogue) { session in
                try await SafeWrite(session, isUndoable: true).change(within: .seconds(10), to: .replaceMessage)
                    .erase(wiping: true).bytes
            }
        }
        let dumped = try Self.dumped.get()
        try await Bench.with(.ntag215) { bench in
            try await Self.write(dumped, on: bench)
            try await Self.restoreOtherData(on: bench)
            await #expect(throws: NotAgreed.self) { _ = try await wipe(bench, asking: NoDialogue()) }
            #expect(try bench.journals.done.writes().count == 2)
            let answers = Answers(true)
            #expect(try await wipe(bench, asking: answers).isEmpty)
            #expect(answers.words.contains("deleteOtherData"))
            #expect(try await bench.message().isEmpty)
            #expect(try bench.journals.done.writes().isEmpty)
            let image = try await Self.dump(bench)
            #expect(image[block: 4] == [0x03, 0x00, 0xFE, 0x00])
            // Its capability container assigns 496 of the 504 bytes to NDEF.
            #expect((5..<128).allSatisfy { image[block: $0] == [0, 0, 0, 0] })
        }
    }

    @Test("Restoring the message that the tag holds keeps nothing") func sameMessageIsNotKept() async throws {
        let dumped = try Self.dumped.get()
        try await Bench.with(.ntag215) { bench in
            try await Self.write(dumped, on: bench)
            var image = try await Self.dump(bench)
            // A block after the message.
            let index = try #require(image.blocks.firstIndex { $0.number == 100 })
            image.blocks[index].bytes = [1, 2, 3, 4]
            try await Self.restore(image, on: bench)
            #expect(try bench.journals.done.writes().count == 1)
        }
    }
}
