// The keys and trailers of sectors — NXP MF1S50yyX, Sector Trailer; AN10787 (MAD), AN1304 (NFC sectors)

/// A key of a MIFARE Classic sector.
struct ClassicKey: Hashable, Sendable {
    static let length = 6

    let kind: ClassicKeyKind
    let bytes: [UInt8]

    /// The public key of directory sectors.
    static let directory = ClassicKey(kind: .a, bytes: [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5])
    /// The public key of NDEF sectors.
    static let ndef = ClassicKey(kind: .a, bytes: [0xD3, 0xF7, 0xD3, 0xF7, 0xD3, 0xF7])
    static let factory = ClassicKey(kind: .a, bytes: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    /// The factory key B.
    ///
    /// This key stays on initialised tags, so that their owners can continue to use it.
    static let factoryB = ClassicKey(kind: .b, bytes: factory.bytes)

    /// Returns the keys that a torn WRITE can leave in place of the old key.
    ///
    /// Each byte of such a key comes from either the old key or the new one.
    static func mixtures(of old: ClassicKey, and new: ClassicKey) -> [ClassicKey] {
        (1..<(1 << length) - 1).map { chosen in
            ClassicKey(
                kind: new.kind,
                bytes: (0..<length).map { chosen >> $0 & 1 == 0 ? old.bytes[$0] : new.bytes[$0] })
        }
    }

    /// The well-known keys: those that NXP publishes in AN1304, AN10787 and the data sheets, and those that mfoc tries
    /// by default.
    static let published: [[UInt8]] = [
        factory.bytes, ndef.bytes, directory.bytes, [0xB0, 0xB1, 0xB2, 0xB3, 0xB4, 0xB5], [0, 0, 0, 0, 0, 0],
        [0x4D, 0x3A, 0x99, 0xC3, 0x51, 0xDD], [0x1A, 0x98, 0x2C, 0x7E, 0x45, 0x9A],
        [0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF], [0x71, 0x4C, 0x5C, 0x88, 0x6E, 0x97],
        [0x58, 0x7E, 0xE5, 0xF9, 0x35, 0x0F], [0xA0, 0x47, 0x8C, 0xC3, 0x90, 0x91],
        [0x53, 0x3C, 0xB6, 0xC7, 0x23, 0xF6], [0x8F, 0xD0, 0xA4, 0xF2, 0x56, 0xE9],
    ]
}

/// The last block of a sector, which holds its keys and access bits.
///
/// Layout: key A (6 bytes, returned as zeros when read), access bits (3), general purpose byte (1), key B (6, zeros
/// unless the access bits allow it to be read).
struct ClassicTrailer: Hashable, Sendable {
    let keyA: [UInt8]
    let access: ClassicAccess
    let generalPurpose: UInt8
    let keyB: [UInt8]

    init(keyA: [UInt8], access: ClassicAccess, generalPurpose: UInt8, keyB: [UInt8]) {
        self.keyA = keyA
        self.access = access
        self.generalPurpose = generalPurpose
        self.keyB = keyB
    }

    /// Decodes a block, or returns `nil` if it is not 16 bytes long or its access bits contradict their complement.
    init?(_ block: [UInt8]) {
        guard block.count == ClassicLayout.blockSize, let access = ClassicAccess(block[6..<9]) else { return nil }
        self.init(keyA: Array(block[0..<6]), access: access, generalPurpose: block[9], keyB: Array(block[10...]))
    }

    var bytes: [UInt8] { keyA + access.bytes + [generalPurpose] + keyB }

    /// The bytes that can always be read: the access bits and the general purpose byte.
    var visibleBytes: [UInt8] { access.bytes + [generalPurpose] }

    /// The trailer of an empty NDEF sector (AN1304), which allows reading and writing with both keys, and changing the
    /// trailer with key B.
    static let ndef = ClassicTrailer(
        keyA: ClassicKey.ndef.bytes, access: ClassicAccess(data: .transport, trailer: .keyBWrites),
        generalPurpose: NDEFAccess.freeVersion1, keyB: ClassicKey.factoryB.bytes)

    /// Returns the trailer of a directory sector (AN10787), which allows reading with either key and writing with key
    /// B.
    static func directory(generalPurpose: UInt8) -> ClassicTrailer {
        ClassicTrailer(
            keyA: ClassicKey.directory.bytes, access: ClassicAccess(data: .keyBWrites, trailer: .keyBWrites),
            generalPurpose: generalPurpose, keyB: ClassicKey.factoryB.bytes)
    }

    /// The general purpose byte of a sector in its delivery state.
    static let deliveredGeneralPurpose: UInt8 = 0x69

    /// Whether a trailer has the same access bits as this one, and either the same general purpose byte or that of a
    /// delivered card.
    ///
    /// After a torn WRITE, the general purpose byte may still be that of a delivered card.
    func isBegun(by trailer: ClassicTrailer) -> Bool {
        trailer.access == access && [generalPurpose, Self.deliveredGeneralPurpose].contains(trailer.generalPurpose)
    }

    /// The access bits of a permanently read-only sector (AN1304).
    static let readOnlyAccess = ClassicAccess(data: .readOnly, trailer: .frozen)

    /// The content of the general purpose byte of an NDEF sector (AN1304).
    ///
    /// Bits 7…6 are the major version, 5…4 the minor version, 3…2 the read access, and 1…0 the write access. An access
    /// value of 0 means free access, and 3 means no access.
    struct NDEFAccess: Hashable, Sendable {
        static let freeVersion1: UInt8 = 0x40
        static let noWriting: UInt8 = 0x03

        let byte: UInt8

        var majorVersion: UInt8 { byte >> 6 }
        var readAccess: UInt8 { byte >> 2 & 0x03 }
        var writeAccess: UInt8 { byte & 0x03 }
        /// Whether the write access has one of the proprietary values, with which writing requires a key.
        var isWritingByKey: Bool { 1...2 ~= writeAccess }
    }
}

extension [ClassicKey] {
    func of(_ kind: ClassicKeyKind) -> [ClassicKey] { filter { $0.kind == kind } }
}
