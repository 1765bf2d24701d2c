// The content that can be brought back after an interrupted restore, as clauses

import SafeTag

extension WayBack {
    /// What the command that brings the old content back does, as a clause.
    var clause: String {
        switch self {
        case .whole(let bits):
            "brings the old content back\(Self.exception(bits))"
        case .exceptBits(let bits):
            "brings the old content back, except these bits, which are permanent now: \(Self.words(bits))"
        case .data(let bits):
            "brings the old data back, but not the configuration; these bits are permanent now: \(Self.words(bits))"
        case .none(let bits):
            "nfctool cannot bring the old content back: \(Self.words(bits)) are permanent now"
        }
    }

    /// Returns the clause about bits that may be permanent, for a tag that is not on the reader.
    ///
    /// Empty if there are no such bits.
    static func exception(_ bits: [String]) -> String {
        bits.isEmpty ? "" : ", unless these bits were set permanently: \(words(bits)); nfctool read shows which"
    }

    /// Returns the names of bits.
    ///
    /// Names that differ only in the sector are combined: `access bits of sectors 0, 1`.
    private static func words(_ names: [String]) -> String {
        let prefix = OneTimeChange.accessBitsName
        let sectors = names.filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }.sorted()
        let others = names.filter { !$0.hasPrefix(prefix) }
        guard sectors.count > 1 else { return names.joined(separator: ", ") }
        let all = "\(prefix.dropLast())s \(sectors.map { "\($0)" }.joined(separator: ", "))"
        return (others + [all]).joined(separator: ", ")
    }
}
