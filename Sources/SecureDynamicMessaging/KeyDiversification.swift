// A key for each tag, derived from one master key — NXP AN10922, 2.2 (AES-128)

/// Derives the keys of tags from a master key, so that no list of keys is needed.
///
/// ```swift
/// let diversification = KeyDiversification(system: Array("Example".utf8))
/// let key = diversification?.key(of: uid, from: master)
/// ```
public struct KeyDiversification: Hashable, Sendable {
    /// The name (DF name) of the NTAG 424 DNA's application — NXP NT4H2421Gx, 8.2.1.
    public static let ntag424Application: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
    private static let uidLength = 7
    /// The constant that precedes the input for AES-128.
    private static let constant: UInt8 = 0x01
    /// The length to which the constant and the input are padded.
    private static let paddedLength = 32

    /// The application identifier, which is part of the input.
    public let application: [UInt8]
    /// The system identifier, which distinguishes the tags of different issuers.
    public let system: [UInt8]

    /// Creates a diversification, or returns nil if the two identifiers together have more than 24 bytes.
    public init?(application: [UInt8] = ntag424Application, system: [UInt8] = []) {
        guard application.count + system.count <= Self.paddedLength - 1 - Self.uidLength else { return nil }
        (self.application, self.system) = (application, system)
    }

    /// Returns the key of a tag.
    ///
    /// - Parameters:
    ///   - uid: the UID of the tag, 7 bytes.
    ///   - master: the master key, which is not stored on any tag.
    /// - Returns: the derived key, or nil for a UID of another length.
    public func key(of uid: [UInt8], from master: AES128Key) -> AES128Key? {
        guard uid.count == Self.uidLength else { return nil }
        return AES128Key(
            master.authenticationCode(of: [Self.constant] + uid + application + system, paddedTo: Self.paddedLength))
    }
}
