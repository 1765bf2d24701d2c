// Raw blocks of a Type 2 Tag — NFC Forum T2T, WRITE

extension Type2Tag {
    /// Checks that these blocks can be written.
    ///
    /// Writes nothing.
    public func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try identify()
        for block in blocks where block.bytes.count != 4 || !(0..<memory.blockCount).contains(block.number) {
            throw .unsupported(reason: "it has no block \(block.number) of \(block.bytes.count) bytes")
        }
        try memory.requireWritingReader()
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
            guard try memory.block(block.number, limit: block.number + 1) == block.bytes else {
                throw .commandFailed(command: "WRITE", offset: block.number * 4, sw: nil)
            }
        }
    }
}
