// What one tag is and holds, and its JSON form — Docs/JSON.md, Tag

import Composing
import Hexadecimal
import NDEF
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

/// A tag as a command found it.
struct TagReading: Sendable {
    let reader: String
    let target: Target
    let chip: Chip?
    var state: NDEFState
    /// The message's bytes as stored; empty when there is none.
    let bytes: [UInt8]
    let message: NDEFMessage
    /// Why the tag could not be read, if it could not.
    var failure: TagFailure?
    /// Set after a write, when the tag was seen to hold the message.
    var isVerified: Bool?
    /// What the chip shows in the message: a counter differs from one reading to the next.
    var mirror: MirrorPlacement?
    /// Set by copy: what the source showed in the message and this tag holds as fixed characters.
    var fixed: MirrorContent?
    /// Set by read when an earlier command on the tag was interrupted and must be recovered.
    var isUnfinished: Bool?
    /// Set by read and scan when there are more tags in the field than the reader tells apart.
    var hasMoreBeside: Bool?
    /// Set after a change of protection.
    var protection: Protection?

    var uid: String { target.identifier.hex }

    /// The message's bytes without those the chip shows.
    var lastingBytes: [UInt8] { mirror?.rest(of: bytes) ?? bytes }

    /// The chip's name, or what activation tells.
    var name: String { chip?.name ?? TagDetection.tagType(of: target).name }
}

extension TagReading {
    /// A tag that is there and cannot be read.
    init(unreadable target: Target, on reader: String, because failure: TagFailure) {
        self.init(
            reader: reader, target: target, chip: nil,
            state: NDEFState(status: .notSupported, capacity: 0, messageLength: nil, reason: failure.message),
            bytes: [],
            message: NDEFMessage(records: []), failure: failure)
    }
}

extension TagSession {
    /// Connects to a tag and reads its status and message.
    ///
    /// - Parameter new: a password that opens the tag instead, where this computer is known to have set it.
    func read(_ detected: DetectedTag, orOpeningWith new: Type2Credential? = nil) async throws -> TagReading {
        let tag = try await connect(to: detected, opening: unlocking(for: detected, orWith: new))
        var reading = try await currentReading(of: tag)
        reading.hasMoreBeside = hasMoreTags ? true : nil
        return reading
    }

    /// Reads the status and message of a connected tag; what was read before in this connection is not read again.
    func currentReading(of tag: ConnectedTag) async throws -> TagReading {
        let (chip, state, bytes, mirror) = try await tag.perform { forumTag in
            let state = try forumTag.detect()
            let isEmpty = state.messageLength.map { $0 == 0 } ?? true
            let mirror = try (forumTag as? Type2Tag)?.shownMirror()
            return (forumTag.chip, state, isEmpty ? [] : try forumTag.readNDEF(), mirror.flatMap(MirrorPlacement.init))
        }
        return TagReading(
            reader: reader, target: tag.target, chip: chip, state: state, bytes: bytes,
            message: bytes.isEmpty ? NDEFMessage(records: []) : try NDEFMessage(bytes: bytes), mirror: mirror)
    }

    /// The name of a connected tag, the same in all commands: the chip's, or what activation tells.
    func name(of tag: ConnectedTag) async throws -> String {
        try await tag.perform { $0.chip?.name } ?? TagDetection.tagType(of: tag.target).name
    }

    /// The one tag a command may change.
    ///
    /// - Throws: ``SeveralTags`` when there are more, unless `uid` picks one.
    func onlyTag(within timeout: Duration?, uid: TagUID?) async throws -> DetectedTag {
        let tags = try await tags(within: timeout, uid: uid)
        guard let tag = tags.first, tags.count == 1, uid != nil || !hasMoreTags else {
            throw SeveralTags(tags, in: self)
        }
        return tag
    }
}

/// More tags than one in the field of a command that changes a tag.
struct SeveralTags: Failure {
    let uids: [String]
    /// There are more than these.
    let hasMore: Bool

    init(_ tags: [DetectedTag], in session: TagSession) {
        (uids, hasMore) = (tags.map(\.uid), session.hasMoreTags)
    }

    var name: ErrorName { .severalTags }
    var message: String {
        let list = uids.joined(separator: ", ")
        return hasMore
            ? "More tags are on the reader than it can tell apart, among them \(list). Nothing was changed."
            : "\(uids.count) tags are on the reader: \(list). Nothing was changed."
    }
    var details: [String: FailureDetail] {
        ["uids": .list(uids)].merging(hasMore ? ["more": .flag(true)] : [:]) { $1 }
    }
}

extension TagReading: Encodable {
    private enum Key: CodingKey {
        case schema, event, reader, uid, tagType, chip, ndefStatus, capacity, messageLength, verified, sha256, fixed,
            unfinished, more,
            password, records, error, message
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode("tag", forKey: .event)
        try container.encode(reader, forKey: .reader)
        try container.encode(uid, forKey: .uid)
        try container.encode(TagDetection.tagType(of: target).type.map(TagTypeReport.init), forKey: .tagType)
        try container.encode(name, forKey: .chip)
        try container.encode("\(state.status)", forKey: .ndefStatus)
        try container.encode(state.capacity, forKey: .capacity)
        try container.encode(state.messageLength ?? 0, forKey: .messageLength)
        try container.encodeIfPresent(isVerified, forKey: .verified)
        if isVerified == true { try container.encode(bytes.sha256, forKey: .sha256) }
        try container.encodeIfPresent(fixed, forKey: .fixed)
        try container.encodeIfPresent(isUnfinished, forKey: .unfinished)
        try container.encodeIfPresent(hasMoreBeside, forKey: .more)
        try container.encodeIfPresent(protection, forKey: .password)
        try container.encode(message.records.map(RecordReport.init), forKey: .records)
        try container.encodeIfPresent(failure?.name, forKey: .error)
        try container.encodeIfPresent(failure?.message, forKey: .message)
    }
}

/// A tag type in JSON: 1…5, or `"mifareClassic"`.
struct TagTypeReport: Encodable {
    let type: TagType

    /// The number of an NFC Forum type; nil for others.
    private var number: Int? {
        switch type {
        case .type1: 1
        case .type2: 2
        case .type3: 3
        case .type4: 4
        case .type5: 5
        case .mifareClassic: nil
        }
    }

    /// The same as text.
    var text: String { number.map { "\($0)" } ?? "mifareClassic" }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let number { try container.encode(number) } else { try container.encode(text) }
    }
}

extension DetectedTag {
    /// The UID as JSON shows it.
    var uid: String { target.identifier.hex }
}

extension ConnectedTag {
    /// The UID as JSON shows it.
    var uid: String { target.identifier.hex }
}
