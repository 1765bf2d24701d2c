// The content of a MIFARE DESFire — keys, applications and files; NXP MF3ICDx21_41_81

/// A key and its version.
struct DESFireKey: Hashable, Sendable {
    var cipher: BlockCipher
    var version: UInt8 = 0

    /// Returns a key of zeros.
    ///
    /// Keys have this value at delivery and in new applications.
    static func blank(_ algorithm: BlockCipher.Algorithm) -> DESFireKey {
        DESFireKey(cipher: BlockCipher(algorithm: algorithm, key: [UInt8](repeating: 0, count: BlockCipher.keySize)))
    }
}

/// A standard data file in plain communication mode.
struct DESFireFile: Hashable, Sendable {
    enum Access { case read, write, readWrite, change }

    static let typeOfStandardData: UInt8 = 0x00
    /// The value of an access right that permits access without a key.
    static let free: UInt8 = 0xE
    static let never: UInt8 = 0xF

    let number: UInt8
    /// The ISO/IEC 7816-4 file identifier, high byte first; nil if the file has none.
    var isoIdentifier: [UInt8]?
    /// The access rights, highest four bits first: read, write, read and write, change settings.
    var accessRights: UInt16
    var content: [UInt8]

    /// Returns the right for an access: the number of the required key, ``free`` or ``never``.
    func right(_ access: Access) -> UInt8 {
        let shift =
            switch access {
            case .read: 12
            case .write: 8
            case .readWrite: 4
            case .change: 0
            }
        return UInt8(accessRights >> UInt16(shift) & 0xF)
    }
}

/// An application, or the card level, which has the AID 000000.
struct DESFireApplication: Hashable, Sendable {
    enum Setting {
        static let masterKeyChangeable: UInt8 = 0x01
        static let freeListing: UInt8 = 0x02
        static let freeCreation: UInt8 = 0x04
        static let settingsChangeable: UInt8 = 0x08
    }

    static let cardLevel: [UInt8] = [0, 0, 0]

    /// The AID in the order in which it is sent, low byte first.
    let identifier: [UInt8]
    var keySettings: UInt8
    /// The number of keys (bits 3 to 0), the cipher (bits 7 and 6), and whether files have ISO/IEC 7816-4 identifiers
    /// (bit 5).
    var keyFormat: UInt8
    /// The ISO/IEC 7816-4 file identifier of the application, high byte first; nil if it has none.
    var isoIdentifier: [UInt8]?
    var name: [UInt8] = []
    var keys: [DESFireKey]
    var files: [DESFireFile] = []

    var hasISOIdentifiers: Bool { keyFormat & 0x20 != 0 }
    var isCardLevel: Bool { identifier == Self.cardLevel }
}

struct DESFireMemory: Hashable, Sendable {
    static let maximumApplications = 28
    static let maximumFiles = 32
    private static let unit = 32
    /// The number of bytes that an application occupies in addition to its files (assumed).
    private static let applicationSize = 64

    /// The hardware, software and production information that GetVersion returns: 28 bytes.
    var version: [UInt8]
    var size: Int
    /// The applications on the card.
    ///
    /// The first entry is the card level.
    var applications: [DESFireApplication]

    var freeSize: Int {
        applications.dropFirst().reduce(size) { free, application in
            free - Self.applicationSize - application.files.reduce(0) { $0 + Self.occupied($1.content.count) }
        }
    }

    static func occupied(_ size: Int) -> Int { (size + unit - 1) / unit * unit }

    func hasRoomForApplication() -> Bool { freeSize >= Self.applicationSize }

    /// Returns the memory of a blank DESFire EV1 8K.
    ///
    /// Applications can be created without a key, and the card master key is a DES key of zeros.
    static func desfire(uid: [UInt8]) -> DESFireMemory {
        DESFireMemory(
            version: [0x04, 0x01, 0x01, 0x01, 0x00, 0x1A, 0x05, 0x04, 0x01, 0x01, 0x01, 0x04, 0x1A, 0x05]
                + uid + production,
            size: 7936, applications: [cardLevel()])
    }

    private static func cardLevel() -> DESFireApplication {
        DESFireApplication(
            identifier: DESFireApplication.cardLevel, keySettings: 0x0F, keyFormat: 0x01, isoIdentifier: [0x3F, 0x00],
            name: cardLevelName, keys: [.blank(.tripleDES)])
    }

    static let cardLevelName: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x00]

    /// The batch number and the calendar week and year of production.
    private static let production: [UInt8] = [0xBA, 0x54, 0x90, 0xDB, 0x80, 0x21, 0x14]
}
