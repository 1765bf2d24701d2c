// Why raw commands were not sent, or not all of them

import Hexadecimal
package import ReaderInterface

/// A command failed, or was not answered as it should; nothing after it was sent.
package struct BrokenSequence: ClassifiedError, Hashable {
    package enum Reason: Hashable, Sendable {
        case reader(ReaderError)
        /// Its four bits.
        case nak(UInt8)
        /// An answer to an APDU without status bytes; its length in bytes.
        case noStatus(length: Int)
        case status(found: StatusWord, StatusPattern)
    }

    /// In hexadecimal.
    package let command: String
    /// From 1 up.
    package let number: Int
    private let count: Int
    package let reason: Reason

    /// Describes the command at an index of the sequence, which failed.
    package init(_ sequence: RawSequence, at index: Int, _ reason: Reason) {
        command = sequence.commands[index].bytes.hex
        number = index + 1
        count = sequence.commands.count
        self.reason = reason
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

/// A command that a reader cannot send to the tag, or that is none of its kind; nothing was sent.
package struct UnsendableCommand: ClassifiedError, Hashable {
    package enum Reason: Hashable, Sendable {
        /// The reader carries this many bytes.
        case tooLong(limit: Int)
        /// JIS X 6319-4: the first byte of a command is its length.
        case otherLengthFirst
    }

    /// From 1 up.
    private let number: Int
    private let count: Int
    /// In bytes.
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
