// The password and key of these tests, and the chips that have one

@testable import TagTypes

enum Type2Secrets {
    static let password = Type2Password(pwd: [0x11, 0x22, 0x33, 0x44], pack: [0x55, 0x66]) ?? .delivered
    static let credential = Type2Credential.password(password)
    static let key = UltralightKey(Array(0..<16)) ?? .delivered

    /// The chips with a password or key, each with its credential in these tests.
    static var protectable: [(ChipCard, Type2Credential)] {
        [
            (.ntag213(), credential), (.ntag215(), credential), (.ev1(), credential), (.ntagI2CPlus2k(), credential),
            (.ultralightC(), .key(key)), (.ultralightAES(), .key(key)),
        ]
    }
}
