// CFG0, CFG1, key locks and keys of MIFARE Ultralight AES — according to stustapay/stustapay and pretix/libpretixnfc

/// The decoded protection settings of an Ultralight AES.
struct UltralightAESProtection: Hashable, Sendable {
    /// The number of the block that contains CFG0.
    ///
    /// CFG1 is in the next block.
    static let firstBlock = 0x29
    /// The number of the block whose first byte contains LOCK_AES_KEY1, LOCK_AES_KEY0 and BL_KEYS in bits 7 to 5.
    static let keyLockBlock = 0x2D
    /// CFG0 and CFG1 at delivery: AUTH0 is 3Ch; PROT, CNT_INC_EN and CNT_RD_EN are set; VCTID is 05h.
    ///
    /// All other settings and the keys are zero.
    static let delivered: [UInt8] = [0x00, 0x00, 0x00, 0x3C, 0x8C, 0x05, 0x00, 0x00]

    /// The number of the first block that requires authentication (AUTH0).
    ///
    /// 3Ch and higher values mean that no block requires authentication.
    let auth0: Int
    /// Whether every command after an authentication requires a CMAC (SEC_MSG_ACT).
    let wantsCMAC: Bool
    /// Whether reading requires authentication as well as writing (PROT).
    let protectsReading: Bool
    /// Whether CFG0 and CFG1 are read-only (CFGLCK).
    let isLocked: Bool
    /// The number of failed authentications after which the chip locks permanently (AUTH_LIM).
    ///
    /// 0 means no limit.
    let authenticationLimit: Int
    /// The numbers of the blocks that contain locked keys.
    let lockedKeys: [ClosedRange<Int>]

    /// Decodes the settings.
    ///
    /// - Parameter bytes: the content of the memory from CFG0 on. Missing bytes count as zero.
    init(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes.prefix(20)) + [UInt8](repeating: 0, count: max(0, 20 - bytes.count))
        auth0 = Int(bytes[3])
        wantsCMAC = bytes[0] & 0x02 != 0
        protectsReading = bytes[4] & 0x80 != 0
        isLocked = bytes[4] & 0x40 != 0
        authenticationLimit = Int(bytes[6]) + 256 * Int(bytes[7] % 4)
        lockedKeys = (bytes[16] & 0x40 != 0 ? [0x30...0x33] : []) + (bytes[16] & 0x80 != 0 ? [0x34...0x37] : [])
    }

    /// Returns the content of the key lock block after a write.
    ///
    /// A set bit can never be cleared. Once BL_KEYS is set, no other bit can be set (from memory).
    static func keyLocks(_ old: [UInt8], _ new: [UInt8]) -> [UInt8] {
        let settable: UInt8 = old[0] & 0x20 == 0 ? 0xE0 : 0x20
        return [old[0] | new[0] & settable] + old.dropFirst()
    }
}
