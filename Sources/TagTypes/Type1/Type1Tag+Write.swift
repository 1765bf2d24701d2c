// Type 1 Tag NDEF write — NFC Forum T1T, NDEF Write Procedure, verified by reading back

extension Type1Tag {
    /// Reads the data that the plan must contain, and plans the WRITE-E8 (dynamic memory) or WRITE-E (static memory)
    /// commands.
    ///
    /// The procedure in the specification sets NMN to 00 during the write, which makes the tag invalid. This plan sets
    /// the length to zero instead, which also hides the message with one write. After an interruption, phones and other
    /// tools can therefore still recognise the tag.
    public func planWrite(
        _ message: [UInt8], _ transition: WritePlan.Transition, oldMessage: WritePlan.OldMessage,
        followedBy trail: [UInt8]
    ) throws(TagError) -> WritePlan {
        guard transition == .throughEmpty else {
            throw .unsupported(reason: "replacing a message in one step works on Type 2 Tags only")
        }
        let (container, layout, ndef) = try presentArea()
        let room = layout.room ?? ndef
        if let reason = writeRefusal(container, layout, room) { throw .readOnly(reason: reason, mayBeRestored: true) }
        try memory.requireWritingReader()
        guard message.count <= layout.capacity else {
            throw .tooLong(length: message.count, capacity: layout.capacity)
        }
        let old = try self.message(oldMessage)
        let unit = memory.writeUnit
        let newEnd = min(message.count + trail.count + 5, room.addresses.count)
        var displaced: [UInt8]?
        if oldMessage == .kept {
            displaced = try layout.otherData(after: ndef, unit: unit) { (address) throws(TagError) in
                try memory.bytes(at: address, count: 1)[0]
            }
            let oldEnd = min(room.headLength + room.length + 1, newEnd)
            try memory.load(
                room.addresses[0] / Type1Memory.blockSize...room.addresses[oldEnd - 1] / Type1Memory.blockSize)
        }
        // Read the units that belong only partly to the message, because their other bytes must stay unchanged.
        let units = Dictionary(grouping: room.addresses[1..<newEnd]) { $0 / Type1Memory.blockSize }
        for block in units.filter({ $0.value.count < Type1Memory.blockSize }).keys.sorted() {
            _ = try memory.block(block)
        }
        var plan = WritePlan(message, over: old, in: room, unit: unit, followedBy: trail) { known($0, unit) }
        if displaced != trail { plan.displaced = displaced }
        return plan
    }

    /// Reads the whole data area, and plans an empty message followed by zeros.
    public func planWipe() throws(TagError) -> WritePlan {
        let (container, layout, ndef) = try presentArea()
        let room = layout.room ?? ndef
        if let reason = writeRefusal(container, layout, room) { throw .readOnly(reason: reason, mayBeRestored: true) }
        try memory.requireWritingReader()
        let old = try readNDEF()
        let first = min(room.addresses[0], layout.skipped.first ?? .max)
        try memory.load(first / Type1Memory.blockSize...(layout.dataEnd - 1) / Type1Memory.blockSize)
        let unit = memory.writeUnit
        return WritePlan(wiping: old, in: room, skipped: layout.skipped, unit: unit) { known($0, unit) }
    }

    /// Returns the bytes of a write unit, or `nil` if they have not been read.
    private func known(_ address: Int, _ unit: Int) -> [UInt8]? {
        memory.cached(address / Type1Memory.blockSize).map {
            Array($0[address % Type1Memory.blockSize..<address % Type1Memory.blockSize + unit])
        }
    }

    /// Carries out a plan, and repeats writes that get no answer.
    public func carryOut(_ plan: WritePlan, _ direction: WritePlan.Direction) throws(TagError) {
        try memory.identify()
        var procedure = WriteProcedure(plan, direction, in: memory)
        defer { forgetArea() }
        try procedure.run()
    }
}

extension Type1Memory: ReselectableMemory {
    /// Always true, because the answer to a write contains the new content of the memory and has a CRC.
    var isAcknowledgementChecked: Bool { true }

    func contents(of spans: [Span]) throws(TagError) -> [[UInt8]] {
        var contents: [[UInt8]] = []
        for span in spans { contents.append(try bytes(at: span.address, count: span.count)) }
        return contents
    }

    func forget(_ spans: [Span]) {
        for span in spans { forget(span.address..<span.address + span.count) }
    }

    func write(_ bytes: [UInt8], at address: Int) throws(TagError) { try write(bytes, at: address, .withErase) }
}
