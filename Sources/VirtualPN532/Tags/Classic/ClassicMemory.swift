// The memory of a MIFARE Classic — NXP MF1S50yyX, MF1S70yyX; AN10787 (MAD), AN1304 (NDEF)

/// The content of all blocks, including the keys.
struct ClassicMemory: Hashable, Sendable {
    static let keySize = 6
    static let accessBytes = 6..<10

    let layout: ClassicLayout
    private(set) var bytes: [UInt8]
    /// The positions of the bytes that the tag's file does not contain.
    ///
    /// These bytes are 0 in ``bytes``. A write makes a byte known.
    private var unknown: Set<Int> = []

    /// Creates memory in delivery state: keys FFFFFFFFFFFF, access bits FF0780, user byte 69, data zero.
    init(layout: ClassicLayout, uid: [UInt8]) {
        self.layout = layout
        bytes = [UInt8](repeating: 0, count: layout.blockCount * ClassicLayout.blockSize)
        let sensRes = layout.sensRes(uidLength: uid.count)
        let check = uid.count == 4 ? [uid.reduce(0, ^)] : []
        store(uid + check + [layout.selRes] + sensRes, at: 0)
        for sector in 0..<layout.sectorCount {
            store(Self.transportTrailer, at: ClassicLayout.trailer(of: sector))
        }
    }

    /// Creates the memory of a copy with a writable block 0, as it is sold.
    ///
    /// The manufacturer bytes have values that NXP does not use. Source: Proxmark3, doc/magic_cards_notes.md, MIFARE
    /// Classic.
    static func copy(uid: [UInt8]) -> ClassicMemory {
        var memory = ClassicMemory(layout: .oneK, uid: uid)
        memory.store(memory[0].prefix(8) + Array(0x62...0x69), at: 0)
        return memory
    }

    /// The ATS of second-generation copies — Proxmark3, doc/magic_cards_notes.md, flavour 2.
    static let copyATS: [UInt8] = [0x09, 0x78, 0x00, 0x91, 0x02, 0xDA, 0xBC, 0x19, 0x10]

    static let transportTrailer = trailer(access: [0xFF, 0x07, 0x80, 0x69])
    private static let transportKey = [UInt8](repeating: 0xFF, count: keySize)

    private static func trailer(keyA: [UInt8] = transportKey, access: [UInt8]) -> [UInt8] {
        keyA + access + transportKey
    }

    subscript(block: Int) -> [UInt8] {
        Array(bytes[block * ClassicLayout.blockSize..<(block + 1) * ClassicLayout.blockSize])
    }

    /// Writes bytes from the start of a block, regardless of access conditions.
    ///
    /// Bytes that do not fit into the memory are dropped.
    mutating func store(_ content: [UInt8], at block: Int) {
        for (index, byte) in zip(block * ClassicLayout.blockSize..<bytes.count, content) {
            bytes[index] = byte
            unknown.remove(index)
        }
    }

    /// Writes a block.
    ///
    /// Each nil is a byte that becomes unknown.
    mutating func store(partial content: [UInt8?], at block: Int) {
        store(content.map { $0 ?? 0 }, at: block)
        for (index, byte) in zip(block * ClassicLayout.blockSize..<bytes.count, content) where byte == nil {
            unknown.insert(index)
        }
    }

    /// Returns a block.
    ///
    /// Each unknown byte is nil.
    func partial(_ block: Int) -> [UInt8?] {
        self[block].enumerated().map { unknown.contains(block * ClassicLayout.blockSize + $0) ? nil : $1 }
    }

    /// Returns the access conditions of a sector, or nil if the sector is blocked.
    func access(of sector: Int) -> ClassicAccess? {
        ClassicAccess(self[ClassicLayout.trailer(of: sector)][Self.accessBytes])
    }

    /// Returns a key of a sector, or nil if the key is unknown.
    func key(_ key: ClassicKey, of sector: Int) -> [UInt8]? {
        let trailer = partial(ClassicLayout.trailer(of: sector))
        let known = (key == .a ? trailer.prefix(Self.keySize) : trailer.suffix(Self.keySize)).compactMap(\.self)
        return known.count == Self.keySize ? known : nil
    }

