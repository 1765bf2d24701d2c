// The pieces of an NDEF TLV in the order that is safe to cut — NFC Forum T1T and T2T, NDEF Write Procedure

extension WritePlan {
    /// Plans the replacement of the message in an NDEF TLV.
    ///
    /// The piece with the L field's first byte is the switch: while that byte is zero, all behind it is invisible.
    /// - Parameters:
    ///   - message: the new message, which fits.
    ///   - old: the message in the TLV; `nil` when it was left unread.
    ///   - ndef: the TLV as it is.
    ///   - unit: the number of bytes one write covers, at addresses that are its multiples.
    ///   - contents: the bytes of the unit at an address, `nil` where they are not known; bytes of a unit that are not the
    ///     TLV's are kept, so units of which the TLV has only a part are known.
    init(
        _ message: [UInt8], over old: [UInt8]?, in ndef: TLVLayout.NDEFTLV, unit: Int,
        contents: (_ address: Int) -> [UInt8]?
    ) {
        var stream = Self.head(length: message.count) + message
        let headLength = stream.count - message.count
        if stream.count < ndef.addresses.count { stream.append(0xFE) }
        let unknown = [UInt8](repeating: 0, count: unit)
        var units: [Int: [UInt8]] = [:]
        // The T field stays as it is: on the tag it is there already.
        for (address, byte) in zip(ndef.addresses, stream).dropFirst() {
            let start = address - address % unit
            units[start, default: contents(start) ?? unknown][address % unit] = byte
        }
        // The T field is outside the units when one write covers one byte.
        let lengthUnits = Set(ndef.addresses[1..<headLength].map { $0 - $0 % unit })
        let pieces = units.sorted { $0.key < $1.key }.map { start, bytes in
            let addresses = start..<start + unit
            let first = ndef.addresses.firstIndex { $0 >= start } ?? 0
            let count = ndef.addresses[headLength..<headLength + message.count].count { addresses.contains($0) }
            return Piece(
                address: start, old: contents(start) ?? [], new: bytes, messageOffset: max(0, first - headLength),
                messageCount: count)
        }
        let commit = ndef.addresses[1] - ndef.addresses[1] % unit
        var closed = contents(commit) ?? unknown
        closed[ndef.addresses[1] % unit] = 0
        if ndef.addresses.count > 2, ndef.addresses[2] - ndef.addresses[2] % unit == commit {
            closed[ndef.addresses[2] % unit] = 0xFE
        }
        self.init(
            body: pieces.filter { !lengthUnits.contains($0.address) },
            head: pieces.filter { lengthUnits.contains($0.address) }.reversed(), closed: closed,
            oldMessage: old, newMessage: message)
    }

    /// Plans an empty message with all zeros behind it, to the end of the data area.
    ///
    /// The parameters are those of ``init(_:over:in:unit:contents:)``.
    init(wiping old: [UInt8], in ndef: TLVLayout.NDEFTLV, unit: Int, contents: (_ address: Int) -> [UInt8]?) {
        let zeros = [UInt8](repeating: 0, count: max(0, ndef.addresses.count - 3))
        let stream = [0x03, 0x00, 0xFE] + zeros
        var units: [Int: [UInt8]] = [:]
        for (address, byte) in zip(ndef.addresses, stream).dropFirst() {
            let start = address - address % unit
            units[start, default: contents(start) ?? [UInt8](repeating: 0, count: unit)][address % unit] = byte
        }
        let commit = ndef.addresses[1] - ndef.addresses[1] % unit
        let pieces = units.sorted { $0.key < $1.key }.map { start, bytes in
            Piece(address: start, old: contents(start) ?? [], new: bytes, messageOffset: 0, messageCount: 0)
        }
        self.init(
            body: pieces.filter { $0.address != commit }, head: pieces.filter { $0.address == commit },
            closed: units[commit], oldMessage: old, newMessage: [])
    }

    /// The T and L fields of an NDEF TLV: L is one byte below 255, else FF and two bytes.
    static func head(length: Int) -> [UInt8] {
        length < 0xFF ? [0x03, UInt8(length)] : [0x03, 0xFF, UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
    }
}
