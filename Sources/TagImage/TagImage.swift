// The complete memory of one tag as a value, with the data that a dump file contains
import Chips

import Hexadecimal

/// The memory of a tag, and the data with which the tag identifies itself.
///
/// An image holds bytes and does not interpret the content of blocks. Every image read from a file passes ``check()``.
public struct TagImage: Hashable, Sendable {
    /// A block of the memory.
    public struct Block: Hashable, Sendable {
        /// The number with which the tag's commands address the block, counted across all sectors.
        ///
        /// On FeliCa Lite and NTAG I2C, the numbers have gaps.
        public var number: Int
        /// The bytes, whose number is ``TagImage/Kind/blockLength``, or `nil` if they could not be read.
        public var bytes: [UInt8]?

        /// Creates a block.
        public init(number: Int, bytes: [UInt8]?) {
            self.number = number
            self.bytes = bytes
        }
    }

    /// A counter of an NTAG21x or Ultralight EV1.
    public struct Counter: Hashable, Sendable {
        /// The 24-bit value that READ_CNT returned.
        public var value: Int
        /// The answer to CHECK_TEARING_EVENT, which is `BD` if no increment was interrupted, or `nil` if it was not
        /// read.
        public var tearing: UInt8?

        /// Creates a counter.
        public init(value: Int, tearing: UInt8? = nil) {
            self.value = value
            self.tearing = tearing
        }
    }

    /// The keys of a MIFARE Classic sector, as far as they are known.
    public struct SectorKeys: Hashable, Sendable {
        /// Key A, 6 bytes, or `nil` if it is not known.
        public var a: [UInt8]?
        /// Key B, 6 bytes, or `nil` if it is not known.
        public var b: [UInt8]?

        /// Creates a pair of keys.
        public init(a: [UInt8]?, b: [UInt8]?) {
            self.a = a
            self.b = b
        }
    }

    /// A file of a Type 4 Tag.
    public struct File: Hashable, Sendable {
        /// The file identifier.
        ///
        /// The identifier of the capability container is E103.
        public var identifier: UInt16
        /// The bytes of the file from its start, including NLEN, as far as they were read.
        public var bytes: [UInt8]

        /// Creates a file.
        public init(identifier: UInt16, bytes: [UInt8]) {
            self.identifier = identifier
            self.bytes = bytes
        }
    }

    /// The kind of tag.
    public var kind: Kind
    /// The UID, NFCID0 or IDm from the activation, or empty if it is not known.
    public var identifier: [UInt8] = []
    /// The ATQA (SENS_RES), high byte first, or empty if it is not known.
    public var atqa: [UInt8] = []
    /// The SAK (SEL_RES), or `nil` if it is not known.
    public var sak: UInt8?
    /// The answer to select of a Type 4 Tag, without its length byte, or empty if it is not known.
    public var ats: [UInt8] = []
    /// The PMm of a FeliCa tag, 8 bytes, or empty if it is not known.
    public var parameter: [UInt8] = []
    /// The HR0 and HR1 bytes of a Type 1 Tag, or empty if they are not known.
    public var headerROM: [UInt8] = []
    /// The answer to GET_VERSION, 8 bytes, or empty if it is not known.
    public var version: [UInt8] = []
    /// The answer to READ_SIG, 32 bytes, or empty if it is not known.
    public var signature: [UInt8] = []
    /// The counters that were read, by their numbers, 0…2.
    public var counters: [Int: Counter] = [:]
    /// The number of wrong passwords that the tag has counted, or 0 if it is not known.
    public var failedAuthentications = 0
    /// The blocks in ascending order, including those that could not be read.
    ///
    /// A Type 4 Tag has no blocks.
    public var blocks: [Block] = []
    /// The keys of a MIFARE Classic, by sector.
    ///
    /// In a sector trailer, the bytes of an unknown key are 0.
    public var keys: [Int: SectorKeys] = [:]
    /// The files of a Type 4 Tag.
    public var files: [File] = []
    /// Whether the chip filled in the message at each tap, so that ``files`` contains the values of one tap.
    ///
    /// Only this project's own JSON format stores this property.
    public var isFilledIn = false
    /// The system information and locks of a Type 5 Tag.
    public var vicinity = Vicinity()

    /// Creates an empty image.
    public init(kind: Kind) {
        self.kind = kind
    }

