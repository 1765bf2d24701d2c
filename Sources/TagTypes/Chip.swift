// The chip in a tag, as identified by the tag itself
public import Chips

/// The chip in a tag, as identified by the tag's answer to GET_VERSION or its answer to select.
public struct Chip: Sendable {
    /// The model name from the data sheet, for example `NTAG215` or `MIFARE Ultralight EV1 (MF0UL11)`.
    public let name: String
    /// The bytes that identified the chip: the 8-byte answer to GET_VERSION, or the historical bytes of the ATS.
    public let evidence: [UInt8]
    /// The model, or `nil` if the bytes do not identify exactly one model in the table.
    public let model: ChipModel?

    /// Creates a chip from its name and the bytes that identified it.
    public init(name: String, evidence: [UInt8], model: ChipModel? = nil) {
        self.name = name
        self.evidence = evidence
        self.model = model
    }

    /// Creates a chip from its model and the bytes that identified it.
    public init(_ model: ChipModel, evidence: [UInt8]) {
        self.init(name: model.name, evidence: evidence, model: model)
    }

    /// Creates the chip that a GET_VERSION answer identifies, or returns `nil` if no model in the table matches.
    init?(type2Version version: [UInt8]) {
        guard let (model, name) = ChipModel.identified(byVersion: version) else { return nil }
        self.init(name: name, evidence: version, model: model)
    }
}

extension Chip: Hashable {
    /// Chips with equal names and equal evidence are equal, because these values determine the model.
    public static func == (one: Chip, other: Chip) -> Bool { one.name == other.name && one.evidence == other.evidence }

    /// Hashes the name and the evidence.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(evidence)
    }
}
