// What Flipper's files call chips — Flipper firmware, NfcFileFormats.md, "NTAG/Ultralight type"

extension TagImage.Chip {
    /// The name in a Flipper file: NTAG210 and 212 go by the Ultralight EV1 they share their memory with, and their
    /// GET_VERSION answer tells them.
    var flipperName: String {
        switch self {
        case .ultralight: "Mifare Ultralight"
        case .ultralightC: "Mifare Ultralight C"
        case .ultralight11, .ntag210: "Mifare Ultralight 11"
        case .ultralight21, .ntag212: "Mifare Ultralight 21"
        case .ntag203: "NTAG203"
        case .ntag213: "NTAG213"
        case .ntag215: "NTAG215"
        case .ntag216: "NTAG216"
        case .ntagI2C1K: "NTAG I2C 1K"
        case .ntagI2C2K: "NTAG I2C 2K"
        case .ntagI2CPlus1K: "NTAG I2C Plus 1K"
        case .ntagI2CPlus2K: "NTAG I2C Plus 2K"
        }
    }

    init?(flipperName: some StringProtocol) {
        guard let chip = Self.allCases.first(where: { $0.flipperName == flipperName }) else { return nil }
        self = chip
    }
}
