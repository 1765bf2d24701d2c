// Type 2 Tag NDEF write — NFC Forum T2T, NDEF Write Procedure, with proof by reading back

extension Type2Tag {
    /// Replaces the NDEF message: length zero, body, body read back, length, length read back.
    ///
    /// Sends WRITE for each block that is not known to hold the right bytes, each repeated up to three times.
    public func writeNDEF(_ message: [UInt8]) throws(TagError) {
        let (container, layout, ndef) = try presentArea()
        if let refusal = writeRefusal(container, layout, ndef) { throw refusal }
        guard message.count <= layout.capacity else {
            throw .tooLong(length: message.count, capacity: layout.capacity)
        }
        try loadSharedBlocks(message, layout, ndef)
        let plan = Type2WritePlan(message: message, into: ndef) { memory.cached($0) }
        var write = Type2Write(plan: plan, memory: memory, length: message.count)
        do throws(TagError) {
            defer { forgetArea() }
            try write.run()
        } catch {
            memory.forgetAll()
            throw error
        }
    }

    /// Reads the blocks the message shares with reserved bytes, which must be written back as they are.
    private func loadSharedBlocks(
        _ message: [UInt8], _ layout: Type2Layout, _ ndef: Type2Layout.NDEFTLV
    ) throws(TagError) {
        let end = ndef.addresses[min(message.count + 5, ndef.addresses.count) - 1] / 4
        let shared = Set(layout.reserved.flatMap { [$0.lowerBound / 4, ($0.upperBound - 1) / 4] })
        for block in shared.sorted() where block <= end { _ = try memory.block(block, limit: layout.dataEnd / 4) }
    }
}

/// One run of the write procedure.
private struct Type2Write {
    /// How far the procedure came: what a cut leaves on the tag follows from it.
    private enum Phase {
        case emptying, body, committing
    }

    let plan: Type2WritePlan
    let memory: Type2Memory
    let length: Int
    private let old: [UInt8]?
    private var phase = Phase.emptying
    private var written = 0

    init(plan: Type2WritePlan, memory: Type2Memory, length: Int) {
        self.plan = plan
        self.memory = memory
        self.length = length
        old = memory.cached(plan.emptyHead.block)
    }

    mutating func run() throws(TagError) {
        do throws(TagError) {
            try memory.write(plan.emptyHead.bytes, to: plan.emptyHead.block)
            // Before the body changes, the old message must be gone for sure: else a cut could leave a mixture.
            try verify([plan.emptyHead])
            phase = .body
            try write(plan.body)
            try verify(plan.body)
            phase = .committing
            try write(plan.head)
            try verify(plan.head)
        } catch {
            throw .writeInterrupted(contents: contents(), written: written, of: length, cause: error)
        }
    }

    private mutating func write(_ writes: [Type2WritePlan.Write]) throws(TagError) {
        for write in writes {
            try memory.write(write.bytes, to: write.block)
            written += plan.messageBytes(in: write.block)
        }
    }

    /// Reads blocks anew and compares them: the tag's acknowledgement has no checksum and proves nothing.
    private func verify(_ writes: [Type2WritePlan.Write]) throws(TagError) {
        guard let low = writes.map(\.block).min(), let high = writes.map(\.block).max() else { return }
        memory.forget(writes.map(\.block))
        try memory.load(low...high)
        for write in writes.sorted(by: { $0.block < $1.block }) {
            let found = try memory.block(write.block, limit: high + 1)
            if let index = (0..<4).first(where: { found[$0] != write.bytes[$0] }) {
                throw .verificationFailed(offset: plan.messageOffset(of: write.block * 4 + index))
            }
        }
    }

    /// What the tag holds now.
    ///
    /// While the body changes it is certain; around the length it takes a look.
    private func contents() -> TagError.Contents {
        guard phase != .body else { return .empty }
        let commit = plan.emptyHead.block
        memory.forget([commit])
        let either: TagError.Contents = phase == .emptying ? .unchangedOrEmpty : .emptyOrNew
        guard let found = try? memory.block(commit, limit: commit + 1) else { return either }
        if phase == .emptying, found == old { return .unchanged }
        if found == plan.emptyHead.bytes { return .empty }
        return phase == .committing && found == plan.head.last?.bytes ? .new : either
    }
}
