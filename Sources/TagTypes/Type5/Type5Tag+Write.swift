// Type 5 Tag NDEF write — NFC Forum T5T, NDEF Write Procedure, verified by reading back

import ReaderInterface

extension Type5Tag {
    /// Reads the data that the plan must contain, and plans the writes.
    ///
    /// The addresses are byte addresses.
    ///
    /// If blocks are larger than the capability container, the first block, including the container, is one of the
    /// pieces. If a write of this block is interrupted, the container may be destroyed, and the plan restores it.
    public func planWrite(
        _ message: [UInt8], _ transition: WritePlan.Transition, oldMessage: WritePlan.OldMessage,
        followedBy trail: [UInt8]
    ) throws(TagError) -> WritePlan {
        guard transition == .throughEmpty else {
            throw .unsupported(reason: "replacing a message in one step works on Type 2 Tags only")
        }
        let (container, layout, ndef) = try presentArea()
        guard message.count <= layout.capacity else {
            // If the tag is read-only, report that first.
            if let reason = writeRefusal(container, ndef, upTo: layout.dataEnd) {
                throw .readOnly(reason: reason, mayBeRestored: true)
            }
            throw .tooLong(length: message.count, capacity: layout.capacity)
        }
        let count = message.count + trail.count
        let end = ndef.addresses[min(count + 5, ndef.addresses.count) - 1] + 1
        try requireWritable(container, ndef, upTo: end)
        let size = memory.blockSize
        let old = try self.message(oldMessage)
        var displaced: [UInt8]?
        if oldMessage == .kept {
            displaced = try layout.otherData(after: ndef, unit: size) { (address) throws(TagError) in
                try memory.block(address / size)[address % size]
            }
            let oldEnd = min(ndef.headLength + ndef.length + 1, count + 5, ndef.addresses.count)
            try memory.load(ndef.addresses[0] / size...ndef.addresses[oldEnd - 1] / size)
        }
        for block in ndef.sharedUnits(of: size, under: count) { _ = try memory.block(block) }
        var plan = WritePlan(message, over: old, in: ndef, unit: size, followedBy: trail) { memory.cached($0 / size) }
        if displaced != trail { plan.displaced = displaced }
        try requireCarriage(of: plan)
        return plan
    }

    /// Reads the whole data area and plans to overwrite it with an empty message and zeros.
    public func planWipe() throws(TagError) -> WritePlan {
        let (container, layout, ndef) = try presentArea()
        try requireWritable(container, ndef, upTo: layout.dataEnd)
        let size = memory.blockSize
        let old = try readNDEF()
        let first = min(ndef.addresses[0], layout.skipped.first ?? .max)
        try memory.load(first / size...(layout.dataEnd - 1) / size)
        let plan = WritePlan(wiping: old, in: ndef, skipped: layout.skipped, unit: size) { memory.cached($0 / size) }
        try requireCarriage(of: plan)
        return plan
    }

    /// Carries out a plan with WRITE SINGLE BLOCK commands, each of which is repeated after a missing answer.
    public func carryOut(_ plan: WritePlan, _ direction: WritePlan.Direction) throws(TagError) {
        try memory.identify()
        // An interruption may have destroyed the container. In that case, the plan contains it.
        let first = plan.pieces.first { $0.address == 0 }?.bytes(direction)
        var container = first.flatMap { Type5CapabilityContainer($0) }
        if container == nil { container = try self.container() } else { _ = try memory.block(0) }
        if let container { memory.adopt(container) }
        guard plan.pieces.allSatisfy({ $0.new.count == memory.blockSize && $0.address % memory.blockSize == 0 }) else {
            throw .unsupported(reason: "the plan is for blocks of another size")
        }
        try requireCarriage(of: plan)
        var procedure = WriteProcedure(plan, direction, in: memory)
        defer { forgetArea() }
        try procedure.run()
    }

    /// Checks that neither the container nor a block lock forbids writing the message up to a byte address.
    private func requireWritable(
        _ container: Type5CapabilityContainer, _ ndef: TLVLayout.NDEFTLV, upTo end: Int
    ) throws(TagError) {
        if let reason = container.writeRefusal { throw .readOnly(reason: reason, mayBeRestored: true) }
        let first = ndef.addresses[0] / memory.blockSize
        try memory.loadStatus(first...max(first, (end - 1) / memory.blockSize))
        if let reason = writeRefusal(container, ndef, upTo: end) {
            throw .readOnly(reason: reason, mayBeRestored: true)
        }
    }

    /// Checks that the reader can send all writes of a plan, before the first one changes anything.
    private func requireCarriage(of plan: WritePlan) throws(TagError) {
        try memory.requireCarriage(writing: plan.pieces.map { $0.address / memory.blockSize })
    }
}

extension Type5Memory {
    /// Applies the features in a capability container.
    func adopt(_ container: Type5CapabilityContainer) {
        if container.features.contains(.specialFrame) { wantsOption = true }
        isMultipleReadPromised = container.features.contains(.multipleBlockRead)
        // On a known chip, READ MULTIPLE BLOCKS is tried even if the container does not announce it.
        if !isMultipleReadPromised, model == nil { runLimit = 1 }
    }
}
