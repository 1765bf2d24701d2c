// A memory map in JSON — CLI.md, Output

import TagTypes

/// The JSON form of a memory map: bytes as hexadecimal, `null` where they cannot be read.
struct MemoryReport: Encodable {
    private let map: MemoryMap

    init(_ map: MemoryMap) { self.map = map }

    private enum Key: CodingKey {
        case blocks, dynamicLock, password, capabilityContainer, fields, files
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(map.blocks.map(BlockReport.init), forKey: .blocks)
        try container.encodeIfPresent(map.dynamicLock.map(DynamicLockReport.init), forKey: .dynamicLock)
        try container.encodeIfPresent(map.password.map(PasswordReport.init), forKey: .password)
        try container.encode(map.capabilityContainer.hex, forKey: .capabilityContainer)
        try container.encode(map.fields.map { FieldReport(name: $0.name, value: $0.value) }, forKey: .fields)
        try container.encode(map.files.map(FileReport.init), forKey: .files)
    }
}

private struct BlockReport: Encodable {
    let block: MemoryMap.Block

    private enum Key: CodingKey {
        case number, bytes, role, locked
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(block.number, forKey: .number)
        try container.encode(block.bytes?.hex, forKey: .bytes)
        try container.encode("\(block.role)", forKey: .role)
        try container.encode(block.isLocked, forKey: .locked)
    }
}

private struct DynamicLockReport: Encodable {
    let lock: MemoryMap.DynamicLock

    private enum Key: CodingKey {
        case address, bitCount, blocksPerBit, bytes
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(lock.address, forKey: .address)
        try container.encode(lock.bitCount, forKey: .bitCount)
        try container.encode(lock.blocksPerBit, forKey: .blocksPerBit)
        try container.encode(lock.bytes?.hex, forKey: .bytes)
    }
}

private struct PasswordReport: Encodable {
    let auth0: Int
    let access: String
    let protectsReading: Bool
    let configurationLocked: Bool
    let authenticationLimit: Int

    init(_ password: MemoryMap.PasswordProtection) {
        auth0 = Int(password.auth0)
        access = [password.access].hex
        protectsReading = password.protectsReading
        configurationLocked = password.isConfigurationLocked
        authenticationLimit = password.authenticationLimit
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
        identifier = [UInt8(file.identifier >> 8), UInt8(file.identifier & 0xFF)].hex
        kind = file.kind
        size = file.size
        readAccess = [file.readAccess].hex
        writeAccess = [file.writeAccess].hex
    }
}
