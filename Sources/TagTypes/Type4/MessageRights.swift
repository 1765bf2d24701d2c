// The write access to the message of an NTAG 4xx DNA or a DESFire — NXP NT4H2421Gx, 9.3, 10.7.2; AN11004

/// The write access to the message, and whether the chip changes it, according to the NDEF file's settings.
public struct MessageRights: Hashable, Sendable {
    /// The numbers of the keys, any one of which allows writing the message.
    ///
    /// The list is empty if no key allows this, and `nil` if no key is needed.
    public let keys: [Int]?
    /// Whether the chip fills in parts of the message at each tap.
    public let isDynamic: Bool
    /// Whether the chip also signs the message.
    public let isSigned: Bool

    /// Creates the rights that result from file settings.
    public init(_ settings: NativeFileSettings) {
        let rights = [settings.rights.write, settings.rights.readWrite]
        let numbers = rights.compactMap { if case .key(let number) = $0 { number } else { nil } }
        keys = rights.contains(.free) ? nil : Set(numbers).sorted()
        isDynamic = settings.dynamic != nil
        isSigned = settings.dynamic?.fileRead.isKey ?? false
    }

    /// Whether anyone may write the message, and the chip does not change what was written.
    public var isPlain: Bool { keys == nil && !isDynamic }

    /// A clause that says how the chip fills in the message, or `nil` if it does not.
    public var filling: String? {
        isSigned ? "the tag signs its URL (SUN)" : isDynamic ? "the tag fills in its message (SDM)" : nil
    }

    /// The keys in words, such as `key 0 or 3`, or `nil` if there are none.
    public var keyList: String? {
        guard let keys, !keys.isEmpty else { return nil }
        return "key " + keys.map(String.init).joined(separator: " or ")
    }

    /// A clause that says why not every reader can replace the message, or `nil` if every reader can.
    public var reason: String? {
        let writing = keys == nil ? nil : keyList.map { "writing needs \($0)" } ?? "no key allows writing"
        let clauses = [writing, filling].compactMap(\.self)
        return clauses.isEmpty ? nil : clauses.joined(separator: "; ")
    }
}
