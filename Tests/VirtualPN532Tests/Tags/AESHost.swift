// The host of an AES authentication: MIFARE Ultralight AES, NTAG 224 DNA

import Testing
@testable import VirtualPN532

extension VirtualType2Tag {
    /// Authenticates with a key.
    ///
    /// Returns false if the tag refuses the key, or does not prove that it has the same key.
    func authenticate(aesKey: [UInt8], number: Int = 0) throws -> Bool {
        let cipher = BlockCipher(algorithm: .aes, key: aesKey)
        let first = bytes(send("1A 0\(number)"))
        try #require(first.count == 17 && first[0] == 0xAF)
        // Each message starts with a vector of zeros.
        var vector = cipher.zeroVector
        let rndB = cipher.decryptCBC(Array(first.dropFirst()), vector: &vector)
        let rndA = [UInt8](1...16)
        vector = cipher.zeroVector
        let token = cipher.encryptCBC(rndA + rndB.dropFirst() + [rndB[0]], vector: &vector)
        let second = send("AF " + String(flipperBytes: token))
        guard second != "NAK 0" else { return false }
        try #require(second.hasPrefix("00 "))
        vector = cipher.zeroVector
        return cipher.decryptCBC(Array(bytes(second).dropFirst()), vector: &vector) == [UInt8](2...16) + [1]
    }
}
