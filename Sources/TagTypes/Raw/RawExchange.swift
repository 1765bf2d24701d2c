// What was said to a tag, and what came back — NFC Forum T2T, ACK and NAK Responses

import Hexadecimal

/// A command, and the tag's answer.
package struct RawExchange: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
        case bytes([UInt8])
        case response(ResponseAPDU)
        /// ACK or NAK.
        case nibble(UInt8)
        /// ACK by silence, to the second packet of SECTOR SELECT.
        case passive
    }

    /// Four bits that say yes.
    package static let ack: UInt8 = 0xA

    package let command: [UInt8]
    package let answer: Answer

    package init(command: [UInt8], answer: Answer) {
        (self.command, self.answer) = (command, answer)
    }
}

/// The exchanges of a sequence, and why there are no more.
package struct RawTranscript: Sendable {
    package var exchanges: [RawExchange] = []
    package var failure: BrokenSequence?
}

extension StatusWord {
    /// Four digits.
    package var hex: String { [sw1, sw2].hex }
}

extension UInt8 {
    /// Four bits as a digit.
    package var digit: String { String(self & 0xF, radix: 16, uppercase: true) }
}
