// Who may write the message of an NTAG 4xx DNA — NXP NT4H2421Gx, 9.3, 10.7.2

/// What the settings of its NDEF file make of a message.
public struct MessageRights: Hashable, Sendable {
    /// The numbers of the keys, any of which opens the message for writing: none where no key does; nil where none is needed.
    public let keys: [Int]?
    /// Whether the chip fills in parts of it at each tap.
    public let isDynamic: Bool
    /// Whether the chip signs it, too.
    public let isSigned: Bool

    /// Reads what settings say.
    public init(_ settings: NativeFileSettings) {
        let rights = [settings.rights.write, settings.rights.readWrite]
        let numbers = rights.compactMap { if case .key(let number) = $0 { number } else { nil } }
        keys = rights.contains(.free) ? nil : Set(numbers).sorted()
        isDynamic = settings.dynamic != nil
        isSigned = settings.dynamic?.fileRead.isKey ?? false
    }

    /// Whether anyone may write the message, and reads back exactly what was written.
    public var isPlain: Bool { keys == nil && !isDynamic }

    /// That the chip fills it in, a clause; nil where it does not.
    public var filling: String? {
        isSigned ? "the tag signs its URL (SUN)" : isDynamic ? "the tag fills in its message (SDM)" : nil
    }

    /// The keys, as after "with" or "takes": `key 0 or 3`; nil for none.
    public var keyList: String? {
        guard let keys, !keys.isEmpty else { return nil }
        return "key " + keys.map(String.init).joined(separator: " or ")
    }

    /// Why not every reader can replace it, a clause; nil where every reader can.
    public var reason: String? {
        let writing = keys == nil ? nil : keyList.map { "writing takes \($0)" } ?? "no key allows writing"
        let clauses = [writing, filling].compactMap(\.self)
        return clauses.isEmpty ? nil : clauses.joined(separator: "; ")
    }
}
