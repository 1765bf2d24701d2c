// Raw blocks of a Type 5 Tag — ISO/IEC 15693-3, Write Single Block

extension Type5Tag {
    /// Checks that these blocks can be written.
    ///
    /// Writes nothing.
    public func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try memory.identify()
        if let container = try container() { memory.adopt(container) }
        let numbers = 0..<(memory.blockCount ?? Type5Memory.maximumBlockCount)
        for block in blocks where block.bytes.count != memory.blockSize || !numbers.contains(block.number) {
            throw .unsupported(reason: "it has no block \(block.number) of \(block.bytes.count) bytes")
        }
        try memory.requireCarriage(writing: blocks.map(\.number))
    }

    /// Writes blocks in the given order, reading back and comparing each.
    ///
    /// Skips blocks that already hold their bytes.
    public func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try requireBlocks(blocks)
        // The NDEF meaning of the blocks is no longer known, and after a failure neither are their contents.
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
