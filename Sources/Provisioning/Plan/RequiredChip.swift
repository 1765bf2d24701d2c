// The chip a row asks for — CLI.md, provision; PhoneLint's table of capacities

import PhoneLint

/// A chip by its name as people write it: `ntag215`, `NTAG215`, `mifare-ultralight-c`.
public struct RequiredChip: Hashable, Sendable {
    /// The chip's name as nfctool writes it.
    public let name: String
    /// The length of the longest message, in bytes; nil where it is not known without the tag.
    public let capacity: Int?

    /// The chips of the table of capacities, and Type 2 chips that it does not list by their names.
    public static let all =
        TagCapacity.table.map { RequiredChip(name: $0.chip, capacity: $0.capacity) } + [
            RequiredChip(name: "NTAG203", capacity: nil), RequiredChip(name: "MIFARE Ultralight C", capacity: nil),
            RequiredChip(name: "MIFARE Ultralight EV1 (MF0UL11)", capacity: 46),
            RequiredChip(name: "MIFARE Ultralight EV1 (MF0UL21)", capacity: 121),
        ]

    private init(name: String, capacity: Int?) {
        self.name = name
        self.capacity = capacity
    }

    /// The chip of this name; case, spaces, punctuation and `MIFARE` make no difference.
    public init?(named name: String) {
        guard let chip = Self.all.first(where: { Self.letters($0.name) == Self.letters(name) }) else { return nil }
        self = chip
    }

    /// Whether a tag's chip is this one; the letter that a variant adds (`NTAG213F`) makes no difference.
    public func matches(_ chip: String) -> Bool {
        [Self.letters(name), Self.letters(name) + "f"].contains(Self.letters(chip))
    }

    private static func letters(_ name: String) -> String {
        let letters = name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return letters.hasPrefix("mifare") ? String(letters.dropFirst(6)) : letters
    }
}
