// The old content of a tag that a restore keeps, and when it is deleted

import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import Synchronization
import TagImage
import TagTypes
import Testing
import VicinityReaders
import WriteJournal

/// Restoring a dump to an ISO 15693 tag, with readers that cannot send all commands.
@Suite struct RestoreTests {
    private static let container: [UInt8] = [0xE1, 0x40, 0x0E, 0x01]
    private static let old = container + [0x03, 0x05, 0xD5, 0, 0x02, 0xAA, 0xAA, 0xFE]
    private static let new = container + [0x03, 0x05, 0xD5, 0, 0x02, 0xBB, 0xBB, 0xFE]

    @Test func aReaderThatCannotSendTheWritesIsRefusedBeforeAnythingIsKept() async throws {
        try await Self.with { journals in
            let tag = VicinityTag()
            let image = try await Self.image(of: tag, journals)
            let desk = VicinityDesk([tag], missingCommands: [0x21])
            let failure = await #expect(throws: TagError.self) { try await Self.restore(image, at: desk, journals) }
            #expect(failure?.kind == .wrongReader)
            #expect(Array(tag.memory.prefix(Self.old.count)) == Self.old)
            #expect(try journals.restores.pending().isEmpty)
        }
    }

    @Test func nothingIsAskedAboutARestoreThatCannotBeDone() async throws {
        try await Self.with { journals in
            let tag = VicinityTag()
            // The dump is marked read-only, which requires consent.
            let image = try await Self.image(of: tag, journals, access: 0x43)
            let desk = VicinityDesk([tag], missingCommands: [0x21])
            for (desk, questions) in [(desk, []), (VicinityDesk([tag]), ["restore"])] {
                let answers = Answers(false)
                _ = await #expect(throws: (any Error).self) {
                    try await Self.restore(image, at: desk, journals, asking: answers)
                }
                #expect(answers.words.filter { $0 != "awaitingTag" } == questions)
            }
        }
    }

    /// If a write fails after the first one, the error does not show what is on the tag.
    @Test func aRestoreThatTheReaderCutsOffKeepsWhatTheTagHeld() async throws {
        try await Self.with { journals in
            let tag = VicinityTag()
            let image = try await Self.image(of: tag, journals)
            let writes = Mutex(0)
            let desk = VicinityDesk(
                [tag],
                failsToSend: { command in
                    guard command[1] == 0x21 else { return false }
                    return writes.withLock { count in
                        count += 1
                        return count > 1
                    }
                })
            let failure = await #expect(throws: RestoreInterrupted.self) {
                try await Self.restore(image, at: desk, journals)
            }
            #expect(failure?.kind == .wrongReader)
            // The message is closed, and all other blocks have the old bytes.
            #expect(Array(tag.memory.prefix(13)) == Self.container + [0x03, 0, 0xFE, 0] + Self.old[8...] + [2])
            let pending = try #require(try journals.restores.pending(uid: tag.uid))
            let kept = try TagImage(Array(try Data(contentsOf: pending.old)), format: .json)
            #expect(kept[block: 2] == Array(Self.old[8..<12]))
        }
    }

    private static func with(_ test: (Journals) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await test(Journals(WriteJournal(folder: folder.appending(path: "writes"))))
    }

    /// Returns the dump of a tag with the new content.
    ///
    /// The tag holds the old content afterwards. `access` is the access byte of the new container.
    private static func image(
        of tag: VicinityTag, _ journals: Journals, access: UInt8 = container[1]
    ) async throws -> TagImage {
        tag.memory = new + [UInt8](repeating: 1, count: 16)
        tag.memory[1] = access
        let image = try await session(VicinityDesk([tag]), journals) { session in
            try await TagDump.read(session.connect(to: session.onlyTag(within: .seconds(10)))).image
        }
        tag.memory = old + [UInt8](repeating: 2, count: 16)
        return image
    }

    private static func restore(
        _ image: TagImage, at desk: VicinityDesk, _ journals: Journals,
        asking dialogue: any Dialogue = Answers(true)
    ) async throws {
        _ = try await session(desk, journals, asking: dialogue) { session in
            try await Restore(image, [], from: "-", in: session).run(on: session.onlyTag(within: .seconds(10)))
        }
    }

    private static func session<Value: Sendable>(
        _ desk: VicinityDesk, _ journals: Journals, asking dialogue: any Dialogue = Answers(true),
        _ work: @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        try await TagSession.run(
            .init(reader: desk.connection, opening: nil, dialogue: dialogue, journals: journals), work)
    }
}
