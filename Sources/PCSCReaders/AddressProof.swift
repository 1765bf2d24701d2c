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
    static let usualBlockSize = 4

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
            let size = Self.usualBlockSize
            let (first, second) = (
                try send(FrameTranslator.readBinary(0, 16)), try send(FrameTranslator.readBinary(1, 16))
            )
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

    /// READ BINARY of whole blocks.
    ///
    /// A reader that answers 6Cxx to a single block says how long it is.
    private func readBlocks(_ first: UInt16, _ count: Int) throws(ReaderError) -> ReaderResponse {
        let size: Int
        if case .proven(let proven) = proof { size = proven } else { size = try knownBlockSize() }
        guard count * size <= 0xFF else { throw .commandTooLong(length: count * size, limit: 0xFF) }
        let response = try send(FrameTranslator.readBinary(first, count * size))
        guard count == 1, response.sw >> 8 == 0x6C, 1...32 ~= response.sw & 0xFF else { return response }
        blockSize = Int(response.sw & 0xFF)
        return try send(FrameTranslator.readBinary(first, blockSize))
    }

    /// The block size in bytes, found by reading 32 bytes from block 0 and looking for block 1 in them.
    ///
    /// Done once. If all bytes are equal, the size is unknown, and 4 bytes are assumed.
    private func knownBlockSize() throws(ReaderError) -> Int {
        guard case .nfcV = target, !isBlockSizeKnown else { return blockSize }
        isBlockSizeKnown = true
        let head = try send(FrameTranslator.readBinary(0, Self.longestBlock))
        let next = try send(FrameTranslator.readBinary(1, Self.usualBlockSize))
        guard head.isSuccess, next.isSuccess, next.data.count == Self.usualBlockSize else { return blockSize }
        let sizes = [4, 8, 16].filter { head.data.dropFirst($0).starts(with: next.data) }
        let isUniform = Set(head.data).count <= 1
        if let size = sizes.first { blockSize = size } else if !isUniform { blockSize = head.data.count }
        return blockSize
    }

    /// ISO/IEC 15693-3 allows blocks of up to 32 bytes.
    private static let longestBlock = 32

    private func read(_ first: UInt16, _ count: Int) throws(ReaderError) -> [UInt8] {
        let response = try readBlocks(first, count)
        return response.isSuccess ? response.data : []
    }

    /// Whether it is safe to write with the reader's UPDATE BINARY; reads some blocks to find out.
    func canUpdateBinary() -> Bool {
        if proof == .unknown, let found = try? comparison() { proof = found }
        return proof != .refuted
    }

    /// Carries out a read or write of blocks, and answers as the tag would.
    ///
    /// - Throws: `cannotSend` if the reader does not support these blocks.
    func answer(to access: FramePlan.BlockAccess) throws(ReaderError) -> [UInt8] {
        switch access {
        case .read(let first, let count):
            let response = try readBlocks(first, count)
            // Wrong P1 P2, or a block number above 255: the reader refused without asking the tag.
            let isFar = Int(first) + count > 0x100 && response.sw == 0x6A82
            if [0x6B00, 0x6D00, 0x6E00].contains(response.sw) || isFar { throw cannotSend(access.command) }
            guard !response.isSuccess || !response.data.isEmpty && response.data.count % count == 0 else {
                throw .noAnswer
            }
            return try Self.nfcVAnswer(response)
        case .write(let block, let bytes):
            // A wrong length is reported as the tag's error "not specified" (ISO/IEC 15693-3, 7.4.2).
            guard proof == .proven(blockSize: bytes.count) else { return [0x01, 0x0F] }
            return try Self.nfcVAnswer(try send(FrameTranslator.updateBinary(block, bytes)))
        }
    }
}
