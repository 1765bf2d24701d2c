// The capability container of a Type 5 Tag, at the start of block 0 — NFC Forum T5T, Capability Container

import Hexadecimal

/// A capability container of 4 or 8 bytes: magic number, version and access, size of the data area, features.
struct Type5CapabilityContainer: Hashable, Sendable {
    /// The features in byte 3.
    struct Features: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        /// MBREAD: READ MULTIPLE BLOCKS is supported.
        static let multipleBlockRead = Features(rawValue: 0x01)
        /// The data area is larger than MLEN FF can express.
        ///
        /// The system information reports the size of the memory — Android, ST.
        static let overflow = Features(rawValue: 0x04)
        /// LOCK BLOCK is supported.
        static let lockBlock = Features(rawValue: 0x08)
        /// Special frame: writes and locks require the option flag.
        static let specialFrame = Features(rawValue: 0x10)

        /// The features in words, each with a name and a value.
        var words: [(name: String, value: String)] {
            var words: [(name: String, value: String)] = []
            var commands: [String] = []
            if contains(.multipleBlockRead) { commands.append("READ MULTIPLE BLOCKS") }
            if contains(.lockBlock) { commands.append("LOCK BLOCK") }
            if !commands.isEmpty { words.append(("supports", commands.joined(separator: " and "))) }
            if contains(.overflow) { words.append(("memory size", "in the system information")) }
            if contains(.specialFrame) { words.append(("option flag", "needed for writes and locks")) }
            return words
        }
    }

    /// The magic number for one-byte block numbers.
    static let shortMagic: UInt8 = 0xE1
    /// The magic number for two-byte block numbers.
    static let longMagic: UInt8 = 0xE2
    /// The index of the byte that holds the version and the access bits.
    static let accessIndex = 1
    /// The write access bits that forbid writing.
    static let readOnlyAccess: UInt8 = 0b11
    private static let version: UInt8 = 0x40
    private static let unit = 8
    private static let largestShortLength = 0xFF

    let bytes: [UInt8]

    /// Decodes a container, or returns `nil` if the bytes are not a container or are too few.
    init?(_ bytes: [UInt8]) {
        guard Self.isContainer(bytes), bytes.count >= Self.byteCount(bytes) else { return nil }
        self.bytes = Array(bytes.prefix(Self.byteCount(bytes)))
    }

    /// Creates the container for formatting a memory, with version 1.0 and free access.
    ///
    /// - Parameters:
    ///   - length: 4 or 8.
    ///   - mlen: the length of the data area in units of 8 bytes. For a larger value, a 4-byte container stores 255 and
    ///     the overflow feature.
    ///   - isExtended: whether the magic number announces that the tag is read with extended commands (E2 instead of
    ///     E1).
    ///   - features: the features to announce. The overflow feature is added if needed.
    init(length: Int, mlen: Int, isExtended: Bool, _ features: Features) {
        let magic = isExtended ? Self.longMagic : Self.shortMagic
        if length == 8 {
            bytes = [
                magic, Self.version, 0x00, features.rawValue, 0x00, 0x00, UInt8(truncatingIfNeeded: mlen >> 8),
                UInt8(truncatingIfNeeded: mlen),
            ]
        } else {
            let isOverflowing = mlen > Self.largestShortLength
            bytes = [
                magic, Self.version, UInt8(truncatingIfNeeded: min(mlen, Self.largestShortLength)),
                features.union(isOverflowing ? .overflow : []).rawValue,
            ]
        }
    }

    static func isContainer(_ bytes: [UInt8]) -> Bool { bytes.first == shortMagic || bytes.first == longMagic }

    /// Returns the length of the container that begins with these bytes.
    ///
    /// The length depends on byte 2, not on the magic number.
    static func byteCount(_ head: [UInt8]) -> Int { head.count > 2 && head[2] == 0 ? 8 : 4 }

    var majorVersion: UInt8 { bytes[1] >> 6 }
    var minorVersion: UInt8 { bytes[1] >> 4 & 0b11 }
    var readAccess: UInt8 { bytes[1] >> 2 & 0b11 }
    var writeAccess: UInt8 { bytes[1] & 0b11 }
    var features: Features { Features(rawValue: bytes[3]) }

    /// MLEN: the length of the data area in units of 8 bytes.
    var mlen: Int { bytes.count == 8 ? Int(bytes[6]) << 8 | Int(bytes[7]) : Int(bytes[2]) }

    /// The number of blocks that commands can address according to the magic number.
    var addressableBlockCount: Int {
        bytes[0] == Self.shortMagic ? Type5Memory.shortBlockCount : Type5Memory.maximumBlockCount
    }

    /// Returns the byte addresses of the data area, after the container and within the memory.
    ///
    /// - Parameter memorySize: the memory size in bytes.
    /// - Returns: the range, which is empty if the memory ends within the container. With the overflow feature, the
    ///   range extends to the end of the memory.
    func area(memorySize: Int) -> Range<Int> {
        let start = bytes.count
        let isOverflowing = mlen == Self.largestShortLength && bytes.count == 4 && features.contains(.overflow)
        return start..<max(start, min(start + (isOverflowing ? memorySize : mlen * Self.unit), memorySize))
    }

    /// The bytes of the container, with the write access bits that forbid writing.
    var readOnly: [UInt8] {
        var bytes = bytes
        bytes[Self.accessIndex] |= Self.readOnlyAccess
        return bytes
    }

    /// The reason, as a clause, why the data area cannot be read, or `nil` if it can be read.
    var readRefusal: String? {
        if majorVersion != 1 {
            return "its mapping version is \(majorVersion).\(minorVersion); only 1.x is supported"
        }
        return readAccess == 0
            ? nil : "its capability container does not allow unrestricted reading (access \(bytes[1].hex))"
    }

    /// The reason, as a clause, why the data area cannot be written, or `nil` if it can be written.
    var writeRefusal: String? {
        writeAccess == 0 ? nil : "its capability container does not allow writing (access \(bytes[1].hex))"
    }
}
