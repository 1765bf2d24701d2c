// The settings of an NTAG 22x DNA's SUN message — settings as used by zc-public/breakme-resources
// (ntag22x_suncmac_recovery)
import Chips

extension MemoryMap {
    /// The settings of an NTAG 22x DNA's SUN message and of its protection.
    ///
    /// The chip shows the SUN message in place of a part of its memory.
    ///
    /// Format: UID, `x`, NFC counter, `x`, CMAC, all in hexadecimal digits. A StatusDetect chip shows its status and an
    /// `x` before the CMAC.
    public struct SUNMessage: Hashable, Sendable {
        /// MIRROR_EN, bit 7 of CFG 0: whether the chip shows the SUN message.
        public let isOn: Bool
        /// MIRROR_PAGE: the number of the block in which the SUN message begins.
        public let block: UInt8
        /// MIRROR_BYTE: the offset in that block at which the SUN message begins, 0…3 bytes.
        public let byte: UInt8
        /// Whether the chip also shows a status, because it has StatusDetect.
        public let hasStatus: Bool
        /// The byte offset of the SUN message in the NDEF message, or `nil` if it is not shown there.
        public internal(set) var messageOffset: Int?
        /// LOCK_SUNCMAC_KEY: whether the key can no longer be replaced.
        ///
        /// It is `nil` if the setting cannot be read.
        public let isKeyLocked: Bool?
        /// AUTH0: the number of the first block that requires a password or key.
        ///
        /// It may lie beyond the memory.
        public let auth0: UInt8
        /// The number of the first existing block that requires a password or key, or `nil` if there is none.
        public let firstProtected: Int?
        /// PROT: whether reading also requires the password or key.
        public let protectsReading: Bool

        /// The number of characters in the SUN message.
        public var length: Int { hasStatus ? 49 : 38 }
    }
}

extension Type2Tag {
    /// The settings of the SUN message, or `nil` if they were not read or the chip has none.
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

    /// Whether the settings could be read and turn the SUN message on.
    package var showsSUNMessage: Bool { sunMessage?.isOn ?? false }

    /// Reads the settings of the SUN message, if the chip has any.
    ///
    /// If the settings cannot be read, they stay unknown.
    func loadSUNMessage() throws(TagError) {
        guard let layout = memory.sunLayout else { return }
        try memory.load(layout.configuration...layout.keyLock)
    }

    /// Returns the error if a SUN message or its protection prevents these blocks from being written, or `nil` if they
    /// can be written.
    func sunRefusal(of blocks: Range<Int>) -> TagError? {
        guard memory.sunLayout != nil else { return nil }
        guard let sun = sunMessage else { return .unknownSUNMessage }
        if sun.isOn { return .signedMessage }
        guard memory.credential == nil, let first = sun.firstProtected, first < blocks.upperBound else { return nil }
        return .passwordNeeded(block: max(first, blocks.lowerBound))
    }

    /// Returns the limit on wrong attempts for an NTAG 22x DNA, like ``attemptLimit(for:with:)`` for other chips.
    ///
    /// No source shows where the chip stores its limit, so the limit is always unknown.
    func attemptLimit(
        for purpose: Type2Purpose, with credential: Type2Credential, _ layout: SUNLayout
    ) throws(TagError) -> Type2AttemptLimit? {
        try loadSUNMessage()
        // If the settings cannot be read, they may be protected themselves.
        if let sun = sunMessage, sun.firstProtected == nil || purpose == .reading && !sun.protectsReading { return nil }
        _ = try cipher(layout, for: credential)
        return .unknown
    }

    /// Returns the cipher of an NTAG 22x DNA's key, or `nil` for a password.
    ///
    /// - Throws: ``TagError/unsupported(reason:)`` if the chip uses the other kind of credential; the reader's own
    ///   error if the reader cannot write to the tag.
    func cipher(
        _ layout: SUNLayout, for credential: Type2Credential
    ) throws(TagError) -> UltralightKey.Cipher? {
        try memory.requireWritingReader()
        try credential.require(for: layout.cipher)
        return layout.cipher
    }
}

extension Type2Memory {
    /// The layout of an NTAG 22x DNA, or `nil` for other chips.
    var sunLayout: SUNLayout? { version.flatMap { Chip(type2Version: $0)?.model?.sun } }
}

extension SUNLayout {
    /// The cipher of the chip's key, or `nil` if the chip uses a password.
    var cipher: UltralightKey.Cipher? { credential == .key ? .aes : nil }
}

extension TagError {
    package static let signedMessage = TagError.readOnly(
        reason: "its chip signs this message (SUN), and nfctool cannot change such messages")
    /// The error for changing the protection of an NTAG 22x DNA, whose lock bits are not known.
    package static let fixedProtection = TagError.unsupported(
        reason: "nfctool does not change the protection of this chip")
    package static let unknownSUNMessage = TagError.readOnly(
        reason: "its settings cannot be read, so it may sign its message (SUN)")
}
