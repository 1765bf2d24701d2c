// The chip inside a tag, as far as the tag says

/// A chip model that the tag itself named, by GET_VERSION or by its answer to select.
public struct Chip: Hashable, Sendable {
    /// The model's name in its data sheet, for example `NTAG215` or `MIFARE Ultralight EV1 (MF0UL11)`.
    public let name: String
    /// The bytes that named it: the answer to GET_VERSION, 8 bytes, or the historical bytes of the ATS.
    public let evidence: [UInt8]

    /// Makes a chip from its name and the bytes that named it.
    public init(name: String, evidence: [UInt8]) {
        self.name = name
        self.evidence = evidence
    }
}
