// The abilities of each family of readers — one table, for `nfctool readers` and Docs/Readers.md

extension ReaderDialect {
    /// An operation that a reader may support.
    public enum Ability: String, CaseIterable, Hashable, Sendable {
        /// NDEF on Type 1 Tags.
        case type1
        /// NDEF on Type 2 Tags: reading and writing blocks.
        case type2
        /// GET_VERSION, FAST_READ, READ_SIG, and the counters and passwords of NTAG and Ultralight.
        case type2Commands
        /// Type 3 Tags and FeliCa.
        case type3
        /// Type 4 Tags, DESFire and other cards that use APDUs.
        case type4
        /// NDEF on Type 5 Tags (ISO/IEC 15693).
        case type5
        /// Any request to ISO/IEC 15693 tags: custom commands, option flag, select.
        case type5Commands
        /// MIFARE Classic.
        case mifareClassic
    }

    /// The operations that the family supports.
    public var abilities: Set<Ability> {
        var abilities: Set<Ability> = [.type2, .type4]
        if rawNFCA != nil { abilities.insert(.type2Commands) }
        // The PN532 itself frames the commands of Type 1 Tags.
        if rawNFCA == .direct { abilities.insert(.type1) }
        if nfcF != nil { abilities.insert(.type3) }
        if classicKey != nil { abilities.insert(.mifareClassic) }
        if !nfcV.isEmpty { abilities.insert(.type5) }
        if nfcV.contains(.transparent) { abilities.insert(.type5Commands) }
        return abilities
    }

    /// Returns the titles of the families that support an operation, for advice to the user.
    ///
    /// Empty if no family does.
    public static func readers(with ability: Ability) -> [String] {
        all.filter { $0.abilities.contains(ability) }.map(\.title)
    }

    /// The lines of the table in Docs/Readers.md.
    public static var table: [String] {
        let head = ["reader", "numbers"] + Ability.allCases.map(\.title) + ["known from"]
        let rows = (all + [generic]).map { dialect in
            let numbers = dialect.numbers.map { "`\(hex($0.vendor)):\(hex($0.product))`" }.joined(separator: " ")
            let marks = Ability.allCases.map { dialect.abilities.contains($0) ? "yes" : "–" }
            return [dialect.title, numbers.isEmpty ? "any other" : numbers] + marks + [dialect.evidence.rawValue]
        }
        return ([head, head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
    }

    private static func hex(_ number: UInt16) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension ReaderDialect.Ability {
    /// The column heading in the table.
    public var title: String {
        switch self {
        case .type1: "Type 1"
        case .type2: "Type 2"
        case .type2Commands: "NTAG commands, passwords"
        case .type3: "Type 3, FeliCa"
        case .type4: "Type 4"
        case .type5: "Type 5"
        case .type5Commands: "ISO 15693 commands"
        case .mifareClassic: "MIFARE Classic"
        }
    }
}
