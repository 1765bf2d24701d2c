// Raw blocks of a Type 2 Tag — NFC Forum T2T, WRITE

extension Type2Tag {
    /// Checks, without writing, that these blocks can be written.
    public func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try identify()
        for block in blocks where block.bytes.count != 4 || !(0..<memory.blockCount).contains(block.number) {
            throw .unsupported(reason: "it has no \(block.bytes.count)-byte block \(block.number)")
        }
        try memory.requireWritingReader()
    }

    /// If these blocks change the UID, checks that the chip allows this, by writing the present bytes to the UID's
    /// blocks.
    ///
    /// Normal chips refuse this write, because their UID is programmed and write-protected in the production test — NXP
    /// NTAG213/215/216, UID/serial number (from memory). Only chips that are made for copies carry it out.
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

    /// The numbers of the blocks that hold nothing but the UID and a check byte — NFC Forum T2T, memory structure.
    private static let uidBlocks = 0...1

    /// Writes blocks in the given order, and verifies each.
    ///
    /// Blocks that already hold their bytes are skipped.
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
            guard try memory.block(block.number, limit: block.number + 1) == block.bytes else {
                throw .commandFailed(command: "WRITE", offset: block.number * 4, sw: nil)
            }
        }
    }
}
