// The access to a Type 2 Tag that requires a password or key — NXP NTAG21x and MF0ULx1 (AUTH0, PROT, AUTHLIM), MF0ICU2
// (AUTH0, AUTH1)

/// The protection settings of a tag: the protected blocks, the protected access, and the limit on wrong attempts.
public struct ProtectionRules: Codable, Hashable, Sendable {
    /// The number of the first protected block, 0…255, or `nil` if there is none.
    public let first: Int?
    /// Whether reading also requires the password or key.
    public let isReadingProtected: Bool
    /// The number of consecutive wrong passwords or keys after which the tag closes, 1…1023; 0 means no limit.
    public let limit: Int

    /// Creates rules.
    public init(first: Int?, isReadingProtected: Bool, limit: Int) {
        self.first = first
        self.isReadingProtected = isReadingProtected
        self.limit = limit
    }

    /// The rules of a tag without protection.
    public static let none = ProtectionRules(first: nil, isReadingProtected: false, limit: 0)
}
