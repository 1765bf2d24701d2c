// The whole memory of one tag as a value: what dump files hold
import Chips

import Hexadecimal

/// The memory of a tag, with what the tag said of itself.
///
/// Bytes only: what a block means is for others to say. ``check()`` holds for every image that came from a file.
public struct TagImage: Hashable, Sendable {
    /// A block of the memory.
    public struct Block: Hashable, Sendable {
        /// The number by which the tag's commands address it, counted through sectors; on FeliCa Lite and NTAG I2C there
        /// are gaps.
        public var number: Int
        /// Its bytes, ``TagImage/Kind/blockLength`` of them; `nil` where they could not be read.
        public var bytes: [UInt8]?

        /// Makes a block.
        public init(number: Int, bytes: [UInt8]?) {
            self.number = number
            self.bytes = bytes
        }
    }

    /// A counter of an NTAG21x or Ultralight EV1.
    public struct Counter: Hashable, Sendable {
        /// READ_CNT, 24 bits.
        public var value: Int
        /// CHECK_TEARING_EVENT, `BD` when all is well; `nil` where it was not asked.
        public var tearing: UInt8?

        /// Makes a counter.
        public init(value: Int, tearing: UInt8? = nil) {
            self.value = value
            self.tearing = tearing
        }
    }

    /// The keys of a MIFARE Classic sector, each 6 bytes or not known.
    public struct SectorKeys: Hashable, Sendable {
        /// Key A.
        public var a: [UInt8]?
        /// Key B.
        public var b: [UInt8]?

        /// Makes a pair of keys.
        public init(a: [UInt8]?, b: [UInt8]?) {
            self.a = a
            self.b = b
        }
    }

    /// A file of a Type 4 Tag.
    public struct File: Hashable, Sendable {
        /// The file identifier, E103 for the capability container.
        public var identifier: UInt16
        /// The file from its first byte on, NLEN included, as far as it was read.
        public var bytes: [UInt8]

        /// Makes a file.
        public init(identifier: UInt16, bytes: [UInt8]) {
            self.identifier = identifier
            self.bytes = bytes
        }
    }

    /// What kind of tag it is.
    public var kind: Kind
    /// UID, NFCID0 or IDm as activation tells it, empty when not known.
    public var identifier: [UInt8] = []
    /// ATQA (SENS_RES), the high byte first, empty when not known.
    public var atqa: [UInt8] = []
    /// SAK (SEL_RES).
    public var sak: UInt8?
    /// The answer to select of a Type 4 Tag, without its length byte.
    public var ats: [UInt8] = []
    /// PMm of a FeliCa tag, 8 bytes.
    public var parameter: [UInt8] = []
    /// HR0 and HR1 of a Type 1 Tag.
    public var headerROM: [UInt8] = []
    /// The answer to GET_VERSION, 8 bytes.
    public var version: [UInt8] = []
    /// The answer to READ_SIG, 32 bytes.
    public var signature: [UInt8] = []
    /// The counters by their number, 0…2.
    public var counters: [Int: Counter] = [:]
    /// How many wrong passwords the tag has counted; 0 also where nothing says so.
    public var failedAuthentications = 0
    /// The blocks in ascending order, those that could not be read among them; empty for a Type 4 Tag.
    public var blocks: [Block] = []
    /// The keys of a MIFARE Classic by sector; in a sector trailer, the bytes of a key that is not known are 0.
    public var keys: [Int: SectorKeys] = [:]
    /// The files of a Type 4 Tag.
    public var files: [File] = []
    /// What a Type 5 Tag says of itself.
    public var vicinity = Vicinity()

    /// Makes an empty image.
    public init(kind: Kind) {
        self.kind = kind
    }

    /// The bytes of a block, `nil` where it does not exist or could not be read.
    public subscript(block number: Int) -> [UInt8]? {
        // Most kinds count from 0 without gaps.
        if blocks.indices.contains(number), blocks[number].number == number { return blocks[number].bytes }
        return blocks.first { $0.number == number }?.bytes
    }
}

extension TagImage {
    /// Makes sure that the image does not contradict itself.
    ///
    /// - Throws: ``TagImageError/malformed(_:found:expected:)``.
    public func check() throws(TagImageError) {
        try check("ATQA", atqa, length: 2)
        try check("GET_VERSION", version, length: 8)
        try check("signature", signature, length: 32)
        try check("PMm", parameter, length: 8)
        try check("HR0 HR1", headerROM, length: 2)
        for (index, counter) in counters where !(0...2).contains(index) || !(0...0xFF_FFFF).contains(counter.value) {
            throw .malformed("counter \(index)", found: "\(counter.value)", expected: "24 bits, of counter 0…2")
        }
        if case .type5(let length) = kind, !Kind.vicinityBlockLengths.contains(length) {
            throw .malformed("block size", found: "\(length) bytes", expected: "1 to 32 bytes")
        }
        try checkBlocks()
        try checkIdentifier()
        for key in keys.values.flatMap({ [$0.a, $0.b] }) {
            if let key { try check("key", key, length: 6) }
        }
    }

    private func checkBlocks() throws(TagImageError) {
        let numbers = blocks.map(\.number)
        if let expected = kind.blockNumbers, numbers != expected {
            throw .malformed(
                "blocks", found: "\(numbers.count)", expected: "the \(expected.count) of \(kind.description)")
        }
        if let index = numbers.indices.dropFirst().first(where: { numbers[$0] <= numbers[$0 - 1] }) {
            throw .malformed("block numbers", found: "\(numbers[index])", expected: "ascending order")
        }
        for block in blocks {
            if let bytes = block.bytes, bytes.count != kind.blockLength {
                throw .malformed(
                    "block \(block.number)", found: "\(bytes.count) bytes", expected: "\(kind.blockLength) bytes")
            }
        }
    }

    /// A Type 2 Tag holds its UID in blocks 0 and 1; a MIFARE Classic may show another than the one in block 0.
    private func checkIdentifier() throws(TagImageError) {
        switch kind {
        // ISO/IEC 14443-3, 6.5.4: single, double and triple size.
        case .type2, .classic:
            guard identifier.isEmpty || [4, 7, 10].contains(identifier.count) else {
                throw .malformed("UID", found: "\(identifier.count) bytes", expected: "4, 7 or 10 bytes")
            }
        case .topaz96, .topaz512, .feliCaLite, .type3, .type4, .type5: break
        }
        guard case .type2 = kind, !identifier.isEmpty, let stored = storedIdentifier, stored != identifier else {
            return
        }
        throw .malformed(
            "UID", found: identifier.spacedHex, expected: "\(stored.spacedHex), as in the memory")
    }

    /// The identifier that the memory holds, where its place is known.
    var storedIdentifier: [UInt8]? {
        switch kind {
        case .type2(let chip):
            guard let first = self[block: 0], let second = self[block: 1], first.count == 4 else { return nil }
            // An NTAG I2C has no check byte among its UID.
            return chip?.isNTAGI2C ?? false ? first + second.prefix(3) : first.prefix(3) + second
        case .topaz96, .topaz512: return self[block: 0].map { Array($0.prefix(7)) }
        case .classic: return self[block: 0].map { Array($0.prefix(4)) }
        case .feliCaLite: return self[block: Kind.feliCaIdentifierBlock].map { Array($0.prefix(8)) }
        case .type3, .type4, .type5: return nil
        }
    }

    private func check(_ field: String, _ bytes: [UInt8], length: Int) throws(TagImageError) {
        guard bytes.isEmpty || bytes.count == length else {
            throw .malformed(.field(field), found: "\(bytes.count) bytes", expected: "\(length) bytes")
        }
    }
}
