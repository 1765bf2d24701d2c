// SHA-256 with OpenSSL — FIPS 180-4

import Clibcrypto
import Hexadecimal

/// The SHA-256 digest of some bytes, used to check that a file or a message is complete and unchanged.
public struct SHA256Digest: Hashable, Sendable {
    /// The digest, 32 bytes.
    public let bytes: [UInt8]

    /// Creates the digest of some bytes.
    public init(of message: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256(message, message.count, &digest)
        bytes = digest
    }

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    /// The digest as 64 upper-case hexadecimal digits.
    public var hex: String { bytes.hex }
}

/// The SHA-256 digest of bytes that are added in pieces.
public struct SHA256Stream: ~Copyable {
    private let context: OpaquePointer

    /// Creates a digest of no bytes.
    public init() {
        context = Self.newContext()
        precondition(EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1, Self.noMemory)
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds the next bytes.
    public mutating func update(_ bytes: [UInt8]) {
        precondition(EVP_DigestUpdate(context, bytes, bytes.count) == 1, Self.noMemory)
    }

    /// Returns the digest of all bytes so far.
    ///
    /// More bytes may be added later.
    public func digest() -> SHA256Digest {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        let copy = Self.newContext()
        defer { EVP_MD_CTX_free(copy) }
        precondition(
            EVP_MD_CTX_copy_ex(copy, context) == 1 && EVP_DigestFinal_ex(copy, &digest, nil) == 1, Self.noMemory)
        return SHA256Digest(bytes: digest)
    }

    // libcrypto fails here only if malloc fails, in which case Swift's own allocations also end the process.
    private static let noMemory = "SHA-256: libcrypto is out of memory."

    private static func newContext() -> OpaquePointer {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure(noMemory) }
        return context
    }
}

extension [UInt8] {
    /// The SHA-256 digest as 64 hexadecimal digits, which identifies the bytes on a tag or in a file.
    public var sha256: String { SHA256Digest(of: self).hex }
}
