// Mutual authentication of MIFARE Ultralight C — NXP data sheet MF0ICU2, "3DES authentication"

/// The tag's state between the two parts of AUTHENTICATE.
struct UltralightCAuthentication: Sendable {
    /// The answer to part 1, ek(RndB).
    let challenge: [UInt8]
    private let cipher: BlockCipher
    private let rndB: [UInt8]

    /// Starts the authentication and calculates the answer to part 1.
    ///
    /// - Parameters:
    ///   - keyBlocks: the content of blocks 2C to 2F (hexadecimal): key 1 and key 2, each with its last byte first.
    ///   - rndB: 8 random bytes.
    init(keyBlocks: [UInt8], rndB: [UInt8]) {
        cipher = BlockCipher(
            algorithm: .tripleDES, key: keyBlocks.prefix(8).reversed() + keyBlocks.dropFirst(8).reversed())
        self.rndB = rndB
        var vector = cipher.zeroVector
        challenge = cipher.encryptCBC(rndB, vector: &vector)
    }

    /// Returns the answer to part 2, ek(RndA').
    /// - Parameter token: ek(RndA || RndB'), 16 bytes. The prime means that the bytes are rotated to the left by one
    ///   byte.
    /// - Returns: 8 bytes, or nil if the host does not have the key.
    func answer(to token: [UInt8]) -> [UInt8]? {
        guard token.count == 16 else { return nil }
        // The encryption of each message is chained to the last block of the previous message.
        var vector = challenge
        let plaintext = cipher.decryptCBC(token, vector: &vector)
        guard Array(plaintext.suffix(8)) == Self.rotated(rndB) else { return nil }
        return cipher.encryptCBC(Self.rotated(Array(plaintext.prefix(8))), vector: &vector)
    }

    private static func rotated(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.dropFirst() + bytes.prefix(1)) }
}
