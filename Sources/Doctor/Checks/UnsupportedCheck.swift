// Connected readers that neither libnfc nor pcscd drives

import USBReaders

extension Diagnosis {
    var undriven: [USBReader] {
        survey.readers.map(\.reader).filter { reader in
            reader.model.reason != nil && !reader.isSmartCardReader && !listed.contains { $0.isOn(reader) }
        }
    }

    /// A warning about readers that nfctool cannot use, or nil if there are none.
    var unsupportedReaders: Examination? {
        let undriven = undriven
        guard let first = undriven.first, let reason = first.model.reason else { return nil }
        let names = undriven.map { "\($0.model.name) (usb:\($0.port))" }.joined(separator: ", ")
        return .warning(
            .unsupported, names,
            Remedy(
                cause: "nfctool cannot use the \(first.model.name): \(reason.clause).",
                note: Remedy.Note(reason.alternative)),
            facts: ["readers": .list(undriven.map { "usb:\($0.port)" })])
    }
}

extension ReaderModel.Reason {
    /// The reason as a clause after a colon.
    var clause: String {
        switch self {
        case .smartCardReaderOnly: "it has no PN53x chip, and supports only PC/SC"
        case .smartCardClass: "it is a smart-card reader, but pcscd does not list it"
        case .port100: "neither libnfc nor pcscd has a driver for its chip, Sony's Port-100"
        case .proxmark: "a Proxmark3 has its own client"
        case .type5Reader: "it has its own protocol, for ISO 15693 (Type 5) tags"
        case .ownProtocol: "it has its own protocol"
        case .unknownProductNumber: "its chip is a PN53x, but its product number is not in libnfc's table"
        }
    }

    /// The reason in a few words, for a table.
    var inShort: String {
        switch self {
        case .smartCardReaderOnly: "PC/SC only, no PN53x"
        case .smartCardClass: "a smart-card reader"
        case .port100: "Sony Port-100, no PN53x"
        case .proxmark: "has its own client"
        case .type5Reader: "for ISO 15693 only"
        case .ownProtocol: "its own protocol"
        case .unknownProductNumber: "not in libnfc's table"
        }
    }

    /// The reader or program to use instead.
    var alternative: String {
        switch self {
        case .smartCardReaderOnly, .smartCardClass:
            "nfctool can use it once pcscd lists it: sudo systemctl start pcscd.socket, then pcsc_scan."
        case .port100: "nfcpy supports it. For nfctool, use an ACR1552U, an ACR122U or a PN532 board."
        case .proxmark: "Use it with pm3, the Proxmark3 client."
        case .type5Reader: "For nfctool, use an ACR1552U, which also reads Type 5 Tags."
        case .ownProtocol: "For nfctool, use an ACR1552U, an ACR122U or a PN532 board."
        case .unknownProductNumber:
            "A newer libnfc may support it. Until then, use an ACR1552U, an ACR122U or a PN532 board."
        }
    }
}
