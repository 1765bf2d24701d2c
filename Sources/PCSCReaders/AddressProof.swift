// Whether a reader's FF B0 and FF D6 count in blocks of the tag — Docs/Readers.md: readers disagree on P1 P2

import ReaderInterface

/// What was found out of the addresses of READ BINARY and UPDATE BINARY.
enum AddressProof: Hashable {
    case unknown
    /// They are blocks of that size.
    case proven(blockSize: Int)
    /// Two ways of reading disagree, or cannot be told apart.
    case refuted
}

extension PCSCChannel {
    /// Blocks that are read to compare.
    private static let samples: UInt16 = 4
    static let usualBlockSize = 4

    /// Reads by two ways before the first write: on another convention a write would hit another block.
    ///
    /// - Throws: `cannotSend` when they disagree; nothing was written.
    func proveAddresses(for command: [UInt8]) throws(ReaderError) {
        if proof == .unknown { proof = try comparison() }
        guard case .proven = proof else { throw cannotSend(command) }
    }

    private func comparison() throws(ReaderError) -> AddressProof {
        switch target {
        // A block of a MIFARE Classic reads after an authentication for that very block.
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

    /// The bytes of a block: READ BINARY of the longest block goes over into block 1 where the blocks are shorter.
    ///
    /// Asked once. Blocks that are all alike tell nothing, and are taken for those of 4 bytes.
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

    /// Whether writing by the reader's UPDATE BINARY is safe; reads some blocks to find out.
    func canUpdateBinary() -> Bool {
        if proof == .unknown, let found = try? comparison() { proof = found }
        return proof != .refuted
    }

    /// Carries out a read or write of blocks, and answers as the tag would.
    ///
    /// - Throws: `cannotSend` where the reader does not know such blocks.
    func answer(to access: FramePlan.BlockAccess) throws(ReaderError) -> [UInt8] {
        switch access {
        case .read(let first, let count):
            let response = try readBlocks(first, count)
            // Wrong P1 P2, or past one byte of a block's number: the tag was not asked.
            let isFar = Int(first) + count > 0x100 && response.sw == 0x6A82
            if [0x6B00, 0x6D00, 0x6E00].contains(response.sw) || isFar { throw cannotSend(access.command) }
            guard !response.isSuccess || !response.data.isEmpty && response.data.count % count == 0 else {
                throw .noAnswer
            }
            return try Self.nfcVAnswer(response)
        case .write(let block, let bytes):
            // Of another length: the tag's error "not specified" (ISO/IEC 15693-3, 7.4.2).
            guard proof == .proven(blockSize: bytes.count) else { return [0x01, 0x0F] }
            return try Self.nfcVAnswer(try send(FrameTranslator.updateBinary(block, bytes)))
        }
    }
}
