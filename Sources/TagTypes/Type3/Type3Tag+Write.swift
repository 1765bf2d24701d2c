// Type 3 Tag NDEF write — NFC Forum T3T, NDEF Write Procedure, verified by reading back

extension Type3Tag {
    /// Reads the old message if the plan must keep it, and plans the writes.
    ///
    /// The addresses in the plan are block numbers.
    ///
    /// The attribute information block is written first with WriteFlag 0F, and last with the length and WriteFlag 00.
    public func planWrite(
        _ message: [UInt8], _ transition: WritePlan.Transition, oldMessage: WritePlan.OldMessage,
        followedBy _: [UInt8]
    ) throws(TagError) -> WritePlan {
        guard transition == .throughEmpty else {
            throw .unsupported(reason: "a Type 3 Tag has room for one message only")
        }
        let (attributes, configuration) = try presentArea()
        if let reason = writeRefusal(attributes, configuration) { throw .readOnly(reason: reason, mayBeRestored: true) }
        guard message.count <= attributes.capacity else {
            throw .tooLong(length: message.count, capacity: attributes.capacity)
        }
        let size = Type3Commands.blockSize
        // After an interrupted write, there is no valid old message.
        let old = attributes.isWriting ? attributes.holding(0) : attributes
        let kept = try self.message(oldMessage)
        let oldBlocks = messageBlocks(attributes)
        let blocks = 1..<1 + (message.count + size - 1) / size
        let body = blocks.map { block in
            let offset = (block - 1) * size
            let bytes = message[offset..<min(offset + size, message.count)]
            return WritePlan.Piece(
                address: block, old: oldBlocks.contains(block) ? memory.cached(block) ?? [] : [],
                new: bytes + [UInt8](repeating: 0, count: size - bytes.count), messageOffset: offset,
                messageCount: bytes.count)
        }
        let head = WritePlan.Piece(
            address: Type3AttributeBlock.number, old: old.bytes, new: attributes.holding(message.count).bytes,
            messageOffset: 0, messageCount: 0)
        return WritePlan(
            body: body, head: [head], closed: attributes.beingWritten.bytes, oldMessage: kept,
            newMessage: message)
    }

    /// Carries out a plan with as many blocks per command as the card accepts, and repeats commands that get no answer.
    public func carryOut(_ plan: WritePlan, _ direction: WritePlan.Direction) throws(TagError) {
        guard try memory.activate() else {
            throw .notNDEF(reason: "it does not answer to the NDEF system code 12FC")
        }
        // The attribute information block in the plan is valid, even if an interruption damaged the one on the card.
        if let last = plan.head.last {
            let attributes = try Type3AttributeBlock(last.new)
            memory.limit(read: attributes.readBlockCount, write: attributes.writeBlockCount)
        }
        var procedure = WriteProcedure(plan, direction, in: memory)
        defer { forgetArea() }
        try procedure.run()
    }
}
