// Chips behind Type 2 Tags — NXP data sheets NTAG210/212, NTAG213/215/216, MF0ULx1, NT3H1x01, NT3H2x11, NTAG203, MF0ICU2

/// The geometry of a Type 2 Tag chip that said what it is.
struct Type2Chip: Hashable, Sendable {
    /// What a chip can do beyond READ and WRITE.
    struct Features: OptionSet, Hashable, Sendable {
        let rawValue: Int

        /// FAST_READ.
        static let fastRead = Features(rawValue: 1 << 0)
        /// READ_SIG.
        static let signature = Features(rawValue: 1 << 1)
        /// The UID shows as text in the memory.
        static let uidMirror = Features(rawValue: 1 << 2)
        /// The NFC counter, number 2, and its mirror.
        static let nfcCounter = Features(rawValue: 1 << 3)
        /// Three one-way counters with tearing flags.
        static let threeCounters = Features(rawValue: 1 << 4)
        /// A 16-bit counter in a block, little-endian.
        static let counterBlock = Features(rawValue: 1 << 5)

        static let ev1: Features = [.fastRead, .signature, .threeCounters]
        static let ntag210: Features = [.fastRead, .signature, .uidMirror]
        static let ntag213: Features = [.fastRead, .signature, .uidMirror, .nfcCounter]
    }

    /// The chip's name and what named it.
    let chip: Chip
    /// The blocks that exist, over all sectors, ascending from 0; what lies between is invalid.
    let blocks: [ClosedRange<Int>]
    /// The number of blocks for user data, from block 4.
    let userBlockCount: Int
    /// User memory that no capability container can reach.
    let furtherUserBlocks: ClosedRange<Int>?
    /// Where the dynamic lock bits are.
    let dynamicLock: DynamicLockLayout?
    /// How a password or a key protects the memory, `nil` when nothing does.
    let protection: Type2Protection?
    /// The length of the data area, in units of 8 bytes, in the capability container as delivered.
    let mlen: UInt8
    /// The TLVs of the data area as delivered: NXP's Lock Control TLV where the chip has one, and an empty message.
    let deliveredTLVs: [UInt8]
    let features: Features

    /// The number of blocks from 0 to the last one that exists.
    var blockCount: Int { (blocks.last?.upperBound ?? -1) + 1 }
    /// The block after those that AUTH0 can name, all of them in sector 0.
    var protectableEnd: Int {
        (blocks.last { $0.lowerBound < Type2Memory.sectorBlockCount }).map {
            min($0.upperBound + 1, Type2Memory.sectorBlockCount)
        } ?? 0
    }
    /// The block after those for user data of the data area.
    var userEnd: Int { 4 + userBlockCount }
    /// The block with the one-way counter.
    var counterBlock: Int? { features.contains(.counterBlock) ? dynamicLock.map { $0.blocks.upperBound + 1 } : nil }

    /// The run of existing blocks that `block` is in, or the next one after it.
    func run(from block: Int) -> ClosedRange<Int>? {
        blocks.first { $0.upperBound >= block }.map { max($0.lowerBound, block)...$0.upperBound }
    }
}

// MARK: Chips that answer GET_VERSION

extension Type2Chip {
    /// The chip whose GET_VERSION answer this is, `nil` when it is none whose memory we know.
    ///
    /// Shape: header `00`, vendor, product type, subtype, major, minor, storage size, protocol.
    init?(version: [UInt8]) {
        guard version.count == 8, version[0] == 0x00, version[1] == 0x04 else { return nil }
        let high = version[3] == 0x02
        switch (version[2], version[3], version[4], version[6]) {
        case (0x03, 0x01...0x02, 0x01, 0x0B):
            self.init("MIFARE Ultralight EV1 (MF0UL\(high ? "H" : "")11)", version, 20, user: 12, mlen: 0x06, .ev1)
        case (0x03, 0x01...0x02, 0x01, 0x0E):
            self.init(
                "MIFARE Ultralight EV1 (MF0UL\(high ? "H" : "")21)", version, 41, user: 32, mlen: 0x10,
                lock: (10, per: 2, blockLocking: 0x1F), .ev1)
        case (0x04, 0x01...0x02, 0x01, 0x0B): self.init("NTAG210", version, 20, user: 12, mlen: 0x06, .ntag210)
        case (0x04, 0x01...0x02, 0x01, 0x0E):
            self.init("NTAG212", version, 41, user: 32, mlen: 0x10, lock: (10, per: 2, blockLocking: 0x1F), .ntag210)
        case (0x04, 0x02, 0x01, 0x0F), (0x04, 0x04, 0x01, 0x0F):
            self.init(
                "NTAG213\(high ? "" : "F")", version, 45, user: 36, mlen: 0x12, lock: (12, per: 2, blockLocking: 0x3F),
                .ntag213)
        case (0x04, 0x02, 0x01, 0x11):
            self.init("NTAG215", version, 135, user: 126, mlen: 0x3E, lock: (8, per: 16, blockLocking: 0x0F), .ntag213)
        case (0x04, 0x02, 0x01, 0x13), (0x04, 0x04, 0x01, 0x13):
            self.init(
                "NTAG216\(high ? "" : "F")", version, 231, user: 222, mlen: 0x6D,
                lock: (14, per: 16, blockLocking: 0x7F), .ntag213)
        case (0x04, 0x05, 0x02, 0x13), (0x04, 0x05, 0x02, 0x15): self.init(ntagI2C: version)
        default: return nil
        }
    }

