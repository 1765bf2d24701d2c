// The digest that a file stores in place of a password — RFC 8018, 5.2 (PBKDF2)

import Clibcrypto

/// A salted digest of a password or a key.
///
/// It is sufficient to detect a different password or key.
///
/// A tag's password has 32 bits, so an attacker with a digest can try all passwords. At 10 ms for each attempt, that
/// takes about a year on one processor, or days on many. A digest is protected only by mode 0600 of the file that
/// contains it.
public struct PasswordDigest: Hashable, Sendable {
    /// The length of a salt in bytes.
    public static let saltLength = 16
    /// The length of a digest in bytes.
    public static let length = 32
    private static let iterations: CInt = 20_000

    /// The digest, ``length`` bytes.
    public let bytes: [UInt8]

    /// Creates the digest of a secret of any length.
    ///
    /// This takes about 10 ms.
    public init(of secret: [UInt8], salt: [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: Self.length)
        let isDone = secret.withUnsafeBytes { secret in
            PKCS5_PBKDF2_HMAC(
                secret.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(clamping: secret.count), salt,
                CInt(clamping: salt.count), Self.iterations, EVP_sha256(), CInt(bytes.count), &bytes)
        }
        // PBKDF2 fails only if there is no memory.
        precondition(isDone == 1)
        self.bytes = bytes
    }

    /// Returns a random salt for a new file.
    public static func newSalt() -> [UInt8] { (0..<saltLength).map { _ in UInt8.random(in: 0...255) } }
}
