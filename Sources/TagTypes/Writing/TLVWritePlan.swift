// The pieces of an NDEF TLV in the order that is safe to cut — NFC Forum T1T and T2T, NDEF Write Procedure

extension WritePlan {
    /// Plans the replacement of the message in an NDEF TLV.
    ///
    /// The piece with the L field's first byte is the switch: while that byte is zero, all behind it is invisible.
    /// - Parameters:
    ///   - message: the new message, which fits.
    ///   - old: the message in the TLV; `nil` when it was left unread.
    ///   - room: the NDEF TLV as it is, or with replaced messages before it, whose TLV becomes the NDEF TLV.
    ///   - unit: the number of bytes one write covers, at addresses that are its multiples.
    ///   - contents: the bytes of the unit at an address, `nil` where they are not known; bytes of a unit that are not the
    ///     TLV's are kept, so units of which the TLV has only a part are known.
    init(
        _ message: [UInt8], over old: [UInt8]?, in room: TLVLayout.NDEFTLV, unit: Int,
        contents: (_ address: Int) -> [UInt8]?
    ) {
        var stream = Self.head(length: message.count) + message
        let headLength = stream.count - message.count
        if stream.count < room.addresses.count { stream.append(0xFE) }
        let unknown = [UInt8](repeating: 0, count: unit)
        var units: [Int: [UInt8]] = [:]
        // In a unit of its own the T field stays as it is: then it is there already.
        for (address, byte) in zip(room.addresses, stream).dropFirst(Self.isHeadInOneUnit(room, unit) ? 0 : 1) {
            let start = address - address % unit
            units[start, default: contents(start) ?? unknown][address % unit] = byte
        }
        // The T field is outside the units when one write covers one byte.
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

    /// Plans an empty message with all zeros after it, to the end of the data area, and zeros in the values of TLVs
    /// before.
    ///
    /// `skipped` holds the byte addresses of the values of TLVs that are not for control. Those values say nothing to
    /// readers, so the order they change in does not matter. The other parameters are those of
    /// ``init(_:over:in:unit:contents:)``.
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

    /// The T and L fields of an NDEF TLV: L is one byte below 255, else FF and two bytes.
    static func head(length: Int) -> [UInt8] {
        length < 0xFF ? [0x03, UInt8(length)] : [0x03, 0xFF, UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
    }
}
