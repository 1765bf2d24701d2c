// What a Type 2 Tag asks a password or key for — NXP NTAG21x and MF0ULx1 (AUTH0, PROT, AUTHLIM), MF0ICU2 (AUTH0, AUTH1)

/// The part of a tag's memory that its password or key protects.
public struct ProtectionRules: Codable, Hashable, Sendable {
    /// The first protected block, 0…255; `nil` when there is none.
    public let first: Int?
    /// Whether reading needs the password, too.
    public let isReadingProtected: Bool
    /// Wrong passwords in a row that close the tag, 1…1023; 0 for no limit.
    public let limit: Int

    /// Describes rules.
    public init(first: Int?, isReadingProtected: Bool, limit: Int) {
        self.first = first
        self.isReadingProtected = isReadingProtected
        self.limit = limit
    }

    /// Asks for nothing.
    public static let none = ProtectionRules(first: nil, isReadingProtected: false, limit: 0)
}
