// A command to a tag and its answer — NFC Forum T2T, ACK and NAK Responses

import Hexadecimal

/// A command and the answer of the tag.
package struct RawExchange: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
        case bytes([UInt8])
        case response(ResponseAPDU)
        /// The tag sent a 4-bit ACK or NAK.
        case nibble(UInt8)
        /// The tag did not answer, which acknowledges the second packet of SECTOR SELECT.
        case passive
    }

    package static let ack: UInt8 = 0xA

    package let command: [UInt8]
    package let answer: Answer

    package init(command: [UInt8], answer: Answer) {
        (self.command, self.answer) = (command, answer)
    }
}

/// The exchanges of a sequence, and the error that ended it early, which is `nil` if the sequence is complete.
package struct RawTranscript: Sendable {
    package var exchanges: [RawExchange] = []
    package var failure: BrokenSequence?
}

extension StatusWord {
    package var hex: String { [sw1, sw2].hex }
}

extension UInt8 {
    /// The low 4 bits as a hexadecimal digit.
    package var digit: String { String(self & 0xF, radix: 16, uppercase: true) }
}
