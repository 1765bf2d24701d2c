// The access bits of a sector — NXP MF1S50yyX, Access Conditions

/// One of the two keys of a sector.
public enum ClassicKeyKind: Hashable, Sendable {
    /// Key A or key B.
    case a, b
}

/// The rights that the access bits of a sector trailer grant.
///
/// Layout: three bytes, in which each condition C1 C2 C3 is stored both plain and inverted. Byte 6 is `~C2 ~C1`, byte 7
/// `C1 ~C3`, byte 8 `C3 C2`; bit i of each nibble belongs to group i.
public struct ClassicAccess: Hashable, Sendable {
    /// An access condition for data blocks: C1 in bit 2, C2 in bit 1, C3 in bit 0.
    package enum Data: UInt8, Hashable, Sendable {
        /// Either key reads and writes.
        case transport = 0b000
        /// Value block: either key reads and decrements.
        case decrementOnly = 0b001
        /// Either key reads.
        case readOnly = 0b010
        /// Key B reads and writes.
        case onlyKeyB = 0b011
        /// Either key reads; key B writes.
        case keyBWrites = 0b100
        /// Key B reads.
        case keyBReads = 0b101
        /// Value block: either key reads and decrements; key B writes and increments.
        case value = 0b110
        /// Neither key has access.
        case never = 0b111

        func isReadable(with key: ClassicKeyKind) -> Bool {
            switch self {
            case .never: false
            case .onlyKeyB, .keyBReads: key == .b
            default: true
            }
        }

        package func isWritable(with key: ClassicKeyKind) -> Bool {
            switch self {
            case .transport: true
            case .keyBWrites, .value, .onlyKeyB: key == .b
            case .decrementOnly, .readOnly, .keyBReads, .never: false
            }
        }
    }

    /// An access condition for the trailer: C1 in bit 2, C2 in bit 1, C3 in bit 0.
    ///
    /// If the name of a case contains a key, only this key may write.
    package enum Trailer: UInt8, Hashable, Sendable {
        /// Key A writes the keys; the access bits are frozen.
        case keyAWritesKeys = 0b000
        /// Key A writes the keys and the access bits. This is the factory setting.
        case transport = 0b001
        /// Nothing in the trailer can be written; key B can be read as data.
        case frozenWithReadableKeyB = 0b010
        /// Key B writes the keys and the access bits.
        case keyBWrites = 0b011
        /// Key B writes the keys; the access bits are frozen.
        case keyBWritesKeys = 0b100
        /// Key B writes the access bits; the keys are frozen.
        case keyBWritesAccess = 0b101
        /// Nothing in the trailer can be written.
        case frozen = 0b110
        /// Nothing in the trailer can be written, as with `frozen`.
        case alsoFrozen = 0b111

        /// Whether a key can write both keys and all access bits.
        func isWritable(with key: ClassicKeyKind) -> Bool {
            self == (key == .a ? .transport : .keyBWrites)
        }

        /// Whether key B can be read as data, so that it cannot be used for authentication.
        var isKeyBReadable: Bool { self == .keyAWritesKeys || self == .transport || self == .frozenWithReadableKeyB }

        /// Whether the access bits can never be changed.
        package var isFrozen: Bool { self != .transport && self != .keyBWrites && self != .keyBWritesAccess }
    }

    /// The access conditions of the three groups of data blocks.
    package let data: [Data]
    package let trailer: Trailer

    init(data: Data, trailer: Trailer) {
        self.data = [data, data, data]
        self.trailer = trailer
    }

    /// Decodes bytes 6…8 of a trailer.
    ///
    /// Returns `nil` if there are not exactly three bytes, or if they contradict their complement. A chip that finds
    /// such a contradiction blocks the sector permanently.
    public init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == 3 else { return nil }
        let (c1, c2, c3) = (bytes[1] >> 4, bytes[2] & 0x0F, bytes[2] >> 4)
        guard Self.bytes(c1, c2, c3) == bytes else { return nil }
        let conditions = (0..<4).map { group in
            (c1 >> group & 1) << 2 | (c2 >> group & 1) << 1 | c3 >> group & 1
        }
        guard let trailer = Trailer(rawValue: conditions[3]) else { return nil }
        data = conditions[0..<3].compactMap { Data(rawValue: $0) }
        self.trailer = trailer
    }

    /// Whether a key can write all data blocks.
    ///
    /// A key B that can be read cannot write any block.
    func isData(writableWith key: ClassicKeyKind) -> Bool {
        (key == .a || !trailer.isKeyBReadable) && data.allSatisfy { $0.isWritable(with: key) }
    }

    var bytes: [UInt8] {
        var (c1, c2, c3): (UInt8, UInt8, UInt8) = (0, 0, 0)
        for (group, condition) in (data.map(\.rawValue) + [trailer.rawValue]).enumerated() {
            c1 |= (condition >> 2 & 1) << group
            c2 |= (condition >> 1 & 1) << group
            c3 |= (condition & 1) << group
        }
        return Self.bytes(c1, c2, c3)
    }

    private static func bytes(_ c1: UInt8, _ c2: UInt8, _ c3: UInt8) -> [UInt8] {
        [(~c2 & 0x0F) << 4 | ~c1 & 0x0F, c1 << 4 | ~c3 & 0x0F, c3 << 4 | c2]
    }
}
