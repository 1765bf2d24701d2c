// The text form of a password or key — NXP NTAG21x (PWD, PACK), MF0ICU2 and MF0AES(H)20 (key)

import Hexadecimal
public import TagTypes

/// The text of a password.
///
/// PWD alone has 8 hexadecimal digits. PWD with PACK has 8 digits, a colon and 4 digits. The key of an Ultralight C or
/// AES has 32 digits. The text is always read as digits, because programs differ in how they convert words to 4 bytes.
public enum PasswordText {
    /// The expected form in words.
    public static let form = """
        8 hexadecimal digits (PWD), 8 and 4 with a colon between (PWD:PACK), or 32 for the key of an Ultralight C or AES
        """

    /// Returns the credential in a string, or nil if the string has another form.
    ///
    /// Spaces and line breaks around the credential are ignored.
    public static func credential(_ text: some StringProtocol) -> Type2Credential? {
        guard let text = text.split(whereSeparator: \.isWhitespace).onlyElement else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { try? HexText.bytes($0.utf8) }
        switch (parts.count, parts[0], parts.last ?? nil) {
        case (1, let key?, _) where key.count == 16: return UltralightKey(key).map { .key($0) }
        case (1, let pwd?, _): return Type2Password(pwd: pwd).map { .password($0) }
        case (2, let pwd?, let pack?): return Type2Password(pwd: pwd, pack: pack).map { .password($0) }
        default: return nil
        }
    }
}

extension Collection {
    /// The only element of a collection, or nil if there are none or several.
    fileprivate var onlyElement: Element? { count == 1 ? first : nil }
}