    /// The first block with unknown bytes that can be read with a known key of its sector; nil if there is none.
    ///
    /// A simulated tag would have to return these bytes. Bytes that no known key can read may stay unknown.
    var firstUnknownReadableBlock: Int? {
        (0..<layout.blockCount).first { block in
            let bytes = partial(block)
            guard bytes.contains(nil) else { return false }
            let sector = ClassicLayout.sector(of: block)
            let keys = [ClassicKey.a, .b].filter { key($0, of: sector) != nil }
            guard !keys.isEmpty else { return false }
            let trailer = partial(ClassicLayout.trailer(of: sector))
            guard !trailer[Self.accessBytes].contains(nil), let access = access(of: sector) else { return true }
            guard block == ClassicLayout.trailer(of: sector) else {
                return keys.contains {
                    access.allows(.read, group: ClassicLayout.accessGroup(of: block), with: $0)
                }
            }
            return access.isKeyBReadable && keys == [.a]
        }
    }

    // MARK: MIFARE Application Directory and NDEF

    /// The public key A of sectors with a MAD.
    static let directoryKey: [UInt8] = [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5]
    /// The public key A of sectors with NDEF data.
    static let messageKey: [UInt8] = [0xD3, 0xF7, 0xD3, 0xF7, 0xD3, 0xF7]
    /// The MAD entry for NDEF data: the application code and the function cluster code.
    private static let messageIdentifier: [UInt8] = [0x03, 0xE1]
    /// Access bits for a MAD sector: key A may read, and key B may read and write.
    ///
    /// Key B is secret.
    private static let directoryAccess: [UInt8] = [0x78, 0x77, 0x88]
    /// Access bits for an NDEF sector: both keys may read and write, and key B may also write the keys and the access
    /// bits.
    private static let messageAccess: [UInt8] = [0x7F, 0x07, 0x88]
    /// The user byte for a MAD on a card with several applications.
    ///
    /// The MAD version, 1 or 2, is added to it.
    private static let directoryByte: UInt8 = 0xC0
    /// The user byte for NDEF mapping version 1.0 with read and write access.
    private static let messageByte: UInt8 = 0x40
    /// The info byte that NFC formatters write, which means that sector 1 belongs to the publisher.
    private static let publisherSector: UInt8 = 0x01
    private static let secondDirectorySector = 16

    /// Creates memory in delivery state and formats it as an NFC tag.
    ///
    /// All sectors except the MAD sectors belong to NDEF. Together, they contain one empty NDEF Message TLV.
    static func formatted(layout: ClassicLayout, uid: [UInt8]) -> ClassicMemory {
        var memory = ClassicMemory(layout: layout, uid: uid)
        let version: UInt8 = layout.sectorCount > secondDirectorySector ? 2 : 1
        for sector in 0..<layout.sectorCount {
            let trailer =
                switch sector {
                case 0: trailer(keyA: directoryKey, access: directoryAccess + [directoryByte | version])
                // Only the user byte of sector 0 describes the MAD.
                case secondDirectorySector: trailer(keyA: directoryKey, access: directoryAccess + [0x00])
                default: trailer(keyA: messageKey, access: messageAccess + [messageByte])
                }
            memory.store(trailer, at: ClassicLayout.trailer(of: sector))
        }
        memory.storeDirectory(entries: 15, at: 1)
        if layout.sectorCount > secondDirectorySector {
            memory.storeDirectory(entries: 23, at: ClassicLayout.firstBlock(of: secondDirectorySector))
        }
        memory.store([0x03, 0x00, 0xFE], at: ClassicLayout.firstBlock(of: 1))
        return memory
    }

    /// Writes the MAD: the CRC, the info byte, and the NDEF entry for every sector.
    private mutating func storeDirectory(entries: Int, at block: Int) {
        let content = [Self.publisherSector] + (0..<entries).flatMap { _ in Self.messageIdentifier }
        store([Self.directoryChecksum(content)] + content, at: block)
    }

    /// Computes the CRC-8 of the MAD: polynomial x⁸ + x⁴ + x³ + x² + 1, initial value C7, highest bit first.
    static func directoryChecksum(_ content: some Sequence<UInt8>) -> UInt8 {
        content.reduce(0xC7) { checksum, byte in
            (0..<8).reduce(checksum ^ byte) { value, _ in value << 1 ^ (value & 0x80 == 0 ? 0 : 0x1D) }
        }
    }
}
