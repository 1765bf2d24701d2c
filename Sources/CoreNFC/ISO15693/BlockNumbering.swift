// How requests of ISO 15693 number blocks: in one byte, or in two — ISO/IEC 15693-3, the commands and their extended forms

import Foundation

/// The commands for blocks in one of their two forms.
enum BlockNumbering {
    /// Blocks 0 to 255.
    case standard
    /// Blocks 0 to 65535, the number's low byte first.
    case extended

    /// The code of a command in this form.
    func code(_ standardCode: UInt8) -> UInt8 { self == .standard ? standardCode : standardCode + 0x10 }

    /// The last number.
    var last: Int { self == .standard ? 0xFF : 0xFFFF }

    /// A block's number; it must be in 0...``last``.
    func bytes(_ number: Int) -> [UInt8] {
        let low = UInt8(truncatingIfNeeded: number)
        return self == .standard ? [low] : [low, UInt8(truncatingIfNeeded: number >> 8)]
    }

    /// A block's number as a parameter.
    ///
    /// - Throws: code 5 for one that does not exist.
    func parameter(_ number: Int) throws(NFCReaderError) -> [UInt8] {
        guard 0...last ~= number else { throw NFCReaderError(.readerErrorParameterOutOfBound) }
        return bytes(number)
    }

    /// The blocks of an app's range.
    ///
    /// - Throws: code 5 for a first block that does not exist, for no block, and for more than there can be.
    func blocks(_ range: NSRange) throws(NFCReaderError) -> Range<Int> {
        guard 0...last ~= range.location, 1...last + 1 ~= range.length else {
            throw NFCReaderError(.readerErrorParameterOutOfBound)
        }
        return range.location..<range.location + range.length
    }

    /// The first block and the number of blocks less one, as requests have them.
    func parameters(_ blocks: Range<Int>) -> [UInt8] { bytes(blocks.lowerBound) + bytes(blocks.count - 1) }
}
