// Configuration blocks CFG0 and CFG1 — NXP data sheets NTAG213_215_216 and MF0ULX1

/// The decoded configuration of an NTAG21x or an Ultralight EV1.
struct Type2Configuration: Hashable, Sendable {
    let mirror: UInt8
    let mirrorBlock: Int
    /// The first protected block.
    ///
    /// A value beyond the memory means no protection.
    let auth0: Int
    private let access: UInt8
    /// The answer to VCSL (Ultralight EV1).
    let virtualCardTypeID: UInt8

    /// - Parameter bytes: the memory from CFG0 on. Missing bytes count as zero.
    init(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes.prefix(8)) + [UInt8](repeating: 0, count: max(0, 8 - bytes.count))
        mirror = bytes[0]
        mirrorBlock = Int(bytes[2])
        auth0 = Int(bytes[3])
        access = bytes[4]
        virtualCardTypeID = bytes[5]
    }

    /// Whether the password also protects reading (PROT).
    var protectsReading: Bool { access & 0x80 != 0 }
    /// Whether CFG0 and CFG1 are read-only (CFGLCK).
    var isLocked: Bool { access & 0x40 != 0 }
    /// Whether the chip counts reads: NFC_CNT_EN (NTAG21x).
    var countsReads: Bool { access & 0x10 != 0 }
    /// Whether the password protects the counter: NFC_CNT_PWD_PROT (NTAG21x).
    var protectsCounter: Bool { access & 0x08 != 0 }
    /// AUTHLIM: the number of failed verifications after which the chip locks permanently; 0 means no limit.
    var authenticationLimit: Int { Int(access & 0x07) }
}
