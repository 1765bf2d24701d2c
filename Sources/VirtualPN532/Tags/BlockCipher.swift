// The block ciphers of MIFARE DESFire, Ultralight C and NTAG 424 DNA, from OpenSSL's libcrypto — FIPS 46-3, FIPS 197;
// NIST SP 800-38A, SP 800-38B

internal import Clibcrypto

/// A 16-byte key, and AES-128 or two-key triple DES.
///
/// With two equal halves, triple DES is single DES.
struct BlockCipher: Hashable, Sendable {
    enum Algorithm: String, Hashable, Sendable {
        case tripleDES = "DES"
        case aes = "AES"

        var blockSize: Int { self == .tripleDES ? 8 : 16 }
    }

    private enum Direction: Int32 { case decrypt, encrypt }

    static let keySize = 16

    let algorithm: Algorithm
    let key: [UInt8]

    var blockSize: Int { algorithm.blockSize }

    /// Whether the cipher is single DES: the halves of the triple DES key are equal except for their parity bits.
    var isSingleDES: Bool {
        algorithm == .tripleDES && zip(key.prefix(8), key.suffix(8)).allSatisfy { ($0 ^ $1) & 0xFE == 0 }
    }

    /// Encrypts whole blocks with cipher block chaining.
    ///
    /// On return, `vector` is the last ciphertext block.
    func encryptCBC(_ data: [UInt8], vector: inout [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for block in blocks(data) {
            vector = process(Self.sum(block, vector), .encrypt)
            result += vector
        }
        return result
    }

    func decryptCBC(_ data: [UInt8], vector: inout [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for block in blocks(data) {
            result += Self.sum(process(block, .decrypt), vector)
            vector = block
        }
        return result
    }

    /// Recovers data from a reader that uses the chaining of the first DESFire, in which the card only encrypts.
    func recoverLegacy(_ data: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var vector = zeroVector
        for block in blocks(data) {
            result += Self.sum(process(block, .encrypt), vector)
            vector = block
        }
        return result
    }

    var zeroVector: [UInt8] { [UInt8](repeating: 0, count: blockSize) }

    /// Computes a CMAC that starts with the vector.
    ///
    /// On return, `vector` is the CMAC.
    func authenticationCode(_ data: [UInt8], vector: inout [UInt8]) -> [UInt8] {
        let first = doubled(process(zeroVector, .encrypt))
        var padded = data
        var subkey = first
        if data.isEmpty || !data.count.isMultiple(of: blockSize) {
            subkey = doubled(first)
            padded.append(0x80)
            while !padded.count.isMultiple(of: blockSize) { padded.append(0) }
        }
        let last = Self.sum(Array(padded.suffix(blockSize)), subkey)
        _ = encryptCBC(padded.dropLast(blockSize) + last, vector: &vector)
        return vector
    }

    func authenticationCode(_ data: [UInt8]) -> [UInt8] {
        var vector = zeroVector
        return authenticationCode(data, vector: &vector)
    }

    /// Computes the truncated CMAC of an NTAG 424 DNA (MACt): every second byte of the CMAC, starting with the second.
    func truncatedCode(_ data: [UInt8]) -> [UInt8] {
        authenticationCode(data).enumerated().filter { $0.offset.isMultiple(of: 2) == false }.map(\.element)
    }

    private func doubled(_ block: [UInt8]) -> [UInt8] {
        let carries = block.map { $0 >> 7 }.dropFirst() + [0]
        var result = zip(block, carries).map { $0 << 1 | $1 }
        if block[0] & 0x80 != 0 { result[blockSize - 1] ^= algorithm == .tripleDES ? 0x1B : 0x87 }
        return result
    }

    private func blocks(_ data: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: data.count - data.count % blockSize, by: blockSize).map { Array(data[$0..<$0 + blockSize]) }
    }

    private static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] { zip(left, right).map { $0 ^ $1 } }

    private func process(_ block: [UInt8], _ direction: Direction) -> [UInt8] {
        let cipher = algorithm == .tripleDES ? EVP_des_ede3_ecb() : EVP_aes_128_ecb()
        let wholeKey = algorithm == .tripleDES ? key + key.prefix(8) : key
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        var result = [UInt8](repeating: 0, count: 2 * blockSize)
        var count: Int32 = 0
        guard EVP_CipherInit_ex(context, cipher, nil, wholeKey, nil, direction.rawValue) == 1,
            EVP_CIPHER_CTX_set_padding(context, 0) == 1,
            EVP_CipherUpdate(context, &result, &count, block, Int32(blockSize)) == 1, Int(count) == blockSize
        else {
            // libcrypto may lack the cipher, for example in FIPS mode. The result is then random, so that no
            // authentication succeeds.
            return block.map { _ in UInt8.random(in: 0...255) }
        }
        return Array(result.prefix(blockSize))
    }
}
