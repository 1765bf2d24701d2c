// One write under way, and its JSON form with a checksum — RFC 8259

import DurableFiles
public import Foundation
import Hexadecimal
public import TagTypes

/// What is remembered of a write from before its first byte until its proof.
public struct JournalEntry: Hashable, Sendable, Codable {
    /// The tag's identifier.
    public let uid: [UInt8]
    /// The chip's or the tag type's name, for people.
    public let tagName: String
    /// When the write began.
    public let started: Date
    /// Both messages, and all bytes that change, before and after.
    public let plan: WritePlan
    /// What the chip shows in the new message, or in the insured one.
    ///
    /// The write is not done before that is proven.
    public let mirror: Mirror?
    /// What the chip showed in the old message before the write turned that off.
    ///
    /// A way back is not done before the chip shows it again.
    public let oldMirror: Mirror?
    /// The change that the plan insures; nil for a write.
    ///
    /// Both messages of such a plan are the one that must outlast the change.
    public let insured: InsuredChange?
    /// The write that this one takes back, as ``DoneWrites/Write/number``; nil for every other write.
    public let takesBack: Int64?

    /// The message that a way back brings back.
    public var oldMessage: [UInt8] { plan.oldMessage ?? [] }

    /// The message that a run in this direction leaves.
    public func message(_ direction: WritePlan.Direction) -> [UInt8] {
        direction == .forward ? plan.newMessage : oldMessage
    }

    /// What the chip shows in the message that a run in this direction leaves.
    public func mirror(_ direction: WritePlan.Direction) -> Mirror? {
        direction == .forward || insured != nil ? mirror : oldMirror
    }

    /// What a chip shows in a message, and where.
    public struct Mirror: Hashable, Sendable, Codable {
        /// What is shown.
        public let content: MirrorContent
        /// The offset of its first character in the message.
        public let offset: Int

        /// Makes a mirror.
        public init(content: MirrorContent, offset: Int) {
            self.content = content
            self.offset = offset
        }
    }

    /// A change of something else than the message.
    public enum InsuredChange: String, Hashable, Sendable, Codable {
        /// Making the tag read-only.
        case lock
    }

    /// Makes an entry of a plan that keeps the old message; those of tools that knew no mirrors and no insurance are read as
    /// entries without.
    public init(
        uid: [UInt8], tagName: String, started: Date, plan: WritePlan, mirror: Mirror? = nil,
        oldMirror: Mirror? = nil, insured: InsuredChange? = nil, takesBack: Int64? = nil
    ) {
        precondition(plan.oldMessage != nil, "An entry that cannot be undone")
        self.uid = uid
        self.tagName = tagName
        self.started = started
        self.plan = plan
        self.mirror = mirror
        self.oldMirror = oldMirror
        self.insured = insured
        self.takesBack = takesBack
    }
}

extension JournalEntry {
    /// The file's shape: the entry's own text is hashed as it stands.
    private struct Envelope: Codable {
        let schema: Int
        let sha256: String
        let entry: String
    }

    /// What every version of the file has, whatever else is in it.
    private struct Version: Decodable {
        let schema: Int
    }

    static let schema = 1
    /// The longest file that is taken for an entry, in bytes: 64 KiB of message, before and after, as JSON numbers.
    static let longestFile = 4 << 20

    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        let entry = try encoder.encode(self)
        return try encoder.encode(
            Envelope(
                schema: Self.schema, sha256: SHA256Digest(of: Array(entry)).hex,
                entry: String(decoding: entry, as: UTF8.self)))
    }

    /// - Throws: ``EntryError`` for anything but a whole entry of this version.
    init(decoding data: Data) throws(EntryError) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let version = try? decoder.decode(Version.self, from: data).schema else { throw .notAnEntry }
        guard version == Self.schema else { throw .otherVersion(version) }
        guard let envelope = try? decoder.decode(Envelope.self, from: data) else { throw .notAnEntry }
        guard SHA256Digest(of: Array(envelope.entry.utf8)).hex == envelope.sha256 else { throw .checksum }
        guard let entry = try? decoder.decode(Self.self, from: Data(envelope.entry.utf8)), !entry.plan.head.isEmpty,
            entry.plan.oldMessage != nil,
            entry.plan.pieces.allSatisfy({ $0.address >= 0 && $0.old.count <= $0.new.count && !$0.new.isEmpty }),
            [(entry.mirror, entry.plan.newMessage), (entry.oldMirror, entry.oldMessage)].allSatisfy({ mirror, message in
                mirror.map { (0...message.count).contains($0.offset) } ?? true
            })
        else { throw .notAnEntry }
        self = entry
    }

    /// Why a file is no entry.
    enum EntryError: Error, CustomStringConvertible {
        case notAnEntry, checksum
        case otherVersion(Int)

        var description: String {
            switch self {
            case .notAnEntry: "it is not a journal entry"
            case .checksum: "its checksum is wrong"
            case .otherVersion(let version): "it has version \(version), but only version 1 is supported"
            }
        }
    }
}
