// The access that a Type 2 Tag protects with a password or key — NXP NTAG21x and MF0ULx1 (AUTH0, PROT, AUTHLIM),
// MF0ICU2 (AUTH0, AUTH1)

/// The part of a tag's memory that its password or key protects.
public struct ProtectionRules: Codable, Hashable, Sendable {
    /// The first protected block, 0…255, or `nil` if there is none.
    public let first: Int?
    /// Whether reading also requires the password.
    public let isReadingProtected: Bool
    /// The number of consecutive wrong passwords that closes the tag, 1…1023; 0 means no limit.
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
