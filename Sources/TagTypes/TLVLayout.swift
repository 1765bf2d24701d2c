// The TLV blocks of a data area — NFC Forum T1T, T2T and T5T, TLV Blocks; NXP AN1304 (MIFARE Classic)

import Hexadecimal

/// The layout of a data area: the TLV blocks up to the NDEF TLV, and the bytes that cannot hold data.
struct TLVLayout: Hashable, Sendable {
    /// The place of an NDEF TLV or a proprietary TLV.
    struct NDEFTLV: Hashable, Sendable {
        /// The byte addresses from the T field to the end of the data area, without the reserved bytes.
        let addresses: [Int]
        /// The number of bytes in the T and L fields, 2 or 4.
        let headLength: Int
        /// The length of the value, in bytes.
        let length: Int

        /// Returns the numbers of the write units that a message of this length occupies and that belong only partly to
        /// the TLV.
        func sharedUnits(of size: Int, under messageLength: Int) -> [Int] {
            let last = addresses[min(messageLength + 5, addresses.count) - 1] / size
            let units = Dictionary(grouping: addresses) { $0 / size }
            return units.filter { $0.key <= last && $0.value.count < size }.keys.sorted()
        }
    }

    /// The lock bits that a Lock Control TLV describes.
    struct LockControl: Hashable, Sendable {
        /// The byte address of the first lock byte.
        let address: Int
        let bitCount: Int
        /// The number of bytes that one bit locks.
        let bytesPerBit: Int
    }

    private enum Tag {
        static let null: UInt8 = 0x00
        static let lockControl: UInt8 = 0x01
        static let memoryControl: UInt8 = 0x02
        static let ndef: UInt8 = 0x03
        static let proprietary: UInt8 = 0xFD
        static let terminator: UInt8 = 0xFE
        /// The value of the L field that announces two more length bytes.
        static let longLength: UInt8 = 0xFF
    }

    /// The first byte address after the data area.
    let dataEnd: Int
    /// The first byte address after all memory that Lock Control and Memory Control TLVs may refer to.
    private let memoryEnd: Int
    /// The byte ranges that the chip reserves, which control TLVs may name again.
    private let fixed: [Range<Int>]
    /// The byte ranges that cannot hold data, because of the chip design or because Lock Control or Memory Control TLVs
    /// name them.
    private(set) var reserved: [Range<Int>]
    /// The errors in ignored Lock Control and Memory Control TLVs, as clauses.
    ///
    /// Phones read tags with such errors. A write, however, would rely on an incorrect description of the memory.
    private(set) var unsoundControls: [String] = []
    private(set) var lockControl: [LockControl] = []
    /// The NDEF TLV, or `nil` if there is none before the Terminator TLV or the end of the data area.
    private(set) var ndef: NDEFTLV?
    /// The proprietary TLVs directly before the NDEF TLV, if they hold old messages that were replaced in one step.
    private(set) var replaced: [NDEFTLV] = []
    /// The byte addresses of the values of TLVs before the NDEF TLV, other than control TLVs.
    private(set) var skipped: [Int] = []
    /// The space for a message, or `nil` if there is no NDEF TLV.
    ///
    /// The space consists of the NDEF TLV and the old messages directly before it that were replaced in one step.
    private(set) var room: NDEFTLV?
    /// The byte address after the last TLV other than NULL, where an NDEF TLV could be placed.
    private(set) var freeAddress: Int

