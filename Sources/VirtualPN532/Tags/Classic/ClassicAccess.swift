// Access conditions of a MIFARE Classic sector — NXP MF1S50yyX, memory access

/// The key of a sector.
///
/// The raw value is the command that authenticates with it.
enum ClassicKey: UInt8, Hashable, Sendable {
    case a = 0x60
    case b = 0x61
}

/// The keys that allow an operation.
private struct Keys: OptionSet {
    let rawValue: UInt8
    static let a = Keys(rawValue: 1)
    static let b = Keys(rawValue: 2)
    static let both: Keys = [a, b]

    func allows(_ key: ClassicKey) -> Bool { contains(key == .a ? .a : .b) }
}

/// The access bits C1 C2 C3 for the four groups of blocks in a sector, from bytes 6 to 8 of the trailer.
struct ClassicAccess: Hashable, Sendable {
    enum Operation { case read, write, increment, decrement }
    /// The parts of a trailer that have their own access conditions.
    enum TrailerPart: CaseIterable { case keyA, accessBits, keyB }

    /// The bits `C1 C2 C3` of each group, as a number from 0 to 7.
    let conditions: [UInt8]

    /// Decodes bytes 6 to 8 of a trailer.
    ///
    /// Returns nil if a bit and its stored complement are equal. The sector is then permanently blocked.
    init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count >= 3 else { return nil }
        let (c1, c2, c3) = (bytes[1] >> 4, bytes[2] & 0x0F, bytes[2] >> 4)
        guard bytes[0] & 0x0F == ~c1 & 0x0F, bytes[0] >> 4 == ~c2 & 0x0F, bytes[1] & 0x0F == ~c3 & 0x0F else {
            return nil
        }
        conditions = (0..<4).map { group in (c1 >> group & 1) << 2 | (c2 >> group & 1) << 1 | c3 >> group & 1 }
    }

    /// Whether key B is readable.
    ///
    /// If so, key B counts as data: authentication with it succeeds, but gives no access.
    var isKeyBReadable: Bool { [0b000, 0b001, 0b010].contains(conditions[3]) }

    func allows(_ operation: Operation, group: Int, with key: ClassicKey) -> Bool {
        if key == .b, isKeyBReadable { return false }
        return Self.dataKeys(conditions[group], operation).allows(key)
    }

    /// Whether a key may read a part of the trailer.
    ///
    /// Key A can never be read. Key B can be read only with key A, and only if ``isKeyBReadable`` is true.
    func allowsReading(_ part: TrailerPart, with key: ClassicKey) -> Bool {
        if key == .b, isKeyBReadable { return false }
        switch part {
        case .keyA: return false
        case .accessBits: return key == .a || !isKeyBReadable
        case .keyB: return key == .a && isKeyBReadable
        }
    }

    func allowsWriting(_ part: TrailerPart, with key: ClassicKey) -> Bool {
        if key == .b, isKeyBReadable { return false }
        let keys: Keys =
            switch (conditions[3], part) {
            case (0b000, .keyA), (0b000, .keyB), (0b001, _): .a
            case (0b100, .keyA), (0b100, .keyB), (0b011, _), (0b101, .accessBits): .b
            default: []
            }
        return keys.allows(key)
    }

    private static func dataKeys(_ condition: UInt8, _ operation: Operation) -> Keys {
        switch (condition, operation) {
        case (0b000, _): .both
        case (0b010, .read), (0b100, .read): .both
        case (0b100, .write): .b
        case (0b110, .read), (0b110, .decrement): .both
        case (0b110, .write), (0b110, .increment): .b
        case (0b001, .read), (0b001, .decrement): .both
        case (0b011, .read), (0b011, .write), (0b101, .read): .b
        default: []
        }
    }
}
