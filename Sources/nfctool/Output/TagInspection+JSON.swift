// The result of `info` in JSON — Docs/JSON.md, Info

import Hexadecimal
import MemoryPresentation
import ReaderInterface
import SafeTag
import TagTypes

extension TagInspection: Encodable {
    private enum Key: CodingKey {
        case schema, event, reader, file, uid, activation, tagType, chip, ndefStatus, capacity, messageLength, reason,
            writeKeys, dynamic, blank, systemCodes, password, counters, mirror, sun, signature, memory, unfinished, more
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode("tag", forKey: .event)
        if let file { try container.encode(file, forKey: .file) } else { try container.encode(reader, forKey: .reader) }
        try container.encode(target.identifier.hex, forKey: .uid)
        if file == nil { try container.encode(target.activationObject, forKey: .activation) }
        try container.encode(TagDetection.tagType(of: target).type.map(TagTypeReport.init), forKey: .tagType)
        try container.encode(name, forKey: .chip)
        try container.encode("\(state.openStatus)", forKey: .ndefStatus)
        try container.encode(state.capacity, forKey: .capacity)
        try container.encode(state.messageLength ?? 0, forKey: .messageLength)
        try container.encodeIfPresent(state.reason ?? state.rights?.reason, forKey: .reason)
        try container.encodeIfPresent(state.rights?.keys, forKey: .writeKeys)
        try container.encodeIfPresent(state.rights?.isDynamic == true ? true : nil, forKey: .dynamic)
        try container.encode(state.isBlank, forKey: .blank)
        if !memory.systemCodes.isEmpty { try container.encode(memory.systemCodes.map(\.hex), forKey: .systemCodes) }
        try container.encodeIfPresent(protection, forKey: .password)
        try container.encode(memory.counters.map(CounterReport.init), forKey: .counters)
        try container.encodeIfPresent(memory.mirror.map(MirrorReport.init), forKey: .mirror)
        try container.encodeIfPresent(memory.sun.map(SUNReport.init), forKey: .sun)
        try container.encode(SignatureReport(self), forKey: .signature)
        try container.encode(MemoryReport(memory), forKey: .memory)
        try container.encodeIfPresent(isUnfinished, forKey: .unfinished)
        try container.encodeIfPresent(hasMoreTags, forKey: .more)
    }
}
