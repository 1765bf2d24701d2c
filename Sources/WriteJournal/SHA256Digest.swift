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

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    /// 64 upper-case hexadecimal digits.
    public var hexText: String { bytes.hexText }
}

/// The SHA-256 digest of bytes that come in pieces.
public struct SHA256Stream: ~Copyable {
    private let context: OpaquePointer

    /// Begins with no bytes.
    public init() {
        // Both fail only without memory.
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            fatalError("SHA-256: libcrypto has no memory left.")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes behind those before.
    public mutating func update(_ bytes: [UInt8]) {
        precondition(EVP_DigestUpdate(context, bytes, bytes.count) == 1)
    }

    /// The digest of all bytes so far; more may come.
    public func digest() -> SHA256Digest {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        guard let copy = EVP_MD_CTX_new() else { fatalError("SHA-256: libcrypto has no memory left.") }
        defer { EVP_MD_CTX_free(copy) }
        precondition(EVP_MD_CTX_copy_ex(copy, context) == 1 && EVP_DigestFinal_ex(copy, &digest, nil) == 1)
        return SHA256Digest(bytes: digest)
    }
}
