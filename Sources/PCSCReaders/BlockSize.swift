// Block size of an NFC-V tag on a reader that reads whole blocks — ISO/IEC 15693-3, VICC memory organization

import ReaderInterface

/// What is known about the size of a tag's blocks.
struct BlockSize: Hashable {
    /// The block size of most tags, in bytes.
    static let usual = 4
    /// The largest block size that the standard permits, in bytes.
    fileprivate static let longest = 32
    /// The number of failures after which a reader is assumed not to support reading 32 bytes at once.
    fileprivate static let attempts = 3

    /// The size in bytes, or the usual size until it has been determined.
    var bytes = usual
    fileprivate var isSettled = false
    fileprivate var failures = 0
}

extension PCSCChannel {
    /// Returns the block size in bytes, determined by reading 32 bytes from block 0 and searching these bytes for block
    /// 1.
    ///
    /// The size is determined only once. If the reader refuses, or all bytes are equal, the size is unknown and 4 bytes
    /// are assumed.
    ///
    /// - Throws: `noAnswer` for a response that noise may have caused, because a wrong size would be used for the whole
    ///   connection.
    func knownBlockSize() throws(ReaderError) -> Int {
        guard case .nfcV = target, !blockSize.isSettled else { return blockSize.bytes }
        let head = try send(FrameTranslator.readBinary(0, BlockSize.longest))
        let next = try send(FrameTranslator.readBinary(1, BlockSize.usual))
        if !head.isCertain || !next.isCertain {
            blockSize.failures += 1
            guard blockSize.failures >= BlockSize.attempts else { throw .noAnswer }
        }
        blockSize.isSettled = true
        guard head.isSuccess, next.isSuccess, next.data.count == BlockSize.usual else { return blockSize.bytes }
        let sizes = [4, 8, 16].filter { head.data.dropFirst($0).starts(with: next.data) }
        let isUniform = Set(head.data).count <= 1
        if let size = sizes.first { blockSize.bytes = size } else if !isUniform { blockSize.bytes = head.data.count }
        return blockSize.bytes
    }
}
