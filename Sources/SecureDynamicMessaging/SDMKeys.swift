// The keys of a tag

/// The five AES keys of an NTAG 424 DNA, or some of them.
public struct SDMKeys: Hashable, Sendable {
    /// The number of the SDMMetaRead key in AN12196, which encrypts UID and counter.
    public static let metaReadNumber = 2
    /// The number of the SDMFileRead key in AN12196, from which the MAC key is derived.
    public static let fileReadNumber = 1
    /// The numbers of the five keys.
    public static let numbers = 0..<5

    private let keys: [Int: AES128Key]

    /// The factory keys, all zeros.
    public static let factory = SDMKeys([Int: AES128Key](uniqueKeysWithValues: numbers.map { ($0, .factory) }))

    /// Creates a set of keys by their numbers.
    ///
    /// Numbers outside 0 to 4 are ignored.
    public init(_ keys: [Int: AES128Key]) { self.keys = keys.filter { Self.numbers.contains($0.key) } }

    /// Creates a set of the two keys that verify a URL.
    public init(metaRead: AES128Key, fileRead: AES128Key) {
        self.init([Self.metaReadNumber: metaRead, Self.fileReadNumber: fileRead])
    }

    /// Returns the key with this number, or the factory key if no such key was given.
    public subscript(number: Int) -> AES128Key { keys[number] ?? .factory }

    /// The numbers of the keys that were given, in ascending order.
    public var named: [Int] { keys.keys.sorted() }

    /// The key that encrypts UID and counter.
    public var metaRead: AES128Key { self[Self.metaReadNumber] }
    /// The key from which the MAC key is derived.
    public var fileRead: AES128Key { self[Self.fileReadNumber] }

    /// The numbers of the keys that verify a URL and have the same value as key 0, which allows the tag to be changed.
    ///
    /// If there are any, everyone who can verify URLs can also change the tag. Factory keys are not included, because
    /// everyone knows them.
    public var alsoChanging: [Int] {
        guard self[0] != .factory else { return [] }
        return [Self.fileReadNumber, Self.metaReadNumber].filter { self[$0] == self[0] }
    }
}
