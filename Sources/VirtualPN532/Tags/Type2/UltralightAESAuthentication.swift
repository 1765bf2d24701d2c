// Mutual authentication of MIFARE Ultralight AES and NTAG 224 DNA — data sheet MF0AES(H)20, 8.6.1, as cited by others;
// CRThu/nfctester for the NTAG 224 DNA

/// The tag's state between the two parts of AUTHENTICATE.
struct UltralightAESAuthentication: Sendable {
    /// The answer to part 1, ek(RndB).
    let challenge: [UInt8]
    /// The number of the key: 0 for DataProtKey or AES_KEY, 1 for UIDRetrKey.
    let keyNumber: UInt8
    private let cipher: BlockCipher
    private let rndB: [UInt8]

    /// Starts the authentication and calculates the answer to part 1.
    ///
    /// `rndB` has 16 random bytes. `keyBlocks` is the content of the four key blocks: the key with its last byte first.
    init(keyNumber: UInt8, keyBlocks: [UInt8], rndB: [UInt8]) {
        cipher = BlockCipher(algorithm: .aes, key: keyBlocks.reversed())
        (self.keyNumber, self.rndB) = (keyNumber, rndB)
        var vector = cipher.zeroVector
        challenge = cipher.encryptCBC(rndB, vector: &vector)
    }

    /// Returns the answer to part 2, ek(RndA').
    /// - Parameter token: ek(RndA || RndB'), 32 bytes. The prime means that the bytes are rotated to the left by one
    ///   byte.
    /// - Returns: 16 bytes, or nil if the host does not have the key.
    func answer(to token: [UInt8]) -> [UInt8]? {
        guard token.count == 32 else { return nil }
        // The encryption of each message starts with a vector of zeros.
        var vector = cipher.zeroVector
        let plaintext = cipher.decryptCBC(token, vector: &vector)
        guard Array(plaintext.dropFirst(16)) == Self.rotated(rndB) else { return nil }
        vector = cipher.zeroVector
        return cipher.encryptCBC(Self.rotated(Array(plaintext.prefix(16))), vector: &vector)
    }

    private static func rotated(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.dropFirst() + bytes.prefix(1)) }
}
