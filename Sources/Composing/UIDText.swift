// The text form of a tag's UID — ISO/IEC 14443-3; JIS X 6319-4

import Hexadecimal

/// Parses a UID: hexadecimal, with or without colons, spaces or dashes.
public enum UIDText {
    /// The lengths of real UIDs in bytes.
    ///
    /// They are those of the UID and PUPI in ISO/IEC 14443-3, and of FeliCa's IDm.
    public static let lengths: Set = [4, 7, 8, 10]

    /// Returns the 1 to 10 bytes in a string, or nil for any other string.
    public static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.filter { !":- ".utf8.contains($0) }
        guard let bytes = try? HexText.bytes(digits, separators: ""), 1...10 ~= bytes.count else { return nil }
        return bytes
    }
}
