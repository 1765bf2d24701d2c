// SHA-256 by OpenSSL — FIPS 180-4

import Clibcrypto
import Hexadecimal

/// The SHA-256 digest of some bytes: what tells whether a file or a message is whole and the same.
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
    public var hex: String { bytes.hex }
}

/// The SHA-256 digest of bytes that come in pieces.
public struct SHA256Stream: ~Copyable {
    private let context: OpaquePointer

    /// Begins with no bytes.
    public init() {
        context = Self.newContext()
        precondition(EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1, Self.noMemory)
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds the next bytes.
    public mutating func update(_ bytes: [UInt8]) {
        precondition(EVP_DigestUpdate(context, bytes, bytes.count) == 1, Self.noMemory)
    }

    /// The digest of all bytes so far; more may come.
    public func digest() -> SHA256Digest {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        let copy = Self.newContext()
        defer { EVP_MD_CTX_free(copy) }
        precondition(
            EVP_MD_CTX_copy_ex(copy, context) == 1 && EVP_DigestFinal_ex(copy, &digest, nil) == 1, Self.noMemory)
        return SHA256Digest(bytes: digest)
    }

    // libcrypto fails here only when malloc does, where Swift's own allocations end the process, too.
    private static let noMemory = "SHA-256: libcrypto has no memory left."

    private static func newContext() -> OpaquePointer {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure(noMemory) }
        return context
    }
}

extension [UInt8] {
    /// The SHA-256 digest as 64 hexadecimal digits: what proves which bytes a tag or a file holds.
    public var sha256: String { SHA256Digest(of: self).hex }
}
