// The TLV blocks of a data area — NFC Forum T1T, T2T and T5T, TLV Blocks; NXP AN1304 (MIFARE Classic)

import Hexadecimal

/// Where everything is in a data area: the TLV blocks up to the NDEF TLV, and the bytes that are not for data.
struct TLVLayout: Hashable, Sendable {
    /// The NDEF TLV, or a proprietary one.
    struct NDEFTLV: Hashable, Sendable {
        /// The byte addresses from the T field to the end of the data area, reserved bytes left out.
        let addresses: [Int]
        /// The number of bytes of the T and L fields, 2 or 4.
        let headLength: Int
        /// The length of the value.
        let length: Int

        /// The numbers of the units that a message of this length touches, and of which the TLV has only a part.
        func sharedUnits(of size: Int, under messageLength: Int) -> [Int] {
            let last = addresses[min(messageLength + 5, addresses.count) - 1] / size
            let units = Dictionary(grouping: addresses) { $0 / size }
            return units.filter { $0.key <= last && $0.value.count < size }.keys.sorted()
        }
    }

    /// Lock bits that a Lock Control TLV describes.
    struct LockControl: Hashable, Sendable {
        /// The byte address of the first lock byte.
        let address: Int
        /// The number of lock bits.
        let bitCount: Int
        /// The number of bytes one bit locks.
        let bytesPerBit: Int
    }

    private enum Tag {
        static let null: UInt8 = 0x00
        static let lockControl: UInt8 = 0x01
        static let memoryControl: UInt8 = 0x02
        static let ndef: UInt8 = 0x03
        static let proprietary: UInt8 = 0xFD
        static let terminator: UInt8 = 0xFE
        /// The L field that announces two more bytes.
        static let longLength: UInt8 = 0xFF
    }

    /// The first byte address after the data area.
    let dataEnd: Int
    /// The first byte address after all memory that Lock and Memory Control TLVs may speak of.
    private let memoryEnd: Int
    /// The byte ranges that the chip keeps for itself, which control TLVs may name once more.
    private let fixed: [Range<Int>]
    /// Byte ranges that are not for data: by the chip's design, or by Lock Control and Memory Control TLVs.
    private(set) var reserved: [Range<Int>]
    /// What is wrong with Lock Control and Memory Control TLVs that were passed over, clauses.
    ///
    /// Phones read such tags. Writing would rely on a description of the memory that cannot be right.
    private(set) var unsoundControls: [String] = []
    /// The lock bits that Lock Control TLVs describe.
    private(set) var lockControl: [LockControl] = []
    /// The NDEF TLV, `nil` when the data area ends, or a Terminator TLV comes, before there is one.
    private(set) var ndef: NDEFTLV?
    /// The proprietary TLVs right before the NDEF TLV, which readers skip.
    private(set) var proprietary: [NDEFTLV] = []
    /// The byte addresses of the values of TLVs before the NDEF TLV that are not for control.
    private(set) var skipped: [Int] = []
    /// Where a message may go: the NDEF TLV, together with the messages right before it that were replaced at once.
    private(set) var room: NDEFTLV?
    /// The byte address after the last TLV other than NULL: where an NDEF TLV could go.
    private(set) var freeAddress: Int

