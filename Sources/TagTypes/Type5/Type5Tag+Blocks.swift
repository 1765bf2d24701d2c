// Raw blocks of a Type 5 Tag — ISO/IEC 15693-3, Write Single Block

extension Type5Tag {
    /// Checks, without writing, that these blocks can be written.
    public func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try memory.identify()
        if let container = try container() { memory.adopt(container) }
        let numbers = 0..<(memory.blockCount ?? Type5Memory.maximumBlockCount)
        for block in blocks where block.bytes.count != memory.blockSize || !numbers.contains(block.number) {
            throw .unsupported(reason: "it has no \(block.bytes.count)-byte block \(block.number)")
        }
        try memory.requireCarriage(writing: blocks.map(\.number))
    }

    /// Writes blocks in the given order, and verifies each.
    ///
    /// Skips blocks that already hold their bytes.
    public func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try requireBlocks(blocks)
        // Afterwards, the NDEF data in the blocks is no longer known. After a failure, their contents are not known
        // either.
        defer {
            memory.forgetAll()
            forgetArea()
        }
        for block in blocks where memory.cached(block.number) != block.bytes {
            try memory.write(block.bytes, to: block.number)
            memory.forget([block.number])
            guard try memory.block(block.number) == block.bytes else {
                throw .commandFailed(
                    command: "\(memory.writeCode(of: block.number))", offset: memory.offset(of: block.number), sw: nil)
            }
        }
    }
}
