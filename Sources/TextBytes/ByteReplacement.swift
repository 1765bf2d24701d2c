// Text for another program that reads it byte by byte

extension String {
    /// Replaces every occurrence of a string, compared by bytes.
    ///
    /// `text` must not be empty. `replacing(_:with:)` compares characters: a quotation mark with a combining mark after
    /// it is one character, and does not equal a quotation mark. Use this function to escape text for a program that
    /// reads bytes, such as a shell.
    package func replacingBytes(of text: String, with other: String) -> String {
        String(decoding: Array(utf8).replacing(Array(text.utf8), with: Array(other.utf8)), as: UTF8.self)
    }
}