    /// NTAG I2C: sector 0 ends in lock bytes and registers; the 2k chips go on in sector 1, the plus ones separately.
    private init(ntagI2C version: [UInt8]) {
        let isPlus = version[5] == 0x02
        let is2k = version[6] == 0x15
        let sector = Type2Memory.sectorBlockCount
        chip = Chip(name: "NTAG I2C \(isPlus ? "plus " : "")\(is2k ? "2k" : "1k")", evidence: version)
        deliveredTLVs = [0x03, 0x00, 0xFE]
        if is2k, !isPlus {
            blocks = [0...sector + 0xE0, sector + 0xE8...sector + 0xE9]
            userBlockCount = sector + 0xE0 - 4
            dynamicLock = DynamicLockLayout(
                block: sector + 0xE0, bitCount: 15, blocksPerBit: 32, blockLocking: 0xFF, end: sector + 0xE0)
            mlen = 0xEA
        } else {
            let sector0 = isPlus ? [0...0xE9] : [0...0xE2, 0xE8...0xE9]
            blocks = sector0 + (is2k ? [sector...2 * sector - 1] : [])
            userBlockCount = 222
            dynamicLock = DynamicLockLayout(block: 0xE2, bitCount: 14, blocksPerBit: 16, blockLocking: 0x7F, end: 0xE2)
            mlen = 0x6D
        }
        furtherUserBlocks = isPlus && is2k ? sector...2 * sector - 1 : nil
        protection = isPlus ? .password(configuration: 0xE3) : nil
        features = isPlus ? [.fastRead, .signature] : [.fastRead]
    }

    /// A chip of the NTAG21x pattern: user blocks, lock bits, CFG 0, CFG 1, PWD and PACK.
    private init(
        _ name: String, _ version: [UInt8], _ count: Int, user: Int, mlen: UInt8,
        lock bits: (count: Int, per: Int, blockLocking: UInt8)? = nil, _ features: Features
    ) {
        chip = Chip(name: name, evidence: version)
        blocks = [0...count - 1]
        userBlockCount = user
        furtherUserBlocks = nil
        let lock = bits.map {
            DynamicLockLayout(
                block: 4 + user, bitCount: $0.count, blocksPerBit: $0.per, blockLocking: $0.blockLocking, end: 4 + user)
        }
        dynamicLock = lock
        protection = .password(configuration: count - 4)
        self.mlen = mlen
        let empty: [UInt8] = [0x03, 0x00, 0xFE]
        // PageAddr and ByteOffset for 2^4 bytes per page; 2^3 bytes locked per bit.
        deliveredTLVs =
            if let lock, lock.blocksPerBit == 2 {
                [0x01, 0x03, UInt8(lock.address & 0xFF), UInt8(lock.bitCount), 0x34] + empty
            } else {
                empty
            }
        self.features = features
    }
}

// MARK: Chips that refuse GET_VERSION

extension Type2Chip {
    /// NTAG203, known by where its memory ends; `evidence` is block 40 with what follows it.
    static func ntag203(evidence: [UInt8]) -> Type2Chip {
        Type2Chip(
            chip: Chip(name: "NTAG203", evidence: evidence), blockCount: 42, protection: nil, further: [41: 12])
    }

    /// MIFARE Ultralight C, known by its answer to AUTHENTICATE.
    static func ultralightC(evidence: [UInt8]) -> Type2Chip {
        Type2Chip(
            chip: Chip(name: "MIFARE Ultralight C", evidence: evidence), blockCount: 48, protection: .tripleDES,
            further: [41: 12, 42: 13, 43: 14, 44: 15, 45: 15, 46: 15, 47: 15])
    }

    /// Both have 36 user blocks, lock bits in block 40 with block-locking bits among them, and a counter in block 41.
    private init(chip: Chip, blockCount: Int, protection: Type2Protection?, further: [Int: Int]) {
        self.chip = chip
        blocks = [0...blockCount - 1]
        userBlockCount = 36
        furtherUserBlocks = nil
        dynamicLock = DynamicLockLayout(
            address: 160, positions: [1, 2, 3, 5, 6, 7], blocksPerBit: 4, blockLocking: [0x11], end: 40,
            further: further)
        self.protection = protection
        mlen = 0x12
        deliveredTLVs = [0x01, 0x03, 0xA0, 0x10, 0x44, 0x03, 0x00, 0xFE]
        features = [.counterBlock]
    }
}

// MARK: Chips known by name only

extension Chip {
    /// A Type 2 Tag chip that GET_VERSION names and whose memory is read as that of any other.
    init?(type2Version version: [UInt8]) {
        guard version.count == 8, version[0] == 0x00, version[1] == 0x04 else { return nil }
        let name: String? =
            switch (version[2], version[3], version[4], version[6]) {
            case (0x03, 0x01...0x02, 0x02, 0x0B): "MIFARE Ultralight Nano (40 bytes)"
            case (0x03, 0x01...0x02, 0x03, 0x0B): "MIFARE Ultralight Nano (48 bytes)"
            case (0x03, 0x01...0x02, 0x04, 0x0F): "MIFARE Ultralight AES"
            case (0x04, 0x01...0x02, 0x02, 0x0B): "NTAG210µ"
            case (0x04, 0x02, 0x03, 0x0F): "NTAG213 TagTamper"
            default: nil
            }
        guard let name else { return nil }
        self.init(name: name, evidence: version)
    }
}
