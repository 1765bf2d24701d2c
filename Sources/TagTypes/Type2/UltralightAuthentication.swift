// 3DES and AES authentication of MIFARE Ultralight C and AES — NXP MF0ICU2, AUTHENTICATE; MF0AES(H)20 as used by
// pretix/libpretixnfc and stustapay/stustapay
import Clibcrypto
import Hexadecimal
import ReaderInterface

/// The two-key 3DES key of an Ultralight C, or the AES-128 key of an Ultralight AES, each with 16 bytes.
public struct UltralightKey: Hashable, Sendable {
    /// The cipher that a chip uses with its key.
    enum Cipher: Hashable {
        case tripleDES, aes

        /// The number of bytes in a block and in a random number.
        var blockLength: Int { self == .tripleDES ? 8 : 16 }

        /// Returns the CBC initialisation vector.
        ///
        /// An Ultralight C continues the chain of the previous message, but an Ultralight AES starts each message with
        /// zeros.
        func vector(after last: ArraySlice<UInt8>) -> [UInt8] {
            self == .tripleDES ? Array(last) : [UInt8](repeating: 0, count: blockLength)
        }
    }

    /// The bytes in cryptographic order; a 3DES key consists of K1, followed by K2.
    public let bytes: [UInt8]

    /// The factory key of an Ultralight C.
    ///
    /// In the order of the chip's memory, its bytes are the text `BREAKMEIFYOUCAN!`.
    public static let delivered = UltralightKey(unchecked: Array("IEMKAERB!NACUOYF".utf8))
    /// The factory DataProtKey of an Ultralight AES, which is all zeros.
    public static let deliveredAES = UltralightKey(unchecked: [UInt8](repeating: 0, count: 16))

    /// Creates a key, or returns `nil` if there are not 16 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(unchecked: bytes)
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the contents of the four blocks that store the key.
    ///
    /// The last byte comes first, for 3DES separately in each half.
    func blocks(for cipher: Cipher) -> [[UInt8]] {
        let stored =
            cipher == .aes ? bytes.reversed() : Array(bytes[..<8].reversed() + bytes[8...].reversed())
        return stride(from: 0, to: 16, by: 4).map { Array(stored[$0..<$0 + 4]) }
    }

    /// The command AUTHENTICATE for key number 00, which is the only key of an Ultralight C and the DataProtKey of an
    /// Ultralight AES.
    static let authenticateCommand: [UInt8] = [0x1A, 0x00]
    /// The first byte of the tag's first answer, and of the command that continues the exchange.
    static let continuation: UInt8 = 0xAF
    /// The first byte of the answer that ends the exchange.
    private static let completion: UInt8 = 0x00

    /// Proves to the tag that the reader has the key, and verifies that the tag has it.
    ///
    /// Exchange: `1A 00` → `AF` E(RndB); `AF` E(RndA ‖ RndB′) → `00` E(RndA′), where ′ means that the first byte is
    /// moved to the end. Random numbers are one block long.
    /// - Returns: `accepted` if both have the key, `refused` for a NAK, `unheard` if there is no answer.
    @discardableResult
    func authenticate(
        with cipher: Cipher, on channel: any TagChannel, rndA: [UInt8]? = nil
    ) throws(TagError) -> CredentialAnswer {
        let length = cipher.blockLength
        let rndA = rndA ?? (0..<length).map { _ in UInt8.random(in: 0...255) }
        let challenge: [UInt8]
        switch try exchange(Self.authenticateCommand, Self.continuation, length, on: channel) {
        case .block(let bytes): challenge = bytes
        case .none(let answer): return answer
        }
        let rndB = try crypt(.decrypt, challenge, with: cipher, after: [UInt8](repeating: 0, count: length))
        let response = try crypt(
            .encrypt, rndA + rotated(rndB), with: cipher, after: cipher.vector(after: challenge[...]))
        switch try exchange([Self.continuation] + response, Self.completion, length, on: channel) {
        case .none(let answer): return answer
        case .block(let proof):
            let vector = cipher.vector(after: response.suffix(length))
            guard try crypt(.decrypt, proof, with: cipher, after: vector) == rotated(rndA) else {
                throw .protocolViolation(
                    field: "the answer to AUTHENTICATE", found: proof.spacedHex,
                    expected: "the random number that was sent", offset: nil)
            }
            return .accepted
        }
    }

    private func rotated(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.dropFirst() + bytes.prefix(1)) }

    private enum Answer {
        case block([UInt8])
        case none(CredentialAnswer)
    }

    /// Sends one command and returns the block in the answer, or the result if the tag does not send one.
    ///
    /// The answer is a status byte and a block, or a NAK. NAK 4 means too many wrong keys, as for PWD_AUTH (from
    /// memory).
    private func exchange(
        _ command: [UInt8], _ status: UInt8, _ length: Int, on channel: any TagChannel
    ) throws(TagError) -> Answer {
        let answer: [UInt8]
        switch try channel.frameAnswer(command) {
        case .bytes(let bytes)?: answer = bytes
        case .nibble(0x0)?: return .none(.refused(isClosed: false))
        // An Ultralight C has no limit on wrong keys, so it never closes.
        case .nibble(0x4)?: return .none(.refused(isClosed: length == Cipher.aes.blockLength))
        case .nibble?, nil: return .none(.unheard)
        }
        guard answer.count == 1 + length, answer[0] == status else {
            throw .protocolViolation(
                field: "the answer to AUTHENTICATE", found: "\(ByteCount(answer.count))",
                expected: "\(status.hex) and \(length) bytes", offset: nil)
        }
        return .block(Array(answer.dropFirst()))
    }
}

extension UltralightKey {
    enum Direction: CInt {
        case decrypt = 0
        case encrypt = 1
    }

    /// Encrypts or decrypts whole blocks in CBC mode, without padding.
    func crypt(
        _ direction: Direction, _ input: [UInt8], with cipher: Cipher, after vector: [UInt8]
    ) throws(TagError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: input.count + cipher.blockLength)
        var count: CInt = 0
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        let (algorithm, key) =
            cipher == .aes ? (EVP_aes_128_cbc(), bytes) : (EVP_des_ede3_cbc(), bytes + bytes.prefix(8))
        guard EVP_CipherInit_ex(context, algorithm, nil, key, vector, direction.rawValue) == 1,
            EVP_CIPHER_CTX_set_padding(context, 0) == 1,
            EVP_CipherUpdate(context, &output, &count, input, CInt(input.count)) == 1, Int(count) == input.count
        else { throw .unsupported(reason: "the system's libcrypto has no \(cipher == .aes ? "AES" : "3DES")") }
        return Array(output.prefix(input.count))
    }
}
