// Type 2 Tag NDEF write — NFC Forum T2T, NDEF Write Procedure, with proof by reading back

extension Type2Tag {
    /// Reads the blocks that hold the old message and plans the WRITEs.
    public func planWrite(_ message: [UInt8], _ transition: WritePlan.Transition) throws(TagError) -> WritePlan {
        let (container, layout, ndef) = try presentArea()
        let room = layout.room ?? ndef
        if let refusal = writeRefusal(container, layout, room) { throw refusal }
        if transition == .atOnce { return try planSwitch(message, layout, ndef) }
        guard message.count <= layout.capacity else {
            throw .tooLong(length: message.count, capacity: layout.capacity)
        }
        let old = try readNDEF()
        try loadOldBlocks(message, layout, room)
        return WritePlan(message, over: old, in: room, unit: Self.blockSize) { memory.cached($0 / Self.blockSize) }
    }

    /// Reads the whole data area and plans zeros.
    public func planWipe() throws(TagError) -> WritePlan {
        let (container, layout, ndef) = try presentArea()
        let room = layout.room ?? ndef
        if let refusal = writeRefusal(container, layout, room) { throw refusal }
        let old = try readNDEF()
        let first = min(room.addresses[0], layout.skipped.first ?? .max)
        try memory.load(first / Self.blockSize...(layout.dataEnd - 1) / Self.blockSize)
        return WritePlan(wiping: old, in: room, skipped: layout.skipped, unit: Self.blockSize) {
            memory.cached($0 / Self.blockSize)
        }
    }

    /// Carries out a plan with WRITE, each repeated up to three times.
    public func carryOut(_ plan: WritePlan, _ direction: WritePlan.Direction) throws(TagError) {
        try identify()
        var procedure = WriteProcedure(plan, direction, in: memory)
        defer { forgetArea() }
        try procedure.run()
    }

    private func planSwitch(
        _ message: [UInt8], _ layout: TLVLayout, _ ndef: TLVLayout.NDEFTLV
    ) throws(TagError) -> WritePlan {
        let end = layout.dataEnd / Self.blockSize
        return try WritePlan(
            switchingTo: message, over: try readNDEF(), in: layout, ndef: ndef, unit: Self.blockSize
        ) { (address) throws(TagError) in
            try memory.block(address / Self.blockSize, limit: end)
        }
    }

    /// Reads what the message overwrites of the old one, and the blocks it shares with bytes that are not its own.
    private func loadOldBlocks(
        _ message: [UInt8], _ layout: TLVLayout, _ room: TLVLayout.NDEFTLV
    ) throws(TagError) {
        let newEnd = min(message.count + 5, room.addresses.count)
        let oldEnd = min(room.headLength + room.length + 1, newEnd)
        let first = room.addresses[0] / Self.blockSize
        let end = room.addresses[newEnd - 1] / Self.blockSize
        try memory.load(first...room.addresses[oldEnd - 1] / Self.blockSize)
        let shared = Set(layout.reserved.flatMap { [$0.lowerBound, $0.upperBound - 1] }.map { $0 / Self.blockSize })
        for block in shared.sorted() where first...end ~= block {
            _ = try memory.block(block, limit: layout.dataEnd / Self.blockSize)
        }
        // The last block, where the data area ends within it.
        guard let lastAddress = room.addresses.last, end == lastAddress / Self.blockSize else { return }
        _ = try memory.block(end, limit: end + 1)
    }
}

extension Type2Memory: PlannedMemory {
    /// ACK is four bits.
    var isAcknowledgementChecked: Bool { false }

    func contents(of spans: [Span]) throws(TagError) -> [[UInt8]] {
        guard let low = spans.map(\.address).min(), let high = spans.map(\.address).max() else { return [] }
        try load(low / Type2Tag.blockSize...high / Type2Tag.blockSize)
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

    func reopen() throws(TagError) {
        forgetAll()
        try reselect()
    }
}
