// Answers for dumps of Type 4 and Type 5 Tags — NFC Forum T4T, SELECT and READ BINARY; ISO/IEC 15693-3, Commands

import ReaderInterface
import TagImage

extension ImageChannel {
    private static let application: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
    private static let success: [UInt8] = [0x90, 0x00]
    private static let notFound: [UInt8] = [0x6A, 0x82]
    private static let wrongOffset: [UInt8] = [0x6B, 0x00]
    private static let unknownInstruction: [UInt8] = [0x6D, 0x00]

    /// Answers SELECT by name and by file identifier, and both kinds of READ BINARY.
    func answerOfType4(_ command: [UInt8]) -> [UInt8]? {
        guard command.count >= 4, command[0] == 0x00 else { return Self.unknownInstruction }
        let data = command.count > 5 ? Array(command[5...].prefix(Int(command[4]))) : []
        switch command[1] {
        case 0xA4 where command[2] == 0x04:
            selectedFile = nil
            return data == Self.application && !image.files.isEmpty ? Self.success : Self.notFound
        case 0xA4 where data.count == 2:
            let identifier = UInt16(data[0]) << 8 | UInt16(data[1])
            guard let file = image.files.first(where: { $0.identifier == identifier }) else { return Self.notFound }
            selectedFile = file.bytes
            return Self.success
        case 0xB0 where command.count == 5:
            return read(at: Int(command[2] & 0x7F) << 8 | Int(command[3]), length: command[4])
        case 0xB1 where data.count == 5 && data[0] == 0x54 && data[1] == 0x03:
            let offset = Int(data[2]) << 16 | Int(data[3]) << 8 | Int(data[4])
            return read(at: offset, length: command.last ?? 0)
        default: return Self.unknownInstruction
        }
    }

    private func read(at offset: Int, length: UInt8) -> [UInt8] {
        guard let selectedFile, offset < selectedFile.count else { return Self.wrongOffset }
        // The status word takes up 2 bytes of the maximum length.
        let length = length == 0 ? 256 : Int(length)
        return Array(selectedFile[offset...].prefix(min(length, maxResponseLength - 2))) + Self.success
    }

    /// Answers Get System Information, the read commands and the security status, with block numbers of 1 and 2 bytes.
    func answerOfType5(_ command: [UInt8], blockLength: Int) throws(ReaderError) -> [UInt8]? {
        guard command.count >= 2, command[0] & 0x04 == 0 else { return nil }
        let hasOption = command[0] & 0x40 != 0
        // The extended Get System Information has a field before the UID.
        let start = command[1] == 0x3B ? 3 : 2
        guard command.count >= start + 8, command[start..<start + 8].reversed().elementsEqual(image.identifier) else {
            return nil
        }
        // With the protocol extension flag of older chips, the same codes are other commands.
        guard command[0] & 0x08 == 0 else { return [0x01, 0x01] }
        let parameters = Array(command[(start + 8)...])
        let isLong = 0x30...0x3F ~= command[1]
        let numbers = stride(from: 0, to: parameters.count - (isLong ? 1 : 0), by: isLong ? 2 : 1).map {
            isLong ? Int(parameters[$0]) | Int(parameters[$0 + 1]) << 8 : Int(parameters[$0])
        }
        switch (command[1], numbers.count) {
        case (0x2B, _), (0x3B, _): return systemInformation(isLong: isLong, blockLength)
        case (0x20, 1), (0x30, 1):
            try require(numbers[0])
            return read(numbers[0], count: 1, hasOption, blockLength)
        case (0x23, 2), (0x33, 2): return read(numbers[0], count: numbers[1] + 1, hasOption, blockLength)
        case (0x2C, 2), (0x3C, 2):
            let range = numbers[0]..<numbers[0] + min(numbers[1] + 1, 256)
            return [0x00] + range.filter { blocks[$0] != nil }.map(status)
        default: return [0x01, 0x01]
        }
    }

    private func status(_ block: Int) -> UInt8 { image.vicinity.lockedBlocks.contains(block) ? 0x01 : 0x00 }

    private func systemInformation(isLong: Bool, _ blockLength: Int) -> [UInt8] {
        let vicinity = image.vicinity
        let last = max(1, (image.blocks.last?.number ?? 0) + 1) - 1
        let hasMemory = isLong || last < 256
        let number =
            isLong
            ? [UInt8(truncatingIfNeeded: last), UInt8(truncatingIfNeeded: last >> 8)]
            : [UInt8(truncatingIfNeeded: last)]
        let flags: UInt8 =
            (vicinity.dsfid == nil ? 0 : 0x01) | (vicinity.afi == nil ? 0 : 0x02) | (hasMemory ? 0x04 : 0)
            | (vicinity.icReference == nil ? 0 : 0x08)
        let fields: [[UInt8]] = [
            vicinity.dsfid.map { [$0] } ?? [], vicinity.afi.map { [$0] } ?? [],
            hasMemory ? number + [UInt8(truncatingIfNeeded: blockLength - 1)] : [],
            vicinity.icReference.map { [$0] } ?? [],
        ]
        return [0x00, flags] + image.identifier.reversed() + fields.flatMap(\.self)
    }

    private func read(_ first: Int, count: Int, _ hasOption: Bool, _ blockLength: Int) -> [UInt8] {
        guard count * (blockLength + 1) < maxResponseLength else { return [0x01, 0x0F] }
        var data: [UInt8] = []
        for number in first..<first + count {
            // 10: the block does not exist.
            guard let bytes = bytes(number) else { return [0x01, 0x10] }
            data += (hasOption ? [status(number)] : []) + bytes
        }
        return [0x00] + data
    }
}
