// The chip a row asks for — Docs/CommandLine.md, provision; the table of chips

public import Chips

/// A chip by its name as people write it: `ntag215`, `NTAG215`, `mifare-ultralight-c`.
public struct RequiredChip: Hashable, Sendable {
    /// The model.
    public let model: ChipModel

    /// The chip's name as nfctool writes it.
    public var name: String { model.shortName }
    /// The length of the longest message, in bytes; nil where it is not known without the tag.
    public var capacity: Int? { model.capacity }

    /// The chips that say by themselves what they are: those in the list of what tags hold, the smallest first, then the others.
    ///
    /// A plain Ultralight is not among them: it cannot be distinguished from similar chips.
    public static let all: [RequiredChip] = {
        let models = ChipModel.all.filter(\.isRequirable)
        let isListed = { (model: ChipModel) in model.isListed && model.listedName == model.shortName }
        let listed = models.filter(isListed).sorted { ($0.capacity ?? 0) < ($1.capacity ?? 0) }
        return (listed + models.filter { !isListed($0) }).map(RequiredChip.init(model:))
    }()

    private init(model: ChipModel) { self.model = model }

    /// The chip of this name or identifier; case, spaces, punctuation, `MIFARE` and `DNA` make no difference.
    public init?(named name: String) {
        let wanted = Self.letters(name)
        let chip = Self.all.first {
            [$0.model.shortName, $0.model.name, $0.model.id.rawValue].contains { Self.letters($0) == wanted }
        }
        guard let chip else { return nil }
        self = chip
    }

    /// Whether a tag's chip is this one; variants of a model, such as NTAG213F, are.
    public func matches(_ chip: ChipModel?) -> Bool { chip == model }

    private static func letters(_ name: String) -> String {
        let name = name.lowercased().replacing("\u{B5}", with: "micro").replacing("\u{3BC}", with: "micro")
        let letters = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let rest = letters.hasPrefix("mifare") ? letters.dropFirst(6) : letters[...]
        return String(rest.hasSuffix("dna") ? rest.dropLast(3) : rest)
    }
}
