// A password or key as people write it — NXP NTAG21x (PWD, PACK), MF0ICU2 and MF0AES(H)20 (key)

import Hexadecimal
public import TagTypes

/// The text of a password.
///
/// PWD, 8 hexadecimal digits; PWD and PACK, 8 and 4 with a colon between; or the key of an Ultralight C or AES, 32.
/// Characters stand for nothing but digits: how other programs make 4 bytes of a word differs from one to the next.
public enum PasswordText {
    /// What is in words expected of a text.
    public static let form = """
        8 hexadecimal digits (PWD), 8 and 4 with a colon between (PWD:PACK), or 32 for the key of an Ultralight C or AES
        """

    /// The credential a text stands for; blanks and line ends around it do not count.
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
    /// The element of a collection that has one.
    fileprivate var onlyElement: Element? { count == 1 ? first : nil }
}
