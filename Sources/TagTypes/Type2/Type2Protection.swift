// The meaning of the ACCESS and AUTH1 bytes of a Type 2 Tag chip — NXP NTAG21x, MF0ULx1, MF0ICU2; MF0AES(H)20 as used
// by pretix/libpretixnfc
import Chips

extension Type2Protection {
    /// The cipher of the key authentication, or `nil` for a password.
    var cipher: UltralightKey.Cipher? {
        switch self {
        case .password: nil
        case .tripleDES: .tripleDES
        case .aes: .aes
        }
    }

    /// Decodes the configuration of a key from bytes that begin with ACCESS or AUTH1.
    ///
    /// Returns `nil` for a chip that uses a password.
    private func decoded(_ bytes: [UInt8]) -> MemoryMap.KeyProtection? {
        cipher.flatMap { MemoryMap.KeyProtection(auth0: 0, configuration: bytes, isAES: $0 == .aes) }
    }

    /// Sets the access and the limit on wrong attempts in the block that begins with ACCESS or AUTH1.
    ///
    /// Other bits are unchanged.
    func set(_ access: ProtectedAccess, limit: Int, in block: inout [UInt8]) {
        let bits = (prot: MemoryMap.PasswordProtection.prot, authlim: MemoryMap.PasswordProtection.authlim)
        let isReading = access == .readingAndWriting
        switch self {
        case .password:
            block[0] =
                block[0] & ~(bits.prot | bits.authlim) | (isReading ? bits.prot : 0)
                | UInt8(truncatingIfNeeded: limit) & bits.authlim
        // If bit 0 of AUTH1 is set, reading is not protected.
        case .tripleDES: block[0] = isReading ? block[0] & ~0x01 : block[0] | 0x01
        // AUTH_LIM has 10 bits, and its low byte comes first.
        case .aes:
            block[0] = block[0] & ~bits.prot | (isReading ? bits.prot : 0)
            block[2] = UInt8(truncatingIfNeeded: limit)
            block[3] = block[3] & ~0x03 | UInt8(truncatingIfNeeded: limit >> 8) & 0x03
        }
    }

    /// The largest possible limit on wrong attempts.
    ///
    /// AUTHLIM has 3 bits, and AUTH_LIM of an Ultralight AES has 10.
    var largestLimit: Int {
        switch self {
        case .password: 7
        case .tripleDES: 0
        case .aes: 1023
        }
    }

    /// Returns the limit on wrong attempts in the block that begins with ACCESS; 0 means no limit.
    func limit(_ bytes: [UInt8]) -> Int {
        switch self {
        case .password: MemoryMap.PasswordProtection(auth0: 0, access: bytes[0]).authenticationLimit
        case .tripleDES, .aes: decoded(bytes)?.authenticationLimit ?? 0
        }
    }

    /// Returns the limit on wrong attempts according to the block that begins with ACCESS.
    ///
    /// `bytes` is `nil` if that block cannot be read.
    func attemptLimit(_ bytes: [UInt8]?) -> Type2AttemptLimit {
        guard self != .tripleDES else { return .none }
        guard let bytes else { return .unknown }
        return limit(bytes) == 0 ? .none : .count(limit(bytes))
    }

    /// Returns whether reading is also protected, according to the block that begins with ACCESS or AUTH1.
    func protectsReading(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .password: MemoryMap.PasswordProtection(auth0: 0, access: bytes[0]).protectsReading
        case .tripleDES, .aes: decoded(bytes)?.protectsReading ?? true
        }
    }

    /// Returns whether ACCESS freezes the configuration.
    func isConfigurationLocked(_ access: UInt8) -> Bool {
        switch self {
        case .password, .aes: MemoryMap.PasswordProtection(auth0: 0, access: access).isConfigurationLocked
        case .tripleDES: false
        }
    }
}

/// The access that requires a password or key.
public enum ProtectedAccess: Hashable, Sendable {
    /// Only writing requires it.
    case writing
    /// Reading and writing require it. Phones cannot read the NDEF message of such a tag.
    case readingAndWriting
}
