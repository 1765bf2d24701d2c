// Raw blocks of a Type 3 Tag — NFC Forum T3T, UPDATE

extension Type3Tag {
    /// Makes sure that these blocks can be written; writes nothing.
    public func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        for block in blocks where block.bytes.count != Type3Commands.blockSize || !(0...0xFFFF).contains(block.number) {
            throw .unsupported(reason: "it has no block \(block.number) of \(block.bytes.count) bytes")
        }
    }

    /// Writes blocks in the order given, one in a command, each read back and compared; one that is known to hold its
    /// bytes is not written.
    public func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try requireBlocks(blocks)
        _ = try memory.activate()
        // What the blocks mean to NDEF is not known any more, and after a failure neither is what they hold.
        defer {
            if blocks.contains(where: { $0.number == FeliCaMemoryConfiguration.number }) { memory.forgetSystem() }
            forgetArea()
        }
        for block in blocks where memory.cached(block.number) != block.bytes {
            try memory.write(block.bytes, to: block.number)
            memory.forget([block.number])
            guard try memory.block(block.number) == block.bytes else {
                throw .commandFailed(
                    command: "Write Without Encryption", offset: block.number * Type3Commands.blockSize, sw: nil)
            }
        }
    }
}
