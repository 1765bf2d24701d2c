// Answers for dumps of Type 1 and Type 2 Tags — NFC Forum T1T and T2T, Command Set; NXP NTAG21x, MF0ICU2, NTAG203

import Chips
import ReaderInterface
import TagImage

extension ImageChannel {
    /// Answers RALL, READ8 and RSEG.
    func answerOfType1(_ command: [UInt8]) throws(ReaderError) -> [UInt8]? {
        switch (command.first, command.count) {
        case (0x00, _):
            // HR0 identifies the memory size.
            let header: [UInt8] = image.kind == .topaz96 ? [0x11, 0x48] : [0x12, 0x4C]
            return try (image.headerROM.count == 2 ? image.headerROM : header) + memory(0..<15)
        case (0x02, 2...):
            try require(Int(command[1]))
            return bytes(Int(command[1])).map { [command[1]] + $0 }
        case (0x10, 2...) where command[1] & 0x0F == 0:
            let first = Int(command[1])
            return try [command[1]] + memory(first..<first + 16)
        default: return nil
        }
    }

    /// Returns consecutive blocks of a Type 1 Tag, with zeros for those that the tag does not have.
    private func memory(_ range: Range<Int>) throws(ReaderError) -> [UInt8] {
        if !fillsGaps { for number in range { try require(number) } }
        return range.flatMap { bytes($0) ?? [UInt8](repeating: 0, count: 8) }
    }

    /// Answers READ, FAST_READ, GET_VERSION, READ_SIG, READ_CNT, CHECK_TEARING_EVENT, SECTOR SELECT, and the first part
    /// of AUTHENTICATE.
    func answerOfType2(_ command: [UInt8], _ chip: TagImage.Chip?) throws(ReaderError) -> [UInt8]? {
        if awaitsSector { return selectSector(command) }
        switch (command[0], command.count) {
        case (0x30, 2): return try read(Int(command[1]), chip)
        case (0x3A, 3) where command[1] <= command[2] && hasVersion(chip):
            let found = (Int(command[1])...Int(command[2])).map { bytes(sector * Type2Layout.sectorBlockCount + $0) }
            return found.contains { $0 == nil } ? nil : found.flatMap { $0 ?? [] }
        case (0x60, 1): return version(chip)
        case (0x3C, 2): return image.signature.isEmpty ? nil : image.signature
        case (0x39, 2):
            let value = image.counters[Int(command[1])]?.value
            return value.map { value in [0, 8, 16].map { UInt8(truncatingIfNeeded: value >> $0) } }
        case (0x3E, 2): return image.counters[Int(command[1])]?.tearing.map { [$0] }
        case (0xC2, 2) where command[1] == 0xFF:
            awaitsSector = true
            return []
        case (0x1A, 2) where chip == .ultralightC: return [0xAF] + [UInt8](repeating: 0, count: 8)
        default: return nil
        }
    }

    /// Handles the second packet of SECTOR SELECT, which a tag acknowledges by not answering.
    private func selectSector(_ command: [UInt8]) -> [UInt8]? {
        awaitsSector = false
        sector = Int(command[0])
        return nil
    }

    /// Reads 16 bytes from a block on.
    ///
    /// The first block must be known. At an unknown block, and after the last block, the answer continues with block 0
    /// of the sector.
    private func read(_ number: Int, _ chip: TagImage.Chip?) throws(ReaderError) -> [UInt8]? {
        let start = sector * Type2Layout.sectorBlockCount + number
        try require(start)
        guard let first = bytes(start) else { return nil }
        var answer = first
        var next = start + 1
        for _ in 1..<4 {
            if bytes(next) == nil { next = sector * Type2Layout.sectorBlockCount }
            answer += bytes(next) ?? [0, 0, 0, 0]
            next += 1
        }
        return answer
    }

    private func hasVersion(_ chip: TagImage.Chip?) -> Bool { version(chip) != nil }

    /// Returns the tag's answer to GET_VERSION, or the chip's usual answer if the dump does not contain one.
    private func version(_ chip: TagImage.Chip?) -> [UInt8]? {
        image.version.isEmpty ? chip?.sampleVersion : image.version
    }
}
