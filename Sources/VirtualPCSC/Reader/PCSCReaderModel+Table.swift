// The models — libccid's descriptors of readers; docs as named at each

extension PCSCReaderModel {
    /// All models, in the order in which they are listed to the user.
    package static let all: [PCSCReaderModel] = [acr1552u]

    /// The model with this name.
    package init?(id: String) {
        guard let model = Self.all.first(where: { $0.id == id }) else { return nil }
        self = model
    }

    /// ACS ACR1552U: transparent session and pass-through, seen in posted transcripts with ICODE SLI.
    ///
    /// The order of the UID, the time of an exchange without timer and the EOF of writes are assumed.
    package static let acr1552u = PCSCReaderModel(
        id: "acr1552u", driverName: "ACS ACR1552 1S CL Reader",
        interfaces: ["ACR1552 1S CL Reader PICC", "ACR1552 1S CL Reader SAM"], vendor: 0x072F, product: 0x2303,
        technologies: [.typeA, .typeB, .feliCa, .iso15693, .topaz],
        dialects: [.transparentSession, .passThrough, .storageBlocks, .storageKeys], maximumMessage: 516,
        uidOrder: .leastSignificantFirst, maximumAnswer: 132)
}
