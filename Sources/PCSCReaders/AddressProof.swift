// Checks that a reader interprets P1 P2 of FF B0 and FF D6 as a block number of the tag, because readers differ —
// Docs/Readers.md

import ReaderInterface

/// Whether the addresses in READ BINARY and UPDATE BINARY have been verified, and the result.
enum AddressProof: Hashable {
    case unknown
    /// The addresses are block numbers, and each block has this size in bytes.
    case proven(blockSize: Int)
    /// Two ways of reading the tag give different data, or data that is too uniform to compare.
    case refuted
}

extension PCSCChannel {
    /// The number of blocks to read for the comparison.
    private static let samples: UInt16 = 4

    /// Verifies the addresses before the first write by reading blocks in two ways.
    ///
    /// If the reader counts in other units, a write would change the wrong block.
    ///
    /// - Throws: `cannotSend` if the two ways disagree or cannot be compared. Nothing has been written.
    func proveAddresses(for command: [UInt8]) throws(ReaderError) {
        if proof == .unknown { proof = try comparison() }
        guard case .proven = proof else { throw cannotSend(command) }
    }

    private func comparison() throws(ReaderError) -> AddressProof {
        switch target {
        // On a MIFARE Classic, reading requires authentication for the same block, which verifies the address.
        case .nfcA(let card) where card.selRes & 0x08 != 0: return .proven(blockSize: 16)
        case .nfcA(let card):
            // Blocks 0 and 1 contain the UID, with a check byte after 3 bytes, or without one in chips with I2C. The
            // data from a READ of block 1 starts 4 bytes later in memory than the data from a READ of block 0 — NFC
            // Forum T2T, READ; NXP NTAG21x and NTAG I2C.
            let size = BlockSize.usual
            let (first, second) = (
                try send(FrameTranslator.readBinary(0, 16)), try send(FrameTranslator.readBinary(1, 16))
            )
            // Noise may have caused an uncertain answer, so the caller tries again.
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

    /// Whether the reader's UPDATE BINARY may be used to write, according to what is known so far.
    ///
    /// This reads some blocks. If they cannot be read, the result is true, because the addresses are verified again
    /// before the first write.
    func canUpdateBinary() -> Bool {
        if proof == .unknown, let found = try? comparison() { proof = found }
        return proof != .refuted
    }
}
