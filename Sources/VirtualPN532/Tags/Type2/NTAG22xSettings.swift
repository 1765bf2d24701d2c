// Settings and SUN message of NTAG 223 and 224 DNA — zc-public/breakme-resources (paper and ntag22x_suncmac_recovery);
// AES_KEY: CRThu/nfctester

/// The decoded settings of an NTAG 22x DNA, from CFG0 on.
///
/// Not simulated: secure messaging, a limit on failed authentications, the NFC counter, and StatusDetect. No available
/// source describes how the last two work.
struct NTAG22xSettings: Hashable, Sendable {
    /// The secret that gives access to the blocks from AUTH0 on.
    enum Secret: Hashable, Sendable {
        /// PWD and PACK, in the two blocks after CFG1 (NTAG 223 DNA).
        case password
        /// AES_KEY, in the four blocks before SUNCMAC_KEY (NTAG 224 DNA).
        case key
    }

    private static let keyLockBlock = 4
    private static let authenticationKeyBlock = 7
    private static let keyBlock = 11

    /// Whether the SUN message is on (MIRROR_EN).
    let isOn: Bool
    /// The offset of the SUN message in the memory, in bytes.
    let offset: Int
    /// The number of the first block that requires authentication (AUTH0).
    let auth0: Int
    /// Whether reading requires authentication as well as writing (PROT).
    let protectsReading: Bool
    /// Whether the key blocks are read-only (LOCK_SUNCMAC_KEY).
    let isKeyLocked: Bool
    private let key: [UInt8]

    /// Decodes the settings.
    ///
    /// - Parameter bytes: the content of the memory from CFG0 to its end.
    init(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        isOn = bytes[0] & 0x80 != 0
        offset = Int(bytes[2]) * 4 + Int(bytes[0] >> 3 & 0x03)
        auth0 = Int(bytes[3])
        protectsReading = bytes[4] & 0x80 != 0
        isKeyLocked = bytes[Self.keyLockBlock * 4] & 0x80 != 0
        key = bytes[(Self.keyBlock * 4)..<(Self.keyBlock * 4 + 16)].reversed()
    }

    /// Returns the numbers of the blocks with AES_KEY.
    ///
    /// `first` is the number of the block with CFG0.
    static func authenticationKeyBlocks(after first: Int) -> Range<Int> {
        first + authenticationKeyBlock..<first + authenticationKeyBlock + 4
    }

    /// Returns the numbers of the blocks with SUNCMAC_KEY.
    ///
    /// `first` is the number of the block with CFG0.
    static func keyBlocks(after first: Int) -> Range<Int> { first + keyBlock..<first + keyBlock + 4 }

    /// Returns the SUN message: UID, counter, and every second byte of the CMAC over both, in hexadecimal.
    ///
    /// The parts are separated by `x`. Together they have 38 characters.
    func message(uid: [UInt8], counter: [UInt8] = [0, 0, 0]) -> [UInt8] {
        let code = BlockCipher(algorithm: .aes, key: key).truncatedCode(uid + counter)
        let parts = [uid, counter, code].map { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        }
        return Array(parts.joined(separator: "x").utf8)
    }

    /// Returns the memory with the SUN message in place of its own bytes.
    ///
    /// If the message is off or does not fit into the user memory, the memory is returned unchanged.
    func applied(to memory: [UInt8], uid: [UInt8], userBlocks: Range<Int>) -> [UInt8] {
        let text = message(uid: uid)
        guard isOn, offset >= userBlocks.lowerBound * 4, offset + text.count <= userBlocks.upperBound * 4 else {
            return memory
        }
        var image = memory
        image.replaceSubrange(offset..<offset + text.count, with: text)
        return image
    }
}
