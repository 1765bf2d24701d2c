// The changes that a restore may make to one block, by kind of tag — data sheets of the chips

import Chips
package import TagImage
package import TagTypes

/// The rule for restoring one block of a tag.
package struct BlockRule: Sendable {
    package let role: MemoryMap.Role
    private let number: Int
    private let present: [UInt8]?
    private let kind: TagImage.Kind
    private let keys: TagImage.SectorKeys?
    /// The number of block CFG1 of an NTAG21x, Ultralight EV1 (ACCESS) or AES, or nil if there is none.
    private let accessBlock: Int?
    /// The memory layout from the table of chips.
    private let layout: Type2Layout?

    package init(_ block: MemoryMap.Block, in image: TagImage) {
        role = block.role
        number = block.number
        present = block.bytes
        kind = image.kind
        if case .type2(let chip) = image.kind { layout = chip?.layout } else { layout = nil }
        accessBlock =
            switch layout?.protection {
            case .password(let configuration)?: configuration + 1
            case .tripleDES?: nil
            case .aes?: 42
            // Whichever chip an unknown tag has, its memory ends with CFG1, PWD and PACK.
            case nil: layout == nil ? image.blocks.count - 3 : nil
            }
        keys = block.role == .trailer ? image.keys[TagImage.Kind.classicSector(of: block.number)] : nil
    }

    /// Returns the bytes to write.
    ///
    /// Returns nil if the block stays the same, because it was not requested or cannot be restored.
    package func bytes(_ wanted: [UInt8], parts: RestorePlan.Parts) -> [UInt8]? {
        guard !(layout?.isUntouchable(number) ?? false) else { return nil }
        switch role {
        case .free where isFutureAttributes(wanted) && !parts.contains(.lockBits) && wanted != present:
            let bytes = Self.withMark(1, in: wanted)
            return bytes == present ? nil : bytes
        case .tlv, .ndef, .free, .directory: return wanted
        case .capabilityContainer:
            switch kind {
            case .type2: return parts.contains(.otp) ? adding(wanted, in: 0..<4) : nil
            case .type3, .feliCaLite:
                guard !parts.contains(.lockBits) else { return wanted }
                let bytes = withPresentMark(wanted)
                // If only the read-only mark differs, the block stays the same.
                return bytes == present && wanted != present ? nil : bytes
            // On Type 1, the block with the container is written like any other.
            default: return wanted
            }
        case .lock: return locks(wanted, parts)
        case .uid:
            // On a FeliCa Lite, D_ID can never be written, and ID only once.
            return parts.contains(.uid) && kind != .feliCaLite ? wanted : nil
        case .configuration: return parts.contains(.configuration) ? configuration(wanted, parts) : nil
        // On an unknown chip, reserved blocks include the configuration.
        case .reserved: return parts.contains(.configuration) ? wanted : nil
        case .trailer: return parts.contains(.configuration) && areKeysKnown(wanted) ? wanted : nil
        // A dump contains zeros instead of a password, and a counter can only be incremented.
        case .password, .counter: return nil
        }
    }

    /// Returns the options each of which, even if given alone, makes a restore change this block.
    ///
    /// The option for the UID is not included, because only chips made for copying allow writing it.
    func partsThatChange(to dumped: [UInt8]) -> RestorePlan.Parts {
        let wanted = withoutUnknownKeys(dumped)
        return [RestorePlan.Parts.configuration, .lockBits, .otp].reduce(into: []) { all, part in
            if let bytes = bytes(wanted, parts: part), bytes != present { all.insert(part) }
        }
    }

    /// Whether writing these bytes makes a change that can never be undone.
    package func setsOneTimeBits(_ bytes: [UInt8]) -> Bool {
        switch role {
        case .lock: true
        case .trailer: freezesAccess(bytes)
        case .capabilityContainer: if case .type2 = kind { true } else { false }
        case .configuration:
            switch kind {
            case .feliCaLite:
                number == Self.memoryConfiguration && Self.closing.contains { present?[$0] != bytes[$0] }
            case .type2 where layout?.registerLockBlock != nil:
                number == layout?.registerLockBlock && present?[Self.registerLock] != bytes[Self.registerLock]
            case .type2: number == accessBlock && bytes[0] & ~(present?[0] ?? 0) & Self.configurationLock != 0
            default: false
            }
        default: false
        }
    }

    /// CFGLCK in ACCESS, which makes the configuration permanent — NTAG213/215/216 data sheet, ACCESS byte.
    private static let configurationLock: UInt8 = 0x40

    // MARK: One-time bits

    /// Returns the current bytes of the block with the requested one-time bits added, or nil if none are requested.
    private func locks(_ wanted: [UInt8], _ parts: RestorePlan.Parts) -> [UInt8]? {
        let ranges: [(part: RestorePlan.Parts, bytes: Range<Int>)] =
            switch (kind, number) {
            // LOCK-0 and LOCK-1 are followed by OTP bytes.
            case (.topaz96, 0x0E), (.topaz512, 0x0E): [(.lockBits, 0..<2), (.otp, 2..<8)]
            case (.topaz96, _), (.topaz512, _): [(.lockBits, 0..<2)]
            // Block 2 begins with a check byte of the UID and an internal byte of the chip.
            case (_, 2): [(.lockBits, 2..<4)]
            // Byte 3 of dynamic lock bits is RFU.
            default: [(.lockBits, 0..<3)]
            }
        let chosen = ranges.filter { parts.contains($0.part) }
        guard !chosen.isEmpty else { return nil }
        return chosen.reduce(present ?? wanted) { bytes, range in Self.adding(wanted, to: bytes, in: range.bytes) }
    }

    /// Whether the tag has one-time bits set that are clear in these bytes.
    ///
    /// Such bits can never be cleared.
    func hasBitsBeyond(_ wanted: [UInt8]) -> Bool {
        guard let present else { return false }
        let range: Range<Int>
        switch (kind, role) {
        case (.type2, .capabilityContainer): range = 0..<4
        case (.topaz96, .lock), (.topaz512, .lock): range = number == 0x0E ? 0..<8 : 0..<2
        case (_, .lock): range = number == 2 ? 2..<4 : 0..<3
        default: return false
        }
        return zip(present, wanted).enumerated().contains { range.contains($0) && $1.0 & ~$1.1 != 0 }
    }

    /// Whether the one-time bits for data would become a mixture, because `bytes` sets bits from the dump but the tag
    /// also has bits set that the dump does not have.
    func mixesOneTimeData(_ wanted: [UInt8], written bytes: [UInt8]) -> Bool {
        let range: Range<Int>
        switch (kind, role, number) {
        case (.type2, .capabilityContainer, _): range = 0..<4
        // The OTP bytes after LOCK-0 and LOCK-1.
        case (.topaz96, .lock, 0x0E), (.topaz512, .lock, 0x0E): range = 2..<8
        default: return false
        }
        guard let present, present.count == wanted.count, present.count == bytes.count,
            range.upperBound <= present.count
        else { return false }
        return range.contains { present[$0] != bytes[$0] } && range.contains { present[$0] & ~wanted[$0] != 0 }
    }

    private func adding(_ wanted: [UInt8], in range: Range<Int>) -> [UInt8] {
        Self.adding(wanted, to: present ?? wanted, in: range)
    }

    private static func adding(_ wanted: [UInt8], to present: [UInt8], in range: Range<Int>) -> [UInt8] {
        zip(present, wanted).enumerated().map { range.contains($0) ? $1.0 | $1.1 : $1.0 }
    }

    // MARK: Attribute information block — NFC Forum T3T

    /// The index of RWFlag, which is 01 if the message may be replaced.
    ///
    /// This flag is the only lock of a Type 3 Tag, except on FeliCa Lite.
    private static let writeFlag = 10

    package static func allowsWriting(_ attributes: [UInt8]) -> Bool {
        attributes.count == 16 && attributes[writeFlag] == 1
    }

    /// Returns the block with the tag's current RWFlag and the matching checksum.
    private func withPresentMark(_ wanted: [UInt8]) -> [UInt8] {
        guard let present, present.count == 16, wanted.count == 16, wanted[Self.writeFlag] != present[Self.writeFlag]
        else { return wanted }
        return Self.withMark(present[Self.writeFlag], in: wanted)
    }

    private static func withMark(_ mark: UInt8, in wanted: [UInt8]) -> [UInt8] {
        var bytes = wanted
        bytes[writeFlag] = mark
        let sum = bytes[..<14].reduce(0) { $0 + Int($1) }
        bytes.replaceSubrange(14..., with: [UInt8(sum >> 8), UInt8(sum & 0xFF)])
        return bytes
    }

    /// Whether these bytes are a read-only attribute information block for a FeliCa Lite without NDEF.
    ///
    /// On such a card, block 0 holds data until the card answers to the NDEF system code.
    private func isFutureAttributes(_ wanted: [UInt8]) -> Bool {
        kind == .feliCaLite && number == 0 && Self.areAttributes(wanted) && !Self.allowsWriting(wanted)
    }

    /// Whether bytes are an attribute information block of mapping version 1 with its checksum.
    static func areAttributes(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 16, bytes[0] >> 4 == 1 else { return false }
        return bytes[..<14].reduce(0) { $0 + Int($1) } == Int(bytes[14]) << 8 | Int(bytes[15])
    }

    // MARK: Configuration — FeliCa Lite-S user's manual, SER_C, MC; NXP NT3H1101/1201, configuration registers

    private static let serviceCode = 0x84
    private static let memoryConfiguration = 0x88
    /// The bytes MC_SP_REG_ALL_RW and MC_ALL, whose bits can only be cleared.
    private static let closing = 0..<3
    /// The index of REG_LOCK of an NTAG I2C, whose bits can only be set.
    private static let registerLock = 2

    /// Returns the bytes to write to a configuration block, or nil if the block stays the same.
    ///
    /// SYS_C, CKV, STATE and CRC_CHECK are never written: they are internal to the chip or belong to a key that cannot
    /// be read.
    private func configuration(_ wanted: [UInt8], _ parts: RestorePlan.Parts) -> [UInt8]? {
        if number == layout?.registerLockBlock, let present {
            var bytes = wanted
            bytes[Self.registerLock] =
                present[Self.registerLock] | (parts.contains(.lockBits) ? wanted[Self.registerLock] : 0)
            return bytes
        }
        // The chip does not define the effect of an AUTH0 below the first protectable block. With such a value, even
        // reading the UID could require the key.
        if let protection = layout?.protection, number == protection.auth0Address / 4, wanted.count == 4,
            Int(wanted[protection.auth0Address % 4]) < protection.firstProtectable
        {
            return nil
        }
        // Keep SEC_MSG_ACT and RID_ACT: if either is set, nfctool cannot open the tag or find it again.
        if case .aes? = layout?.protection, number + 1 == accessBlock, let present {
            return [present[0] & 0x03 | wanted[0] & ~0x03] + wanted.dropFirst()
        }
        guard kind == .feliCaLite else { return wanted }
        switch number {
        case Self.serviceCode: return wanted
        case Self.memoryConfiguration:
            guard let present else { return wanted }
            return zip(present, wanted).enumerated().map { Self.closing.contains($0) ? $1.0 & $1.1 : $1.1 }
        default: return nil
        }
    }

    // MARK: MIFARE Classic

    /// Returns a trailer with the tag's own keys where the dump does not contain them.
    package func withoutUnknownKeys(_ wanted: [UInt8]) -> [UInt8] {
        guard role == .trailer, let present, present.count == 16, wanted.count == 16 else { return wanted }
        var bytes = wanted
        if keys?.a == nil { bytes.replaceSubrange(0..<6, with: present[0..<6]) }
        if keys?.b == nil { bytes.replaceSubrange(10..<16, with: present[10..<16]) }
        return bytes
    }

    /// Whether these access bits make the access conditions of the sector permanent — NXP MF1S50yyX, Access Conditions.
    private func freezesAccess(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 16, let present, present.count == 16, let new = ClassicAccess(bytes[6..<9]) else {
            return false
        }
        let isOpen = ClassicAccess(present[6..<9]).map { !$0.trailer.isFrozen } ?? true
        return isOpen && new.trailer.isFrozen
    }

    /// Whether a trailer changes the tag's keys.
    ///
    /// Keys that are not known count as unchanged.
    func changesKeys(_ bytes: [UInt8]) -> Bool {
        guard role == .trailer, bytes.count == 16, let present, present.count == 16 else { return false }
        return bytes[..<6] != present[..<6] || bytes[10...] != present[10...]
    }

    /// Whether all keys are known.
    ///
    /// Zeros stand for a key that neither the dump nor the tag shows.
    private func areKeysKnown(_ wanted: [UInt8]) -> Bool {
        guard wanted.count == 16 else { return false }
        return (keys?.a != nil || wanted[..<6].contains { $0 != 0 })
            && (keys?.b != nil || wanted[10...].contains { $0 != 0 })
    }
}
