// Two-key triple DES in cipher block chaining mode — ISO/IEC 18033-3, ISO/IEC 10116, by OpenSSL's libcrypto

import Clibcrypto

/// Two-key triple DES, CBC, whole blocks without padding.
struct TripleDES: Sendable {
    static let blockSize = 8

    private enum Direction: Int32 { case decrypt = 0, encrypt = 1 }

    /// Key 1, then key 2; parity bits are not looked at.
    private let key: [UInt8]

    /// - Parameter key: 16 bytes.
    init(key: [UInt8]) {
        self.key = key
    }

    /// The ciphertext; nil when lengths are wrong or libcrypto has no triple DES.
    func encrypt(_ plaintext: [UInt8], initialVector: [UInt8]) -> [UInt8]? {
        run(.encrypt, plaintext, initialVector)
    }

    /// The plaintext; nil when lengths are wrong or libcrypto has no triple DES.
    func decrypt(_ ciphertext: [UInt8], initialVector: [UInt8]) -> [UInt8]? {
        run(.decrypt, ciphertext, initialVector)
    }

    private func run(_ direction: Direction, _ input: [UInt8], _ initialVector: [UInt8]) -> [UInt8]? {
        guard key.count == 16, initialVector.count == Self.blockSize, input.count % Self.blockSize == 0,
            let context = EVP_CIPHER_CTX_new()
        else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        // libcrypto may write one block more than it was given.
        var output = [UInt8](repeating: 0, count: input.count + Self.blockSize)
        var count: Int32 = 0
        guard EVP_CipherInit_ex(context, EVP_des_ede_cbc(), nil, key, initialVector, direction.rawValue) == 1,
            EVP_CIPHER_CTX_set_padding(context, 0) == 1,
            EVP_CipherUpdate(context, &output, &count, input, Int32(input.count)) == 1, count == input.count
        else { return nil }
        return Array(output.prefix(input.count))
    }
}
