// The options after `?` in `virtual:TAGS?OPTION=VALUE&…`

/// The name of an option of a virtual reader.
///
/// The cases are in the order in which users see them. Docs/VirtualReader.md contains a table row for each case.
enum VirtualReaderOption: String, CaseIterable {
    case loss, tear, nak, crc, corrupt, mute, hang, deaf, slowwake, back
    case strikesAgain = "repeat"
    case bitErrorRate = "ber"
    case noise, seed, edge
    case powerUp = "powerup"
    case version, vendor, signature
    case fastRead = "fastread"
    case duplicates
    case lockTLV = "locktlv"
    case latency, stream, dwell, gap, kind, serial, chip, antenna

    static var names: [String] { allCases.map(\.rawValue) }

    /// The options for Type 2 Tags, which may also follow a KIND.
    static let ofType2: [VirtualReaderOption] = [.version, .vendor, .signature, .fastRead, .duplicates, .lockTLV]

    /// Splits `NAME[=VALUE]` into the option and its value.
    /// - Throws: ``VirtualReaderError/notAnOption(_:known:)`` with the names of `known`.
    static func parse(
        _ text: String, known: [VirtualReaderOption] = allCases
    ) throws(VirtualReaderError) -> (option: VirtualReaderOption, value: OptionValue) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = VirtualReaderOption(rawValue: parts[0]), known.contains(option) else {
            throw .notAnOption(parts[0], known: known.map(\.rawValue))
        }
        return (option, OptionValue(option: parts[0], text: parts.count == 2 ? parts[1] : ""))
    }
}
