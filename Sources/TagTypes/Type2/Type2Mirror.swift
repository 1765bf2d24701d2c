// The ASCII mirror of the UID and the NFC counter — NXP NTAG213/215/216, NTAG210/212, ASCII mirror function
import Chips

/// The data that the chip shows in the message when the message is read.
public enum MirrorContent: String, Hashable, Sendable, Codable {
    /// The UID, 14 hexadecimal digits.
    case uid
    /// The NFC counter, 6 hexadecimal digits.
    case counter
    /// The UID, an `x`, and the counter.
    case uidAndCounter

    /// The number of characters that the chip shows.
    public var length: Int {
        switch self {
        case .uid: 14
        case .counter: 6
        case .uidAndCounter: 21
        }
    }

    /// The value of MIRROR_CONF, bits 7…6 of the MIRROR byte.
    fileprivate var configuration: UInt8 {
        switch self {
        case .uid: 0x40
        case .counter: 0x80
        case .uidAndCounter: 0xC0
        }
    }

    fileprivate init?(configuration: UInt8) {
        switch configuration & Self.configurationBits {
        case 0x40: self = .uid
        case 0x80: self = .counter
        case 0xC0: self = .uidAndCounter
        default: return nil
        }
    }

    fileprivate static let configurationBits: UInt8 = 0xC0
}

extension MemoryMap.Mirror {
    /// The mask for MIRROR_BYTE, bits 5…4 of the MIRROR byte.
    fileprivate static let byteBits: UInt8 = 0x30
    private static let strongModulation: UInt8 = 0x04
    /// A value of MIRROR_PAGE below the data area, which turns the mirror off.
    fileprivate static let noPage: UInt8 = 0x00

    /// Decodes CFG 0, or returns `nil` if there are not exactly 4 bytes.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of CFG 0 as they were read.
    ///   - hasCounter: whether the chip has an NFC counter. A chip without one shows the UID and has no MIRROR_CONF.
    public init?(configuration bytes: [UInt8], hasCounter: Bool) {
        guard bytes.count == 4 else { return nil }
        let content = hasCounter ? MirrorContent(configuration: bytes[0]) : .uid
        self.init(
            content: bytes[2] < 4 ? nil : content, block: bytes[2], byte: (bytes[0] & Self.byteBits) >> 4,
            messageOffset: nil, isModulationStrong: bytes[0] & Self.strongModulation != 0)
    }

    /// The byte addresses where the mirror replaces the content of the memory, or `nil` if nothing is shown.
    public var addresses: Range<Int>? {
        guard let content else { return nil }
        let first = Int(block) * 4 + Int(byte)
        return first..<first + content.length
    }

    /// Returns the CFG 0 in `configuration` with the mirror settings of the CFG 0 in `source`, and everything else
    /// unchanged.
    public static func taken(from source: [UInt8], into configuration: [UInt8]) -> [UInt8] {
        guard source.count == 4, configuration.count == 4 else { return configuration }
        let bits = MirrorContent.configurationBits | byteBits
        var bytes = configuration
        bytes[0] = bytes[0] & ~bits | source[0] & bits
        bytes[2] = source[2]
        return bytes
    }

    /// Returns CFG 0 with the mirror turned off and everything else unchanged.
    public static func off(_ configuration: [UInt8]) -> [UInt8] {
        guard configuration.count == 4 else { return configuration }
        var bytes = configuration
        bytes[0] &= ~(MirrorContent.configurationBits | byteBits)
        bytes[2] = noPage
        return bytes
    }
}

extension Type2Tag {
    private static let counterEnable: UInt8 = 0x10

    /// Makes the chip show the UID, the counter or both in the message, starting at a given byte.
    ///
    /// The counter is enabled if needed.
    ///
    /// One WRITE to CFG 0 turns the mirror on, and the settings are verified in a new activation. An interruption
    /// leaves the old or the new settings.
    /// - Parameters:
    ///   - content: the data to show.
    ///   - offset: the byte offset of the first character in the message.
    /// - Throws: before any write, ``TagError/unsupported(reason:)``, ``TagError/passwordNeeded(block:)``,
    ///   ``TagError/readOnly(reason:mayBeRestored:)``, ``TagError/notNDEF(reason:hasForeignDirectory:)``.
    public func mirror(_ content: MirrorContent, at offset: Int) throws(TagError) {
        let (chip, configuration) = try mirrorChip(for: content)
        let address = try mirrorAddress(of: content, at: offset)
        if content != .uid {
            try reconfigure(configuration * 4 + 4) { $0 | Self.counterEnable }
        }
        // An NTAG210 always shows the UID and has no MIRROR_CONF.
        let mode = chip.features.contains(.nfcCounter) ? content.configuration : 0
        try setMirror(configuration, mode | UInt8(address % 4) << 4, page: UInt8(truncatingIfNeeded: address / 4))
    }

