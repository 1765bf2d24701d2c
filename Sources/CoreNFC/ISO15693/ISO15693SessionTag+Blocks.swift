// Reading, writing and locking blocks — NFCISO15693Tag; ISO/IEC 15693-3, commands 20–24, 2C, 2D, and extended forms
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import ReaderSession
import TagTypes

extension ISO15693SessionTag {
    func readSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        carryOut(completionHandler, or: Data()) { try self.block(Int(blockNumber), .standard, flags, $0) }
    }

    func extendedReadSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        carryOut(completionHandler, or: Data()) { try self.block(blockNumber, .extended, flags, $0) }
    }

    func readMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        carryOut(completionHandler, or: []) { try self.blocks(blockRange, 0x23, .standard, flags, $0) }
    }

    func extendedReadMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        carryOut(completionHandler, or: []) { try self.blocks(blockRange, 0x23, .extended, flags, $0) }
    }

    func __fastReadMultipleBlocks(
        with flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        carryOut(completionHandler, or: []) { try self.blocks(blockRange, 0x2D, .standard, flags, $0) }
    }

    func __extendedFastReadMultipleBlocks(
        with flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        carryOut(completionHandler, or: []) { try self.blocks(blockRange, 0x2D, .extended, flags, $0) }
    }

    func writeSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, dataBlock: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        carryOut(completionHandler) { try self.write(dataBlock, Int(blockNumber), .standard, flags, $0) }
    }

    func extendedWriteSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, dataBlock: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        carryOut(completionHandler) { try self.write(dataBlock, blockNumber, .extended, flags, $0) }
    }

    func writeMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        carryOut(completionHandler) { try self.write(dataBlocks, blockRange, .standard, flags, $0) }
    }

    func __extendedWriteMultipleBlocks(
        withRequestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        carryOut(completionHandler) { try self.write(dataBlocks, blockRange, .extended, flags, $0) }
    }

    func lockBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        carryOut(completionHandler) { try self.lock(Int(blockNumber), .standard, flags, $0) }
    }

    func extendedLockBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        carryOut(completionHandler) { try self.lock(blockNumber, .extended, flags, $0) }
    }

    func getMultipleBlockSecurityStatus(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void
    ) {
        perform {
            try Self.securityStatus(BlockNumbering.standard.blocks(blockRange), .standard, flags, $0)
        } completion: {
            completionHandler((try? $0.get())?.map { NSNumber(value: $0) } ?? [], $0.failure)
        }
    }

    func __extendedGetMultipleBlockSecurityStatus(
        with flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void
    ) {
        perform {
            try Self.securityStatus(BlockNumbering.extended.blocks(blockRange), .extended, flags, $0)
        } completion: {
            completionHandler((try? $0.get())?.map { NSNumber(value: $0) } ?? [], $0.failure)
        }
    }
}

// These functions run on the reader's queue.
extension ISO15693SessionTag {
    private static let blockSizes = 1...32
    private static let usualBlockSize = 4
    /// The block sizes of known chips.
    ///
    /// Any other size is verified before an answer is split into blocks of that size.
    private static let knownBlockSizes: Set<Int> = [4, 8, 32]

    func block(
        _ number: Int, _ numbering: BlockNumbering, _ flags: NFCISO15693RequestFlag, _ requests: ISO15693Requests
    ) throws -> Data {
        let code = numbering.code(0x20)
        let data = try requests.send(Self.request(code, flags, numbering.parameter(number))).data
        let size = data.count - flags.securityBytes
        guard Self.blockSizes ~= size else { throw Self.unexpectedLength(data, code) }
        blockSize = size
        return Data(data)
    }

    /// Sends Read Multiple Blocks (23) or Fast Read Multiple Blocks (2D).
    ///
    /// Several requests are sent if one answer would be longer than the reader can return. Returns fewer blocks than
    /// requested if the tag does not have all of them.
    func blocks(
        _ range: NSRange, _ standardCode: UInt8, _ numbering: BlockNumbering, _ flags: NFCISO15693RequestFlag,
        _ requests: ISO15693Requests
    ) throws -> [Data] {
        let range = try numbering.blocks(range)
        let code = numbering.code(standardCode)
        let room = requests.longestResponse - 1
        if blockSize == nil, range.count * (Self.usualBlockSize + flags.securityBytes) > room {
            _ = try block(range.lowerBound, numbering, flags, requests)
        }
        var blocks: [Data] = []
        var next = range.lowerBound
        while next < range.upperBound, next <= numbering.last {
            let most = max(1, room / ((blockSize ?? Self.usualBlockSize) + flags.securityBytes))
            let part = next..<min(range.upperBound, next + most)
            let data = try requests.send(Self.request(code, flags, numbering.parameters(part))).data
            let length = try blockSize(inAnswer: data, of: part, code, numbering, flags, requests) + flags.securityBytes
            guard !data.isEmpty, data.count % length == 0, data.count / length <= part.count else {
                throw Self.unexpectedLength(data, code)
            }
            blocks += stride(from: 0, to: data.count, by: length).map { Data(data[$0..<$0 + length]) }
            guard data.count / length == part.count else { break }
            next = part.upperBound
        }
        return blocks
    }

