// Checking whether an image can be the memory of a tag — ISO/IEC 14443-3, BCC; NFC Forum T1T and T2T; NXP MF1S50yyX;
// Sony FeliCa Lite-S
import Chips

import Hexadecimal

extension TagImage {
    /// Checks that the blocks contain the fixed values that every chip of this kind has.
    ///
    /// Nothing else in raw memory shows the kind of tag, and any file of the right size could be mistaken for raw
    /// memory. Blocks that could not be read are not checked.
    /// - Throws: ``TagImageError/malformed(_:found:expected:)``.
    public func checkMemory() throws(TagImageError) {
        switch kind {
        case .type2(let chip): try checkType2(chip)
        case .classic: try checkClassic()
        case .topaz96, .topaz512: try checkTopaz()
        case .feliCaLite: try checkFeliCaLite()
        case .type3, .type4, .type5: break
        }
    }

    // MARK: Type 2

    /// The cascade tag of ISO/IEC 14443-3, which is included in the first check byte.
    private static let cascadeTag: UInt8 = 0x88
    /// The manufacturer code of NXP (ISO/IEC 7816-6), which is the first UID byte of an NTAG I2C.
    private static let nxp: UInt8 = 0x04
    private static let ndefMagic: UInt8 = 0xE1

    /// Checks the values that every dump of this kind of tag has, even that of a damaged tag.
    ///
    /// Any file of the right size, such as a text file, could be mistaken for raw memory. ``checkMemory()`` is
    /// stricter.
    ///
    /// - Throws: ``TagImageError/malformed(_:found:expected:)``.
    public func checkIdentity() throws(TagImageError) {
        switch kind {
        case .type2(let chip): try checkType2Identifier(chip)
        case .classic:
            let trailers = blocks.filter { Kind.isClassicTrailer($0.number) }.compactMap(\.bytes)
            guard trailers.isEmpty || trailers.contains(where: { Self.areAccessBits(Array($0[6..<9])) }) else {
                throw .malformed(
                    "the access bits", found: "invalid in every sector", expected: "each bit and its complement")
            }
        case .topaz96, .topaz512: try checkTopaz()
        case .feliCaLite: try checkFeliCaLite()
        case .type3, .type4, .type5: break
        }
    }

    private func checkType2Identifier(_ chip: Chip?) throws(TagImageError) {
        let (first, second, third) = (self[block: 0], self[block: 1], self[block: 2])
        if chip?.isNTAGI2C ?? false {
            // The memory of an NTAG I2C contains no check bytes for its UID.
            if let first, first[0] != Self.nxp {
                throw .byte(0, of: 0, is: first[0], insteadOf: Self.nxp, as: "of the UID")
            }
        } else {
            if let first {
                let check = Self.cascadeTag ^ first[0] ^ first[1] ^ first[2]
                if check != first[3] {
                    throw .byte(3, of: 0, is: first[3], insteadOf: check, as: "the UID's check byte")
                }
            }
            if let second, let third {
                let check = second.reduce(0, ^)
                if check != third[0] {
                    throw .byte(0, of: 2, is: third[0], insteadOf: check, as: "the UID's check byte")
                }
            }
        }
    }

    private func checkType2(_ chip: Chip?) throws(TagImageError) {
        try checkType2Identifier(chip)
        // On an Ultralight, applications may use block 3 for one-time bits. An NTAG leaves the factory with the NDEF
        // magic number there.
        guard chip?.formatting?.isDelivered ?? false, let container = self[block: 3],
            container.contains(where: { $0 != 0 })
        else {
            return
        }
        guard container[0] & Self.ndefMagic == Self.ndefMagic else {
            throw .byte(0, of: 3, is: container[0], insteadOf: Self.ndefMagic, as: "of the capability container")
        }
    }

    /// The number of the block with the capability container of a Type 2 Tag.
    public static let type2ContainerBlock = 3

