// ASCII mirror of UID and NFC counter — NXP NTAG213/215/216, NTAG210/212, ASCII mirror function
import Chips

/// What the chip puts into the message when it is read.
public enum MirrorContent: String, Hashable, Sendable, Codable {
    /// The UID, 14 hexadecimal digits.
    case uid
    /// The NFC counter, 6 hexadecimal digits.
    case counter
    /// The UID, an `x`, and the counter.
    case uidAndCounter

    /// The number of characters.
    public var length: Int {
        switch self {
        case .uid: 14
        case .counter: 6
        case .uidAndCounter: 21
        }
    }

    /// MIRROR_CONF, bits 7…6 of the MIRROR byte.
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
    /// MIRROR_BYTE, bits 5…4 of the MIRROR byte.
    fileprivate static let byteBits: UInt8 = 0x30
    private static let strongModulation: UInt8 = 0x04
    /// A MIRROR_PAGE below the data area shows nothing.
    fileprivate static let noPage: UInt8 = 0x00

    /// Decodes CFG 0, 4 bytes; `nil` when there are fewer.
    ///
    /// - Parameters:
    ///   - bytes: CFG 0 as it was read.
    ///   - hasCounter: whether the chip has an NFC counter: one without shows the UID and has no MIRROR_CONF.
    public init?(configuration bytes: [UInt8], hasCounter: Bool) {
        guard bytes.count == 4 else { return nil }
        let content = hasCounter ? MirrorContent(configuration: bytes[0]) : .uid
        self.init(
            content: bytes[2] < 4 ? nil : content, block: bytes[2], byte: (bytes[0] & Self.byteBits) >> 4,
            messageOffset: nil, isModulationStrong: bytes[0] & Self.strongModulation != 0)
    }

    /// The byte addresses at which characters are shown in place of the memory; `nil` when nothing is shown.
    public var addresses: Range<Int>? {
        guard let content else { return nil }
        let first = Int(block) * 4 + Int(byte)
        return first..<first + content.length
    }

    /// CFG 0 with the mirror of another CFG 0, all else as in these bytes.
    public static func taken(from source: [UInt8], into configuration: [UInt8]) -> [UInt8] {
        guard source.count == 4, configuration.count == 4 else { return configuration }
        let bits = MirrorContent.configurationBits | byteBits
        var bytes = configuration
        bytes[0] = bytes[0] & ~bits | source[0] & bits
        bytes[2] = source[2]
        return bytes
    }

    /// CFG 0 that shows nothing, all else as in these bytes.
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

    /// Shows UID, counter or both in the message on the tag, from a byte on; the counter is switched on for it.
    ///
    /// CFG 0 turns the mirror on in one WRITE, proven in a fresh activation: a cut leaves the old mirror or the new one.
    /// - Parameters:
    ///   - content: what is shown.
    ///   - offset: where in the message its first character stands.
    /// - Throws: before any write ``TagError/unsupported(reason:)``, ``TagError/passwordNeeded(block:)``,
    ///   ``TagError/readOnly(reason:)``, ``TagError/notNDEF(reason:)``.
    public func mirror(_ content: MirrorContent, at offset: Int) throws(TagError) {
        let (chip, configuration) = try mirrorChip(for: content)
        let address = try mirrorAddress(of: content, at: offset)
        if content != .uid {
            try reconfigure(configuration * 4 + 4) { $0 | Self.counterEnable }
        }
        // An NTAG210 shows the UID and has no MIRROR_CONF.
        let mode = chip.features.contains(.nfcCounter) ? content.configuration : 0
        try setMirror(configuration, mode | UInt8(address % 4) << 4, page: UInt8(truncatingIfNeeded: address / 4))
    }

    /// What the chip shows in the message now, `nil` for nothing, and where it cannot be read.
    public func shownMirror() throws(TagError) -> MemoryMap.Mirror? {
        _ = try detectedArea()
        return mirrorConfiguration().flatMap { $0.content == nil ? nil : $0 }
    }

    /// Returns when the chip can show this, and its configuration can be changed.
    ///
    /// - Throws: what ``mirror(_:at:)`` throws of the chip. Nothing is written.
    public func requireMirror(for content: MirrorContent) throws(TagError) { _ = try mirrorChip(for: content) }

    /// Shows the memory as it was written; the counter goes on counting.
    public func removeMirror() throws(TagError) {
        let (_, configuration) = try mirrorChip(for: .uid)
        try setMirror(configuration, 0, page: MemoryMap.Mirror.noPage)
    }

    /// Turns the mirror off before a write replaces the message it shows in.
    ///
    /// The chip shows the mirror until it loses power. After `true`, power the tag up, and plan the write then.
    /// - Parameter plan: plans the write, to find out whether it is possible at all.
    /// - Returns: whether a mirror was on.
    /// - Throws: what `plan` throws, and what ``removeMirror()`` throws, before anything is written.
    public func removeMirror(before plan: (any ForumTag) throws -> WritePlan) throws -> Bool {
        guard try removableMirror(before: plan) != nil else { return false }
        try removeMirror()
        return true
    }

    /// The mirror that a write must turn off first, `nil` for none; nothing is written.
    ///
    /// - Throws: as ``removeMirror(before:)``.
    public func removableMirror(before plan: (any ForumTag) throws -> WritePlan) throws -> MemoryMap.Mirror? {
        confirmChip()
        guard let shown = try shownMirror() else { return nil }
        _ = try plan(self)
        try requireMirror(for: .uid)
        return shown
    }

    /// What CFG 0 says, as far as it can be read.
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
            throw .unsupported(reason: "its chip shows no \(content == .uid ? "UID" : "counter") in the message")
        }
        _ = try changeableConfiguration(chip, protection)
        return (chip, configuration)
    }

    /// The address of the first character; all of them lie one after the other in the message.
    private func mirrorAddress(of content: MirrorContent, at offset: Int) throws(TagError) -> Int {
        let (_, _, ndef) = try presentArea()
        guard offset >= 0, offset <= ndef.length - content.length else {
            throw .unsupported(
                reason:
                    "\(content.length) characters from byte \(offset) on are not within its message of \(ndef.length) bytes"
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
        // What was read of the message is not what is read from now on.
        memory.forgetAll()
        forgetArea()
    }
}