    /// Returns the mirror that the chip currently shows in the message, or `nil` if there is none or its settings
    /// cannot be read.
    public func shownMirror() throws(TagError) -> MemoryMap.Mirror? {
        _ = try detectedArea()
        return mirrorConfiguration().flatMap { $0.content == nil ? nil : $0 }
    }

    /// Checks, without writing, that the chip can show this content and that its configuration can be changed.
    ///
    /// - Throws: the errors of ``mirror(_:at:)`` that concern the chip.
    public func requireMirror(for content: MirrorContent) throws(TagError) { _ = try mirrorChip(for: content) }

    /// Turns the mirror off, so that the chip shows the memory as it was written.
    ///
    /// The counter stays enabled.
    public func removeMirror() throws(TagError) {
        let (_, configuration) = try mirrorChip(for: .uid)
        try setMirror(configuration, 0, page: MemoryMap.Mirror.noPage)
    }

    /// Turns off a mirror before a write replaces the message in which it appears.
    ///
    /// The chip shows the mirror until it loses power. If the result is `true`, power-cycle the tag before you plan the
    /// write.
    /// - Parameter plan: plans the write; called first, to check that the write is possible.
    /// - Returns: whether a mirror was on.
    /// - Throws: what `plan` and ``removeMirror()`` throw, before anything is written.
    public func removeMirror(before plan: (any ForumTag) throws -> WritePlan) throws -> Bool {
        guard try removableMirror(before: plan) != nil else { return false }
        try removeMirror()
        return true
    }

    /// Returns the mirror that must be turned off before a write, or `nil` if there is none.
    ///
    /// Nothing is written.
    ///
    /// - Throws: what ``removeMirror(before:)`` throws.
    public func removableMirror(before plan: (any ForumTag) throws -> WritePlan) throws -> MemoryMap.Mirror? {
        confirmChip()
        guard let shown = try shownMirror() else { return nil }
        _ = try plan(self)
        try requireMirror(for: .uid)
        return shown
    }

    /// Returns the mirror settings in CFG 0, or `nil` if there are none that can be read.
    func mirrorConfiguration() -> MemoryMap.Mirror? {
        guard let chip = memory.chip, chip.features.contains(.uidMirror),
            case .password(let configuration)? = chip.protection, let bytes = memory.cached(configuration)
        else { return nil }
        var mirror = MemoryMap.Mirror(configuration: bytes, hasCounter: chip.features.contains(.nfcCounter))
        if let first = mirror?.addresses?.lowerBound { mirror?.messageOffset = messageOffset(of: first) }
        return mirror
    }

    func messageOffset(of address: Int) -> Int? {
        guard case .present(_, _, let ndef)? = knownArea else { return nil }
        return ndef.addresses.dropFirst(ndef.headLength).prefix(ndef.length).firstIndex(of: address).map {
            $0 - ndef.headLength
        }
    }

    private func mirrorChip(for content: MirrorContent) throws(TagError) -> (Type2Chip, Int) {
        try identify()
        let needed: Type2Chip.Features = content == .uid ? .uidMirror : [.uidMirror, .nfcCounter]
        guard let chip = memory.chip, chip.features.isSuperset(of: needed),
            let protection = chip.protection, case .password(let configuration) = protection
        else {
            throw .unsupported(reason: "its chip cannot show its \(content == .uid ? "UID" : "counter") in the message")
        }
        _ = try changeableConfiguration(chip, protection)
        return (chip, configuration)
    }

    /// Returns the byte address of the first character, after checking that all characters are contiguous in the
    /// message.
    private func mirrorAddress(of content: MirrorContent, at offset: Int) throws(TagError) -> Int {
        let (_, _, ndef) = try presentArea()
        guard offset >= 0, offset <= ndef.length - content.length else {
            throw .unsupported(
                reason:
                    "\(content.length) characters at byte \(offset) do not lie within its message of \(ndef.length) bytes"
            )
        }
        let addresses = ndef.addresses.dropFirst(ndef.headLength + offset).prefix(content.length)
        guard let first = addresses.first, let last = addresses.last, last - first == content.length - 1 else {
            throw .unsupported(reason: "reserved bytes lie among the characters to be shown")
        }
        return first
    }

    private func setMirror(_ configuration: Int, _ bits: UInt8, page: UInt8) throws(TagError) {
        try rewrite(configuration) { bytes in
            bytes[0] = bytes[0] & ~(MirrorContent.configurationBits | MemoryMap.Mirror.byteBits) | bits
            bytes[2] = page
        }
        // The mirror changes what the chip shows, so the cached bytes of the message are no longer valid.
        memory.forgetAll()
        forgetArea()
    }
}