    /// Checks that the capability container of a Type 2 Tag is possible for its chip.
    ///
    /// The check covers the major version and the size. A damaged tag may have an impossible container, but its dump is
    /// still valid. A container without the NDEF magic number, such as that of an amiibo, is not checked.
    ///
    /// - Throws: ``TagImageError/malformed(_:found:expected:)``.
    public func checkType2Container() throws(TagImageError) {
        guard case .type2(let chip) = kind, let container = self[block: Self.type2ContainerBlock], container.count == 4,
            container[0] == Self.ndefMagic
        else { return }
        // NFC Forum T2T, Memory Structure: the high nibble of byte 1 is the major version.
        guard container[1] >> 4 == 1 else {
            throw .malformed(
                "byte 1 of block 3", found: container[1].hex, expected: "1x, the version of the capability container")
        }
        guard let layout = chip?.layout else { return }
        // Byte 2 is the size of the data area, which begins at block 4, in units of 8 bytes.
        let size = max(layout.userBlockCount * 4 / 8, Int(chip?.formatting?.dataAreaSize ?? 0))
        guard Int(container[2]) <= size else {
            throw .malformed(
                "byte 2 of block 3", found: container[2].hex,
                expected: "\(UInt8(min(size, 0xFF)).hex) or less, the size of the memory of \(kind)")
        }
    }

    // MARK: MIFARE Classic

    private func checkClassic() throws(TagImageError) {
        if let bytes = self[block: 0] {
            let check = bytes[..<4].reduce(0, ^)
            // A 7-byte UID has no check byte in block 0. The SAK and ATQA after the UID identify such a UID.
            let isLong = identifier.count == 7 || bytes[8] & 0xC0 == 0x40 && bytes[9] == 0
            if !isLong, check != bytes[4] {
                throw .byte(4, of: 0, is: bytes[4], insteadOf: check, as: "the UID's check byte")
            }
        }
        for block in blocks where Kind.isClassicTrailer(block.number) {
            guard let access = block.bytes?[6..<9], !Self.areAccessBits(Array(access)) else { continue }
            throw .malformed(
                "the access bits in block \(block.number)", found: Array(access).spacedHex,
                expected: "each bit and its complement; with any other value, the chip blocks the sector permanently")
        }
    }

    /// Whether each access condition is stored both plain and inverted: `~C2 ~C1`, `C1 ~C3`, `C3 C2`.
    private static func areAccessBits(_ bytes: [UInt8]) -> Bool {
        let (c1, c2, c3) = (bytes[1] >> 4, bytes[2] & 0x0F, bytes[2] >> 4)
        return bytes[0] == ~(c2 << 4 | c1) && bytes[1] & 0x0F == ~c3 & 0x0F
    }

    // MARK: Topaz, FeliCa Lite

    private func checkTopaz() throws(TagImageError) {
        // LOCK-0 and LOCK-1 lock blocks 0, D and E from the factory on.
        if let locks = self[block: 14], locks[0] & 0x01 == 0 || locks[1] & 0x60 != 0x60 {
            throw .malformed(
                "the lock bits in block 14", found: Array(locks[..<2]).spacedHex,
                expected: "at least the bits that the factory sets, 01 60")
        }
    }

    private static let systemCodeBlock = 0x85
    private static let systemCode: [UInt8] = [0x88, 0xB4]

    private func checkFeliCaLite() throws(TagImageError) {
        guard let code = self[block: Self.systemCodeBlock]?.prefix(2).map(\.self), code != Self.systemCode else {
            return
        }
        throw .malformed(
            "the system code in block \(Self.systemCodeBlock)", found: code.spacedHex,
            expected: Self.systemCode.spacedHex)
    }
}

extension TagImageError {
    fileprivate static func byte(
        _ index: Int, of block: Int, is found: UInt8, insteadOf expected: UInt8, as meaning: String
    ) -> TagImageError {
        .malformed(
            "byte \(index) of block \(block)", found: found.hex,
            expected: "\(expected.hex), \(meaning)")
    }
}
