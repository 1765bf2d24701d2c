// The write access to the message of an NTAG 4xx DNA or a DESFire — NXP NT4H2421Gx, 9.3, 10.7.2; AN11004

/// The effect of the settings of the NDEF file on its message.
public struct MessageRights: Hashable, Sendable {
    /// The numbers of the keys, any one of which allows writing the message.
    ///
    /// Empty if no key does; nil if no key is needed.
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

    /// Whether anyone may write the message and will read back exactly what was written.
    public var isPlain: Bool { keys == nil && !isDynamic }

    /// A clause for a chip that fills in the message, or nil for other chips.
    public var filling: String? {
        isSigned ? "the tag signs its URL (SUN)" : isDynamic ? "the tag fills in its message (SDM)" : nil
    }

    /// The keys in words, such as `key 0 or 3`; nil if there are none.
    public var keyList: String? {
        guard let keys, !keys.isEmpty else { return nil }
        return "key " + keys.map(String.init).joined(separator: " or ")
    }

    /// The reason, as a clause, why not every reader can replace the message, or nil if every reader can.
    public var reason: String? {
        let writing = keys == nil ? nil : keyList.map { "writing needs \($0)" } ?? "no key allows writing"
        let clauses = [writing, filling].compactMap(\.self)
        return clauses.isEmpty ? nil : clauses.joined(separator: "; ")
    }
}
