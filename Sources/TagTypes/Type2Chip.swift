// Chips behind Type 2 Tags — NXP data sheets NTAG210/212, NTAG213/215/216, MF0ULx1; GET_VERSION

/// The geometry of a Type 2 Tag chip that answers GET_VERSION.
///
/// All of them have FAST_READ and a password.
struct Type2Chip: Hashable, Sendable {
    /// The chip's name and its version bytes.
    let chip: Chip
    /// All blocks of the memory, from 0.
    let blockCount: Int
    /// The number of blocks for user data, from block 4.
    let userBlockCount: Int
    /// Where the dynamic lock bits are.
    let dynamicLock: DynamicLockLayout?
    /// The length of the data area, in units of 8 bytes, in the capability container as delivered.
    let mlen: UInt8

    /// The block of CFG 0, with AUTH0 in byte 3; ACCESS is byte 0 of the next one, then PWD, then PACK.
    var configurationBlock: Int { blockCount - 4 }

    /// The TLVs of the data area as delivered: NXP's Lock Control TLV where the chip has one, and an empty message.
    var deliveredTLVs: [UInt8] {
        let empty: [UInt8] = [0x03, 0x00, 0xFE]
        guard let lock = dynamicLock, lock.blocksPerBit == 2 else { return empty }
        // PageAddr and ByteOffset for 2^4 bytes per page; 2^3 bytes locked per bit.
        return [0x01, 0x03, UInt8(lock.address & 0xFF), UInt8(lock.bitCount), 0x34] + empty
    }

    /// The chip whose GET_VERSION answer this is, `nil` when it is none whose memory we know.
    ///
    /// Shape: header `00`, vendor, product type, subtype, major, minor, storage size, protocol.
    init?(version: [UInt8]) {
        guard version.count == 8, version[0] == 0x00, version[1] == 0x04, version[4] == 0x01 else { return nil }
        let high = version[3] == 0x02
        switch (version[2], version[3], version[6]) {
        case (0x03, 0x01...0x02, 0x0B):
            self.init("MIFARE Ultralight EV1 (MF0UL\(high ? "H" : "")11)", version, blocks: 20, user: 12, mlen: 0x06)
        case (0x03, 0x01...0x02, 0x0E):
            self.init(
                "MIFARE Ultralight EV1 (MF0UL\(high ? "H" : "")21)", version, blocks: 41, user: 32, mlen: 0x10,
                lock: DynamicLockLayout(block: 0x24, bitCount: 10, blocksPerBit: 2, blockLocking: 0x1F))
        case (0x04, 0x01...0x02, 0x0B): self.init("NTAG210", version, blocks: 20, user: 12, mlen: 0x06)
        case (0x04, 0x01...0x02, 0x0E):
            self.init(
                "NTAG212", version, blocks: 41, user: 32, mlen: 0x10,
                lock: DynamicLockLayout(block: 0x24, bitCount: 10, blocksPerBit: 2, blockLocking: 0x1F))
        case (0x04, 0x02, 0x0F), (0x04, 0x04, 0x0F):
            self.init(
                "NTAG213\(high ? "" : "F")", version, blocks: 45, user: 36, mlen: 0x12,
                lock: DynamicLockLayout(block: 0x28, bitCount: 12, blocksPerBit: 2, blockLocking: 0x3F))
        case (0x04, 0x02, 0x11):
            self.init(
                "NTAG215", version, blocks: 135, user: 126, mlen: 0x3E,
                lock: DynamicLockLayout(block: 0x82, bitCount: 8, blocksPerBit: 16, blockLocking: 0x0F))
        case (0x04, 0x02, 0x13), (0x04, 0x04, 0x13):
            self.init(
                "NTAG216\(high ? "" : "F")", version, blocks: 231, user: 222, mlen: 0x6D,
                lock: DynamicLockLayout(block: 0xE2, bitCount: 14, blocksPerBit: 16, blockLocking: 0x7F))
        default: return nil
        }
    }

    private init(
        _ name: String, _ version: [UInt8], blocks: Int, user: Int, mlen: UInt8, lock: DynamicLockLayout? = nil
    ) {
        chip = Chip(name: name, evidence: version)
        blockCount = blocks
        userBlockCount = user
        dynamicLock = lock
        self.mlen = mlen
    }
}

/// Where dynamic lock bits are and what each of them locks, from block 16 on.
struct DynamicLockLayout: Hashable, Sendable {
    /// The byte address of the first lock byte.
    let address: Int
    /// The number of lock bits.
    let bitCount: Int
    /// The number of blocks one bit locks.
    let blocksPerBit: Int
    /// The block-locking bits in byte 2 of the lock block, on chips known to have them.
    let blockLocking: UInt8?

    /// The first block dynamic lock bits speak of; those before have static ones.
    static let firstBlock = 16

    /// The number of bytes the bits occupy.
    var byteCount: Int { (bitCount + 7) / 8 }
    /// The blocks the bits occupy.
    var blocks: ClosedRange<Int> { address / 4...(address + byteCount - 1) / 4 }

    /// Lock bits at the start of a block.
    init(block: Int, bitCount: Int, blocksPerBit: Int, blockLocking: UInt8) {
        self.init(address: block * 4, bitCount: bitCount, blocksPerBit: blocksPerBit, blockLocking: blockLocking)
    }

    /// Lock bits at a byte address.
    init(address: Int, bitCount: Int, blocksPerBit: Int, blockLocking: UInt8? = nil) {
        self.address = address
        self.bitCount = bitCount
        self.blocksPerBit = blocksPerBit
        self.blockLocking = blockLocking
    }

    /// The index of the bit that locks `block`, `nil` when none does.
    func bit(of block: Int) -> Int? {
        guard block >= Self.firstBlock else { return nil }
        let index = (block - Self.firstBlock) / max(blocksPerBit, 1)
        return index < bitCount ? index : nil
    }

    /// The lock bytes with every lock bit set, and the block-locking bits where they are known.
    var allSet: [UInt8] {
        var bytes = (0..<byteCount).map { index in
            UInt8(truncatingIfNeeded: (1 << min(8, bitCount - index * 8)) - 1)
        }
        if let blockLocking {
            bytes += Array(repeating: 0, count: max(0, 2 - bytes.count)) + [blockLocking]
        }
        return bytes
    }
}
