// SHA-256 by OpenSSL — FIPS 180-4

import Clibcrypto

/// The SHA-256 digest of some bytes: the proof line of what a tag holds.
public struct SHA256Digest: Hashable, Sendable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// Hashes bytes.
    public init(of message: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256(message, message.count, &digest)
        bytes = digest
    }

    /// 64 upper-case hexadecimal digits.
    public var hexText: String { bytes.hexText }
}
