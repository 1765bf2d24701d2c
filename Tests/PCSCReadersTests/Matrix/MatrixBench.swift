// A reader with one tag, and the commands of nfctool on that tag: those of Sources/nfctool/Commands, without their
// output

import Composing
import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import TagImage
import TagTypes
import WriteJournal

/// One tag on a reader, with its own journals.
struct MatrixBench: Sendable {
    /// The name with which the session opens the reader.
    let reader: String
    let journals: Journals

    static let patience = Duration.seconds(5)

    private struct Agreement: Dialogue {
        func ask(_ question: Question) throws {}
        func tell(_ notice: Notice) {}
    }

    init(reader: String, folder: URL) {
        self.reader = reader
        journals = Journals(WriteJournal(folder: folder.appending(path: "\(UUID().uuidString)/writes")))
    }

    func session<Value: Sendable>(
        opening credential: Type2Credential? = nil, _ work: @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        try await TagSession.run(
            .init(reader: reader, opening: credential, dialogue: Agreement(), journals: journals), work)
    }

    private func change<Value: Sendable>(
        to aim: TagChange.Aim, opening credential: Type2Credential? = nil,
        _ work: @Sendable (TagChange) async throws -> Value
    ) async throws -> Value {
        try await session(opening: credential) { session in
            try await work(SafeWrite(session, patience: .none).change(within: Self.patience, to: aim))
        }
    }

    func info() async throws -> TagInspection {
        try await session { session in
            let found = await session.inspect(try await session.tags(within: Self.patience))
            if let failure = found.failure { throw failure }
            return try found.tags.first ?? { throw TagError.reader(.tagLost) }()
        }
    }

    func read() async throws -> TagReading {
        try await session { session in
            let found = await session.read(try await session.tags(within: Self.patience))
            if let failure = found.failure { throw failure }
            return try found.readings.first ?? { throw TagError.reader(.tagLost) }()
        }
    }

    @discardableResult
    func write(_ message: [UInt8]) async throws -> TagReading {
        try await change(to: .replaceMessage) { try await $0.write(message) }
    }

    func erase() async throws { _ = try await change(to: .replaceMessage) { try await $0.erase() } }

    /// Formats the tag, and returns whether it was blank.
    func format() async throws -> Bool { try await change(to: .keepMessage) { try await $0.format().wasBlank } }

    func lock() async throws { _ = try await change(to: .lockMessage) { try await $0.lock() } }

    func protect(with credential: Type2Credential) async throws {
        _ = try await session(opening: credential) { session in
            let change = try await SafeWrite(session, patience: .none).change(
                within: Self.patience, to: .keepMessage, orOpeningWith: credential)
            return try await change.protect(ProtectionWish(), with: credential, openedBy: credential)
        }
    }

    func unprotect(with credential: Type2Credential) async throws {
        _ = try await change(to: .keepMessage, opening: credential) { try await $0.unprotect(openedBy: credential) }
    }

    /// Writes a URI in which the chip shows its UID.
    func mirror() async throws {
        let option = RecordOption(name: .uri, value: "https://example.com/{uid:mirror}")
        let records = try MirroredRecords([option], language: "en")
        _ = try await change(to: .replaceMessage) { change in
            if let content = records.content { try await change.requireMirror(for: content) }
            return try await change.write(PlacedMessage(records))
        }
    }

    func dump() async throws -> TagImage {
        try await session { session in
            let tag = try await session.connect(to: session.onlyTag(within: Self.patience))
            return try await TagDump.read(tag).image
        }
    }

    func restore(_ image: TagImage) async throws {
        try await session { session in
            _ = try await Restore(image, [], from: "-", in: session).run(
                on: session.onlyTag(within: Self.patience))
        }
    }

    func original() async throws -> TagReading {
        try await session { session in
            try await SafeWrite(session).original(on: session.onlyTag(within: Self.patience))
        }
    }

    func copy(_ original: TagReading) async throws {
        _ = try await session { session in
            try await SafeWrite(session, patience: .none).copy(
                original, to: session.onlyTag(within: Self.patience))
        }
    }

    func play(_ language: RawSequence.Language, _ commands: [String]) async throws -> [RawExchange] {
        let transcript = try await session { session in
            let tag = try await session.connect(to: session.onlyTag(within: Self.patience))
            let commands = try commands.map { try language == .own ? RawCommand.own($0) : RawCommand.apdu($0) }
            return try await tag.perform {
                try RawSequence(language: language, commands: commands).play(on: $0.channel)
            }
        }
        if let failure = transcript.failure { throw failure }
        return transcript.exchanges
    }

    /// Finishes an unfinished write, and returns whether there was one.
    func recover() async throws -> Bool {
        let changes = try UnfinishedChanges.onDisk(in: journals)
        guard !changes.writes.isEmpty else { return false }
        _ = try await session { session in
            try await SafeWrite(session, patience: .none).recover(
                changes, within: Self.patience, rollingBack: false)
        }
        return true
    }
}
