// One-byte and two-byte block numbers in ISO 15693 requests — ISO/IEC 15693-3, the commands and their extended forms

import Foundation

enum BlockNumbering {
    case standard
    /// Blocks 0 to 65535, with the low byte of the number first.
    case extended

    /// Returns the code of a command in this form.
    func code(_ standardCode: UInt8) -> UInt8 { self == .standard ? standardCode : standardCode + 0x10 }

    var last: Int { self == .standard ? 0xFF : 0xFFFF }

    /// Returns the bytes of a block number, which must be in 0...``last``.
    func bytes(_ number: Int) -> [UInt8] {
        let low = UInt8(truncatingIfNeeded: number)
        return self == .standard ? [low] : [low, UInt8(truncatingIfNeeded: number >> 8)]
    }

    /// Returns the bytes of a block number that an app passed.
    ///
    /// - Throws: code 5 if the block number is out of range.
    func parameter(_ number: Int) throws(NFCReaderError) -> [UInt8] {
        guard 0...last ~= number else { throw NFCReaderError(.readerErrorParameterOutOfBound) }
        return bytes(number)
    }

    /// Returns the blocks of a range that an app passed.
    ///
    /// - Throws: code 5 if the first block is out of range, or if the range is empty or has too many blocks.
    func blocks(_ range: NSRange) throws(NFCReaderError) -> Range<Int> {
        guard 0...last ~= range.location, 1...last + 1 ~= range.length else {
            throw NFCReaderError(.readerErrorParameterOutOfBound)
        }
        return range.location..<range.location + range.length
    }

    /// Returns the number of the first block and the number of blocks minus one, as requests contain them.
    func parameters(_ blocks: Range<Int>) -> [UInt8] { bytes(blocks.lowerBound) + bytes(blocks.count - 1) }
}
