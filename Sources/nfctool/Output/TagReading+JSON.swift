// The JSON form of a tag that was read — Docs/JSON.md, Tag

import DurableFiles
import NDEF
import RecordPresentation
import SafeTag
import TagTypes

extension TagReading: Encodable {
    private enum Key: CodingKey {
        case schema, event, reader, file, uid, tagType, chip, ndefStatus, capacity, messageLength, reason, writeKeys,
            dynamic, verified, sha256, fixed, unfinished, more, password, records, error, message
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode("tag", forKey: .event)
        if let file { try container.encode(file, forKey: .file) } else { try container.encode(reader, forKey: .reader) }
        try container.encode(uid, forKey: .uid)
        try container.encode(TagDetection.tagType(of: target).type.map(TagTypeReport.init), forKey: .tagType)
        try container.encode(name, forKey: .chip)
        try container.encode("\(state.openStatus)", forKey: .ndefStatus)
        try container.encode(state.capacity, forKey: .capacity)
        try container.encode(state.messageLength ?? 0, forKey: .messageLength)
        // If the tag could not be read, `message` already contains the reason.
        if failure == nil { try container.encodeIfPresent(state.reason ?? state.rights?.reason, forKey: .reason) }
        try container.encodeIfPresent(state.rights?.keys, forKey: .writeKeys)
        try container.encodeIfPresent(state.rights?.isDynamic == true ? true : nil, forKey: .dynamic)
        try container.encodeIfPresent(isVerified, forKey: .verified)
        if isVerified == true { try container.encode(bytes.sha256, forKey: .sha256) }
        try container.encodeIfPresent(fixed, forKey: .fixed)
        try container.encodeIfPresent(isUnfinished, forKey: .unfinished)
        try container.encodeIfPresent(hasMoreTags, forKey: .more)
        try container.encodeIfPresent(protection, forKey: .password)
        try container.encode(message.recordReports, forKey: .records)
        try container.encodeIfPresent(failure.flatMap { TagFailure($0) }?.name, forKey: .error)
        try container.encodeIfPresent(failure.flatMap { TagFailure($0) }?.message, forKey: .message)
    }
}

struct TagTypeReport: Encodable {
    let type: TagType

    /// The number of an NFC Forum tag type, or nil for any other type.
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

    var text: String { number.map { "\($0)" } ?? "mifareClassic" }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let number { try container.encode(number) } else { try container.encode(text) }
    }
}
