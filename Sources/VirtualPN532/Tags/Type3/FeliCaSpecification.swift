// Ciphers and operating system of a FeliCa Standard card — FeliCa Card User's Manual, Request Specification Version

/// The ciphers of a FeliCa Standard card and the versions of its operating system.
public struct FeliCaSpecification: Hashable, Sendable {
    /// The encryption identifier in the answer to Request Service v2.
    public enum Encryption: UInt8, Hashable, Sendable {
        /// A card with AES keys.
        case aes = 0x4F
        /// A card with AES and DES keys.
        case aesAndDES = 0x41
    }

    private static let formatVersion: UInt8 = 0x00

    /// The card's ciphers.
    public var encryption = Encryption.aesAndDES
    /// The basic version of the operating system in binary-coded decimal: 0500 (hexadecimal) is version 5.0.
    public var basicVersion: UInt16 = 0x0500
    /// The version of the DES option in binary-coded decimal.
    ///
    /// It is used only for a card with DES keys.
    public var desOptionVersion: UInt16 = 0x0100

    /// Creates the specification of a card with AES and DES keys, with default versions.
    public init() {}

    /// Returns the key version for the answer to Request Service, which reports the keys of only one cipher.
    func version(_ versions: FeliCaSystem.KeyVersions) -> UInt16 {
        encryption == .aes ? versions.aes : versions.des
    }

    /// The specification as in an answer: format version, basic version, number of options, option versions.
    var bytes: [UInt8] {
        let options = encryption == .aesAndDES ? [desOptionVersion] : []
        return [Self.formatVersion] + basicVersion.littleEndianBytes + [UInt8(options.count)]
            + options.flatMap(\.littleEndianBytes)
    }
}

extension FixedWidthInteger {
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian, Array.init) }
}
