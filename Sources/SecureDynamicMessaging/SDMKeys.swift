// The keys of a tag, and the file format for them

/// The five AES keys of an NTAG 424 DNA, or some of them.
public struct SDMKeys: Hashable, Sendable {
    /// The number of the SDMMetaRead key in AN12196, which encrypts UID and counter.
    public static let metaReadNumber = 2
    /// The number of the SDMFileRead key in AN12196, from which the MAC key is derived.
    public static let fileReadNumber = 1
    /// The numbers of keys.
    public static let numbers = 0..<5

    private let keys: [Int: AES128Key]

    /// The factory keys, all zeros.
    public static let factory = SDMKeys([Int: AES128Key](uniqueKeysWithValues: numbers.map { ($0, .factory) }))

    /// Makes keys from their numbers; other numbers are ignored.
    public init(_ keys: [Int: AES128Key]) { self.keys = keys.filter { Self.numbers.contains($0.key) } }

    /// Makes the two keys that verify a URL.
    public init(metaRead: AES128Key, fileRead: AES128Key) {
        self.init([Self.metaReadNumber: metaRead, Self.fileReadNumber: fileRead])
    }

    /// A key by its number; the factory key if none was given.
    public subscript(number: Int) -> AES128Key { keys[number] ?? .factory }

    /// The numbers of the keys that were given, in order.
    public var named: [Int] { keys.keys.sorted() }

    /// The key that encrypts UID and counter.
    public var metaRead: AES128Key { self[Self.metaReadNumber] }
    /// The key from which the MAC key is derived.
    public var fileRead: AES128Key { self[Self.fileReadNumber] }

    /// A line of a key file is not a key; the error does not contain the line, because it could be one.
    public struct BadLine: Error, Hashable, Sendable {
        /// The number of the line, from 1; one more than the last line if a key is missing.
        public let number: Int
    }

    /// Parses a key file.
    ///
    /// It contains either 32 hexadecimal digits for all keys, or a line for each key, `0 = KEY` to `4 = KEY`; `meta` is another
    /// name for key 2, and `file` for key 1. Empty lines and lines that begin with `#` are ignored.
    ///
    /// - Parameters:
    ///   - text: the content of the file.
    ///   - needed: the numbers that the file must name.
    public init(
        file text: String, naming needed: [Int] = [Self.metaReadNumber, Self.fileReadNumber]
    ) throws(BadLine) {
        var keys: [Int: AES128Key] = [:]
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let words = line.split { $0.isWhitespace || $0 == "=" }
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard words.count <= 2, let digits = words.last, digits.utf8.count == 2 * AES128Key.length,
                let bytes = SDMAddress.bytes(Array(digits.utf8)[...]), let key = AES128Key(bytes)
            else { throw BadLine(number: index + 1) }
            let numbers = words.count == 1 ? Array(Self.numbers) : Self.number(first).map { [$0] } ?? []
            guard !numbers.isEmpty, numbers.allSatisfy({ keys[$0] == nil }) else { throw BadLine(number: index + 1) }
            for number in numbers { keys[number] = key }
        }
        guard !keys.isEmpty, needed.allSatisfy({ keys[$0] != nil }) else { throw BadLine(number: lines.count + 1) }
        self.init(keys)
    }

    private static func number(_ name: Substring) -> Int? {
        switch name {
        case "meta": metaReadNumber
        case "file": fileReadNumber
        default: Int(name).flatMap { name.count == 1 && numbers.contains($0) ? $0 : nil }
        }
    }
}
