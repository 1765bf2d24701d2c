// Reading and writing blocks with a reader's READ BINARY and UPDATE BINARY, FF B0 and FF D6 — PC/SC part 3, 3.2.2.1

import ReaderInterface

extension PCSCChannel {
    /// Reads or writes blocks, and returns the answer that the tag itself would give.
    ///
    /// - Throws: `cannotSend` if the reader does not support these blocks.
    func answer(to access: FramePlan.BlockAccess) throws(ReaderError) -> [UInt8] {
        switch access {
        case .read(let first, let count):
            let response = try readBlocks(first, count)
            // These status words mean that the reader itself refused the command: for example, it cannot address blocks
            // above 255.
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

    /// Reads whole blocks with READ BINARY.
    ///
    /// If a reader answers 6Cxx to a read of a single block, xx is the block's size.
    private func readBlocks(_ first: UInt16, _ count: Int) throws(ReaderError) -> ReaderResponse {
        let size: Int
        if case .proven(let proven) = proof { size = proven } else { size = try knownBlockSize() }
        guard count * size <= 0xFF else { throw .commandTooLong(length: count * size, limit: 0xFF) }
        let response = try send(FrameTranslator.readBinary(first, count * size))
        guard count == 1, response.sw >> 8 == 0x6C, 1...32 ~= response.sw & 0xFF else { return response }
        blockSize.bytes = Int(response.sw & 0xFF)
        return try send(FrameTranslator.readBinary(first, blockSize.bytes))
    }

    /// Reads blocks, and returns their bytes.
    ///
    /// The result is empty if the reader refuses to read them.
    ///
    /// - Throws: `noAnswer` for a response that noise may have caused.
    func read(_ first: UInt16, _ count: Int) throws(ReaderError) -> [UInt8] {
        let response = try readBlocks(first, count)
        guard response.isCertain else { throw .noAnswer }
        return response.isSuccess ? response.data : []
    }
}
