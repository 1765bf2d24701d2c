// Text that another program reads byte by byte

extension String {
    /// Replaces a text, which is not empty, wherever its bytes occur.
    ///
    /// `replacing(_:with:)` compares characters: a quote and a combining mark after it are one character, and not a
    /// quote. What is escaped for a program that reads bytes, such as a shell, is escaped with this.
    package func replacingBytes(of text: String, with other: String) -> String {
        String(decoding: Array(utf8).replacing(Array(text.utf8), with: Array(other.utf8)), as: UTF8.self)
    }
}
