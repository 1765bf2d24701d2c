// Raw blocks of a Type 5 Tag — ISO/IEC 15693-3, Write Single Block

extension Type5Tag {
    /// Makes sure that these blocks can be written; writes nothing.
    public func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try memory.identify()
        if let container = try container() { memory.adopt(container) }
        let numbers = 0..<(memory.blockCount ?? Type5Memory.maximumBlockCount)
        for block in blocks where block.bytes.count != memory.blockSize || !numbers.contains(block.number) {
            throw .unsupported(reason: "it has no block \(block.number) of \(block.bytes.count) bytes")
        }
        try memory.requireCarriage(writing: blocks.map(\.number))
    }

    /// Writes blocks in the order given, each read back and compared; one that is known to hold its bytes is not written.
    public func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try requireBlocks(blocks)
        // What the blocks mean to NDEF is not known any more, and after a failure neither is what they hold.
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
