// The errors for a sequence of raw commands that was not sent completely

import Hexadecimal
package import ReaderInterface

/// The error for a command that failed or had an unexpected answer.
///
/// The commands after it were not sent.
package struct BrokenSequence: ClassifiedError, Hashable {
    package enum Reason: Hashable, Sendable {
        case reader(ReaderError)
        /// The tag answered with a NAK, which has these 4 bits.
        case nak(UInt8)
        /// The answer to an APDU is too short for a status word; its length is in bytes.
        case noStatus(length: Int)
        case status(found: StatusWord, StatusPattern)
    }

    /// The command in hexadecimal.
    package let command: String
    /// The position of the command, counted from 1.
    package let number: Int
    private let count: Int
    package let reason: Reason
    /// Whether the command authenticates to a sector of a MIFARE Classic, which does not answer if the key is wrong.
    package let isAuthentication: Bool

    package init(_ sequence: RawSequence, at index: Int, _ reason: Reason, isAuthentication: Bool = false) {
        command = sequence.commands[index].bytes.hex
        number = index + 1
        count = sequence.commands.count
        self.reason = reason
        self.isAuthentication = isAuthentication
    }

    package var kind: FailureKind {
        if case .reader(let error) = reason { error.kind } else { .brokenRules }
    }

    package var description: String {
        let what =
            switch reason {
            case .reader(let error): ": \(error.description)"
            case .nak(let bits): " was refused with NAK \(bits.digit)."
            case .noStatus(let length): " was answered with \(ByteCount(length)), too few for a status word."
            case .status(let found, let expected):
                " was answered with \(found.hex) (\(found.meaning)); expected \(expected)."
            }
        let rest = number < count ? " Nothing more was sent." : ""
        return "Command \(number) of \(count) (\(command))\(what)\(rest)"
    }
}

/// The error for a command that the reader cannot send to the tag, or that is invalid for this kind of tag.
///
/// Nothing was sent.
package struct UnsendableCommand: ClassifiedError, Hashable {
    package enum Reason: Hashable, Sendable {
        /// The command is longer than the reader's limit, which is in bytes.
        case tooLong(limit: Int)
        /// The first byte must be the length of the command (JIS X 6319-4), but is not.
        case otherLengthFirst
    }

    /// The position of the command, counted from 1.
    private let number: Int
    private let count: Int
    /// The length of the command, in bytes.
    private let length: Int
    private let reason: Reason

    init(number: Int, of count: Int, length: Int, _ reason: Reason) {
        (self.number, self.count, self.length, self.reason) = (number, count, length, reason)
    }

    package var kind: FailureKind { .usage }

    package var description: String {
        let name = "Command \(number) of \(count)"
        return switch reason {
        case .tooLong(let limit):
            "\(name) is \(ByteCount(length)) long; this reader can send at most \(limit). Nothing was sent."
        case .otherLengthFirst:
            """
            \(name) is \(ByteCount(length)) long but does not begin with that length, as a FeliCa command must. \
            Nothing was sent.
            """
        }
    }
}
