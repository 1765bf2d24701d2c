// The memory information that a tag reports — ISO/IEC 15693-3, Get System Information and Extended Get System
// Information

/// The answer to Get System Information.
public struct ISO15693SystemInformation: Hashable, Sendable {
    /// The form of the answer, which determines the number of bytes that hold the number of blocks.
    public enum Form: Int, Sendable {
        /// The form of Get System Information.
        case standard = 1
        /// The form of the extended command, and of older ST chips with the protocol extension flag.
        case extended = 2
    }

    /// The memory as reported by the tag, which may be wrong.
    public struct Memory: Hashable, Sendable {
        /// The number of blocks, 1…65536.
        public let blockCount: Int
        /// The number of bytes in a block, 1…32.
        public let blockSize: Int
    }

    private enum Flag {
        static let dsfid: UInt8 = 0x01
        static let afi: UInt8 = 0x02
        static let memory: UInt8 = 0x04
        static let icReference: UInt8 = 0x08
    }

    /// The fields that nfctool requests with the extended command: all four.
    static let requestedFields = Flag.dsfid | Flag.afi | Flag.memory | Flag.icReference

    /// The UID, 8 bytes, E0 first.
    public let uid: [UInt8]
    /// The data storage format identifier, or `nil` if the tag has none.
    public let dsfid: UInt8?
    /// The application family identifier, or `nil` if the tag has none.
    public let afi: UInt8?
    /// The memory, or `nil` if the tag does not report it.
    public let memory: Memory?
    /// The IC reference, whose meaning is defined by the manufacturer, or `nil` if the tag has none.
    public let icReference: UInt8?

    /// Decodes the data of an answer in this form, or returns `nil` if it is incomplete.
    public init?(_ data: [UInt8], form: Form) {
        guard let flags = data.first, data.count >= 9 else { return nil }
        uid = data[1..<9].reversed()
        var rest = data[9...]
        func take(_ count: Int, if flag: UInt8) -> [UInt8]? {
            guard flags & flag != 0 else { return [] }
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        guard let dsfid = take(1, if: Flag.dsfid), let afi = take(1, if: Flag.afi),
            let memory = take(form.rawValue + 1, if: Flag.memory), let icReference = take(1, if: Flag.icReference)
        else { return nil }
        (self.dsfid, self.afi, self.icReference) = (dsfid.first, afi.first, icReference.first)
        self.memory = memory.last.map { size in
            Memory(
                blockCount: memory.dropLast().reversed().reduce(0) { $0 << 8 | Int($1) } + 1,
                blockSize: Int(size & 0x1F) + 1)
        }
    }
}
