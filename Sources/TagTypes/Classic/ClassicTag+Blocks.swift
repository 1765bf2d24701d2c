// Raw blocks and keys of a MIFARE Classic — NXP MF1S50yyX and MF1S70yyX, Memory Access, Sector Trailer

extension ClassicTag {
    /// Adds keys to try in addition to the well-known ones, by sector.
    ///
    /// Each key that does not fit only takes the time of another selection.
    public func offer(_ keys: [Int: SectorKeys]) {
        for (sector, pair) in keys {
            memory.offered[sector] =
                (pair.a.map { [ClassicKey(kind: .a, bytes: $0)] } ?? [])
                + (pair.b.map { [ClassicKey(kind: .b, bytes: $0)] } ?? [])
        }
        memory.offered = memory.offered.filter { $0.value.allSatisfy { $0.bytes.count == 6 } }
    }

    /// Checks, without writing, that these blocks can be written.
    ///
    /// - Throws: ``TagError/unsupported(reason:)`` for the manufacturer block, and for a trailer whose access bits
    ///   contradict their complement, because the chip would block that sector permanently;
    ///   ``TagError/keyNeeded(sector:)`` if a needed key is not known.
    public func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        for block in blocks { try check(block.bytes, for: block.number) }
        // Check all sectors first, so that none refuses a write after others were written.
        try checkKeys(blocks)
    }

    /// Writes blocks in the given order, and verifies each.
    ///
    /// Skips blocks that already hold their bytes. A trailer is verified with its new keys before anything else is
    /// done.
    ///
    /// - Throws: what ``requireBlocks(_:)`` throws, before any write.
    public func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try requireBlocks(blocks)
        // Afterwards, the NDEF data in the blocks is no longer known. After a failure, their contents are not known
        // either.
        defer {
            memory.forgetAll()
            forgetArea()
        }
        for block in blocks {
            if layout.isTrailer(block.number) {
                try writeTrailer(block.bytes, to: block.number)
            } else if memory.cached(block.number) != block.bytes {
                try writeData(block.bytes, to: block.number)
            }
        }
    }

    private func check(_ bytes: [UInt8], for block: Int) throws(TagError) {
        guard block != 0 else {
            throw .unsupported(
                reason: "block 0 of a MIFARE Classic holds the maker's data; nfctool does not write it, not even on "
                    + "copies")
        }
        guard (1..<layout.blockCount).contains(block), bytes.count == ClassicLayout.blockSize else {
            throw .unsupported(reason: "block \(block) cannot be written with \(bytes.count) bytes")
        }
        guard !layout.isTrailer(block) || ClassicTrailer(bytes) != nil else {
            throw .unsupported(
                reason: "the access bits do not match their complement, which would lock sector "
                    + "\(layout.sector(of: block)) permanently")
        }
        // A trailer that is read has zeros in place of key A. If it were written unchanged, the zeros would become the
        // key.
        if layout.isTrailer(block), bytes.prefix(6).allSatisfy({ $0 == 0 }) {
            throw .unsupported(reason: "the trailer for sector \(layout.sector(of: block)) has zeros in place of key A")
        }
    }

    /// Checks, without writing, that a key is known for each write.
    private func checkKeys(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        var opened: Set<Int> = []
        for block in blocks {
            let sector = layout.sector(of: block.number)
            if layout.isTrailer(block.number) {
                _ = try writingKey(ofTrailer: block.number)
                opened.insert(sector)
            } else if memory.cached(block.number) != block.bytes, !opened.contains(sector) {
                _ = try writingKey(ofData: block.number)
            }
        }
    }

    private func writingKey(ofData block: Int) throws(TagError) -> ClassicKey {
        let sector = layout.sector(of: block)
        let access = try trailerToChange(of: sector, for: block).access
        let condition = access.data[layout.accessGroup(of: block)]
        // A key B that can be read gives no access.
        let kinds = [ClassicKeyKind.a, .b].filter {
            condition.isWritable(with: $0) && ($0 == .a || !access.trailer.isKeyBReadable)
        }
        guard !kinds.isEmpty else {
            throw .readOnly(reason: "the access bits of sector \(sector) do not let block \(block) be written")
        }
        let keys = kinds.flatMap { memory.knownKeys(sector, $0) }
        guard let key = try memory.openedKey(sector, keys) else { throw .keyNeeded(sector: sector) }
        return key
    }

    private func writingKey(ofTrailer block: Int) throws(TagError) -> ClassicKey {
        let sector = layout.sector(of: block)
        let old = try trailerToChange(of: sector, for: block).access.trailer
        guard let kind = [ClassicKeyKind.a, .b].first(where: { old.isWritable(with: $0) }) else {
            guard old.isFrozen else {
                throw .unsupported(reason: "the trailer of sector \(sector) can only be written in part")
            }
            throw .readOnly(reason: "the access bits of sector \(sector) do not let its trailer be written")
        }
        guard let key = try memory.openedKey(sector, memory.knownKeys(sector, kind)) else {
            throw .keyNeeded(sector: sector)
        }
        return key
    }

    private func writeData(_ bytes: [UInt8], to block: Int) throws(TagError) {
        memory.writers[layout.sector(of: block)] = try writingKey(ofData: block)
        try memory.write(bytes, to: block)
        memory.forget([block])
        guard try memory.block(block) == bytes else {
            throw .commandFailed(command: "WRITE", offset: block * ClassicLayout.blockSize, sw: nil)
        }
    }

    private func writeTrailer(_ bytes: [UInt8], to block: Int) throws(TagError) {
        guard let trailer = ClassicTrailer(bytes) else { return }
        try memory.replace(trailer, of: layout.sector(of: block), with: try writingKey(ofTrailer: block))
    }

    /// Opens the sector with any known key, and returns its trailer as far as it can be read.
    private func trailerToChange(of sector: Int, for block: Int) throws(TagError) -> ClassicTrailer {
        if let known = memory.cached(layout.trailer(of: sector)).flatMap({ ClassicTrailer($0) }) { return known }
        let keys = [ClassicKeyKind.a, .b].flatMap { memory.knownKeys(sector, $0) }
        guard let key = try memory.open(sector, trying: keys) else { throw .keyNeeded(sector: sector) }
        do throws(TagError) {
            return try memory.trailer(of: sector)
        } catch .noReliableAnswer where key.kind == .b {
            // A key B that can be read gives no access.
            throw .keyNeeded(sector: sector)
        }
    }
}

/// The keys of a MIFARE Classic sector, each 6 bytes long, as far as they are known.
public struct SectorKeys: Hashable, Sendable {
    /// Key A, or `nil` if it is not known.
    public var a: [UInt8]?
    /// Key B, or `nil` if it is not known.
    public var b: [UInt8]?

    /// Creates a pair of keys.
    public init(a: [UInt8]?, b: [UInt8]?) {
        self.a = a
        self.b = b
    }
}
