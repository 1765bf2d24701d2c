// The keys of a tag, and the file format for them

/// The keys that verify a URL.
public struct SDMKeys: Hashable, Sendable {
    /// The key SDMMetaRead, which encrypts the UID and the counter.
    public let metaRead: AES128Key
    /// The key SDMFileRead, from which the MAC key is derived.
    public let fileRead: AES128Key

    /// The factory keys, all zeros.
    public static let factory = SDMKeys(metaRead: .factory, fileRead: .factory)

    /// Makes a pair of keys.
    public init(metaRead: AES128Key, fileRead: AES128Key) { (self.metaRead, self.fileRead) = (metaRead, fileRead) }

    /// A line of a key file is not a key; the error does not contain the line, because it could be one.
    public struct BadLine: Error, Hashable, Sendable {
        /// The number of the line, from 1; one more than the last line if a key is missing.
        public let number: Int
    }

    /// Parses a key file.
    ///
    /// It contains either 32 hexadecimal digits for both keys, or the lines `meta = KEY` and `file = KEY`. Empty lines and
    /// lines that begin with `#` are ignored.
    public init(file text: String) throws(BadLine) {
        var keys: [Substring: AES128Key] = [:]
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let words = line.split { $0.isWhitespace || $0 == "=" }
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            let name = words.count == 1 ? "" : first
            guard words.count <= 2, ["", "meta", "file"].contains(name), keys[name] == nil,
                let digits = words.last, digits.utf8.count == 2 * AES128Key.length,
                let bytes = SDMAddress.bytes(Array(digits.utf8)[...]), let key = AES128Key(bytes)
            else { throw BadLine(number: index + 1) }
            keys[name] = key
        }
        guard let meta = keys["meta"] ?? keys[""], let file = keys["file"] ?? keys[""] else {
            throw BadLine(number: lines.count + 1)
        }
        self.init(metaRead: meta, fileRead: file)
    }
}
