// The known facts about a sector of a MIFARE Classic — NXP MF1S50yyX, Memory Access; Value Blocks

/// A sector of a MIFARE Classic, with its known keys and the rights that its access bits grant.
public struct ClassicSector: Hashable, Sendable {
    /// A key of the sector, which opened it or was read from it or from a dump.
    public struct Key: Hashable, Sendable {
        /// The 6 bytes of the key.
        public let bytes: [UInt8]
        /// The origin of the key.
        public let origin: ClassicKeyRing.Origin
    }

    /// The number of the sector, counted from 0.
    public let number: Int
    /// The numbers of the sector's blocks; the last one is the trailer.
    public let blocks: Range<Int>
    /// Key A, or `nil` if it is not known.
    public let keyA: Key?
    /// Key B, or `nil` if it is not known.
    public let keyB: Key?
    /// The access bits, or `nil` if they cannot be read.
    public let access: ClassicAccess?
    /// Whether the sector accepts a key but refuses every READ, because its access bits are invalid.
    public let isBlocked: Bool

    /// Whether no key can read a block of the sector, because the sector is blocked or its access bits do not allow it.
    ///
    /// For a sector that is not blocked, the result is false if the access bits are not known.
    public func isClosed(_ block: Int) -> Bool {
        if isBlocked { return blocks.contains(block) }
        guard let access, blocks.dropLast().contains(block) else { return false }
        // One condition applies to each block, or to five blocks of a large sector.
        let group = (block - blocks.lowerBound) / max(1, (blocks.count - 1) / 3)
        return access.keys(.read, .data(group)).isEmpty
    }

    /// Returns the same sector with the keys from a dump.
    ///
    /// A key that the dump does not contain is `nil`.
    public func knowing(_ keys: SectorKeys?) -> ClassicSector {
        let ring = ClassicKeyRing()
        func key(_ bytes: [UInt8]?) -> Key? { bytes.map { Key(bytes: $0, origin: ring.origin(of: $0)) } }
        return ClassicSector(
            number: number, blocks: blocks, keyA: key(keys?.a), keyB: key(keys?.b), access: access,
            isBlocked: isBlocked)
    }
}

/// A right to an operation on a block or on a part of a trailer.
public enum ClassicRight: String, CaseIterable, Hashable, Sendable {
    /// An operation on any block or part of a trailer.
    case read, write
    /// An operation on a value block.
    case increment, decrement
}

extension ClassicAccess {
    /// A part of a sector that has its own access rights.
    public enum Part: Hashable, Sendable {
        /// The data blocks of a group, 0…2.
        case data(Int)
        /// A part of the trailer.
        case keyA, accessBits, keyB
    }

    /// Whether key B can be read as data, so that it cannot be used for authentication.
    public var isKeyBLegible: Bool { trailer.isKeyBReadable }

    /// Returns the keys that have a right to a part of the sector, or an empty set if neither key has it.
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
                // A key B that can be read gives no access.
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

/// The content of a value block: a number that is stored three times, and an address byte that is stored four times.
///
/// Layout: value, complement, value (4 bytes each, lowest byte first), then address, complement, address, complement.
public struct ClassicValue: Hashable, Sendable {
    /// The stored number.
    public let value: Int32
    /// The address byte, whose meaning the application defines.
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
