// Replacing a message with one write that makes another TLV the NDEF TLV; readers skip the old one, which becomes
// proprietary — NFC Forum T2T, TLV Blocks

extension WritePlan {
    /// Plans a new TLV next to the NDEF TLV on the tag, and one write that makes it the NDEF TLV.
    ///
    /// If a proprietary TLV before the current message holds an earlier message, the new message goes into that TLV.
    /// Otherwise, the message goes after the current message, whose T field becomes FD. Proprietary TLVs of other
    /// programs stay unchanged. The parameters are those of ``init(_:over:in:unit:followedBy:contents:)``.
    /// - Throws: ``TagError/noRoomBeside(length:room:)``; ``TagError/unsupported(reason:)`` if the T and L fields do
    ///   not lie in one unit.
    init(
        switchingTo message: [UInt8], over old: [UInt8]?, in layout: TLVLayout, ndef: TLVLayout.NDEFTLV, unit: Int,
        contents: (_ address: Int) throws(TagError) -> [UInt8]
    ) throws(TagError) {
        let slots = layout.replaced.map { Slot(before: $0, unit: unit) } + [Slot(behind: ndef, unit: unit)]
        let usable = slots.compactMap { $0 }
        guard !usable.isEmpty else {
            throw .unsupported(
                reason:
                    "its T and L fields do not lie in one block, so a single write cannot switch between the messages")
        }
        guard let slot = usable.first(where: { $0.takes(message.count) }) else {
            throw .noRoomBeside(length: message.count, room: usable.map(\.room).max() ?? 0)
        }
        var units: [Int: [UInt8]] = [:]
        func put(_ bytes: [UInt8], at addresses: ArraySlice<Int>) throws(TagError) {
            for (address, byte) in zip(addresses, bytes) {
                let start = address - address % unit
                if units[start] == nil { units[start] = try contents(start) }
                units[start]?[address % unit] = byte
            }
        }
        try put(slot.stream(message), at: slot.addresses)
        try put(slot.head(message.count), at: slot.switchAddresses)
        let commit = slot.switchAddresses[slot.switchAddresses.startIndex] / unit * unit
        var pieces: [Piece] = []
        for (start, bytes) in units.sorted(by: { $0.key < $1.key }) {
            let first = slot.addresses.firstIndex { $0 >= start } ?? slot.addresses.endIndex
            let offset = first - slot.addresses.startIndex - slot.streamHead(message.count).count
            let inside = slot.addresses.dropFirst(slot.streamHead(message.count).count).prefix(message.count)
            pieces.append(
                Piece(
                    address: start, old: try contents(start), new: bytes, messageOffset: max(0, offset),
                    messageCount: inside.count { (start..<start + unit).contains($0) }))
        }
        self.init(
            body: pieces.filter { $0.address != commit }, head: pieces.filter { $0.address == commit }, closed: nil,
            oldMessage: old, newMessage: message)
    }
}

/// A place for a message next to the one on the tag, with the T and L fields that one write switches.
private struct Slot {
    private enum Kind {
        /// In the value of a proprietary TLV, which becomes the NDEF TLV.
        case before
        /// After the message, whose TLV becomes a proprietary one of this length.
        case behind(skipping: Int)
    }

    private let kind: Kind
    /// The addresses for the bytes of ``stream(_:)``.
    let addresses: ArraySlice<Int>
    /// The addresses of the T and L fields to switch, in one unit.
    let switchAddresses: ArraySlice<Int>
    /// The maximum length of a message in bytes.
    let room: Int

    /// Creates a slot in a proprietary TLV before the message, or returns `nil` if the head of that TLV lies in two
    /// units.
    init?(before tlv: TLVLayout.NDEFTLV, unit: Int) {
        guard let head = Self.head(of: tlv, unit: unit) else { return nil }
        kind = .before
        switchAddresses = head
        // Until the switch, readers skip this TLV by its length and find the data after it. That data must stay
        // unchanged, and so must each unit that holds some of it, because an interrupted write could destroy the unit.
        let end = min(tlv.headLength + tlv.length, tlv.addresses.count)
        let next = end < tlv.addresses.count ? tlv.addresses[end] / unit * unit : Int.max
        addresses = tlv.addresses[tlv.headLength..<end].prefix { $0 < next }
        room = addresses.count
    }

    /// Creates a slot in the data area after the message, from the next unit on, or returns `nil` if there is no
    /// suitable place.
    init?(behind tlv: TLVLayout.NDEFTLV, unit: Int) {
        guard let head = Self.head(of: tlv, unit: unit) else { return nil }
        let end = tlv.headLength + tlv.length
        // A unit that holds the end of the old message stays unchanged: an interrupted write would destroy that
        // message.
        guard let start = tlv.addresses.indices.first(where: { $0 >= end && tlv.addresses[$0].isMultiple(of: unit) })
        else { return nil }
        // The proprietary TLV must cover the rest of the unit, and its L field must keep its form.
        let skipped = start - tlv.headLength
        guard tlv.headLength == 4 || skipped < 0xFF else { return nil }
        kind = .behind(skipping: skipped)
        switchAddresses = head
        addresses = tlv.addresses[start...]
        room = TLVLayout.capacity(of: addresses.count)
    }

    private static func head(of tlv: TLVLayout.NDEFTLV, unit: Int) -> ArraySlice<Int>? {
        let head = tlv.addresses[0..<tlv.headLength]
        return Set(head.map { $0 / unit }).count == 1 ? head : nil
    }

    /// Whether a message of this length fits.
    ///
    /// In an existing TLV, the L field must also keep its form.
    func takes(_ length: Int) -> Bool {
        switch kind {
        case .before: length <= room && WritePlan.head(length: length).count == switchAddresses.count
        case .behind: length <= room
        }
    }

    /// Returns the T and L fields to write with the message, or no bytes if the switch itself writes them.
    func streamHead(_ length: Int) -> [UInt8] {
        switch kind {
        case .before: []
        case .behind: WritePlan.head(length: length)
        }
    }

    /// Returns the bytes for ``addresses``: a complete TLV or a value, and the Terminator TLV if there is room.
    func stream(_ message: [UInt8]) -> [UInt8] {
        let stream = streamHead(message.count) + message
        return stream.count < addresses.count ? stream + [0xFE] : stream
    }

    /// Returns the T and L fields after the switch.
    func head(_ length: Int) -> [UInt8] {
        switch kind {
        case .before: WritePlan.head(length: length)
        case .behind(let skipped):
            // The form of the L field stays that of the old message.
            switchAddresses.count == 2
                ? [0xFD, UInt8(skipped)] : [0xFD, 0xFF, UInt8(skipped >> 8 & 0xFF), UInt8(skipped & 0xFF)]
        }
    }
}
