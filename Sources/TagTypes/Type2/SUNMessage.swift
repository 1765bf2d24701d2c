// SUN message of an NTAG 22x DNA — settings as zc-public/breakme-resources uses them (ntag22x_suncmac_recovery)
import Chips

extension MemoryMap {
    /// What an NTAG 22x DNA shows in the memory instead of what was written there, and what it asks a password or key for.
    ///
    /// Shape: UID, `x`, NFC counter, `x`, on a StatusDetect chip its status and `x`, CMAC; all in hexadecimal digits.
    public struct SUNMessage: Hashable, Sendable {
        /// MIRROR_EN, bit 7 of CFG 0: the chip shows it.
        public let isOn: Bool
        /// MIRROR_PAGE: the block in which it begins.
        public let block: UInt8
        /// MIRROR_BYTE: the byte of that block, 0…3.
        public let byte: UInt8
        /// Whether the chip shows a status, too: it is one with StatusDetect.
        public let hasStatus: Bool
        /// The offset in the message, `nil` when nothing is shown there.
        public internal(set) var messageOffset: Int?
        /// LOCK_SUNCMAC_KEY: the key can no longer be replaced; `nil` when that cannot be read.
        public let isKeyLocked: Bool?
        /// AUTH0: the first block that asks for a password or key, also one beyond the memory.
        public let auth0: UInt8
        /// The first block that asks for it; `nil` for none.
        public let firstProtected: Int?
        /// PROT: reading asks for it, too.
        public let protectsReading: Bool

        /// The number of characters.
        public var length: Int { hasStatus ? 49 : 38 }
    }
}

extension Type2Tag {
    /// The settings of the SUN message, as far as they were read; `nil` for other chips.
    var sunMessage: MemoryMap.SUNMessage? {
        guard let chip, let layout = chip.model?.sun, let first = memory.cached(layout.configuration),
            let second = memory.cached(layout.configuration + 1)
        else { return nil }
        return MemoryMap.SUNMessage(
            isOn: first[0] & 0x80 != 0, block: first[2], byte: first[0] >> 3 & 0x03,
            hasStatus: chip.name.hasSuffix("StatusDetect"),
            messageOffset: first[0] & 0x80 == 0
                ? nil : messageOffset(of: Int(first[2]) * 4 + Int(first[0] >> 3 & 0x03)),
            isKeyLocked: memory.cached(layout.keyLock).map { $0[0] & 0x80 != 0 }, auth0: first[3],
            firstProtected: Int(first[3]) < layout.blockCount ? Int(first[3]) : nil,
            protectsReading: second[0] & 0x80 != 0)
    }

    /// Reads the settings, where the chip has any; what the chip refuses to read stays unknown.
    func loadSUNMessage() throws(TagError) {
        guard let layout = chip?.model?.sun else { return }
        try memory.load(layout.configuration...layout.keyLock)
    }

    /// Why a SUN message, or what it belongs to, forbids writing these blocks; `nil` when nothing does.
    func sunRefusal(of blocks: Range<Int>) -> TagError? {
        guard chip?.model?.sun != nil else { return nil }
        guard let sun = sunMessage else { return .unknownSUNMessage }
        if sun.isOn { return .signedMessage }
        guard let first = sun.firstProtected, first < blocks.upperBound else { return nil }
        return .readOnly(
            reason: "writing from block \(first) on needs a password or key, which nfctool cannot send to this chip")
    }
}

extension TagError {
    /// The chip signs the message.
    package static let signedMessage = TagError.readOnly(
        reason: "its chip signs this message (SUN), and nfctool cannot change such messages")
    /// The settings of the SUN message cannot be read.
    package static let unknownSUNMessage = TagError.readOnly(
        reason: "its settings cannot be read, so it may sign its message (SUN)")
}
