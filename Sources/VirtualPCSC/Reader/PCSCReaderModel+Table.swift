// The reader models — names and sizes from libccid's descriptors; each model lists its other sources

extension PCSCReaderModel {
    /// All models, in the order in which users see them.
    package static let all: [PCSCReaderModel] = [
        acr1552u, utrust3721f, omnikey5022, acr1252u, acr122u, rcS300, generic,
    ]

    package init?(id: String) {
        guard let model = Self.all.first(where: { $0.id == id }) else { return nil }
        self = model
    }

    /// The ACS ACR1552U, with transparent session and pass-through, as in published transcripts with ICODE SLI.
    ///
    /// The byte order of the UID, the default time limit for an exchange, and the EOF after writes are assumed.
    package static let acr1552u = PCSCReaderModel(
        id: "acr1552u", driverName: "ACS ACR1552 1S CL Reader",
        interfaces: ["ACR1552 1S CL Reader PICC", "ACR1552 1S CL Reader SAM"], vendor: 0x072F, product: 0x2303,
        technologies: [.typeA, .typeB, .feliCa, .iso15693, .topaz],
        dialects: [.transparentSession, .passThrough, .storageBlocks, .storageKeys], maximumMessage: 516,
        uidOrder: .leastSignificantFirst, maximumAnswer: 132)

    /// The Identiv uTrust 3721F, according to its reference manual.
    ///
    /// The answer to an error from the tag is assumed.
    package static let utrust3721f = PCSCReaderModel(
        id: "utrust3721f", driverName: "Identiv uTrust 3721 Contactless Reader",
        interfaces: ["uTrust 3721 Contactless Reader"], vendor: 0x04E6, product: 0x5613,
        technologies: [.typeA, .typeB, .feliCa, .iso15693],
        dialects: [.identivCommands, .identivTraverse, .storageBlocks, .storageKeys], maximumMessage: 263,
        takesExtendedAPDU: false)

    /// The HID OMNIKEY 5022, with FF B0 and FF D6 for ISO 15693 tags, according to the guide for an older model.
    package static let omnikey5022 = PCSCReaderModel(
        id: "omnikey5022", driverName: "HID Global OMNIKEY 5022 Smart Card Reader",
        interfaces: ["OMNIKEY 5022 Smart Card Reader"], vendor: 0x076B, product: 0x5022,
        technologies: [.typeA, .typeB, .feliCa, .iso15693], dialects: [.storageBlocks, .storageKeys],
        maximumMessage: 520, sendsWriteEOF: false, keyStructures: [0x20])

    /// The ACS ACR1252U, with FF 00 00 00 for access to its chip, a relative of the PN532.
    ///
    /// It does not support ISO 15693.
    package static let acr1252u = PCSCReaderModel(
        id: "acr1252u", driverName: "ACS ACR1252 Dual Reader",
        interfaces: ["ACR1252 Dual Reader PICC", "ACR1252 Dual Reader SAM"], vendor: 0x072F, product: 0x223B,
        technologies: [.typeA, .typeB, .feliCa, .topaz], dialects: [.storageBlocks, .storageKeys, .directTransmit],
        maximumMessage: 522)

    /// The ACS ACR122U, with FF 00 00 00 for access to its PN532.
    ///
    /// The reader supports only short APDUs, and no ISO 15693.
    package static let acr122u = PCSCReaderModel(
        id: "acr122u", driverName: "ACS ACR122U PICC Interface", interfaces: [nil], vendor: 0x072F, product: 0x2200,
        technologies: [.typeA, .typeB, .feliCa, .topaz], dialects: [.storageBlocks, .storageKeys, .directTransmit],
        maximumMessage: 271, takesExtendedAPDU: false)

    /// The Sony RC-S300, with transparent session.
    ///
    /// It does not support ISO 15693.
    ///
    /// The message size and the interface name are assumed.
    package static let rcS300 = PCSCReaderModel(
        id: "rc-s300", driverName: "SONY FeliCa RC-S300/P", interfaces: [nil], vendor: 0x054C, product: 0x0DC9,
        technologies: [.typeA, .typeB, .feliCa], dialects: [.transparentSession, .storageBlocks, .storageKeys],
        maximumMessage: 516)

    /// A reader that supports only PC/SC part 3, with block addresses as in Windows' own driver.
    package static let generic = PCSCReaderModel(
        id: "generic", driverName: "Generic Contactless Reader", interfaces: [nil], vendor: 0xFFF0, product: 0x0001,
        technologies: [.typeA, .typeB, .feliCa, .iso15693], dialects: [.storageBlocks, .storageKeys],
        maximumMessage: 271, takesExtendedAPDU: false, uidOrder: .leastSignificantFirst, blockAddress: .p1,
        sendsWriteEOF: false)
}
