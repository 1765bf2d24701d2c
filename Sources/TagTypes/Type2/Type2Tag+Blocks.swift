// Raw blocks of a Type 2 Tag — NFC Forum T2T, WRITE

extension Type2Tag {
    /// Makes sure that these blocks can be written; writes nothing.
    public func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try identify()
        for block in blocks where block.bytes.count != 4 || !(0..<memory.blockCount).contains(block.number) {
            throw .unsupported(reason: "it has no block \(block.number) of \(block.bytes.count) bytes")
        }
        try memory.requireWritingReader()
    }

    /// Writes blocks in the order given, each read back and compared; one that is known to hold its bytes is not
    /// written.
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
            guard try memory.block(block.number, limit: block.number + 1) == block.bytes else {
                throw .commandFailed(command: "WRITE", offset: block.number * 4, sw: nil)
            }
        }
    }
}
