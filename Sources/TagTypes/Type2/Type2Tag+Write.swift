// Type 2 Tag NDEF write — NFC Forum T2T, NDEF Write Procedure, verified by reading back

import Chips

extension Type2Tag {
    /// Reads the data that the plan must contain, and plans the WRITE commands.
    public func planWrite(
        _ message: [UInt8], _ transition: WritePlan.Transition, oldMessage: WritePlan.OldMessage,
        followedBy trail: [UInt8]
    ) throws(TagError) -> WritePlan {
        let (container, layout, ndef) = try presentArea()
        let room = layout.room ?? ndef
        if let refusal = writeRefusal(container, layout, room) {
            // No password is needed if both the new message and the one that it replaces lie before the protected
            // blocks.
            guard case .passwordNeeded = refusal, transition == .throughEmpty,
                fitsBeforePassword(max(message.count + trail.count, room.length), in: room)
            else { throw refusal }
        }
        try memory.requireWritingReader()
        if transition == .atOnce {
            var plan = try planSwitch(message, over: try self.message(oldMessage), layout, ndef)
            plan.displaced = try otherData(oldMessage, layout, ndef)
            return plan
        }
        guard message.count <= layout.capacity else {
            throw .tooLong(length: message.count, capacity: layout.capacity)
        }
        let old = try self.message(oldMessage)
        let displaced = try otherData(oldMessage, layout, ndef)
        try loadBlocks(under: message.count + trail.count, layout, room, oldMessage)
        var plan = WritePlan(message, over: old, in: room, unit: Self.blockSize, followedBy: trail) {
            memory.cached($0 / Self.blockSize)
        }
        if let last = plan.pieces.map(\.address).max() { try requireOpen(last) }
        if displaced != trail { plan.displaced = displaced }
        return plan
    }

    /// Throws an error if a write would end in a protected block of a tag whose AUTH0 could not be read.
    ///
    /// If reading is also protected, AUTH0 may be in a block that cannot be read.
    private func requireOpen(_ last: Int) throws(TagError) {
        guard let protection = memory.chip?.protection, memory.credential == nil,
            memory.cached(protection.auth0Address / Self.blockSize) == nil
        else { return }
        let block = last / Self.blockSize
        _ = try memory.block(block, limit: block + 1)
    }

    /// Returns the TLVs of other programs after the old message, or `nil` if the plan need not keep that message.
    private func otherData(
        _ oldMessage: WritePlan.OldMessage, _ layout: TLVLayout, _ ndef: TLVLayout.NDEFTLV
    ) throws(TagError) -> [UInt8]? {
        guard oldMessage == .kept else { return nil }
        let end = layout.dataEnd / Self.blockSize
        return try layout.otherData(after: ndef, unit: Self.blockSize) { (address) throws(TagError) in
            try memory.block(address / Self.blockSize, limit: end)[address % Self.blockSize]
        }
    }

    /// Reads the whole data area, and plans an empty message followed by zeros.
    public func planWipe() throws(TagError) -> WritePlan {
        let (container, layout, ndef) = try presentArea()
        let room = layout.room ?? ndef
        if let refusal = writeRefusal(container, layout, room) { throw refusal }
        try memory.requireWritingReader()
        let old = try readNDEF()
        try requireOpen(layout.dataEnd - 1)
        let first = min(room.addresses[0], layout.skipped.first ?? .max)
        try memory.load(first / Self.blockSize...(layout.dataEnd - 1) / Self.blockSize)
        return WritePlan(wiping: old, in: room, skipped: layout.skipped, unit: Self.blockSize) {
            memory.cached($0 / Self.blockSize)
        }
    }

    /// Carries out a plan with WRITE commands, each of which is repeated until the tag answers reliably or ``Patience``
    /// is exhausted.
    public func carryOut(_ plan: WritePlan, _ direction: WritePlan.Direction) throws(TagError) {
        try identify()
        var procedure = WriteProcedure(plan, direction, in: memory)
        defer { forgetArea() }
        try procedure.run()
    }

    private func planSwitch(
        _ message: [UInt8], over old: [UInt8]?, _ layout: TLVLayout, _ ndef: TLVLayout.NDEFTLV
    ) throws(TagError) -> WritePlan {
        let end = layout.dataEnd / Self.blockSize
        return try WritePlan(switchingTo: message, over: old, in: layout, ndef: ndef, unit: Self.blockSize) {
            (address) throws(TagError) in
            try memory.block(address / Self.blockSize, limit: end)
        }
    }

    /// Reads the blocks that a message of this length shares with other data.
    ///
    /// If the old message must be kept, the blocks of the old message that will be overwritten are also read.
    private func loadBlocks(
        under count: Int, _ layout: TLVLayout, _ room: TLVLayout.NDEFTLV, _ oldMessage: WritePlan.OldMessage
    ) throws(TagError) {
        if oldMessage == .kept {
            // Bytes that are not a message have no length, and a plan that is carried out backward restores all of
            // them.
            let oldLength = replacesOtherData ? count : room.length
            let oldEnd = min(room.headLength + oldLength + 1, count + 5, room.addresses.count)
            try memory.load(room.addresses[0] / Self.blockSize...room.addresses[oldEnd - 1] / Self.blockSize)
        }
        for block in room.sharedUnits(of: Self.blockSize, under: count) {
            _ = try memory.block(block, limit: layout.dataEnd / Self.blockSize)
        }
    }
}

extension Type2Memory: ReselectableMemory {
    /// Always false, because an ACK consists of 4 bits without a checksum.
    var isAcknowledgementChecked: Bool { false }

    func contents(of spans: [Span]) throws(TagError) -> [[UInt8]] {
        let missing = spans.map { $0.address / Type2Tag.blockSize }.filter { cached($0) == nil }
        if let low = missing.min(), let high = missing.max() { try load(low...high) }
        var contents: [[UInt8]] = []
        for span in spans {
            let block = span.address / Type2Tag.blockSize
            contents.append(try self.block(block, limit: block + 1))
        }
        return contents
    }

    func forget(_ spans: [Span]) { forget(spans.map { $0.address / Type2Tag.blockSize }) }

    func write(_ bytes: [UInt8], at address: Int) throws(TagError) {
        try write(bytes, to: address / Type2Tag.blockSize)
    }
}
