// The Type 4 Tag capability container — NFC Forum T4T, mapping versions 2.0 and 3.0

import Hexadecimal

/// The content of the capability container (CC) file of a Type 4 Tag.
///
/// Layout, big-endian: CCLEN (2 bytes), mapping version (1), MLe (2), MLc (2), then an NDEF File Control TLV (`04 06`,
/// file identifier, 2-byte size, read access, write access) or an ENDEF File Control TLV (`06 08`, with the same fields
/// but a 4-byte size), then proprietary TLVs.
struct Type4CapabilityContainer: Hashable, Sendable {
    static let fileID: UInt16 = 0xE103
    /// The number of bytes to read first, which covers a container with an NDEF File Control TLV.
    static let minimalLength = 15
    /// The length in bytes of a container that begins with an ENDEF File Control TLV.
    static let extendedLength = 17
    private static let firstTLV = 7
    private static let minimalMLe = 15

    private enum Tag {
        static let ndefFile: UInt8 = 0x04
        static let proprietaryFile: UInt8 = 0x05
        static let endefFile: UInt8 = 0x06
    }

    let bytes: [UInt8]
    let cclen: Int
    let mappingVersion: UInt8
    let mle: Int
    let mlc: Int
    let file: MemoryMap.File
    /// The number of bytes in the length field at the start of the NDEF file.
    let nlenSize: Int
    /// The byte offset of the write access byte in the CC file.
    let writeAccessOffset: Int

    var majorVersion: UInt8 { mappingVersion >> 4 }
    /// The maximum length of a message, in bytes.
    ///
    /// With an offset data object, READ BINARY can address offsets up to FFFFFE.
    var capacity: Int { min(file.size, 0xFF_FFFF) - nlenSize }

    /// Returns the number of bytes that are needed to parse the container, given the first 15 bytes of the CC file.
    static func neededLength(_ head: [UInt8]) -> Int {
        head.count > firstTLV && head[firstTLV] == Tag.endefFile ? extendedLength : minimalLength
    }

    /// Parses the container from its first ``neededLength(_:)`` bytes or more.
    init(_ bytes: [UInt8]) throws(TagError) {
        let needed = Self.neededLength(bytes)
        guard bytes.count >= needed else {
            throw Self.violation("the capability container", "\(ByteCount(bytes.count))", "\(needed) bytes", 0)
        }
        self.bytes = bytes
        cclen = Int(bytes.bigEndian(at: 0, 2))
        mappingVersion = bytes[2]
        mle = Int(bytes.bigEndian(at: 3, 2))
        mlc = Int(bytes.bigEndian(at: 5, 2))
        guard needed...0xFFFE ~= cclen else {
            throw Self.violation("CCLEN", bytes[0..<2].hex, "\(UInt16(needed).hex) to FFFE", 0)
        }
        guard mle >= Self.minimalMLe else {
            throw Self.violation("MLe", bytes[3..<5].hex, "000F or more", 3)
        }
        (file, nlenSize) = try Self.fileControl(bytes)
        // If the length field had to be written with two commands, an interruption could leave only a part of it.
        guard mlc >= nlenSize else {
            throw Self.violation("MLc", bytes[5..<7].hex, "\(UInt16(nlenSize).hex) or more", 5)
        }
        writeAccessOffset = nlenSize == 4 ? 16 : 14
    }

    private static func fileControl(_ bytes: [UInt8]) throws(TagError) -> (MemoryMap.File, nlenSize: Int) {
        let isExtended = bytes[firstTLV] == Tag.endefFile
        guard bytes[firstTLV] == Tag.ndefFile || isExtended else {
            throw violation("the first TLV's tag", bytes[firstTLV].hex, "04 or 06", firstTLV)
        }
        let length: UInt8 = isExtended ? 0x08 : 0x06
        guard bytes[firstTLV + 1] == length else {
            throw violation("NDEF File Control TLV length", bytes[firstTLV + 1].hex, length.hex, firstTLV + 1)
        }
        let sizeLength = isExtended ? 4 : 2
        let fileID = UInt16(bytes.bigEndian(at: 9, 2))
        guard ![0x0000, 0xE102, 0xE103, 0x3F00, 0x3FFF, 0xFFFF].contains(fileID) else {
            throw violation("NDEF file identifier", fileID.hex, "an identifier that is not reserved", 9)
        }
        let size = Int(bytes.bigEndian(at: 11, sizeLength))
        let most = isExtended ? 0xFFFF_FFFE : 0xFFFE
        guard sizeLength + 3...most ~= size else {
            throw violation(
                "NDEF file size", bytes[11..<11 + sizeLength].hex,
                "\(sizeLength + 3) bytes or more, not RFU",
                11)
        }
        let file = MemoryMap.File(
            identifier: fileID, kind: isExtended ? "ENDEF" : "NDEF", size: size, readAccess: bytes[11 + sizeLength],
            writeAccess: bytes[12 + sizeLength])
        return (file, sizeLength)
    }

    /// The files that Proprietary File Control TLVs after the first TLV describe, as far as these TLVs were read and
    /// are valid.
    var proprietaryFiles: [MemoryMap.File] {
        var files: [MemoryMap.File] = []
        var offset = writeAccessOffset + 1
        while offset + 8 <= bytes.count, bytes[offset] == Tag.proprietaryFile, bytes[offset + 1] == 0x06 {
            files.append(
                MemoryMap.File(
                    identifier: UInt16(bytes.bigEndian(at: offset + 2, 2)), kind: "proprietary",
                    size: Int(bytes.bigEndian(at: offset + 4, 2)), readAccess: bytes[offset + 6],
                    writeAccess: bytes[offset + 7]))
            offset += 8
        }
        return files
    }

    private static func violation(_ field: String, _ found: String, _ expected: String, _ offset: Int) -> TagError {
        .protocolViolation(field: field, found: found, expected: expected, offset: offset)
    }
}

extension [UInt8] {
    /// Returns the unsigned number that is stored in `length` bytes from `offset`.
    ///
    /// At most four bytes are allowed, and they must exist.
    func bigEndian(at offset: Int, _ length: Int) -> UInt32 {
        self[offset..<offset + length].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
