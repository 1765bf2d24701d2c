// AUTH0, AUTH1 and the key of MIFARE Ultralight C — NXP data sheet MF0ICU2, "memory access via 3DES authentication"

/// The decoded protection settings of an Ultralight C.
struct UltralightCProtection: Hashable, Sendable {
    /// The number of the first block that requires authentication (AUTH0).
    ///
    /// 30h and higher values mean that no block requires authentication.
    let auth0: Int
    /// Whether reading requires authentication as well as writing (AUTH1).
    let protectsReading: Bool
    /// The content of blocks 2C to 2F (hexadecimal), which contain the key.
    let keyBlocks: [UInt8]

    /// The content at delivery from AUTH0 on: AUTH0 30h, AUTH1 00h and the key.
    ///
    /// The key is `IEMKAERB!NACUOYF`. In the memory, the last byte of each half is first.
    static let delivered: [UInt8] =
        [0x30, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00] + Array("BREAKMEIFYOUCAN!".utf8)

    /// Decodes the settings.
    ///
    /// - Parameter bytes: the content of the memory from AUTH0 on. Missing bytes count as zero.
    init(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes.prefix(24)) + [UInt8](repeating: 0, count: max(0, 24 - bytes.count))
        // Blocks 0 to 2 cannot be protected.
        auth0 = max(3, Int(bytes[0]))
        protectsReading = bytes[4] & 0x01 == 0
        keyBlocks = Array(bytes[8..<24])
    }
}
