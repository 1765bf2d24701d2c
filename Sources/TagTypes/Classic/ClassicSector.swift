// What is known of a sector of a MIFARE Classic — NXP MF1S50yyX, Memory Access; Value Blocks
import Hexadecimal

/// A sector of a MIFARE Classic: which keys opened it, and what its access bits allow.
public struct ClassicSector: Hashable, Sendable {
    /// A key that opened the sector, or that was read from it.
    public struct Key: Hashable, Sendable {
        /// 6 bytes.
        public let bytes: [UInt8]
        /// Where it comes from.
        public let origin: ClassicKeyRing.Origin
    }

    /// Its number.
    public let number: Int
    /// Its blocks, the trailer last.
    public let blocks: Range<Int>
    /// Key A; `nil` when it is not known.
    public let keyA: Key?
    /// Key B; `nil` when it is not known.
    public let keyB: Key?
    /// The access bits; `nil` when they cannot be read.
    public let access: ClassicAccess?

    /// The same sector with the keys that a dump of it has: a dump opens with any where it has none.
    public func knowing(_ keys: SectorKeys?) -> ClassicSector {
        let ring = ClassicKeyRing()
        func key(_ bytes: [UInt8]?) -> Key? { bytes.map { Key(bytes: $0, origin: ring.origin(of: $0)) } }
        return ClassicSector(number: number, blocks: blocks, keyA: key(keys?.a), keyB: key(keys?.b), access: access)
    }
}

/// What may be done with a block or a part of a trailer, and with which of the keys.
public enum ClassicRight: String, CaseIterable, Hashable, Sendable {
    case read, write, increment, decrement
}

extension ClassicAccess {
    /// The parts of a sector that have rights of their own.
    public enum Part: Hashable, Sendable {
        /// The data blocks of a group, 0…2.
        case data(Int)
        case keyA, accessBits, keyB
    }

    /// Whether key B can be read as data; then it opens nothing.
    public var isKeyBLegible: Bool { trailer.isKeyBReadable }

    /// The keys that have a right to a part; empty if no key has it.
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
                // A key B that can be read opens nothing.
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

/// A value block: a number stored three times, and the address of its backup.
///
/// Shape: value, complement, value (4 bytes each, the lowest first); address, complement, address, complement.
public struct ClassicValue: Hashable, Sendable {
    /// The value.
    public let value: Int32
    /// The address byte, which the chip leaves to programs.
    public let address: UInt8

    /// Reads a block; `nil` when it is no value block.
    public init?(_ block: [UInt8]) {
        guard block.count == ClassicLayout.blockSize, block[0..<4].elementsEqual(block[8..<12]),
            zip(block[0..<4], block[4..<8]).allSatisfy({ $0 == ~$1 }),
            block[12] == block[14], block[13] == block[15], block[12] == ~block[13]
        else { return nil }
        value = Int32(bitPattern: block[0..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        address = block[12]
    }
}
