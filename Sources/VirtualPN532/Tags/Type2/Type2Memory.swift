// Non-volatile memory of a Type 2 Tag — NXP data sheets, "memory organization"

/// The non-volatile memory of a Type 2 Tag.
struct Type2Memory: Hashable, Sendable {
    static let blockSize = 4

    let chip: Type2Chip
    /// The content of all blocks in order, including PWD, PACK and keys, which READ does not return.
    private(set) var bytes: [UInt8]
    /// The numbers of the password or key blocks that the tag's file does not contain.
    ///
    /// While a block is unknown, every password or key counts as wrong. A write to the block makes it known.
    private(set) var unknownBlocks: Set<Int> = []
    /// The answer to GET_VERSION; empty if the chip does not support the command.
    var version: [UInt8]
    /// The answer to READ_SIG, if the chip supports the command.
    var signature: [UInt8]
    /// The 24-bit counters.
    ///
    /// An Ultralight EV1 has counters 0 to 2. An NTAG21x has only counter 2, its NFC counter.
    var counters: [UInt32] = [0, 0, 0]
    /// The tearing flag of each counter: `BD`, unless power failed during the last write to the counter.
    var tearingFlags: [UInt8] = [0xBD, 0xBD, 0xBD]
    /// The number of failed authentications since the last successful one.
    var failedAuthentications = 0

    init(chip: Type2Chip, uid: [UInt8]) {
        self.chip = chip
        version = chip.version
        bytes = [UInt8](repeating: 0, count: chip.blockCount * Self.blockSize)
        signature = chip.hasSignature ? Self.unsigned : [UInt8](repeating: 0, count: 32)
        store(Self.uidBlocks(uid, chip), at: 0)
        store(chip.delivered, at: 3)
        for table in chip.locks where table.block != 2 && chip.hasConfiguration {
            store([0x00, 0x00, 0x00, 0xBD], at: table.block)
        }
        if let first = chip.configurationBlock {
            let strongModulation: UInt8 = chip.family == .ntag21x ? 0x04 : 0x00
            store([strongModulation, 0x00, 0x00, 0xFF, 0x00, 0x05, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF], at: first)
        }
        // Product code 9090 and revision, which are read-only.
        if chip.family == .st25TN { store([0x90, 0x90, 0x01, 0x00], at: 0x2D) }
        if let first = chip.keyBlock { store(UltralightCProtection.delivered, at: first - 2) }
        if chip.aesKeyBlock != nil {
            store(UltralightAESProtection.delivered, at: UltralightAESProtection.firstBlock)
        }
        // At delivery, AUTH0 is beyond the end of the memory (from memory, not from a data sheet).
        if let first = chip.settingsBlock {
            store([0x00, 0x00, 0x00, UInt8(chip.blockCount)], at: first)
            if let block = chip.passwordBlock { store([0xFF, 0xFF, 0xFF, 0xFF], at: block) }
        }
        if let map = chip.sectorMap {
            store([0x01, 0x00, 0xF8, 0x48, 0x08, 0x01, 0x00, 0x00], at: map.configurationRegisters)
            loadSessionRegisters()
        }
    }

    /// The signature of a simulated chip.
    ///
    /// No NXP public key verifies it, because only NXP can create a valid signature.
    private static let unsigned = Array("nfctool: no NXP key signed this.".utf8)

    /// Returns the content at the start of block 0, which contains the UID.
    private static func uidBlocks(_ uid: [UInt8], _ chip: Type2Chip) -> [UInt8] {
        let (selRes, sensRes): (UInt8, [UInt8]) = (0x00, [0x44, 0x00])
        if chip.hasPlainUID { return uid + [selRes] + sensRes }
        let (cascadeTag, internalByte): (UInt8, UInt8) = (0x88, 0x48)
        let bcc0 = uid.prefix(3).reduce(cascadeTag, ^)
        let bcc1 = uid.dropFirst(3).reduce(0, ^)
        return uid.prefix(3) + [bcc0] + uid.dropFirst(3) + [bcc1, internalByte]
    }

