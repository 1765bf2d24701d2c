// The Type 3 Tag attribute information block — NFC Forum T3T, Attribute Information

import Hexadecimal

/// The attribute information block, which is block 0 in the NDEF service.
///
/// Layout: Ver (major and minor nibble), Nbr, Nbw, Nmaxb (2 bytes), 4 unused bytes, WriteFlag, RWFlag, Ln (3 bytes),
/// checksum (sum of bytes 0…13, 2 bytes). Numbers are big-endian.
struct Type3AttributeBlock: Hashable, Sendable {
    static let number = 0
    private static let writing: UInt8 = 0x0F
    private static let readWrite: UInt8 = 0x01

    let bytes: [UInt8]

    var majorVersion: UInt8 { bytes[0] >> 4 }
    /// Nbr: the maximum number of blocks in one read.
    var readBlockCount: Int { Int(bytes[1]) }
    /// Nbw: the maximum number of blocks in one write.
    var writeBlockCount: Int { Int(bytes[2]) }
    /// Nmaxb: the number of blocks that are available for a message.
    var dataBlockCount: Int { Int(bytes.bigEndian(at: 3, 2)) }
    /// WriteFlag: whether a write was started but not finished.
    var isWriting: Bool { bytes[9] == Self.writing }
    /// RWFlag: whether the message can be replaced.
    var isWritable: Bool { bytes[10] == Self.readWrite }
    /// Ln: the length of the message, in bytes.
    var length: Int { Int(bytes.bigEndian(at: 11, 3)) }
    var capacity: Int { dataBlockCount * Type3Commands.blockSize }

    /// Decodes the block and checks every field.
    ///
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)``, if a field is invalid. An unknown major
    ///   version is not an error here.
    init(_ bytes: [UInt8]) throws(TagError) {
        self.bytes = bytes
        guard bytes.count == Type3Commands.blockSize else {
            throw .protocolViolation(
                field: "the attribute information block", found: "\(ByteCount(bytes.count))", expected: "16 bytes",
                offset: 0
            )
        }
        let checksum = Self.checksum(of: bytes)
        try Self.check("checksum", bytes[14...], checksum, "\(checksum.hex)", at: 14)
        guard majorVersion == 1 else { return }
        try Self.check("Nbr", bytes[1] > 0, bytes[1...1], "01 or more", at: 1)
        try Self.check("Nbw", bytes[2] > 0 || !isWritable, bytes[2...2], "01 or more", at: 2)
        try Self.check("Nmaxb", dataBlockCount > 0, bytes[3...4], "0001 or more", at: 3)
        try Self.check("WriteFlag", isWriting || bytes[9] == 0, bytes[9...9], "00 or 0F", at: 9)
        try Self.check("RWFlag", bytes[10] <= Self.readWrite, bytes[10...10], "00 or 01", at: 10)
        guard length <= capacity else {
            throw .protocolViolation(field: "Ln", found: "\(length)", expected: "at most \(capacity)", offset: 11)
        }
    }

    /// Creates a writable block with an empty message.
    init(readBlockCount: Int, writeBlockCount: Int, dataBlockCount: Int) {
        var bytes = [UInt8](repeating: 0, count: Type3Commands.blockSize)
        bytes[0] = 0x10
        bytes[1] = UInt8(truncatingIfNeeded: readBlockCount)
        bytes[2] = UInt8(truncatingIfNeeded: writeBlockCount)
        bytes[3] = UInt8(truncatingIfNeeded: dataBlockCount >> 8)
        bytes[4] = UInt8(truncatingIfNeeded: dataBlockCount)
        bytes[10] = Self.readWrite
        self.init(sealing: bytes)
    }

    private init(sealing bytes: [UInt8]) {
        var bytes = bytes
        bytes.replaceSubrange(14..., with: Self.checksum(of: bytes))
        self.bytes = bytes
    }

    /// Returns this block with another message length and with the WriteFlag cleared.
    func holding(_ length: Int) -> Type3AttributeBlock {
        var bytes = bytes
        bytes[9] = 0x00
        for index in 0..<3 { bytes[11 + index] = UInt8(truncatingIfNeeded: length >> (16 - 8 * index)) }
        return Type3AttributeBlock(sealing: bytes)
    }

    /// This block with the WriteFlag set.
    ///
    /// The length is also set to zero, for readers that ignore the flag.
    var beingWritten: Type3AttributeBlock {
        var bytes = holding(0).bytes
        bytes[9] = Self.writing
        return Type3AttributeBlock(sealing: bytes)
    }

    /// This block with the RWFlag cleared.
    var readOnly: Type3AttributeBlock {
        var bytes = bytes
        bytes[10] = 0x00
        return Type3AttributeBlock(sealing: bytes)
    }

    private static func checksum(of bytes: [UInt8]) -> [UInt8] {
        let sum = bytes.prefix(14).reduce(0) { $0 + UInt16($1) }
        return [UInt8(sum >> 8), UInt8(sum & 0xFF)]
    }

    private static func check(
        _ field: String, _ found: ArraySlice<UInt8>, _ wanted: [UInt8], _ expected: String, at offset: Int
    ) throws(TagError) {
        try check(field, Array(found) == wanted, found, expected, at: offset)
    }

    private static func check(
        _ field: String, _ isRight: Bool, _ found: ArraySlice<UInt8>, _ expected: String, at offset: Int
    ) throws(TagError) {
        guard isRight else {
            throw .protocolViolation(
                field: "\(field) of the attribute information block", found: found.hex,
                expected: expected, offset: offset)
        }
    }
}
