// Configuration blocks CFG0 and CFG1 — NXP data sheets NTAG213_215_216 and MF0ULX1

/// The decoded configuration of an NTAG21x or an Ultralight EV1.
struct Type2Configuration: Hashable, Sendable {
    let mirror: UInt8
    let mirrorBlock: Int
    /// The number of the first block that the password protects (AUTH0).
    ///
    /// If the number is beyond the end of the memory, no block is protected.
    let auth0: Int
    private let access: UInt8
    /// The byte with which an Ultralight EV1 answers VCSL (VCTID).
    let virtualCardTypeID: UInt8

    /// Decodes CFG0 and CFG1.
    ///
    /// - Parameter bytes: the content of the memory from CFG0 on. Missing bytes count as zero.
    init(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes.prefix(8)) + [UInt8](repeating: 0, count: max(0, 8 - bytes.count))
        mirror = bytes[0]
        mirrorBlock = Int(bytes[2])
        auth0 = Int(bytes[3])
        access = bytes[4]
        virtualCardTypeID = bytes[5]
    }

    /// Whether the password protects reading as well as writing (PROT).
    var protectsReading: Bool { access & 0x80 != 0 }
    /// Whether CFG0 and CFG1 are read-only (CFGLCK).
    var isLocked: Bool { access & 0x40 != 0 }
    /// Whether the chip counts reads (NFC_CNT_EN, NTAG21x only).
    var countsReads: Bool { access & 0x10 != 0 }
    /// Whether the counter can be read only after the password was sent (NFC_CNT_PWD_PROT, NTAG21x only).
    var protectsCounter: Bool { access & 0x08 != 0 }
    /// The number of wrong passwords after which the chip locks permanently (AUTHLIM).
    ///
    /// 0 means no limit.
    var authenticationLimit: Int { Int(access & 0x07) }
}