    /// Returns the size of the blocks in an answer.
    ///
    /// The length of the answer alone does not determine the size, because some tags leave out blocks that they do not
    /// have.
    private func blockSize(
        inAnswer data: [UInt8], of part: Range<Int>, _ code: UInt8, _ numbering: BlockNumbering,
        _ flags: NFCISO15693RequestFlag, _ requests: ISO15693Requests
    ) throws -> Int {
        if let blockSize { return blockSize }
        let size = data.count / part.count - flags.securityBytes
        if data.count % part.count == 0, Self.knownBlockSizes.contains(size) || part.count == 1 && size > 0 {
            blockSize = size
            return size
        }
        return try block(part.lowerBound, numbering, flags, requests).count - flags.securityBytes
    }

    private func write(
        _ data: Data, _ number: Int, _ numbering: BlockNumbering, _ flags: NFCISO15693RequestFlag,
        _ requests: ISO15693Requests
    ) throws {
        guard Self.blockSizes ~= data.count else { throw NFCReaderError(.readerErrorInvalidParameterLength) }
        let request = try Self.request(numbering.code(0x21), flags, numbering.parameter(number) + data)
        try requests.change(request) { try block(number, numbering, flags.subtracting(.option), requests) == data }
    }

    private func write(
        _ data: [Data], _ range: NSRange, _ numbering: BlockNumbering, _ flags: NFCISO15693RequestFlag,
        _ requests: ISO15693Requests
    ) throws {
        let blocks = try numbering.blocks(range)
        guard data.count == blocks.count, let size = data.first?.count, Self.blockSizes ~= size,
            data.allSatisfy({ $0.count == size })
        else { throw NFCReaderError(.readerErrorInvalidParameterLength) }
        let request = try Self.request(numbering.code(0x24), flags, numbering.parameters(blocks) + data.joined())
        try requests.change(request) {
            try zip(blocks, data).allSatisfy {
                try block($0, numbering, flags.subtracting(.option), requests) == $1
            }
        }
    }

    private func lock(
        _ number: Int, _ numbering: BlockNumbering, _ flags: NFCISO15693RequestFlag, _ requests: ISO15693Requests
    ) throws {
        let request = try Self.request(numbering.code(0x22), flags, numbering.parameter(number))
        try requests.change(request) {
            // ISO/IEC 15693-3, block security status: bit 1 is set if the block is locked.
            try Self.securityStatus(number..<number + 1, numbering, flags.subtracting(.option), requests)[0] & 0x01 != 0
        }
    }

    /// Sends Get Multiple Block Security Status, and returns one byte for each block.
    ///
    /// Several requests are sent if one answer would be longer than the reader can return. There is at least one byte.
    private static func securityStatus(
        _ blocks: Range<Int>, _ numbering: BlockNumbering, _ flags: NFCISO15693RequestFlag,
        _ requests: ISO15693Requests
    ) throws -> [UInt8] {
        let code = numbering.code(0x2C)
        var states: [UInt8] = []
        var next = blocks.lowerBound
        while next < blocks.upperBound {
            let part = next..<min(blocks.upperBound, next + max(1, requests.longestResponse - 1))
            let data = try requests.send(request(code, flags, numbering.parameters(part))).data
            guard 1...part.count ~= data.count else { throw unexpectedLength(data, code) }
            states += data
            guard data.count == part.count else { break }
            next = part.upperBound
        }
        return states
    }
}

extension NFCISO15693RequestFlag {
    /// The number of bytes before each block in an answer: one security status byte with the option flag, otherwise
    /// none.
    fileprivate var securityBytes: Int { contains(.option) ? 1 : 0 }
}
