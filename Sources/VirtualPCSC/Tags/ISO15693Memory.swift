// What an ISO 15693 tag keeps without power

/// Blocks, their locks, AFI and DSFID, and what manufacturers add.
struct ISO15693Memory: Hashable, Sendable {
    let chip: ISO15693Chip
    /// E0 first.
    let uid: [UInt8]
    var bytes: [UInt8]
    var isLocked: [Bool]
    var afi: UInt8 = 0x00
    var dsfid: UInt8 = 0x00
    var isAFILocked = false
    var isDSFIDLocked = false
    /// What the chip's family has besides.
    var custom = CustomMemory()

    /// As delivered.
    init(chip: ISO15693Chip, uid: [UInt8]) {
        (self.chip, self.uid) = (chip, uid)
        bytes = chip.factoryBytes + [UInt8](repeating: 0, count: chip.size - chip.factoryBytes.count)
        isLocked = [Bool](repeating: false, count: chip.blockCount)
        custom = CustomMemory(chip: chip)
    }

    subscript(block: Int) -> [UInt8] {
        get { Array(bytes[(block * chip.blockSize)..<((block + 1) * chip.blockSize)]) }
        set { bytes.replaceSubrange((block * chip.blockSize)..<((block + 1) * chip.blockSize), with: newValue) }
    }
}

/// Memory of custom commands.
struct CustomMemory: Hashable, Sendable {
    init() {}
    init(chip: ISO15693Chip) {}
}
