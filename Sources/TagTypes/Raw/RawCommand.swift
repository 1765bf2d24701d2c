// A command as an expert enters it: hexadecimal, and for an APDU an optional expected status word — ISO/IEC 7816-4

package import Hexadecimal

/// The bytes to send to a tag, and the expected status word of the answer.
package struct RawCommand: Hashable, Sendable {
    package let bytes: [UInt8]
    /// The pattern that the status word of the answer must match, or `nil` if any answer is accepted.
    package let expected: StatusPattern?

    package init(bytes: [UInt8], expected: StatusPattern?) {
        (self.bytes, self.expected) = (bytes, expected)
    }
}

extension RawCommand {
    /// The length of the shortest C-APDU, which consists of CLA, INS, P1 and P2 — ISO/IEC 7816-4.
    private static let apduHeadLength = 4

    /// Parses a native command, which consists of hexadecimal digits with or without spaces and colons.
    package static func own(_ text: String) throws(RawCommandError) -> RawCommand {
        guard !text.contains("=") else { throw .statusOfOwnCommand }
        return RawCommand(bytes: try bytes(text[...]), expected: nil)
    }

    /// Parses a C-APDU, optionally followed by `=` and a status word.
    package static func apdu(_ text: String) throws(RawCommandError) -> RawCommand {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let bytes = try bytes(parts[0])
        guard bytes.count >= apduHeadLength else { throw .noAPDU(length: bytes.count) }
        guard parts.count == 2, !parts[1].isEmpty else { return RawCommand(bytes: bytes, expected: nil) }
        guard let expected = StatusPattern(String(parts[1])) else { throw .noStatus(String(parts[1])) }
        return RawCommand(bytes: bytes, expected: expected)
    }

    private static func bytes(_ text: Substring) throws(RawCommandError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(HexTextError) { bytes = try HexText.bytes(text.utf8) } catch { throw .notHex(error) }
        guard !bytes.isEmpty else { throw .empty }
        return bytes
    }
}

/// A status word whose digits may be left open with `x`, for example `9000` or `61xx`.
package struct StatusPattern: Hashable, Sendable, CustomStringConvertible {
    /// The four digits, in which `nil` matches any digit.
    private let digits: [UInt16?]

    /// Parses four characters, each a hexadecimal digit or `x`, or returns `nil` for any other text.
    package init?(_ text: String) {
        let isPattern = text.utf8.count == 4 && text.allSatisfy { $0.isHexDigit || "xX".contains($0) }
        guard isPattern else { return nil }
        digits = text.map { $0.hexDigitValue.map { UInt16($0) } }
    }

    package func matches(_ status: StatusWord) -> Bool {
        zip(digits, [12, 8, 4, 0]).allSatisfy { digit, shift in
            digit.map { $0 == status.rawValue >> UInt16(shift) & 0xF } ?? true
        }
    }

    package var description: String {
        digits.map { $0.map { String($0, radix: 16, uppercase: true) } ?? "x" }.joined()
    }
}

/// The reason why a string is not a command.
package enum RawCommandError: Error, Hashable {
    case empty
    case notHex(HexTextError)
    case noAPDU(length: Int)
    case noStatus(String)
    case statusOfOwnCommand
}
