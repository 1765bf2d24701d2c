// The chip that a row requires, from the table of chips — Docs/CommandLine.md, provision

public import Chips

/// A chip that is found by its name in any usual spelling: `ntag215`, `NTAG215`, `mifare-ultralight-c`.
public struct RequiredChip: Hashable, Sendable {
    /// The model.
    public let model: ChipModel

    /// The chip's name as nfctool writes it.
    public var name: String { model.shortName }
    /// The length of the longest message in bytes, or nil if only the tag itself shows it.
    public var capacity: Int? { model.capacity }

    /// The chips that identify themselves: first the chips in the list of capacities, smallest first, then the others.
    ///
    /// A plain Ultralight is not included, because it cannot be distinguished from similar chips.
    public static let all: [RequiredChip] = {
        let models = ChipModel.all.filter(\.isRequirable)
        let isListed = { (model: ChipModel) in model.isListed && model.listedName == model.shortName }
        let listed = models.filter(isListed).sorted { ($0.capacity ?? 0) < ($1.capacity ?? 0) }
        return (listed + models.filter { !isListed($0) }).map(RequiredChip.init(model:))
    }()

    private init(model: ChipModel) { self.model = model }

    /// Finds the chip with this name or identifier, or returns nil if there is none.
    ///
    /// Case, spaces, punctuation, `MIFARE` and `DNA` are ignored.
    public init?(named name: String) {
        let wanted = Self.letters(name)
        let chip = Self.all.first {
            [$0.model.shortName, $0.model.name, $0.model.id.rawValue].contains { Self.letters($0) == wanted }
        }
        guard let chip else { return nil }
        self = chip
    }

    /// Whether a tag's chip is of this model.
    ///
    /// Variants such as NTAG213F count too.
    public func matches(_ chip: ChipModel?) -> Bool { chip == model }

    private static func letters(_ name: String) -> String {
        let name = name.lowercased().replacing("\u{B5}", with: "micro").replacing("\u{3BC}", with: "micro")
        let letters = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let rest = letters.hasPrefix("mifare") ? letters.dropFirst(6) : letters[...]
        return String(rest.hasSuffix("dna") ? rest.dropLast(3) : rest)
    }
}
