// The ciphers against published vectors — NIST SP 800-38A, SP 800-38B; NIST SP 800-67 examples

import Testing

@testable import VirtualPN532

@Suite struct BlockCipherTests {
    private let aes = BlockCipher(algorithm: .aes, key: octets("2B7E151628AED2A6ABF7158809CF4F3C"))

    /// SP 800-38A, F.2.1 CBC-AES128.Encrypt.
    @Test func aesInCipherBlockChaining() {
        let plain = octets("6BC1BEE22E409F96E93D7E117393172A AE2D8A571E03AC9C9EB76FAC45AF8E51")
        let cipher = octets("7649ABAC8119B246CEE98E9B12E9197D 5086CB9B507219EE95DB113A917678B2")
        var vector = octets("000102030405060708090A0B0C0D0E0F")
        #expect(aes.encryptCBC(plain, vector: &vector) == cipher)
        #expect(vector == Array(cipher.suffix(16)))
        vector = octets("000102030405060708090A0B0C0D0E0F")
        #expect(aes.decryptCBC(cipher, vector: &vector) == plain)
        #expect(vector == Array(cipher.suffix(16)))
    }

    /// SP 800-38B, D.1 AES-128, examples 1 to 3.
    @Test(arguments: [
        ("", "BB1D6929E95937287FA37D129B756746"),
        ("6BC1BEE22E409F96E93D7E117393172A", "070A16B46B4D4144F79BDD9DD04A287C"),
        (
            "6BC1BEE22E409F96E93D7E117393172A AE2D8A571E03AC9C9EB76FAC45AF8E51 30C81C46A35CE411",
            "DFA66747DE9AE63030CA32611497C827"
        ),
    ])
    func authenticationCode(message: String, code: String) {
        var vector = aes.zeroVector
        #expect(aes.authenticationCode(octets(message), vector: &vector) == octets(code))
    }

    /// The DES example of Grabbe, "The DES algorithm illustrated": key 133457799BBCDFF1.
    @Test func equalHalvesAreSingleDES() {
        let des = BlockCipher(algorithm: .tripleDES, key: octets("133457799BBCDFF1 133457799BBCDFF1"))
        #expect(des.isSingleDES)
        var vector = des.zeroVector
        let cipher = des.encryptCBC(octets("0123456789ABCDEF"), vector: &vector)
        #expect(hex(cipher) == "85 E8 13 54 0F 0A B4 05")
    }

    /// A reader XORs each block with the previous result and deciphers it.
    ///
    /// The card recovers the data by enciphering.
    @Test func legacyChainingIsUndone() {
        let key = BlockCipher(algorithm: .tripleDES, key: Array(0..<16).map { $0 * 16 + 3 })
        let plain = (0..<24).map { UInt8($0 * 7) }
        #expect(key.recoverLegacy(LegacyReader.chained(plain, key: key)) == plain)
    }

    /// CRC-32 with preset FFFFFFFF and without inversion is the complement of IEEE 802.3's CBF43926 for "123456789".
    @Test func longChecksum() {
        #expect(hex(DESFireSession.longChecksum(Array("123456789".utf8))) == "D9 C6 0B 34")
    }
}

/// The reader's side of the first DESFire's chaining.
enum LegacyReader {
    static func chained(_ plain: [UInt8], key: BlockCipher) -> [UInt8] {
        var previous = [UInt8](repeating: 0, count: 8)
        return stride(from: 0, to: plain.count, by: 8).flatMap { start in
            var zero = key.zeroVector
            let mixed = zip(plain[start..<start + 8], previous).map { $0 ^ $1 }
            previous = key.decryptCBC(mixed, vector: &zero)
            return previous
        }
    }
}
