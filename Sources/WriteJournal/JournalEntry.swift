// The journal entry of a write, and its JSON form with a checksum — RFC 8259

import DurableFiles
public import Foundation
import Hexadecimal
public import TagTypes

/// The record of a write.
///
/// It is stored before the first byte is written and kept until the write is verified.
public struct JournalEntry: Hashable, Sendable, Codable {
    /// The tag's UID.
    public let uid: [UInt8]
    /// The name of the chip or tag type, for display.
    public let tagName: String
    /// The time when the write began.
    public let started: Date
    /// The plan of the write, with both messages, and with all changed bytes before and after the write.
    public let plan: WritePlan
    /// The mirror in the message that the tag must hold in the end, or nil if there is none.
    ///
    /// This message is the new one or, if the plan insures a change, the one that must survive the change. The write is
    /// complete only when the mirror is verified.
    public let mirror: Mirror?
    /// The mirror that the old message contained and the write turned off, or nil if there was none.
    ///
    /// An undo is complete only when the chip shows this content again.
    public let oldMirror: Mirror?
    /// The change that the plan insures, or nil for a write of a message.
    ///
    /// If a plan insures a change, its old and its new message are the same: the message that must survive the change.
    public let insured: InsuredChange?
    /// The ``DoneWrites/Write/number`` of the write that this write undoes, or nil if it does not undo a write.
    public let takesBack: Int64?

    /// The message that an undo restores.
    public var oldMessage: [UInt8] { plan.oldMessage ?? [] }

    /// Returns the message that the tag holds after the plan was carried out in this direction.
    public func message(_ direction: WritePlan.Direction) -> [UInt8] {
        direction == .forward ? plan.newMessage : oldMessage
    }

    /// Returns the mirror in the message that the tag holds after the plan was carried out in this direction.
    public func mirror(_ direction: WritePlan.Direction) -> Mirror? {
        direction == .forward || insured != nil ? mirror : oldMirror
    }

    /// The content that a chip mirrors into a message, and its position.
    public struct Mirror: Hashable, Sendable, Codable {
        /// The mirrored content.
        public let content: MirrorContent
        /// The offset of the content's first character in the message, in bytes.
        public let offset: Int

        /// Creates a mirror.
        public init(content: MirrorContent, offset: Int) {
            self.content = content
            self.offset = offset
        }
    }

    /// A change to a tag that does not change its message.
    public enum InsuredChange: String, Hashable, Sendable, Codable {
        /// The tag is made read-only.
        case lock
    }

    /// Creates an entry for a plan that contains the old message.
    ///
    /// The properties `mirror`, `oldMirror` and `insured` are nil for entries of earlier versions, which did not store
    /// them.
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

    /// Creates an entry for a message that was replaced without a planned write.
    ///
    /// The entry is only for ``DoneWrites``, which needs nothing but the messages. Its plan is never carried out.
    public init(
        uid: [UInt8], tagName: String, started: Date, replaced old: [UInt8], by new: [UInt8], mirror: Mirror? = nil,
        oldMirror: Mirror? = nil
    ) {
        // Every entry needs at least one piece, and every piece at least one byte.
        let piece = WritePlan.Piece(
            address: 0, old: [], new: new.isEmpty ? [0] : new, messageOffset: 0, messageCount: new.count)
        self.init(
            uid: uid, tagName: tagName, started: started,
            plan: WritePlan(body: [], head: [piece], closed: nil, oldMessage: old, newMessage: new),
            mirror: mirror, oldMirror: oldMirror)
    }
}

extension JournalEntry {
    /// The structure of the file.
    ///
    /// The checksum covers the JSON text of the entry exactly as it is stored.
    private struct Envelope: Codable {
        let schema: Int
        let sha256: String
        let entry: String
    }

    /// The part of the file that all versions have in common.
    private struct Version: Decodable {
        let schema: Int
    }

    static let schema = 1
    /// The maximum length of a file in bytes.
    ///
    /// It is enough for an old and a new message of 64 KiB each, stored as JSON numbers.
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

    /// - Throws: ``EntryError`` unless the data is a complete entry of this version.
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

    /// The reason why a file is not an entry.
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
