// Non-volatile memory of a Type 2 Tag — NXP data sheets, "memory organization"

/// All that a Type 2 Tag keeps without power.
struct Type2Memory: Hashable, Sendable {
    static let blockSize = 4

    let chip: Type2Chip
    /// The blocks in order, PWD and PACK as they are, not as they read.
    private(set) var bytes: [UInt8]
    /// Answer to GET_VERSION, where the chip has it.
    var version: [UInt8]
    /// Answer to READ_SIG.
    var signature = [UInt8](repeating: 0, count: 32)
    /// 24-bit counters: 0 to 2 on Ultralight EV1, 2 alone (the NFC counter) on NTAG21x.
    var counters: [UInt32] = [0, 0, 0]
    /// `BD` unless a write to the counter was torn.
    var tearingFlags: [UInt8] = [0xBD, 0xBD, 0xBD]
    /// Negative password verifications since the last positive one.
    var failedAuthentications = 0

    /// Memory as delivered by the factory.
    init(chip: Type2Chip, uid: [UInt8]) {
        self.chip = chip
        version = chip.version
        bytes = [UInt8](repeating: 0, count: chip.blockCount * Self.blockSize)
        let cascadeTag: UInt8 = 0x88
        let bcc0 = uid.prefix(3).reduce(cascadeTag, ^)
        let bcc1 = uid.dropFirst(3).reduce(0, ^)
        let internalByte: UInt8 = 0x48
        store(uid.prefix(3) + [bcc0] + uid.dropFirst(3) + [bcc1, internalByte], at: 0)
        store(chip.delivered, at: 3)
        for table in chip.locks where table.block != 2 {
            store([0x00, 0x00, 0x00, 0xBD], at: table.block)
        }
        if let first = chip.configurationBlock {
            let strongModulation: UInt8 = chip.family == .ntag21x ? 0x04 : 0x00
            store([strongModulation, 0x00, 0x00, 0xFF, 0x00, 0x05, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF], at: first)
        }
    }

    /// Four bytes; the block must exist.
    subscript(block: Int) -> [UInt8] {
        Array(bytes[block * Self.blockSize..<(block + 1) * Self.blockSize])
    }

    /// Puts bytes into the memory as the factory can: past locks, and only as far as the memory goes.
    mutating func store(_ content: some Collection<UInt8>, at block: Int) {
        for (index, byte) in zip(bytes.indices.dropFirst(block * Self.blockSize), content) { bytes[index] = byte }
    }

    var configuration: Type2Configuration? {
        chip.configurationBlock.map { Type2Configuration(bytes[($0 * Self.blockSize)...]) }
    }

    func isLocked(_ block: Int) -> Bool {
        chip.locks.contains { $0.locks(block, in: self[$0.block]) }
    }

    /// What a write of `data` makes of a block: lock bits and block 3 are one-time programmable.
    func programmed(_ data: [UInt8], at block: Int) -> [UInt8] {
        let old = self[block]
        if let table = chip.locks.first(where: { $0.block == block }) { return table.merged(old, data) }
        if block == 3 { return zip(old, data).map(|) }
        if block == chip.packBlock { return Array(data.prefix(2) + old.suffix(2)) }
        return data
    }

    /// As READ shows the memory: PWD and PACK as zero, byte 3 of the dynamic lock block as it is.
    var readable: [UInt8] {
        guard let passwordBlock = chip.passwordBlock else { return bytes }
        return bytes.prefix(passwordBlock * Self.blockSize) + [UInt8](repeating: 0, count: 2 * Self.blockSize)
    }
}
