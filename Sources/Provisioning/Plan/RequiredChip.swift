// The chip a row asks for — Docs/CommandLine.md, provision; PhoneLint's table of capacities

import PhoneLint

/// A chip by its name as people write it: `ntag215`, `NTAG215`, `mifare-ultralight-c`.
public struct RequiredChip: Hashable, Sendable {
    /// The chip's name as nfctool writes it.
    public let name: String
    /// The length of the longest message, in bytes; nil where it is not known without the tag.
    public let capacity: Int?

    /// The chips that say by themselves what they are, by the names that nfctool gives them.
    ///
    /// In the table of capacities are others, too: a plain Ultralight cannot be told from its like, so it cannot be required.
    public static let all =
        TagCapacity.table.filter { !mute.contains($0.chip) }.map { RequiredChip(name: $0.chip, capacity: $0.capacity) }
        + [
            RequiredChip(name: "NTAG203", capacity: nil), RequiredChip(name: "NTAG I2C 1k", capacity: nil),
            RequiredChip(name: "NTAG I2C 2k", capacity: nil), RequiredChip(name: "MIFARE Ultralight C", capacity: nil),
            RequiredChip(name: "MIFARE Ultralight EV1 (MF0UL11)", capacity: 46),
            RequiredChip(name: "MIFARE Ultralight EV1 (MF0UL21)", capacity: 121),
        ]

    private static let mute: Set = ["MIFARE Ultralight", "MIFARE Ultralight EV1 (128 bytes)", "NTAG 424 DNA"]

    private init(name: String, capacity: Int?) {
        self.name = name
        self.capacity = capacity
    }

    /// The chip of this name; case, spaces, punctuation and `MIFARE` make no difference.
    public init?(named name: String) {
        guard let chip = Self.all.first(where: { Self.letters($0.name) == Self.letters(name) }) else { return nil }
        self = chip
    }

    /// Whether a tag's chip is this one; neither the type number behind its name (`Topaz 96 (BCM20203T96)`) nor the letter that
    /// a variant adds (`NTAG213F`) makes a difference.
    public func matches(_ chip: String) -> Bool {
        let wanted = Self.letters(name)
        let short = chip.prefix { $0 != "(" }
        return [Self.letters(chip), Self.letters(String(short))].contains { [wanted, wanted + "f"].contains($0) }
    }

    private static func letters(_ name: String) -> String {
        let letters = name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return letters.hasPrefix("mifare") ? String(letters.dropFirst(6)) : letters
    }
}
