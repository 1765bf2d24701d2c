// The text form of a tag's UID — ISO/IEC 14443-3; JIS X 6319-4

import Hexadecimal

/// Parses a UID: hexadecimal, with or without colons, spaces or dashes.
public enum UIDText {
    /// The lengths of real UIDs in bytes: ISO/IEC 14443-3 UID and PUPI; FeliCa IDm.
    public static let lengths: Set = [4, 7, 8, 10]

    /// The 1 to 10 bytes in a string; nil for any other string.
    public static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.filter { !":- ".utf8.contains($0) }
        guard let bytes = try? HexText.bytes(digits, separators: ""), 1...10 ~= bytes.count else { return nil }
        return bytes
    }
}
