// A restore that is taken back: the message that it replaced is not lost, over the real libnfc on virtual chips

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

    private static func undo(on bench: Bench) async throws -> [UInt8]? {
        try await bench.session { session in
            try await SafeWrite(session, patience: .none).undo(within: .seconds(10)).reading?.bytes
        }
    }

    @Test(
        "The message that a restore replaces comes back by undo, as do those before it",
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
            // Cut later and later, until the restore had begun.
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

    @Test("A restore of the message that is there keeps nothing") func sameMessageIsNotKept() async throws {
        let dumped = try Self.dumped.get()
        try await Bench.with(.ntag215) { bench in
            try await Self.write(dumped, on: bench)
            var image = try await Self.dump(bench)
            // A block behind the message.
            let index = try #require(image.blocks.firstIndex { $0.number == 100 })
            image.blocks[index].bytes = [1, 2, 3, 4]
            try await Self.restore(image, on: bench)
            #expect(try bench.journals.done.writes().count == 1)
        }
    }
}
