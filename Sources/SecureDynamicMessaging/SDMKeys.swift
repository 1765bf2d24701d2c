// The keys of a tag, as a file holds them

/// The keys that an address is verified with.
public struct SDMKeys: Hashable, Sendable {
    /// The key of SDMMetaRead, which enciphers UID and counter.
    public let metaRead: AES128Key
    /// The key of SDMFileRead, which signs.
    public let fileRead: AES128Key

    /// As NXP delivers each tag: zeros.
    public static let factory = SDMKeys(metaRead: .factory, fileRead: .factory)

    /// Takes two keys.
    public init(metaRead: AES128Key, fileRead: AES128Key) { (self.metaRead, self.fileRead) = (metaRead, fileRead) }

    /// A line of a key file that is none; no part of it is in the error, since it may be a key.
    public struct BadLine: Error, Hashable, Sendable {
        /// From 1 on; one more than there are for a file without keys.
        public let number: Int
    }

    /// Reads a key file.
    ///
    /// Either 32 hexadecimal digits, for both keys, or the lines `meta = …` and `file = …`. Empty lines and those with `#` at
    /// their beginning do not count.
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