    /// Parses the TLV blocks of a data area.
    ///
    /// - Parameters:
    ///   - area: the byte addresses of the data area.
    ///   - memoryEnd: the first byte address after the memory. Control TLVs must not refer to addresses beyond it.
    ///   - reserved: the byte addresses that the chip reserves.
    ///   - unit: the number of bytes that one write command covers. Writes begin at multiples of this number.
    ///   - hasControls: whether the tag type has control TLVs, and messages that are replaced in one step.
    ///   - areLocksKnown: whether the chip is known to have no lock bits in the area. In that case, a Lock Control TLV
    ///     with a wrong length is skipped, because the lock bits that it may name cannot lie in the message. The error
    ///     is still added to ``unsoundControls``.
    ///   - byte: returns the byte at an address in the area. It is called in ascending order.
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)``, and what `byte` throws.
    init(
        area: Range<Int>, memoryEnd: Int, reserved: [Range<Int>] = [], unit: Int, hasControls: Bool = true,
        areLocksKnown: Bool = false, byte: (Int) throws(TagError) -> UInt8
    ) throws(TagError) {
        dataEnd = area.upperBound
        self.memoryEnd = memoryEnd
        fixed = reserved
        self.reserved = reserved
        freeAddress = area.lowerBound
        var address = area.lowerBound
        var wrongLength: TagError?
        while let position = nextAddress(from: &address) {
            let tag = try byte(position)
            if tag == Tag.null { continue }
            if tag == Tag.terminator { break }
            let (length, fieldLength) = try readLength(after: position, from: &address, byte: byte)
            if tag == Tag.ndef {
                let addresses = (position..<dataEnd).filter { !isReserved($0) }
                guard 1 + fieldLength + length <= addresses.count else {
                    throw .protocolViolation(
                        field: "NDEF TLV length", found: "\(length)",
                        expected: "at most \(addresses.count - 1 - fieldLength)", offset: position + 1)
                }
                let found = NDEFTLV(addresses: addresses, headLength: 1 + fieldLength, length: length)
                ndef = found
                // The room begins at the first replaced TLV that one write can turn into an empty message, because its
                // T and L fields are in one unit.
                let start = replaced.map { $0.addresses[0] }.first { $0 % unit < unit - 1 && !isReserved($0 + 1) }
                room = self.room(from: start ?? position, endingWith: found)
                return
            }
            let isControl = hasControls && (tag == Tag.lockControl || tag == Tag.memoryControl)
            // If an undefined TLV follows, the wrong length did not lead to the start of the next TLV.
            if let wrongLength, !isControl, tag != Tag.proprietary { throw wrongLength }
            let mayBeReplaced = hasControls && tag == Tag.proprietary
            var (value, places): ([UInt8], [Int]) = ([], [])
            for _ in 0..<length {
                guard let next = nextAddress(from: &address) else {
                    throw .protocolViolation(
                        field: "length of TLV \(tag.hex)", found: "\(length)",
                        expected: "no more than the data area",
                        offset: position + 1)
                }
                if isControl || mayBeReplaced { value.append(try byte(next)) }
                places.append(next)
            }
            if isControl {
                do throws(TagError) {
                    try addControl(value, isLock: tag == Tag.lockControl, position: position, parsedTo: address)
                } catch {
                    guard areLocksKnown, tag == Tag.lockControl else { throw error }
                    wrongLength = wrongLength ?? error
                    unsoundControls.append(
                        "its Lock Control TLV at byte \(position) has \(ByteCount(length)) instead of 3")
                }
            } else {
                skipped += places
            }
            if mayBeReplaced, ReplacedMessage(value, unit: unit) != nil {
                let addresses = (position..<dataEnd).filter { !isReserved($0) }
                replaced.append(NDEFTLV(addresses: addresses, headLength: 1 + fieldLength, length: length))
            } else {
                replaced = []
            }
            freeAddress = address
        }
        // If no message was found, the wrong length may have caused it to be missed, so no place counts as free.
        if let wrongLength { throw wrongLength }
    }

    /// The byte addresses where an NDEF TLV can be placed in a data area that has none.
    var freeAddresses: [Int] { (freeAddress..<dataEnd).filter { !isReserved($0) } }

    /// Whether the place of an NDEF TLV holds nothing but zeros and a terminator.
    ///
    /// Readers stop at the terminator, but the bytes after it may be data of another program.
    ///
    /// - Parameter byte: returns the byte at an address.
    /// - Returns: whether the place is free. If the tag refuses to read an address, only the addresses before this one
    ///   count, because a refused address is not memory.
    /// - Throws: what `byte` throws, except ``TagError/commandFailed(command:offset:sw:)``.
    func isFree(byte: (Int) throws(TagError) -> UInt8) throws(TagError) -> Bool {
        var isTerminated = false
        for (index, address) in freeAddresses.enumerated() {
            let found: UInt8
            do throws(TagError) { found = try byte(address) } catch .commandFailed { return true }
            if found == Tag.null { continue }
            // An interrupted write of an empty message may have left its terminator before or after another terminator.
            guard found == Tag.terminator, !isTerminated || index < Self.emptyMessage.count else { return false }
            isTerminated = true
        }
        return true
    }

    /// An NDEF TLV without a value, followed by the terminator.
    static let emptyMessage: [UInt8] = [Tag.ndef, 0x00, Tag.terminator]

    func isReserved(_ address: Int) -> Bool { reserved.contains { $0.contains(address) } }

    /// The maximum length of a message, in bytes.
    ///
    /// A message of this length leaves no space for the terminator, which may be left out.
    var capacity: Int {
        guard let count = room?.addresses.count else { return 0 }
        return Self.capacity(of: count)
    }

    private func room(from start: Int, endingWith ndef: NDEFTLV) -> NDEFTLV {
        guard let first = ndef.addresses.first, start < first else { return ndef }
        let addresses = (start..<dataEnd).filter { !isReserved($0) }
        let before = addresses.count - ndef.addresses.count
        return NDEFTLV(addresses: addresses, headLength: 2, length: before + ndef.headLength + ndef.length - 2)
    }

    static func capacity(of byteCount: Int) -> Int {
        let long = byteCount - 4
        return long >= 0xFF ? long : max(0, min(0xFE, byteCount - 2))
    }

    /// The maximum number of NULL TLVs in a row that are skipped after a message.
    ///
    /// Assumes that programs align TLVs to nothing larger than a block. The largest blocks have 16 bytes (MIFARE Classic).
    private static let longestPadding = 16

    /// Returns the TLVs of other programs after the message, or `nil` if there are none.
    ///
    /// The result consists of the bytes from the end of the message to the end of the last proprietary TLV after it.
    ///
    /// Other programs keep data in such TLVs, and readers skip them (NFC Forum T2T, TLV Blocks). Messages that were
    /// replaced in one step do not count, and neither do other bytes, which may be the rest of a longer message. If the
    /// tag refuses to read an address, only the bytes before it count.
    ///
    /// - Parameters:
    ///   - tlv: the NDEF TLV.
    ///   - unit: the number of bytes that one write covers.
    ///   - byte: returns the byte at an address.
    /// - Returns: the bytes, which begin directly after the message.
    /// - Throws: errors of the connection that `byte` throws.
    func otherData(
        after tlv: NDEFTLV, unit: Int, byte: (Int) throws(TagError) -> UInt8
    ) throws(TagError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var end = 0
        let rest = tlv.addresses.dropFirst(tlv.headLength + tlv.length)
        do throws(TagError) {
            var padding = 0
            while bytes.count < rest.count, padding <= Self.longestPadding {
                let start = bytes.count
                func next() throws(TagError) {
                    bytes.append(try byte(rest[rest.startIndex + bytes.count]))
                }
                try next()
                if bytes[start] == Tag.null {
                    padding += 1
                    continue
                }
                padding = 0
                guard bytes[start] == Tag.proprietary, bytes.count < rest.count else { break }
                try next()
                var length = Int(bytes[start + 1])
                if bytes[start + 1] == Tag.longLength {
                    guard rest.count - bytes.count >= 2 else { break }
                    try next()
                    try next()
                    length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
                }
                guard length <= rest.count - bytes.count else { break }
                let value = bytes.count..<bytes.count + length
                for _ in value { try next() }
                if length > 0, ReplacedMessage(Array(bytes[value]), unit: unit) == nil { end = bytes.count }
            }
        } catch {
            if error.isOfConnection { throw error }
        }
        return end == 0 ? nil : Array(bytes.prefix(end))
    }

    /// Returns the next address for data at or after `address`, or `nil` at the end of the area.
    ///
    /// Moves `address` past the returned address.
    private func nextAddress(from address: inout Int) -> Int? {
        while address < dataEnd {
            defer { address += 1 }
            if !isReserved(address) { return address }
        }
        return nil
    }

    /// Reads the L field and returns its value and its size.
    ///
    /// The field has one byte, or `FF` followed by two bytes, big-endian.
    private func readLength(
        after position: Int, from address: inout Int, byte: (Int) throws(TagError) -> UInt8
    ) throws(TagError) -> (length: Int, fieldLength: Int) {
        var field: [UInt8] = []
        repeat {
            guard let next = nextAddress(from: &address) else {
                throw .protocolViolation(
                    field: "TLV length", found: "cut off by the end of the data area", expected: "1 or 3 bytes",
                    offset: position + 1)
            }
            field.append(try byte(next))
        } while field[0] == Tag.longLength && field.count < 3
        guard field.count == 3 else { return (Int(field[0]), 1) }
        let length = Int(field[1]) << 8 | Int(field[2])
        guard length < 0xFFFF else {
            throw .protocolViolation(
                field: "TLV length", found: "FFFF", expected: "at most FFFE", offset: position + 1)
        }
        return (length, 3)
    }

    /// Adds a Lock Control or Memory Control TLV.
    ///
    /// Layout: the position (the page and the byte offset, one nibble each), the size (in bits for locks, in bytes for
    /// memory; 0 means 256), and the page control (high nibble: for locks, log2 of the bytes that each bit locks; low
    /// nibble: log2 of the bytes per page).
    private mutating func addControl(
        _ value: [UInt8], isLock: Bool, position: Int, parsedTo parsed: Int
    ) throws(TagError) {
        let name = isLock ? "Lock Control TLV" : "Memory Control TLV"
        guard value.count == 3 else {
            throw .protocolViolation(
                field: "\(name) length", found: "\(value.count)", expected: "3", offset: position + 1)
        }
        let start = Int(value[0] >> 4) << Int(value[2] & 0x0F) + Int(value[0] & 0x0F)
        let size = value[1] == 0 ? 256 : Int(value[1])
        let range = start..<start + (isLock ? (size + 7) / 8 : size)
        let named = "its \(name) at byte \(position) names bytes \(range.lowerBound) to \(range.upperBound - 1)"
        guard range.lowerBound >= parsed, range.upperBound <= memoryEnd else {
            unsoundControls.append("\(named), but they must lie after the TLV and within \(memoryEnd) bytes of memory")
            return
        }
        if let other = reserved.first(where: { $0.overlaps(range) && !fixed.contains($0) }) {
            unsoundControls.append(
                "\(named), which overlap bytes \(other.lowerBound) to \(other.upperBound - 1) of another TLV")
            return
        }
        reserved.append(range)
        if isLock {
            lockControl.append(LockControl(address: start, bitCount: size, bytesPerBit: 1 << Int(value[2] >> 4)))
        }
    }
}
