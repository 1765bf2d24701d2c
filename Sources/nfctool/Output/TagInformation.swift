// What `info` knows of a tag, and its JSON form — Docs/JSON.md, Info

import Hexadecimal
import ReaderInterface
import SafeTag
import TagTypes

/// A tag with its memory.
struct TagInformation: Sendable {
    let reader: String
    let target: Target
    let chip: Chip?
    let state: NDEFState
    let memory: MemoryMap
    /// Set when there are more tags in the field than the reader tells apart.
    var hasMoreBeside: Bool?
    /// Set when an earlier restore of the tag was interrupted.
    var isUnfinished: Bool?
    /// Bytes in the memory that are not for the screen; JSON has them.
    var secrets: [[UInt8]] = []

    /// What the tag asks a password for, where that can be read.
    var protection: Protection? { Protection(memory) }

    /// The chip's name, or what activation tells.
    var name: String { chip?.name ?? TagDetection.tagType(of: target).name }
}

extension TagInformation: Encodable {
    private enum Key: CodingKey {
        case schema, event, reader, uid, tagType, chip, ndefStatus, capacity, messageLength, reason, blank,
            password, counters, mirror, signature, memory, unfinished, more
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode("tag", forKey: .event)
        try container.encode(reader, forKey: .reader)
        try container.encode(target.identifier.hex, forKey: .uid)
        try container.encode(TagDetection.tagType(of: target).type.map(TagTypeReport.init), forKey: .tagType)
        try container.encode(name, forKey: .chip)
        try container.encode("\(state.status)", forKey: .ndefStatus)
        try container.encode(state.capacity, forKey: .capacity)
        try container.encode(state.messageLength ?? 0, forKey: .messageLength)
        try container.encodeIfPresent(state.reason, forKey: .reason)
        try container.encode(state.isBlank, forKey: .blank)
        try container.encodeIfPresent(protection, forKey: .password)
        try container.encode(memory.counters.map(CounterReport.init), forKey: .counters)
        try container.encodeIfPresent(memory.mirror.map(MirrorReport.init), forKey: .mirror)
        try container.encode(SignatureReport(memory, uid: target.identifier), forKey: .signature)
        try container.encode(MemoryReport(memory), forKey: .memory)
        try container.encodeIfPresent(isUnfinished, forKey: .unfinished)
        try container.encodeIfPresent(hasMoreBeside, forKey: .more)
    }
}
