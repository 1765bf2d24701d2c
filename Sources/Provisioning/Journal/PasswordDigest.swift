// By what a journal knows the password of its plan again — RFC 7914 (scrypt)

import Clibcrypto
import Foundation
public import TagTypes

/// A salted digest of a password: enough to say that another one is another one.
///
/// A tag's password has 32 bits, so whoever has a digest of it can try them all. scrypt makes each try cost 32 MiB and
/// about a tenth of a second of a processor's time: the whole is a matter of years for one, and of days for a thousand.
/// What keeps a digest safe is the file it is in: a journal is created with mode 0600, and no report has it.
public struct PasswordDigest: Hashable, Sendable {
    private let salt: [UInt8]
    private let key: [UInt8]

    private static let word = "password"
    private static let lengths = (salt: 16, key: 32)
    /// N, r and p of RFC 7914: 128 · N · r bytes are 32 MiB.
    private static let (cost, blockSize, parallelism) = (UInt64(1) << 15, UInt64(8), UInt64(1))
    private static let memoryLimit: UInt64 = 64 << 20

    /// Makes the digest of a password or a key, with a salt of its own; takes about 0.1 s.
    public init(of credential: Type2Credential) {
        var random = SystemRandomNumberGenerator()
        self.init(of: credential, salt: (0..<Self.lengths.salt).map { _ in .random(in: 0...255, using: &random) })
    }

    /// Reads the text that a journal has; nil when it is none.
    init?(text: String) {
        let words = text.split(separator: " ")
        guard words.count == 3, words[0] == Self.word, let salt = Data(base64Encoded: String(words[1])),
            let key = Data(base64Encoded: String(words[2])), salt.count == Self.lengths.salt,
            key.count == Self.lengths.key
        else { return nil }
        (self.salt, self.key) = (Array(salt), Array(key))
    }

    private init(of credential: Type2Credential, salt: [UInt8]) {
        self.salt = salt
        let secret = Self.bytes(of: credential)
        var key = [UInt8](repeating: 0, count: Self.lengths.key)
        let result = secret.withUnsafeBytes { secret in
            EVP_PBE_scrypt(
                secret.baseAddress?.assumingMemoryBound(to: CChar.self), secret.count, salt, salt.count, Self.cost,
                Self.blockSize, Self.parallelism, Self.memoryLimit, &key, key.count)
        }
        // It fails only without memory.
        guard result == 1 else { fatalError("scrypt: libcrypto has no memory left.") }
        self.key = key
    }

    /// Whether this is the digest of a password; takes about 0.1 s.
    public func isDigest(of credential: Type2Credential) -> Bool {
        PasswordDigest(of: credential, salt: salt).key == key
    }

    /// As it stands in a journal, where a line of options begins with `--`.
    var text: String {
        [Self.word, Data(salt).base64EncodedString(), Data(key).base64EncodedString()].joined(separator: " ")
    }

    /// Whether a line of a journal is one.
    static func isText(_ line: String) -> Bool { line.hasPrefix(word + " ") }

    /// The bytes that a tag gets: a PACK that is not given is written as 00 00.
    private static func bytes(of credential: Type2Credential) -> [UInt8] {
        switch credential {
        case .password(let password): password.pwd + (password.pack ?? [0, 0])
        case .key(let key): key.bytes
        }
    }
}
