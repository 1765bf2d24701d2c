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

    /// Checks that the UID among these blocks can be changed, by writing back the bytes of its blocks.
    ///
    /// Chips refuse this write: their UID is programmed and write-protected in the production test — NXP
    /// NTAG213/215/216, UID/serial number (from memory). Only chips made for copying execute it.
    ///
    /// - Throws: ``TagError/unsupported(reason:)`` for a chip with a fixed UID.
    public func requireWritableUID(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try identify()
        for block in blocks where Self.uidBlocks.contains(block.number) {
            let present = try memory.block(block.number, limit: block.number + 1)
            guard present != block.bytes else { continue }
            guard try memory.sendWrite(present, to: block.number) else {
                throw .unsupported(reason: "its UID is fixed: it refuses to write block \(block.number)")
            }
        }
    }

    /// The blocks that hold only the UID and a check byte — NFC Forum T2T, memory structure.
    private static let uidBlocks = 0...1

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
