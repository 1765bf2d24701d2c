// ASCII mirror: the UID and the NFC counter as text in the answers to READ — NXP NTAG213_215_216, "ASCII mirror
// function"

/// The text that READ and FAST_READ return in place of user memory.
///
/// The memory itself does not change.
struct ASCIIMirror: Hashable, Sendable {
    private let text: [UInt8]
    private let offset: Int

    /// Creates the text.
    ///
    /// `showsCounter` is true if NFC_CNT_EN is set and the reader may read the counter. For a protected counter, this
    /// requires the password.
    init(_ configuration: Type2Configuration, uid: ArraySlice<UInt8>, counter: UInt32, showsCounter: Bool) {
        // In MIRROR, bits 7 and 6 are MIRROR_CONF, and bits 5 and 4 are MIRROR_BYTE.
        let (uidBit, counterBit): (UInt8, UInt8) = (0x40, 0x80)
        let counterBytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: counter >> $0) }
        var parts: [[UInt8]] = []
        if configuration.mirror & uidBit != 0 { parts.append(Self.hex(uid)) }
        if configuration.mirror & counterBit != 0, showsCounter { parts.append(Self.hex(counterBytes)) }
        text = Array(parts.joined(separator: [UInt8(ascii: "x")]))
        offset = configuration.mirrorBlock * 4 + Int(configuration.mirror >> 4 & 0x03)
    }

    /// Returns the memory with the text in place of its own bytes.
    ///
    /// If the text does not fit into the user memory, the memory is returned unchanged.
    func applied(to memory: [UInt8], userBlocks: Range<Int>) -> [UInt8] {
        guard offset >= userBlocks.lowerBound * 4, offset + text.count <= userBlocks.upperBound * 4 else {
            return memory
        }
        var image = memory
        image.replaceSubrange(offset..<offset + text.count, with: text)
        return image
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }
    }
}
