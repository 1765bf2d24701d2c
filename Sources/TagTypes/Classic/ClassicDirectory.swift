// The MIFARE application directory — NXP AN10787

import Hexadecimal

/// The assignment of sectors to applications, which is stored in sector 0 (MAD1) and, on larger chips, in sector 16
/// (MAD2).
///
/// Layout of each: CRC (1 byte), info byte (1), then a 2-byte application identifier (application code, function
/// cluster code) for each sector. MAD1 occupies blocks 1 and 2 of sector 0; MAD2 occupies the three data blocks
/// of sector 16.
struct ClassicDirectory: Hashable, Sendable {
    /// The bits DA and MA of the general purpose byte of sector 0, which announce a directory for several applications.
    ///
    /// Bits 1…0 of that byte contain ADV, the version of the directory.
    private static let available: UInt8 = 0xC0
    private static let availableBit: UInt8 = 0x80
    /// The application identifier of NDEF (E103), lowest byte first.
    private static let ndef: [UInt8] = [0x03, 0xE1]
    /// The application identifier of a sector that does not exist.
    private static let notApplicable: [UInt8] = [0x05, 0x00]
    private static let crcPolynomial: UInt8 = 0x1D
    private static let crcPreset: UInt8 = 0xC7

    /// Returns part 0 (MAD1) or part 1 (MAD2) of a directory that assigns all sectors of a chip to NDEF.
    static func giving(_ layout: ClassicLayout, part: Int) -> [UInt8] {
        let sectors = part == 0 ? 1...15 : 17...39
        let identifiers = sectors.flatMap { $0 < layout.sectorCount ? ndef : notApplicable }
        // The info byte 00 means that there is no card publisher sector.
        let body = [0x00] + identifiers
        return [crc(body)] + body
    }

    static func generalPurpose(_ layout: ClassicLayout) -> UInt8 { available | UInt8(layout.directorySectors.count) }

    /// Returns the MAD version that a general purpose byte of sector 0 announces, or 0 if there is no directory.
    static func version(_ generalPurpose: UInt8) -> Int {
        generalPurpose & availableBit == 0 ? 0 : Int(generalPurpose & 0x03)
    }

    /// The sectors that the directory assigns to NDEF, in ascending order.
    let ndefSectors: [Int]

    /// Parses the first part of a directory and, if there is one, the second part.
    ///
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` if a CRC is wrong.
    init(_ first: [UInt8], second: [UInt8]?) throws(TagError) {
        ndefSectors =
            try Self.ndefSectors(first, from: 1, offset: ClassicLayout.blockSize)
            + (second.map { bytes throws(TagError) in try Self.ndefSectors(bytes, from: 17, offset: 1024) } ?? [])
    }

    private static func ndefSectors(_ bytes: [UInt8], from first: Int, offset: Int) throws(TagError) -> [Int] {
        let crc = crc(bytes.dropFirst())
        guard bytes.first == crc else {
            throw .protocolViolation(
                field: "CRC of the MAD", found: bytes.prefix(1).spacedHex, expected: crc.hex, offset: offset)
        }
        return stride(from: 2, to: bytes.count - 1, by: 2).filter { Array(bytes[$0..<$0 + 2]) == ndef }
            .map { first + ($0 - 2) / 2 }
    }

    /// Returns the first contiguous run of NDEF sectors, in which the second directory sector does not count as a gap.
    ///
    /// AN1304 requires NDEF sectors to be contiguous. Sectors after a gap do not belong to the data area.
    func contiguousNDEFSectors(_ layout: ClassicLayout) -> [Int] {
        let sectors = layout.applicationSectors
        guard let first = ndefSectors.first, let start = sectors.firstIndex(of: first) else { return [] }
        return Array(sectors[start...].prefix { ndefSectors.contains($0) })
    }

    /// Computes the CRC-8 with polynomial 1D and preset C7, most significant bit first, over info byte and identifiers.
    static func crc(_ bytes: some Sequence<UInt8>) -> UInt8 {
        bytes.reduce(crcPreset) { crc, byte in
            (0..<8).reduce(crc ^ byte) { value, _ in
                value & 0x80 == 0 ? value << 1 : value << 1 ^ crcPolynomial
            }
        }
    }
}