    /// Copies the configuration registers to the session registers, as an NTAG I2C does at power-up.
    mutating func loadSessionRegisters() {
        guard let map = chip.sectorMap else { return }
        let first = map.configurationRegisters
        // RF_FIELD_PRESENT is set. RF_LOCKED is also set, because there is no I2C host that could lock the memory.
        let status: UInt8 = 0x21
        store(self[first] + self[first + 1].prefix(2) + [status, 0x00], at: map.sessionRegisters)
    }

    /// Removes the Lock Control TLV.
    ///
    /// In delivery state, the user memory then starts with the NDEF Message TLV.
    mutating func removeLockControlTLV() {
        // The TLV to remove follows the capability container. It consists of `01 03` and three bytes.
        let (container, rest) = (chip.delivered.prefix(4), chip.delivered.dropFirst(4))
        guard rest.prefix(2) == [0x01, 0x03] else { return }
        store(container + rest.dropFirst(5) + [UInt8](repeating: 0, count: 5), at: 3)
    }

    /// The four bytes of a block, which must exist.
    subscript(block: Int) -> [UInt8] {
        Array(bytes[block * Self.blockSize..<(block + 1) * Self.blockSize])
    }

    /// Writes bytes regardless of locks, as in the factory.
    ///
    /// Bytes that do not fit into the memory are dropped.
    mutating func store(_ content: some Collection<UInt8>, at block: Int) {
        for (index, byte) in zip(bytes.indices.dropFirst(block * Self.blockSize), content) { bytes[index] = byte }
        if !unknownBlocks.isEmpty {
            unknownBlocks.subtract(block..<block + (content.count + Self.blockSize - 1) / Self.blockSize)
        }
    }

    /// Makes the content of a block unknown if the block belongs to a password or key.
    ///
    /// Returns false if READ returns the block, because the tag could not answer with unknown content. Also returns
    /// false for an NTAG 22x DNA, because READ returns the blocks after its password or key.
    mutating func forget(_ block: Int) -> Bool {
        guard chip.settingsBlock == nil, let first = chip.passwordBlock ?? chip.keyBlock, block >= first else {
            return false
        }
        store([UInt8](repeating: 0, count: Self.blockSize), at: block)
        unknownBlocks.insert(block)
        return true
    }

    func isLocked(_ block: Int) -> Bool {
        chip.locks.contains { $0.locks(block, in: self[$0.block]) }
    }

    /// Returns the content of a block after a write.
    ///
    /// Lock bits and the bits of block 3 can only be set.
    func programmed(_ data: [UInt8], at block: Int) -> [UInt8] {
        let old = self[block]
        if let table = chip.locks.first(where: { $0.block == block }) { return table.merged(old, data) }
        if block == 3 { return zip(old, data).map(|) }
        if let first = chip.sectorMap?.configurationRegisters, block == first + 1 {
            // The bits in byte 2, REG_LOCK, can only be set.
            return data.prefix(2) + [old[2] | data[2], old[3]]
        }
        if chip.aesKeyBlock != nil, block == UltralightAESProtection.keyLockBlock {
            return UltralightAESProtection.keyLocks(old, data)
        }
        if block == chip.packBlock { return Array(data.prefix(2) + old.suffix(2)) }
        return data
    }

    /// Returns the content of the counter block after a write, or nil if the tag refuses the write.
    ///
    /// The first value other than 0 sets the counter. Each later write adds 0 to 15. The counter never exceeds FFFF.
    func counted(_ data: [UInt8], at block: Int) -> [UInt8]? {
        let old = self[block]
        let value = UInt32(old[0]) | UInt32(old[1]) << 8
        var amount = UInt32(data[0]) | UInt32(data[1]) << 8
        if value != 0 {
            // An Ultralight C uses only the low four bits of the first byte.
            if chip.family == .ultralightC { amount = UInt32(data[0] & 0x0F) }
            guard amount <= 0x0F else { return nil }
        }
        let sum = value + amount
        guard sum <= 0xFFFF else { return nil }
        return [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)] + old.suffix(2)
    }

    /// The content of all blocks as READ returns it.
    ///
    /// PWD, PACK and AES keys are returned as zeros. Byte 3 of the dynamic lock block is returned as stored.
    var readable: [UInt8] {
        var shown = bytes
        for blocks in chip.hiddenBlocks {
            let range = blocks.lowerBound * Self.blockSize..<blocks.upperBound * Self.blockSize
            shown.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
        }
        return shown
    }
}
