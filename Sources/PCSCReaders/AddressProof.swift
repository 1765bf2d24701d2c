// Whether P1 P2 of a reader's FF B0 and FF D6 is a block number of the tag; readers differ — Docs/Readers.md

import ReaderInterface

/// What is known about the addresses of READ BINARY and UPDATE BINARY.
enum AddressProof: Hashable {
    case unknown
    /// They are numbers of blocks of this size.
    case proven(blockSize: Int)
    /// Two ways to read the tag give different data, or data that does not show the difference.
    case refuted
}

extension PCSCChannel {
    /// Blocks that are read to compare.
    private static let samples: UInt16 = 4

    /// Reads blocks in two ways before the first write.
    ///
    /// If the reader counts differently, a write would hit another block.
    ///
    /// - Throws: `cannotSend` if the two ways disagree; nothing was written.
    func proveAddresses(for command: [UInt8]) throws(ReaderError) {
        if proof == .unknown { proof = try comparison() }
        guard case .proven = proof else { throw cannotSend(command) }
    }

    private func comparison() throws(ReaderError) -> AddressProof {
        switch target {
        // On a MIFARE Classic, reading requires authentication for the same block, which proves the address.
        case .nfcA(let card) where card.selRes & 0x08 != 0: return .proven(blockSize: 16)
        case .nfcA(let card):
            // The UID is in blocks 0 and 1, with its check byte after 3 bytes, or without it in chips with I2C; and a READ of
            // block 1 begins 4 bytes after one of block 0 — NFC Forum T2T, READ; NXP NTAG21x and NTAG I2C.
            let size = BlockSize.usual
            let (first, second) = (
                try send(FrameTranslator.readBinary(0, 16)), try send(FrameTranslator.readBinary(1, 16))
            )
            // Noise proves nothing: the caller tries again.
            guard first.isCertain, second.isCertain else { throw .noAnswer }
            guard first.isSuccess, second.isSuccess, first.data.count == 16, second.data.count == 16,
                first.data[size...].elementsEqual(second.data.dropLast(size)), Set(first.data).count > 2
            else { return .refuted }
            let isThere =
                first.data.starts(with: card.nfcID1)
                || Array(first.data[..<3] + first.data[4..<8]) == card.nfcID1
            return isThere ? .proven(blockSize: size) : .refuted
        case .nfcV:
            var blocks: [[UInt8]] = []
            for block in 0..<Self.samples { blocks.append(try read(block, 1)) }
            guard let size = blocks.first?.count, size > 0, blocks.allSatisfy({ $0.count == size }),
                Set(blocks).count > 1, Array(blocks.joined()) == (try read(0, Int(Self.samples)))
            else { return .refuted }
            return .proven(blockSize: size)
        case .nfcB, .nfcF, .jewel: return .refuted
        }
    }

    /// Whether it is safe to write with the reader's UPDATE BINARY; reads some blocks to find out.
    func canUpdateBinary() -> Bool {
        if proof == .unknown, let found = try? comparison() { proof = found }
        return proof != .refuted
    }
}
