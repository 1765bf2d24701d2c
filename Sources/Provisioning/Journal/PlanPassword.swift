// How a journal recognises the password of its plan

import DurableFiles
import Foundation
public import SecureDynamicMessaging
public import TagTypes

/// The salted digest of the password that a run gives its tags.
///
/// The password itself is not stored.
public struct PlanPassword: Hashable, Sendable {
    private let salt: [UInt8]
    private let digest: [UInt8]

    private static let word = "password"

    /// Creates the digest of a password or a key, with a new salt.
    public init(of credential: Type2Credential) {
        self.init(of: Self.bytes(of: credential), salt: PasswordDigest.newSalt())
    }

    /// Creates the digest of the keys for NTAG 424 DNA tags, with a new salt.
    public init(of keys: SDMKeyFile) { self.init(of: keys.bytes, salt: PasswordDigest.newSalt()) }

    private init(of secret: [UInt8], salt: [UInt8]) {
        (self.salt, digest) = (salt, PasswordDigest(of: secret, salt: salt).bytes)
    }

    /// Reads a digest from its text in a journal, or returns nil if the text is not a digest.
    init?(text: String) {
        let words = text.split(separator: " ")
        guard words.count == 3, words[0] == Self.word, let salt = Data(base64Encoded: String(words[1])),
            let digest = Data(base64Encoded: String(words[2])), salt.count == PasswordDigest.saltLength,
            digest.count == PasswordDigest.length
        else { return nil }
        (self.salt, self.digest) = (Array(salt), Array(digest))
    }

    /// Whether this is the digest of this password or key.
    public func isDigest(of credential: Type2Credential) -> Bool {
        PlanPassword(of: Self.bytes(of: credential), salt: salt).digest == digest
    }

    /// Whether this is the digest of these keys.
    public func isDigest(of keys: SDMKeyFile) -> Bool { PlanPassword(of: keys.bytes, salt: salt).digest == digest }

    /// The text stored in the journal.
    ///
    /// It cannot be mistaken for a line with options, because these begin with `--`.
    var text: String {
        [Self.word, Data(salt).base64EncodedString(), Data(digest).base64EncodedString()].joined(separator: " ")
    }

    static func isText(_ line: String) -> Bool { line.hasPrefix(word + " ") }

    /// Returns the bytes that are written to a tag.
    ///
    /// A missing PACK is written as 00 00.
    private static func bytes(of credential: Type2Credential) -> [UInt8] {
        switch credential {
        case .password(let password): password.pwd + (password.pack ?? [0, 0])
        case .key(let key): key.bytes
        }
    }
}
