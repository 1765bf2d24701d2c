// Type 5 Tag NDEF write — NFC Forum T5T, NDEF Write Procedure, with proof by reading back

import ReaderInterface

extension Type5Tag {
    /// Reads the blocks that hold the old message and plans the writes; the addresses are byte addresses.
    ///
    /// Where blocks are larger than the capability container, the first block is among the pieces, container and all: a torn
    /// one takes the container with it, and the plan brings it back.
    public func planWrite(
        _ message: [UInt8], _ transition: WritePlan.Transition, oldMessage: WritePlan.OldMessage
    ) throws(TagError) -> WritePlan {
        guard transition == .throughEmpty else {
            throw .unsupported(reason: "replacing a message in one step works on Type 2 Tags only")
        }
        let (container, layout, ndef) = try presentArea()
        guard message.count <= layout.capacity else {
            // A tag that is read-only says so first.
            if let reason = writeRefusal(container, ndef, upTo: layout.dataEnd) { throw .readOnly(reason: reason) }
            throw .tooLong(length: message.count, capacity: layout.capacity)
        }
        let end = ndef.addresses[min(message.count + 5, ndef.addresses.count) - 1] + 1
        try requireWritable(container, ndef, upTo: end)
        let size = memory.blockSize
        let old = try self.message(oldMessage)
        if oldMessage == .kept {
            let oldEnd = min(ndef.headLength + ndef.length + 1, message.count + 5, ndef.addresses.count)
            try memory.load(ndef.addresses[0] / size...ndef.addresses[oldEnd - 1] / size)
        }
        for block in ndef.sharedUnits(of: size, under: message.count) { _ = try memory.block(block) }
        let plan = WritePlan(message, over: old, in: ndef, unit: size) { memory.cached($0 / size) }
        try requireCarriage(of: plan)
        return plan
    }

    /// Reads the whole data area and plans zeros.
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

    /// Carries out a plan with WRITE SINGLE BLOCK, each repeated after silence.
    public func carryOut(_ plan: WritePlan, _ direction: WritePlan.Direction) throws(TagError) {
        try memory.identify()
        // A cut may have torn the container, which the plan has then.
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

    /// Makes sure that no block up to a byte address is locked.
    private func requireWritable(
        _ container: Type5CapabilityContainer, _ ndef: TLVLayout.NDEFTLV, upTo end: Int
    ) throws(TagError) {
        if let reason = container.writeRefusal { throw .readOnly(reason: reason) }
        let first = ndef.addresses[0] / memory.blockSize
        try memory.loadStatus(first...max(first, (end - 1) / memory.blockSize))
        if let reason = writeRefusal(container, ndef, upTo: end) { throw .readOnly(reason: reason) }
    }

    /// Makes sure that the reader can send all writes of a plan, before the first one changes anything.
    private func requireCarriage(of plan: WritePlan) throws(TagError) {
        try memory.requireCarriage(writing: plan.pieces.map { $0.address / memory.blockSize })
    }
}

extension Type5Memory {
    /// Takes from a capability container what the tag supports.
    func adopt(_ container: Type5CapabilityContainer) {
        if container.features.contains(.specialFrame) { wantsOption = true }
        isMultipleReadPromised = container.features.contains(.multipleBlockRead)
        // Of a chip that is known, and says nothing, it is worth a try.
        if !isMultipleReadPromised, model == nil { runLimit = 1 }
    }
}
