// Raw blocks of MIFARE Classic — NXP MF1S50yyX: WRITE, Sector Trailer

extension ClassicTag {
    /// Writes blocks in the order given: data read back and compared, trailers proven by their keys.
    ///
    /// What would cost a sector for ever is refused before any write: the manufacturer's block, a trailer whose access
    /// bits contradict themselves, and one whose key A is the zeros that a trailer reads back as.
    public func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        let zeroKey = [UInt8](repeating: 0, count: 6)
        for (number, bytes) in blocks {
            guard bytes.count == ClassicLayout.blockSize, (0..<layout.blockCount).contains(number) else {
                throw .unsupported(reason: "it has no block \(number) of \(bytes.count) bytes")
            }
            guard number == 0 || layout.isTrailer(number) else { continue }
            let sector = layout.sector(of: number)
            let isHeld = if try isOpen(sector) { try memory.block(number) == bytes } else { false }
            if isHeld { continue }
            guard number > 0 else { throw .unsupported(reason: "block 0 is the manufacturer's") }
            guard let trailer = ClassicTrailer(bytes) else {
                throw .unsupported(
                    reason:
                        "the access bits for sector \(sector) contradict their complement, which would lock it for ever"
                )
            }
            guard trailer.keyA != zeroKey else {
                throw .unsupported(
                    reason: "the trailer for sector \(sector) has no key A, which never reads back")
            }
        }
        // What the blocks mean to NDEF is not known any more, and after a failure neither is what they hold.
        defer {
            memory.forgetAll()
            forgetArea()
        }
        for (number, bytes) in blocks {
            let sector = layout.sector(of: number)
            guard try isOpen(sector) else { throw .passwordNeeded(block: number) }
            guard try memory.block(number) != bytes else { continue }
            if let trailer = ClassicTrailer(bytes), layout.isTrailer(number) {
                try write(trailer, of: sector)
            } else {
                try memory.write(bytes, to: number)
                memory.forget([number])
                guard try memory.block(number) == bytes else {
                    throw .commandFailed(command: "WRITE", offset: number * ClassicLayout.blockSize, sw: nil)
                }
            }
        }
    }

    private func isOpen(_ sector: Int) throws(TagError) -> Bool {
        try memory.open(sector, trying: knownKeys(sector)) != nil
    }

    private func write(_ trailer: ClassicTrailer, of sector: Int) throws(TagError) {
        let access = try memory.trailer(of: sector).access.trailer
        let kind: ClassicKeyKind = access.isWritable(with: .a) ? .a : .b
        guard access.isWritable(with: kind),
            let key = try memory.open(sector, trying: knownKeys(sector).filter { $0.kind == kind })
        else {
            throw .readOnly(reason: "its access bits do not let the trailer of sector \(sector) be written")
        }
        try memory.write(trailer, of: sector, with: key)
    }
}