    /// The bytes of a block, or `nil` if it does not exist or could not be read.
    public subscript(block number: Int) -> [UInt8]? {
        // On most kinds of tag, the block numbers start at 0 and have no gaps.
        if blocks.indices.contains(number), blocks[number].number == number { return blocks[number].bytes }
        return blocks.first { $0.number == number }?.bytes
    }
}

extension TagImage {
    /// Checks that the image is consistent.
    ///
    /// - Throws: ``TagImageError/malformed(_:found:expected:)``.
    public func check() throws(TagImageError) {
        try check("ATQA", atqa, length: 2)
        try check("GET_VERSION", version, length: 8)
        try check("signature", signature, length: 32)
        try check("PMm", parameter, length: 8)
        try check("HR0 HR1", headerROM, length: 2)
        for (index, counter) in counters where !(0...2).contains(index) || !(0...0xFF_FFFF).contains(counter.value) {
            throw .malformed(
                "counter \(index)", found: "\(counter.value)", expected: "24 bits, and a counter number 0…2")
        }
        if case .type5(let length) = kind, !Kind.vicinityBlockLengths.contains(length) {
            throw .malformed("block size", found: "\(ByteCount(length))", expected: "1 to 32 bytes")
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
                "blocks",
                found: numbers.count == expected.count
                    ? "a list with wrong block numbers" : "a list of \(numbers.count) blocks",
                expected: "the \(expected.count) blocks of \(kind.description)")
        }
        if let index = numbers.indices.dropFirst().first(where: { numbers[$0] <= numbers[$0 - 1] }) {
            throw .malformed("block numbers", found: "\(numbers[index])", expected: "ascending order")
        }
        for block in blocks {
            if let bytes = block.bytes, bytes.count != kind.blockLength {
                throw .malformed(
                    "block \(block.number)", found: "\(ByteCount(bytes.count))", expected: "\(kind.blockLength) bytes")
            }
        }
    }

    /// Checks the UID.
    ///
    /// The UID of a Type 2 Tag must match blocks 0 and 1, but a MIFARE Classic may show a UID that differs from block
    /// 0.
    private func checkIdentifier() throws(TagImageError) {
        let (lengths, text) =
            switch kind {
            // The UID can have single, double or triple size — ISO/IEC 14443-3, 6.5.4.
            // A PUPI has 4 bytes.
            case .type2, .classic, .type4: ([4, 7, 10], "4, 7 or 10")
            // The IDm of a FeliCa card and the UID of an ISO 15693 tag have 8 bytes.
            case .feliCaLite, .type3, .type5: ([8], "8")
            // The answer to RID contains only the first 4 bytes — NFC Forum T1T.
            case .topaz96, .topaz512: ([4, 7], "4 or 7")
            }
        guard identifier.isEmpty || lengths.contains(identifier.count) else {
            throw .malformed("UID", found: "\(ByteCount(identifier.count))", expected: "\(text) bytes")
        }
        guard case .type2 = kind, !identifier.isEmpty, let stored = storedIdentifier, stored != identifier else {
            return
        }
        throw .malformed(
            "UID", found: identifier.spacedHex, expected: "\(stored.spacedHex), as in the memory")
    }

    /// The identifier that the memory contains, or `nil` if it could not be read or its position is not known.
    var storedIdentifier: [UInt8]? {
        switch kind {
        case .type2(let chip):
            guard let first = self[block: 0], let second = self[block: 1], first.count == 4 else { return nil }
            // On an NTAG I2C, there is no check byte within the UID.
            return chip?.isNTAGI2C ?? false ? first + second.prefix(3) : first.prefix(3) + second
        case .topaz96, .topaz512: return self[block: 0].map { Array($0.prefix(7)) }
        case .classic: return self[block: 0].map { Array($0.prefix(4)) }
        case .feliCaLite: return self[block: Kind.feliCaIdentifierBlock].map { Array($0.prefix(8)) }
        case .type3, .type4, .type5: return nil
        }
    }

    private func check(_ field: String, _ bytes: [UInt8], length: Int) throws(TagImageError) {
        guard bytes.isEmpty || bytes.count == length else {
            throw .malformed(.field(field), found: "\(ByteCount(bytes.count))", expected: "\(length) bytes")
        }
    }
}
