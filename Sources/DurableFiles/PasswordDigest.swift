// By what a file knows a password again — RFC 8018, 5.2 (PBKDF2)

import Clibcrypto

/// A salted digest of a password or a key: enough to say that another one is another one.
///
/// A tag's password has 32 bits, so an attacker who has a digest can try them all: 10 ms for each try makes that a matter of
/// a year on one processor, and of days on many. What keeps a digest safe is the file that holds it, mode 0600.
public struct PasswordDigest: Hashable, Sendable {
    /// The bytes of a salt.
    public static let saltLength = 16
    /// The bytes of a digest.
    public static let length = 32
    private static let iterations: CInt = 20_000

    /// ``length`` bytes.
    public let bytes: [UInt8]

    /// The digest of a secret of any length; takes about 10 ms.
    public init(of secret: [UInt8], salt: [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: Self.length)
        let isDone = secret.withUnsafeBytes { secret in
            PKCS5_PBKDF2_HMAC(
                secret.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(clamping: secret.count), salt,
                CInt(clamping: salt.count), Self.iterations, EVP_sha256(), CInt(bytes.count), &bytes)
        }
        // Fails only without memory.
        precondition(isDone == 1)
        self.bytes = bytes
    }

    /// A salt that no other file has.
    public static func newSalt() -> [UInt8] { (0..<saltLength).map { _ in UInt8.random(in: 0...255) } }
}
