// A reader, tags on the reader, separate journals, and a dialogue that answers

import Foundation
import InProcessReaders
import NDEF
import ReaderSession
import SafeTag
import Synchronization
import TagTypes
import VirtualPN532
import WriteJournal

/// Answers every question in one way, and records questions and notices.
final class Answers: Dialogue {
    private struct No: Error {}
    private let isAgreed: Bool
    private let heard = Mutex<[String]>([])

    init(_ isAgreed: Bool) { self.isAgreed = isAgreed }

    var words: [String] { heard.withLock { $0 } }

    func ask(_ question: Question) throws {
        heard.withLock { $0.append(Self.name(question)) }
        if !isAgreed { throw NotAgreed() }
    }

    func tell(_ notice: Notice) { heard.withLock { $0.append(Self.name(notice)) } }

    private static func name(_ value: Any) -> String {
        "\(value)".prefix { $0 != "(" }.split(separator: ".").last.map(String.init) ?? ""
    }
}

/// The environment that a test of changes needs, and which is removed after the test.
struct Bench: Sendable {
    let reader: VirtualReader
    let journals: Journals
    private let folder: URL

    /// Runs a test with tags on a reader.
    static func with(_ kinds: VirtualTagKind..., test: (Bench) async throws -> Void) async throws {
        let reader = try VirtualReader(
            field: Field(kinds.enumerated().map { $1.make(serial: $0 + 1) }), latency: .none)
        defer { reader.stop() }
        let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let journals = Journals(WriteJournal(folder: folder.appending(path: "writes")))
        try await test(Bench(reader: reader, journals: journals, folder: folder))
    }

    func session<Value: Sendable>(
        opening credential: Type2Credential? = nil, asking dialogue: any Dialogue = NoDialogue(),
        _ work: @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        try await TagSession.run(
            .init(reader: reader.connection, opening: credential, dialogue: dialogue, journals: journals), work)
    }

    static func text(_ text: String) throws -> [UInt8] {
        try NDEFMessage(records: [URIRecord(uri: text).record()]).encoded()
    }

    @discardableResult
    func write(_ message: [UInt8], asking dialogue: any Dialogue = NoDialogue()) async throws -> TagReading {
        try await session(asking: dialogue) { session in
            try await SafeWrite(session).change(within: .seconds(10), to: .replaceMessage).write(message)
        }
    }

    func message() async throws -> [UInt8] {
        try await session { session in
            try await session.read(session.onlyTag(within: .seconds(10))).bytes
        }
    }
}
