// The known facts about a sector of a MIFARE Classic — NXP MF1S50yyX, Memory Access; Value Blocks

/// A sector of a MIFARE Classic, with its known keys and the rights that its access bits grant.
public struct ClassicSector: Hashable, Sendable {
    /// A key that opened the sector, or that was read from it.
    public struct Key: Hashable, Sendable {
        /// The 6 bytes of the key.
        public let bytes: [UInt8]
        /// The origin of the key.
        public let origin: ClassicKeyRing.Origin
    }

    /// The sector number.
    public let number: Int
    /// The blocks of the sector, with the trailer last.
    public let blocks: Range<Int>
    /// Key A, or `nil` if it is not known.
    public let keyA: Key?
    /// Key B, or `nil` if it is not known.
    public let keyB: Key?
    /// The access bits, or `nil` if they cannot be read.
    public let access: ClassicAccess?
    /// Whether the sector accepts a key but refuses every READ, because its access bits are invalid.
    public let isBlocked: Bool

    /// Whether no key can read a block of the sector, because it is blocked or its access bits do not allow it.
    ///
    /// False if the access bits are not known.
    public func isClosed(_ block: Int) -> Bool {
        if isBlocked { return blocks.contains(block) }
        guard let access, blocks.dropLast().contains(block) else { return false }
        // One condition per block, or per five blocks of a large sector.
        let group = (block - blocks.lowerBound) / max(1, (blocks.count - 1) / 3)
        return access.keys(.read, .data(group)).isEmpty
    }

    /// Returns the same sector with the keys from a dump.
    ///
    /// A key that the dump lacks is `nil`. If the dump lacks both keys, any key opens the sector.
    public func knowing(_ keys: SectorKeys?) -> ClassicSector {
        let ring = ClassicKeyRing()
        func key(_ bytes: [UInt8]?) -> Key? { bytes.map { Key(bytes: $0, origin: ring.origin(of: $0)) } }
        return ClassicSector(
            number: number, blocks: blocks, keyA: key(keys?.a), keyB: key(keys?.b), access: access,
            isBlocked: isBlocked)
    }
}

/// An operation on a block or on a part of a trailer.
public enum ClassicRight: String, CaseIterable, Hashable, Sendable {
    /// An operation on any block.
    case read, write
    /// An operation on a value block.
    case increment, decrement
}

extension ClassicAccess {
    /// A part of a sector with its own access rights.
    public enum Part: Hashable, Sendable {
        /// The data blocks of a group, 0…2.
        case data(Int)
        /// A part of the trailer.
        case keyA, accessBits, keyB
    }

    /// Whether key B can be read as data.
    ///
    /// If so, it cannot be used to authenticate.
    public var isKeyBLegible: Bool { trailer.isKeyBReadable }

    /// Returns the keys that have a right to a part, or an empty set if no key has it.
    public func keys(_ right: ClassicRight, _ part: Part) -> Set<ClassicKeyKind> {
        switch part {
        case .data(let group): dataKeys(right, group)
        case .keyA: right == .write ? trailer.keysThatWriteKeys : []
        case .keyB:
            switch right {
            case .read: trailer.isKeyBReadable ? [.a] : []
            case .write: trailer.keysThatWriteKeys
            default: []
            }
        case .accessBits:
            switch right {
            case .read: trailer.isKeyBReadable ? [.a] : [.a, .b]
            case .write: trailer.keysThatWriteAccess
            default: []
            }
        }
    }

    private func dataKeys(_ right: ClassicRight, _ group: Int) -> Set<ClassicKeyKind> {
        guard data.indices.contains(group) else { return [] }
        let condition = data[group]
        return Set(
            [ClassicKeyKind.a, .b].filter { key in
                // A readable key B gives no access.
                guard key == .a || !trailer.isKeyBReadable else { return false }
                switch right {
                case .read: return condition.isReadable(with: key)
                case .write: return condition.isWritable(with: key)
                case .increment: return condition == .transport || condition == .value && key == .b
                case .decrement: return [.transport, .value, .decrementOnly].contains(condition)
                }
            })
    }
}

extension ClassicAccess.Trailer {
    fileprivate var keysThatWriteKeys: Set<ClassicKeyKind> {
        switch self {
        case .keyAWritesKeys, .transport: [.a]
        case .keyBWritesKeys, .keyBWrites: [.b]
        default: []
        }
    }

    fileprivate var keysThatWriteAccess: Set<ClassicKeyKind> {
        switch self {
        case .transport: [.a]
        case .keyBWrites, .keyBWritesAccess: [.b]
        default: []
        }
    }
}

/// A value block: a number stored three times, and an address byte, also stored several times.
///
/// Shape: value, complement, value (4 bytes each, lowest byte first); address, complement, address, complement.
public struct ClassicValue: Hashable, Sendable {
    /// The stored number.
    public let value: Int32
    /// The address byte, whose meaning is up to the application.
    public let address: UInt8

    /// Decodes a block, or returns `nil` if it is not a value block.
    public init?(_ block: [UInt8]) {
        guard block.count == ClassicLayout.blockSize, block[0..<4].elementsEqual(block[8..<12]),
            zip(block[0..<4], block[4..<8]).allSatisfy({ $0 == ~$1 }),
            block[12] == block[14], block[13] == block[15], block[12] == ~block[13]
        else { return nil }
        value = Int32(bitPattern: block[0..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        address = block[12]
    }
}
