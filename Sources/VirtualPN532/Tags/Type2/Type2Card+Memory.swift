// READ, FAST_READ, WRITE, SECTOR_SELECT — NXP data sheets, "NTAG commands" and "command set"

extension Type2Card {
    // MARK: Addresses

    /// Returns the number of the block at an address in the selected sector, or nil if there is no such block.
    private func block(at address: Int) -> Int? {
        if let map = chip.sectorMap { return map.block(at: address, sector: sector) }
        return address < chip.blockCount ? address : nil
    }

    /// Handles the second frame of SECTOR_SELECT: the sector's number and three bytes that are reserved for future use.
    mutating func selectSector(_ frame: [UInt8]) throws(NAK) -> TagReply {
        guard frame.count == 4, let map = chip.sectorMap, map.hasSector(frame[0]) else { throw .invalidArgument }
        sector = frame[0]
        // The passive ACK is silence.
        return TagReply(.silence)
    }

    // MARK: READ, FAST_READ

    /// The number of the first block that cannot be read now.
    ///
    /// If all blocks can be read, this is the number of readable blocks.
    private var readableEnd: Int {
        guard let protection, protection.coversReading else { return chip.readableBlockCount }
        return min(protection.firstBlock, chip.readableBlockCount)
    }

    /// Handles READ, which returns four blocks.
    ///
    /// After the last block of the memory, or of its unprotected part, READ continues with block 0. On an NTAG I2C,
    /// addresses without a block read as zero, but the first address must have a block.
    mutating func read(from address: Int) throws(NAK) -> TagReply {
        let end = readableEnd
        guard let first = block(at: address), first < end else { throw .invalidArgument }
        countRead()
        let image = readableImage()
        return reply(
            (0..<4).flatMap { offset -> ArraySlice<UInt8> in
                let block = chip.sectorMap == nil ? (first + offset) % end : block(at: address + offset)
                return block.map { image[$0 * 4..<$0 * 4 + 4] } ?? [0x00, 0x00, 0x00, 0x00]
            })
    }

    mutating func fastRead(from first: Int, through last: Int) throws(NAK) -> TagReply {
        guard first <= last, variant.takesFastRead(of: last - first + 1) else { throw .invalidArgument }
        let end = readableEnd
        var blocks: [Int] = []
        for address in first...last {
            guard let block = block(at: address), block < end else { throw .invalidArgument }
            blocks.append(block)
        }
        countRead()
        let image = readableImage()
        fastReads += 1
        return reply(variant.answers(fastRead: blocks.flatMap { image[$0 * 4..<$0 * 4 + 4] }, number: fastReads))
    }

    private func readableImage() -> [UInt8] {
        var image = memory.readable
        if let block = chip.counterBlock, let atPowerUp {
            // A one-way counter shows its new value only after the field has been off.
            image.replaceSubrange(block * 4..<block * 4 + 4, with: atPowerUp[block])
        }
        if let first = chip.settingsBlock {
            // Unlike the other settings, a new SUNCMAC_KEY takes effect immediately.
            var inForce = Array((atPowerUp ?? memory).bytes[(first * 4)...])
            inForce.replaceSubrange(44..., with: memory.bytes[((first + 11) * 4)...])
            return NTAG22xSettings(inForce[...]).applied(
                to: image, uid: Array(memory.bytes[..<3] + memory.bytes[4..<8]), userBlocks: 4..<first - 1)
        }
        guard chip.family == .ntag21x, let configuration else { return image }
        let mirror = ASCIIMirror(
            configuration, uid: memory.bytes[..<3] + memory.bytes[4..<8], counter: memory.counters[2],
            showsCounter: configuration.countsReads && (!configuration.protectsCounter || isAuthenticated))
        return mirror.applied(to: image, userBlocks: 4..<chip.locks[1].block)
    }

    // MARK: WRITE, COMPATIBILITY_WRITE

    /// Returns the number of the block at an address, or throws an error if the block cannot be written now.
    func writableBlock(at address: Int) throws(NAK) -> Int {
        guard let block = block(at: address), block >= 2 else { throw .invalidArgument }
        let lockBits = chip.latchesLockBits ? atActivation : memory
        guard !lockBits.isLocked(block) else { throw .invalidArgument }
        if let protection, block >= protection.firstBlock { throw .invalidArgument }
        if let first = chip.configurationBlock, (first...first + 1).contains(block), configuration?.isLocked == true {
            throw .invalidArgument
        }
        if let first = chip.settingsBlock, settings?.isKeyLocked ?? false {
            guard !NTAG22xSettings.keyBlocks(after: first).contains(block) else { throw .invalidArgument }
        }
        if let aesProtection {
            let isConfiguration = (UltralightAESProtection.firstBlock...UltralightAESProtection.firstBlock + 1)
                .contains(block)
            guard !(isConfiguration && aesProtection.isLocked),
                !aesProtection.lockedKeys.contains(where: { $0 ~= block })
            else { throw .invalidArgument }
        }
        // The read-only blocks contain the product identification, the kill password and its lock, and manufacturer
        // data.
        if chip.family == .st25TN, block == 0x2D || (0x2F...0x3B).contains(block) { throw .invalidArgument }
        if let map = chip.sectorMap {
            // If REG_LOCK bit 0 is set, the RF side cannot write the configuration registers. It can never write the
            // session registers.
            let isLocked = memory[map.configurationRegisters + 1][2] & 0x01 != 0
            guard block < (isLocked ? map.configurationRegisters : map.sessionRegisters) else { throw .invalidArgument }
        }
        return block
    }

    mutating func program(_ data: [UInt8], at block: Int) throws(NAK) -> TagReply {
        let old = memory[block]
        var new = memory.programmed(data, at: block)
        if block == chip.counterBlock {
            guard let counted = memory.counted(data, at: block) else { throw .invalidArgument }
            new = counted
        }
        if isPowerFailing {
            new =
                chip.isTearProtected(block)
                ? (Bool.random(using: &noise) ? new : old)
                : noise.mixture(of: old, and: new)
        }
        memory.store(new, at: block)
        return acknowledge(after: Self.programmingTime)
    }
}
