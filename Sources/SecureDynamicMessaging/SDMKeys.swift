// The keys of a tag, as a file holds them

/// The five keys of an NTAG 424 DNA, or those that a file names.
public struct SDMKeys: Hashable, Sendable {
    /// The number of the key of SDMMetaRead, as AN12196 has it: it enciphers UID and counter.
    public static let metaReadNumber = 2
    /// The number of the key of SDMFileRead, as AN12196 has it: it signs.
    public static let fileReadNumber = 1
    /// The numbers of keys.
    public static let numbers = 0..<5

    private let keys: [Int: AES128Key]

    /// As NXP delivers each tag: zeros.
    public static let factory = SDMKeys([Int: AES128Key](uniqueKeysWithValues: numbers.map { ($0, .factory) }))

    /// Takes keys by their numbers; those of other numbers do not count.
    public init(_ keys: [Int: AES128Key]) { self.keys = keys.filter { Self.numbers.contains($0.key) } }

    /// Takes the two keys that an address is verified with.
    public init(metaRead: AES128Key, fileRead: AES128Key) {
        self.init([Self.metaReadNumber: metaRead, Self.fileReadNumber: fileRead])
    }

    /// A key by its number; zeros, as delivered, where none is named.
    public subscript(number: Int) -> AES128Key { keys[number] ?? .factory }

    /// The numbers of the keys that were given, in order.
    public var named: [Int] { keys.keys.sorted() }

    /// The key that enciphers UID and counter.
    public var metaRead: AES128Key { self[Self.metaReadNumber] }
    /// The key that signs.
    public var fileRead: AES128Key { self[Self.fileReadNumber] }

    /// A line of a key file that is none; no part of it is in the error, since it may be a key.
    public struct BadLine: Error, Hashable, Sendable {
        /// From 1 on; one more than there are for a file that lacks a key.
        public let number: Int
    }

    /// Reads a key file.
    ///
    /// Either 32 hexadecimal digits, for all keys, or a line for each key: `0 = …` to `4 = …`, where `meta` is another name of
    /// key 2 and `file` of key 1. Empty lines and those with `#` at their beginning do not count.
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
