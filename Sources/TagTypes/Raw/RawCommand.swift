// A command as an expert types it: hexadecimal, and for an APDU the status word it must have — ISO/IEC 7816-4

package import Hexadecimal

/// Bytes for a tag, and what must come back.
package struct RawCommand: Hashable, Sendable {
    package let bytes: [UInt8]
    /// The status word the answer must have; nil when any will do.
    package let expected: StatusPattern?

    package init(bytes: [UInt8], expected: StatusPattern?) {
        (self.bytes, self.expected) = (bytes, expected)
    }
}

extension RawCommand {
    /// The shortest C-APDU: CLA INS P1 P2 — ISO/IEC 7816-4.
    private static let apduHeadLength = 4

    /// A tag's own command: digits, with or without spaces and colons.
    package static func own(_ text: String) throws(RawCommandError) -> RawCommand {
        guard !text.contains("=") else { throw .statusOfOwnCommand }
        return RawCommand(bytes: try bytes(text[...]), expected: nil)
    }

    /// A C-APDU, then perhaps `=` and a status word.
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

/// A status word with some digits left open: `9000`, `61xx`.
package struct StatusPattern: Hashable, Sendable, CustomStringConvertible {
    /// Four digits; nil stands for any.
    private let digits: [UInt16?]

    /// Nil for anything but four hexadecimal digits or `x`.
    package init?(_ text: String) {
        let isPattern = text.utf8.count == 4 && text.allSatisfy { $0.isHexDigit || "xX".contains($0) }
        guard isPattern else { return nil }
        digits = text.map { $0.hexDigitValue.map { UInt16($0) } }
    }

    /// Whether a status word is one of those.
    package func matches(_ status: StatusWord) -> Bool {
        zip(digits, [12, 8, 4, 0]).allSatisfy { digit, shift in
            digit.map { $0 == status.rawValue >> UInt16(shift) & 0xF } ?? true
        }
    }

    package var description: String {
        digits.map { $0.map { String($0, radix: 16, uppercase: true) } ?? "x" }.joined()
    }
}

/// Why a text is no command.
package enum RawCommandError: Error, Hashable {
    case empty
    case notHex(HexTextError)
    case noAPDU(length: Int)
    case noStatus(String)
    case statusOfOwnCommand
}
