// A memory map in JSON — Docs/JSON.md, Info

import Hexadecimal
import SafeTag
package import TagTypes

/// The JSON form of a memory map.
///
/// Bytes are hexadecimal, or `null` if they cannot be read.
package struct MemoryReport: Encodable {
    private let map: MemoryMap

    package init(_ map: MemoryMap) { self.map = map }

    private enum Key: CodingKey {
        case blocks, dynamicLock, capabilityContainer, fields, files, sectors, values, origin, applications, freeMemory
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        let protection = Protection(map)
        try container.encode(
            map.blocks.map { BlockReport(block: $0, isProtected: protection?.covers($0.number)) }, forKey: .blocks)
        try container.encodeIfPresent(map.dynamicLock.map(DynamicLockReport.init), forKey: .dynamicLock)
        try container.encode(map.capabilityContainer.hex, forKey: .capabilityContainer)
        try container.encode(map.fields.map { FieldReport(name: $0.name, value: $0.value) }, forKey: .fields)
        try container.encode(map.files.map(FileReport.init), forKey: .files)
        if !map.applications.isEmpty {
            try container.encode(map.applications.map(ApplicationReport.init), forKey: .applications)
        }
        try container.encodeIfPresent(map.freeMemory, forKey: .freeMemory)
        guard !map.sectors.isEmpty else { return }
        try container.encode(map.sectors.map(SectorReport.init), forKey: .sectors)
        try container.encode(map.blocks.compactMap(ValueReport.init), forKey: .values)
        try container.encodeIfPresent(map.origin.map(OriginReport.init), forKey: .origin)
    }
}

private struct BlockReport: Encodable {
    let block: MemoryMap.Block
    /// Whether the block requires the password, or nil if the tag has none.
    let isProtected: Bool?

    private enum Key: CodingKey {
        case number, bytes, role, locked, protected
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(block.number, forKey: .number)
        try container.encode(block.bytes?.hex, forKey: .bytes)
        try container.encode("\(block.role)", forKey: .role)
        try container.encode(block.isLocked, forKey: .locked)
        try container.encodeIfPresent(isProtected, forKey: .protected)
    }
}

private struct DynamicLockReport: Encodable {
    let lock: MemoryMap.DynamicLock

    private enum Key: CodingKey {
        case address, bitCount, blocksPerBit, bytes
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(lock.address, forKey: .address)
        try container.encode(lock.bitCount, forKey: .bitCount)
        try container.encode(lock.blocksPerBit, forKey: .blocksPerBit)
        try container.encode(lock.bytes?.hex, forKey: .bytes)
    }
}

private struct FieldReport: Encodable {
    let name: String
    let value: String
}

private struct FileReport: Encodable {
    let identifier: String
    let kind: String
    let size: Int
    let readAccess: String
    let writeAccess: String

    init(_ file: MemoryMap.File) {
        identifier = file.identifier.hex
        kind = file.kind
        size = file.size
        readAccess = file.readAccess.hex
        writeAccess = file.writeAccess.hex
    }
}
