// The pieces of an NDEF TLV in an order that is safe to interrupt — NFC Forum T1T and T2T, NDEF Write Procedure

extension WritePlan {
    /// Plans the replacement of the message in an NDEF TLV.
    ///
    /// The piece with the first byte of the L field is the switch. While that byte is zero, everything after it is
    /// invisible.
    /// - Parameters:
    ///   - message: the new message, which must fit.
    ///   - old: the message in the TLV, or `nil` if it was not read.
    ///   - room: the NDEF TLV, or the first replaced message before it, whose TLV becomes the NDEF TLV.
    ///   - unit: the number of bytes that one write covers. Writes begin at multiples of this number.
    ///   - trail: whole TLVs that come after the message.
    ///   - contents: returns the bytes of the unit at an address, or `nil` if they are not known. Units that belong
    ///     only partly to the TLV must be known, because their other bytes are kept.
    init(
        _ message: [UInt8], over old: [UInt8]?, in room: TLVLayout.NDEFTLV, unit: Int, followedBy trail: [UInt8],
        contents: (_ address: Int) -> [UInt8]?
    ) {
        let head = Self.head(length: message.count)
        let headLength = head.count
        var stream = head + message + trail
        if stream.count < room.addresses.count { stream.append(0xFE) }
        let unknown = [UInt8](repeating: 0, count: unit)
        var units: [Int: [UInt8]] = [:]
        // A T field in a separate unit is already correct and stays unchanged.
        for (address, byte) in zip(room.addresses, stream).dropFirst(Self.isHeadInOneUnit(room, unit) ? 0 : 1) {
            let start = address - address % unit
            units[start, default: contents(start) ?? unknown][address % unit] = byte
        }
        // These units contain the L field. If a unit has one byte, none of them contains the T field.
        let lengthUnits = Set(room.addresses[1..<headLength].map { $0 - $0 % unit })
        let pieces = units.sorted { $0.key < $1.key }.map { start, bytes in
            let addresses = start..<start + unit
            let first = room.addresses.firstIndex { $0 >= start } ?? 0
            let count = room.addresses[headLength..<headLength + message.count].count { addresses.contains($0) }
            return Piece(
                address: start, old: contents(start) ?? [], new: bytes, messageOffset: max(0, first - headLength),
                messageCount: count)
        }
        let commit = room.addresses[1] - room.addresses[1] % unit
        var closed = contents(commit) ?? unknown
        if Self.isHeadInOneUnit(room, unit) { closed[room.addresses[0] % unit] = 0x03 }
        closed[room.addresses[1] % unit] = 0
        if room.addresses.count > 2, room.addresses[2] - room.addresses[2] % unit == commit {
            closed[room.addresses[2] % unit] = 0xFE
        }
        self.init(
            body: pieces.filter { !lengthUnits.contains($0.address) },
            head: pieces.filter { lengthUnits.contains($0.address) }.reversed(), closed: closed,
            oldMessage: old, newMessage: message)
    }

    /// Plans an empty message, and zeros from there to the end of the data area and in the values of earlier TLVs.
    ///
    /// `skipped` holds the byte addresses of the values of TLVs other than control TLVs. Readers ignore those values,
    /// so the order in which they change does not matter. The other parameters are those of
    /// ``init(_:over:in:unit:followedBy:contents:)``.
    init(
        wiping old: [UInt8], in room: TLVLayout.NDEFTLV, skipped: [Int], unit: Int,
        contents: (_ address: Int) -> [UInt8]?
    ) {
        let zeros = [UInt8](repeating: 0, count: max(0, room.addresses.count - 3))
        let stream = [0x03, 0x00, 0xFE] + zeros
        var units: [Int: [UInt8]] = [:]
        let before = skipped.filter { $0 < room.addresses[0] }.map { ($0, UInt8(0)) }
        let head = Self.isHeadInOneUnit(room, unit) ? 0 : 1
        for (address, byte) in before + zip(room.addresses, stream).dropFirst(head) {
            let start = address - address % unit
            units[start, default: contents(start) ?? [UInt8](repeating: 0, count: unit)][address % unit] = byte
        }
        let commit = room.addresses[1] - room.addresses[1] % unit
        let pieces = units.sorted { $0.key < $1.key }.map { start, bytes in
            Piece(address: start, old: contents(start) ?? [], new: bytes, messageOffset: 0, messageCount: 0)
        }
        self.init(
            body: pieces.filter { $0.address != commit }, head: pieces.filter { $0.address == commit },
            closed: units[commit], oldMessage: old, newMessage: [])
    }

    private static func isHeadInOneUnit(_ tlv: TLVLayout.NDEFTLV, _ unit: Int) -> Bool {
        tlv.addresses[0] / unit == tlv.addresses[1] / unit
    }

    /// Returns the T and L fields of an NDEF TLV.
    ///
    /// The L field has one byte for lengths below 255, and otherwise `FF` and two bytes.
    static func head(length: Int) -> [UInt8] {
        length < 0xFF ? [0x03, UInt8(length)] : [0x03, 0xFF, UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
    }
}
