// The chip inside a tag, as far as the tag says
public import Chips

/// A chip that the tag itself named, by GET_VERSION or by its answer to select.
public struct Chip: Sendable {
    /// The model's name in its data sheet, for example `NTAG215` or `MIFARE Ultralight EV1 (MF0UL11)`.
    public let name: String
    /// The bytes that named it: the answer to GET_VERSION, 8 bytes, or the historical bytes of the ATS.
    public let evidence: [UInt8]
    /// The model; `nil` where the bytes name no single one of the table.
    public let model: ChipModel?

    /// Makes a chip from its name and the bytes that named it.
    public init(name: String, evidence: [UInt8], model: ChipModel? = nil) {
        self.name = name
        self.evidence = evidence
        self.model = model
    }

    /// Makes a chip of a model, with the bytes that named it.
    public init(_ model: ChipModel, evidence: [UInt8]) {
        self.init(name: model.name, evidence: evidence, model: model)
    }

    /// The chip whose GET_VERSION answer this is; `nil` when it is of no model of the table.
    init?(type2Version version: [UInt8]) {
        guard let (model, name) = ChipModel.identified(byVersion: version) else { return nil }
        self.init(name: name, evidence: version, model: model)
    }
}

extension Chip: Hashable {
    /// Chips are the same when their names and evidence are, from which the model follows.
    public static func == (one: Chip, other: Chip) -> Bool { one.name == other.name && one.evidence == other.evidence }

    /// Hashes name and evidence.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(evidence)
    }
}
