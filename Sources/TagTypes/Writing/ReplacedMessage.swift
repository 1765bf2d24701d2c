// A message replaced in one step: the old message stays in a proprietary TLV before the new one — NFC Forum NDEF,
// Record Layout; T2T, TLV Blocks

/// The value of a proprietary TLV, if it is a message that was replaced in one step.
///
/// Other programs keep their own data in proprietary TLVs. Therefore only a complete message, followed by less than one
/// write unit, counts.
struct ReplacedMessage {
    private enum Flag {
        static let messageBegin: UInt8 = 0x80
        static let messageEnd: UInt8 = 0x40
        static let chunk: UInt8 = 0x20
        static let shortRecord: UInt8 = 0x10
        static let idLength: UInt8 = 0x08
        static let typeNameFormat: UInt8 = 0x07
        /// The highest type name format that is not reserved.
        static let lastFormat: UInt8 = 0x06
    }

    private static let terminator: UInt8 = 0xFE

    /// Creates a replaced message, or returns `nil` if the value does not hold one.
    init?(_ value: [UInt8], unit: Int) {
        guard let length = Self.messageLength(value), value.count - length < unit else { return nil }
        // A Terminator TLV follows the message. The rest of the unit may hold anything.
        guard length == value.count || value[length] == Self.terminator else { return nil }
    }

    /// Returns the length in bytes of the message at the start of a value, or `nil` if there is none.
    ///
    /// The length of an empty message is 0.
    private static func messageLength(_ value: [UInt8]) -> Int? {
        if value.first == terminator { return 0 }
        var start = 0
        while let record = record(value[start...], isFirst: start == 0) {
            start += record.length
            if record.isLast { return start }
        }
        return nil
    }

    private static func record(_ bytes: ArraySlice<UInt8>, isFirst: Bool) -> (length: Int, isLast: Bool)? {
        guard let flags = bytes.first, (flags & Flag.messageBegin != 0) == isFirst, flags & Flag.chunk == 0,
            flags & Flag.typeNameFormat <= Flag.lastFormat
        else { return nil }
        let lengthSize = flags & Flag.shortRecord != 0 ? 1 : 4
        let idSize = flags & Flag.idLength != 0 ? 1 : 0
        let header = Array(bytes.prefix(2 + lengthSize + idSize))
        guard header.count == 2 + lengthSize + idSize else { return nil }
        let payload = header[2..<2 + lengthSize].reduce(0) { $0 << 8 | Int($1) }
        let length = header.count + Int(header[1]) + payload + (idSize == 0 ? 0 : Int(header[header.count - 1]))
        return length <= bytes.count ? (length, flags & Flag.messageEnd != 0) : nil
    }
}
