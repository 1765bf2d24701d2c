// Type 3 Tag life cycle: INITIALISED — NFC Forum T3T, Tag Life Cycle; FeliCa Lite-S User's Manual, MC

import ReaderInterface

extension Type3Tag {
    /// Checks that the blocks of a FeliCa Lite or Lite-S are empty.
    ///
    /// Other cards are not checked, because this would require writing to them.
    public func requireBlank() throws(TagError) {
        guard case .missing(_, isBlank: true) = try detectedArea() else { throw .notBlank }
        guard memory.lite != nil else { return }
        // A card without NDEF may still hold data of another application, or the attribute block that an
        // interrupted initialisation wrote.
        let (limits, attributes) = (Type3Memory.liteLimits, try liteAttributes())
        memory.limit(read: limits.read, write: limits.write)
        try memory.load(0..<14)
        let first = memory.cached(Type3AttributeBlock.number) ?? []
        guard isPart(first, of: attributes), (1..<14).allSatisfy({ isBlank(memory.cached($0)) }) else {
            throw .notBlank
        }
    }

    /// Writes an attribute information block that matches the limits of the card.
    ///
    /// On a FeliCa Lite or Lite-S, SYS_OP is then set, so that the card responds to the NDEF system code. On other
    /// cards, the limits are first determined by trial.
    ///
    /// None of these steps is permanent, because SYS_OP can be cleared while MC_ALL is FF. If SYS_OP were set first, an
    /// interruption would leave an NDEF tag without attributes.
    public func initialise() throws(TagError) {
        try requireBlank()
        defer { forgetArea() }
        guard memory.lite != nil else {
            return try put(try measuredAttributes().bytes, in: Type3AttributeBlock.number)
        }
        let bytes = try memory.block(FeliCaMemoryConfiguration.number)
        try put(try liteAttributes().bytes, in: Type3AttributeBlock.number)
        guard let configuration = FeliCaMemoryConfiguration(bytes), !configuration.isNDEF else { return }
        try put(configuration.answeringToNDEF, in: FeliCaMemoryConfiguration.number)
        memory.forgetSystem()
    }

    /// Returns the attribute information block of a FeliCa Lite or Lite-S with an empty message.
    private func liteAttributes() throws(TagError) -> Type3AttributeBlock {
        let limits = Type3Memory.liteLimits
        return Type3AttributeBlock(
            readBlockCount: limits.read, writeBlockCount: limits.write, dataBlockCount: try blankBlockCount())
    }

    /// Returns the number of blocks that a blank card will have for a message, or 0 if this must be determined by
    /// trial.
    func blankBlockCount() throws(TagError) -> Int {
        guard memory.lite != nil else { return 0 }
        return FeliCaMemoryConfiguration(try memory.block(FeliCaMemoryConfiguration.number))?.dataBlockCount ?? 0
    }

    /// Whether a torn write left only a part of the attribute information block of ``initialise()``.
    func isAttributeBlockBegun(_ block: [UInt8]) throws(TagError) -> Bool {
        guard memory.lite != nil else { return false }
        let attributes = try liteAttributes()
        return block != attributes.bytes && isPart(block, of: attributes)
    }

    /// Whether each byte of a block is blank or equal to the corresponding byte of the attribute information block.
    private func isPart(_ block: [UInt8], of attributes: Type3AttributeBlock) -> Bool {
        block.count == attributes.bytes.count
            && zip(block, attributes.bytes).allSatisfy { [0x00, 0xFF, $1].contains($0) }
    }

    private func isBlank(_ block: [UInt8]?) -> Bool {
        guard let block, let first = block.first, first == 0x00 || first == 0xFF else { return false }
        return block.allSatisfy { $0 == first }
    }

    private func put(_ bytes: [UInt8], in block: Int) throws(TagError) {
        try memory.write(bytes, to: block)
        memory.forget([block])
        guard try memory.block(block) == bytes else {
            throw .commandFailed(command: "Write Without Encryption", offset: block * Type3Commands.blockSize, sw: nil)
        }
    }

    /// Determines the attributes of a card that does not report them, by finding the largest values that it accepts.
    private func measuredAttributes() throws(TagError) -> Type3AttributeBlock {
        memory.limit(read: 1, write: 1)
        let last = try largest(upTo: 0xFFFF) { block throws(TagError) in _ = try memory.block(block) }
        let blocks = try largest(upTo: min(15, memory.readLimit)) { count throws(TagError) in
            try memory.probeRead([Int](repeating: Type3AttributeBlock.number, count: count))
        }
        // The test writes store only the bytes that the block already holds.
        let content = try memory.block(Type3AttributeBlock.number)
        let writes = try largest(upTo: last > 0xFF ? 12 : 13) { count throws(TagError) in
            try memory.probeWrite([Int](repeating: Type3AttributeBlock.number, count: count), content)
        }
        guard last > 0, writes > 0 else { throw .unsupported(reason: "it has no block that can be written") }
        return Type3AttributeBlock(readBlockCount: max(1, blocks), writeBlockCount: writes, dataBlockCount: last)
    }

    /// Returns the largest number with which the attempt succeeds, or 0 if there is none.
    ///
    /// The number is found by bisection.
    private func largest(upTo limit: Int, _ attempt: (Int) throws(TagError) -> Void) throws(TagError) -> Int {
        var (good, bad) = (0, limit + 1)
        while bad - good > 1 {
            let middle = (good + bad) / 2
            do throws(TagError) {
                try attempt(middle)
                good = middle
            } catch .refused {
                bad = middle
            } catch .noReliableAnswer {
                bad = middle
            } catch .reader(.commandTooLong(_, _)) {
                bad = middle
            }
        }
        return good
    }
}
