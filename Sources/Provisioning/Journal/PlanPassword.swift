// By what a journal knows the password of its plan again

import DurableFiles
import Foundation
public import SecureDynamicMessaging
public import TagTypes

/// The digest of the password that a run gives its tags, and its salt; never the password.
public struct PlanPassword: Hashable, Sendable {
    private let salt: [UInt8]
    private let digest: [UInt8]

    private static let word = "password"

    /// Makes the digest of a password or a key, with a salt of its own.
    public init(of credential: Type2Credential) {
        self.init(of: Self.bytes(of: credential), salt: PasswordDigest.newSalt())
    }

    /// Makes the digest of the keys of NTAG 424 DNA tags, with a salt of its own.
    public init(of keys: SDMKeyFile) { self.init(of: keys.bytes, salt: PasswordDigest.newSalt()) }

    private init(of secret: [UInt8], salt: [UInt8]) {
        (self.salt, digest) = (salt, PasswordDigest(of: secret, salt: salt).bytes)
    }

    /// Reads the text that a journal has; nil when it is none.
    init?(text: String) {
        let words = text.split(separator: " ")
        guard words.count == 3, words[0] == Self.word, let salt = Data(base64Encoded: String(words[1])),
            let digest = Data(base64Encoded: String(words[2])), salt.count == PasswordDigest.saltLength,
            digest.count == PasswordDigest.length
        else { return nil }
        (self.salt, self.digest) = (Array(salt), Array(digest))
    }

    /// Whether this is the digest of a password.
    public func isDigest(of credential: Type2Credential) -> Bool {
        PlanPassword(of: Self.bytes(of: credential), salt: salt).digest == digest
    }

    /// Whether this is the digest of these keys.
    public func isDigest(of keys: SDMKeyFile) -> Bool { PlanPassword(of: keys.bytes, salt: salt).digest == digest }

    /// As it stands in a journal, where a line of options begins with `--`.
    var text: String {
        [Self.word, Data(salt).base64EncodedString(), Data(digest).base64EncodedString()].joined(separator: " ")
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