    /// Parses the TLV blocks of a data area.
    ///
    /// - Parameters:
    ///   - area: the byte addresses of the data area.
    ///   - memoryEnd: the first byte address after the memory, which control TLVs must not leave.
    ///   - reserved: byte addresses that the chip keeps for itself.
    ///   - unit: the number of bytes one write covers, at addresses that are its multiples.
    ///   - hasControls: whether the tag type has control TLVs, and messages that are replaced at once.
    ///   - byte: gives the byte at an address in the area; called in ascending order.
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)``, and what `byte` throws.
    init(
        area: Range<Int>, memoryEnd: Int, reserved: [Range<Int>] = [], unit: Int, hasControls: Bool = true,
        byte: (Int) throws(TagError) -> UInt8
    ) throws(TagError) {
        dataEnd = area.upperBound
        self.memoryEnd = memoryEnd
        fixed = reserved
        self.reserved = reserved
        freeAddress = area.lowerBound
        var address = area.lowerBound
        var replaced: [Int] = []
        while let position = nextAddress(from: &address) {
            let tag = try byte(position)
            if tag == Tag.null { continue }
            if tag == Tag.terminator { return }
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
                // One write turns T and L into those of an empty message where both are in one unit.
                let start = replaced.first { $0 % unit < unit - 1 && !isReserved($0 + 1) } ?? position
                room = self.room(from: start, endingWith: found)
                return
            }
            let isControl = hasControls && (tag == Tag.lockControl || tag == Tag.memoryControl)
            let mayBeReplaced = hasControls && tag == Tag.proprietary
            if tag == Tag.proprietary {
                let addresses = (position..<dataEnd).filter { !isReserved($0) }
                proprietary.append(NDEFTLV(addresses: addresses, headLength: 1 + fieldLength, length: length))
            } else {
                proprietary = []
            }
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
                try addControl(value, isLock: tag == Tag.lockControl, position: position, parsedTo: address)
            } else {
                skipped += places
            }
            if mayBeReplaced, ReplacedMessage(value, unit: unit) != nil {
                replaced.append(position)
            } else {
                replaced = []
            }
            freeAddress = address
        }
    }

    /// Where an NDEF TLV may go in a data area without one.
    var freeAddresses: [Int] { (freeAddress..<dataEnd).filter { !isReserved($0) } }

    /// Whether there is nothing but zeros and a terminator where an NDEF TLV would go; readers stop at the terminator,
    /// but what follows it may be data of another program.
    ///
    /// - Parameter byte: gives the byte at an address.
    /// - Returns: true also when everything before an address that the tag refuses to read is free: what it refuses is
    ///   not memory.
    /// - Throws: what `byte` throws, except ``TagError/commandFailed(command:offset:sw:)``.
    func isFree(byte: (Int) throws(TagError) -> UInt8) throws(TagError) -> Bool {
        var isTerminated = false
        for (index, address) in freeAddresses.enumerated() {
            let found: UInt8
            do throws(TagError) { found = try byte(address) } catch .commandFailed { return true }
            if found == Tag.null { continue }
            // An empty message that was interrupted may have left its terminator before or after another one.
            guard found == Tag.terminator, !isTerminated || index < Self.emptyMessage.count else { return false }
            isTerminated = true
        }
        return true
    }

    /// An NDEF TLV without a value, and the terminator.
    static let emptyMessage: [UInt8] = [Tag.ndef, 0x00, Tag.terminator]

    /// Whether a byte address is not for data.
    func isReserved(_ address: Int) -> Bool { reserved.contains { $0.contains(address) } }

    /// The length of the largest message: the terminator is left out when the area is full.
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

    /// The next address for data at or after `address`, which moves past it; `nil` at the end of the area.
    private func nextAddress(from address: inout Int) -> Int? {
        while address < dataEnd {
            defer { address += 1 }
            if !isReserved(address) { return address }
        }
        return nil
    }

    /// The L field, and the number of bytes it takes: one, or `FF` and two more, big-endian.
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

    /// A Lock Control or Memory Control TLV.
    ///
    /// Shape: position (page, byte offset nibble), size (bits for locks, bytes for memory; 0 is 256), page control
    /// (log2 of bytes locked per bit for locks, log2 of bytes per page).
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
            unsoundControls.append("\(named), which are not after it and within \(memoryEnd) bytes of memory")
            return
        }
        if let other = reserved.first(where: { $0.overlaps(range) && !fixed.contains($0) }) {
            unsoundControls.append(
                "\(named), which overlap bytes \(other.lowerBound) to \(other.upperBound - 1) of another one")
            return
        }
        reserved.append(range)
        if isLock {
            lockControl.append(LockControl(address: start, bitCount: size, bytesPerBit: 1 << Int(value[2] >> 4)))
        }
    }
}
