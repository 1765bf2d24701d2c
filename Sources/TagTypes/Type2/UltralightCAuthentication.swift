// 3DES authentication of a MIFARE Ultralight C — NXP MF0ICU2, AUTHENTICATE
import Clibcrypto
import Hexadecimal
import ReaderInterface

/// The two-key 3DES key of an Ultralight C, 16 bytes.
public struct UltralightCKey: Hashable, Sendable {
    /// The bytes in the order of cryptography: K1, then K2.
    public let bytes: [UInt8]

    /// The key of a chip as delivered; its memory then reads `BREAKMEIFYOUCAN!`.
    public static let delivered = UltralightCKey(unchecked: Array("IEMKAERB!NACUOYF".utf8))

    /// `nil` unless there are 16 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(unchecked: bytes)
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// The key as blocks 44…47 hold it: each half with its last byte first.
    var blocks: [[UInt8]] {
        let stored = Array(bytes[..<8].reversed() + bytes[8...].reversed())
        return stride(from: 0, to: 16, by: 4).map { Array(stored[$0..<$0 + 4]) }
    }

    static let authenticateCommand: [UInt8] = [0x1A, 0x00]
    /// What begins an answer or a command that goes on, and an answer that ends the exchange.
    static let continuation: UInt8 = 0xAF
    private static let completion: UInt8 = 0x00

    /// Proves the key to the tag, and the tag's knowledge of it to us.
    ///
    /// Shape: `1A 00` → `AF` E(RndB); `AF` E(RndA ‖ RndB′) → `00` E(RndA′), where ′ moves the first byte to the end and
    /// CBC goes on through all three.
    /// - Returns: `refused` for a NAK, `unheard` for silence.
    @discardableResult
    func authenticate(
        on channel: any TagChannel, rndA: [UInt8] = Self.random()
    ) throws(TagError) -> CredentialAnswer {
        let challenge: [UInt8]
        switch try exchange(Self.authenticateCommand, Self.continuation, on: channel) {
        case .block(let bytes): challenge = bytes
        case .none(let answer): return answer
        }
        let rndB = try crypt(.decrypt, challenge, after: [UInt8](repeating: 0, count: 8))
        let response = try crypt(.encrypt, rndA + rotated(rndB), after: challenge)
        switch try exchange([Self.continuation] + response, Self.completion, on: channel) {
        case .none(let answer): return answer
        case .block(let proof):
            guard try crypt(.decrypt, proof, after: Array(response.suffix(8))) == rotated(rndA) else {
                throw .protocolViolation(
                    field: "the answer to AUTHENTICATE", found: proof.spacedHex, expected: "our random number",
                    offset: nil)
            }
            return .accepted
        }
    }

    private static func random() -> [UInt8] { (0..<8).map { _ in UInt8.random(in: 0...255) } }

    private func rotated(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.dropFirst() + bytes.prefix(1)) }

    private enum Answer {
        case block([UInt8])
        case none(CredentialAnswer)
    }

    /// One exchange, whose answer is a status byte and 8 bytes, or a NAK.
    private func exchange(
        _ command: [UInt8], _ status: UInt8, on channel: any TagChannel
    ) throws(TagError) -> Answer {
        let answer: [UInt8]
        switch try channel.frameAnswer(command) {
        case .bytes(let bytes)?: answer = bytes
        case .nibble(0x0)?: return .none(.refused(isClosed: false))
        case .nibble?, nil: return .none(.unheard)
        }
        guard answer.count == 9, answer[0] == status else {
            throw .protocolViolation(
                field: "the answer to AUTHENTICATE", found: "\(answer.count) bytes",
                expected: "\(status.hex) and 8 bytes", offset: nil)
        }
        return .block(Array(answer.dropFirst()))
    }
}

extension UltralightCKey {
    enum Direction: CInt {
        case decrypt = 0
        case encrypt = 1
    }

    /// 3DES in CBC mode, whole blocks, without padding.
    func crypt(
        _ direction: Direction, _ input: [UInt8], after vector: [UInt8]
    ) throws(TagError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: input.count + 8)
        var count: CInt = 0
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        let key = bytes + bytes.prefix(8)
        guard EVP_CipherInit_ex(context, EVP_des_ede3_cbc(), nil, key, vector, direction.rawValue) == 1,
            EVP_CIPHER_CTX_set_padding(context, 0) == 1,
            EVP_CipherUpdate(context, &output, &count, input, CInt(input.count)) == 1, Int(count) == input.count
        else { throw .unsupported(reason: "the system's libcrypto has no 3DES") }
        return Array(output.prefix(input.count))
    }
}
