// Writes that are undone and redone, with the real libnfc and virtual chips

import Foundation
import NDEF
import SafeTag
import TagTypes
import Testing
import VirtualPN532
import WriteJournal

@Suite struct RedoTests {
    private static let messages = Result {
        try ["first", "the/second", "one/more/message"].map { try Bench.text("https://example.com/\($0)") }
    }

    private static func write(_ message: [UInt8], on bench: Bench) async throws {
        _ = try await bench.session { session in
            try await SafeWrite(session, isUndoable: true).change(within: .seconds(10), to: .replaceMessage)
                .write(message)
        }
    }

    private static func undo(on bench: Bench) async throws -> [UInt8]? {
        try await bench.session { session in
            try await SafeWrite(session, isUndoable: true, patience: .none).undo(within: .seconds(10)).reading?.bytes
        }
    }

    private static func redo(on bench: Bench) async throws -> (bytes: [UInt8]?, wasThere: Bool) {
        try await bench.session { session in
            let redone = try await SafeWrite(session, isUndoable: true, patience: .none).redo(within: .seconds(10))
            return (redone.reading?.bytes, redone.wasThere)
        }
    }

    @Test(arguments: [VirtualTagKind.ntag213, .type4, .topaz512, .feliCaLiteSNDEF, .classic1kNDEF])
    func eachRedoTakesOneMoreUndoBack(_ kind: VirtualTagKind) async throws {
        let messages = try Self.messages.get()
        try await Bench.with(kind) { bench in
            let delivered = try await bench.message()
            #expect(try await Self.redo(on: bench).bytes == nil)
            for message in messages { try await Self.write(message, on: bench) }
            for message in [messages[1], messages[0], delivered] {
                #expect(try await Self.undo(on: bench) == message)
            }
            for message in messages {
                #expect(try await Self.redo(on: bench).bytes == message)
                #expect(try await bench.message() == message)
            }
            #expect(try await Self.redo(on: bench).bytes == nil)
            #expect(try bench.journals.undone.count() == 0)
            #expect(try await Self.undo(on: bench) == messages[1])
            #expect(try bench.journals.writes.entries().entries.isEmpty)
        }
    }

    @Test func aMessageWrittenAfterAnUndoIsKept() async throws {
        let messages = try Self.messages.get()
        try await Bench.with(.ntag213) { bench in
            try await Self.write(messages[0], on: bench)
            #expect(try await Self.undo(on: bench) == [])
            try await Self.write(messages[1], on: bench)
            #expect(try await Self.redo(on: bench).bytes == messages[0])
            #expect(try await Self.undo(on: bench) == messages[1])
            #expect(try await Self.undo(on: bench) == [])
        }
    }

    @Test func aMessageThatIsThereAlreadyIsSaidToBe() async throws {
        let messages = try Self.messages.get()
        try await Bench.with(.ntag213) { bench in
            try await Self.write(messages[0], on: bench)
            #expect(try await Self.undo(on: bench) == [])
            try await Self.write(messages[0], on: bench)
            let redone = try await Self.redo(on: bench)
            #expect(redone.bytes == messages[0] && redone.wasThere)
            #expect(try await Self.redo(on: bench).bytes == nil)
        }
    }

    @Test func aRedoThatIsCutOffLosesNothing() async throws {
        let old = try Bench.text("https://example.com/" + String(repeating: "a", count: 90))
        let new = try Bench.text("https://example.com/" + String(repeating: "b", count: 90))
        try await Bench.with(.ntag213) { bench in
            try await Self.write(old, on: bench)
            try await Self.write(new, on: bench)
            #expect(try await Self.undo(on: bench) == old)
            var cuts = 0
            for number in stride(from: 6, through: 90, by: 3) {
                bench.reader.faults.tear = bench.reader.statistics.tagCommands + number
                bench.reader.faults.back = .milliseconds(50)
                do {
                    _ = try await Self.redo(on: bench)
                    break
                } catch {
                    cuts += 1
                    #expect(try bench.journals.undone.writes().map(\.entry.plan.newMessage) == [new])
                }
            }
            bench.reader.faults.tear = nil
            #expect(cuts > 2)
            #expect(try await bench.message() == new)
            #expect(try await Self.undo(on: bench) == old)
        }
    }

    /// The process was killed when the undo was complete on the tag, before its journal entry was ended: opening the tag
    /// ends the undo.
    @Test func anUndoWhoseEntryRemainsIsTheLastOne() async throws {
        let messages = try ["a", "b", "c"].map {
            try Bench.text("https://example.com/" + String(repeating: $0, count: 90))
        }
        try await Bench.with(.ntag213) { bench in
            for message in messages { try await Self.write(message, on: bench) }
            #expect(try await Self.undo(on: bench) == messages[1])
            bench.reader.faults.tear = bench.reader.statistics.tagCommands + 30
            bench.reader.faults.back = .milliseconds(500)
            await #expect(throws: (any Error).self) { try await Self.undo(on: bench) }
            bench.reader.faults.tear = nil
            let before = try Files(of: bench.journals)
            try #require(try bench.journals.writes.entries().entries.count == 1)
            try await bench.session { session in
                _ = try await SafeWrite(session, isUndoable: true).recover(
                    UnfinishedChanges.onDisk(in: bench.journals), within: .seconds(10), rollingBack: false)
            }
            #expect(try await bench.message() == messages[0])
            try before.restore()
            for message in [messages[1], messages[2], nil] {
                #expect(try await Self.redo(on: bench).bytes == message)
            }
        }
    }

    /// The files of the journals at one moment.
    private struct Files {
        private let folders: [URL]
        private let files: [(url: URL, content: Data)]

        init(of journals: Journals) throws {
            folders = [journals.writes.folder, journals.done.folder, journals.undone.folder]
            files = try folders.flatMap { try Self.urls(in: $0) }.map { ($0, try Data(contentsOf: $0)) }
        }

        func restore() throws {
            for url in try folders.flatMap({ try Self.urls(in: $0) }) { try FileManager.default.removeItem(at: url) }
            for file in files { try file.content.write(to: file.url) }
        }

        private static func urls(in folder: URL) throws -> [URL] {
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        }
    }

    @Test func aWipeForgetsWhatWasUndone() async throws {
        try await Bench.with(.ntag213) { bench in
            try await Self.write(try Self.messages.get()[0], on: bench)
            #expect(try await Self.undo(on: bench) == [])
            #expect(try bench.journals.undone.count() == 1)
            _ = try await bench.session { session in
                try await SafeWrite(session, isUndoable: true).change(within: .seconds(10), to: .replaceMessage)
                    .erase(wiping: true)
            }
            #expect(try bench.journals.undone.count() == 0)
            #expect(try await Self.redo(on: bench).bytes == nil)
        }
    }
}
