// Data objects of a transparent session — PC/SC part 3, amendment 2.02: 3.2.5; ISO/IEC 8825-1 (BER-TLV)

struct ResponseObjects {
    private let objects: [(tag: UInt16, value: ArraySlice<UInt8>)]

    /// Parses data objects.
    ///
    /// Returns nil if an object extends beyond the end. If several objects have the same tag, the first one is used.
    init?(_ bytes: [UInt8]) {
        var objects: [(tag: UInt16, value: ArraySlice<UInt8>)] = []
        var rest = bytes[...]
        while let first = rest.popFirst() {
            var tag = UInt16(first)
            if first & 0x1F == 0x1F {
                guard let second = rest.popFirst() else { return nil }
                tag = tag << 8 | UInt16(second)
            }
            guard let length = Self.length(&rest), length <= rest.count else { return nil }
            objects.append((tag, rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        self.objects = objects
    }

    /// Parses a length: one byte up to 7F, 81 and one byte, or 82 and two bytes.
    private static func length(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let first = rest.popFirst() else { return nil }
        switch first {
        case 0x00...0x7F: return Int(first)
        case 0x81: return rest.popFirst().map(Int.init)
        case 0x82:
            guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
            return Int(high) << 8 | Int(low)
        default: return nil
        }
    }

    /// Returns the value of the data object with this tag, or nil if there is none.
    subscript(tag: UInt16) -> [UInt8]? { objects.first { $0.tag == tag }.map { Array($0.value) } }

    /// Encodes a data object.
    ///
    /// `value` has at most 65,535 bytes.
    static func object(_ tag: [UInt8], _ value: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            switch value.count {
            case ...0x7F: [UInt8(value.count)]
            case ...0xFF: [0x81, UInt8(value.count)]
            default: [0x82, UInt8(truncatingIfNeeded: value.count >> 8), UInt8(truncatingIfNeeded: value.count)]
            }
        return tag + length + value
    }
}
