// What ACCESS and AUTH1 of a Type 2 Tag chip mean — NXP NTAG21x, MF0ULx1, MF0ICU2; MF0AES(H)20 as pretix/libpretixnfc uses it
import Chips

extension Type2Protection {
    /// What authenticates with a key; `nil` for a password.
    var cipher: UltralightKey.Cipher? {
        switch self {
        case .password: nil
        case .tripleDES: .tripleDES
        case .aes: .aes
        }
    }

    /// What configuration blocks say; `bytes` begin at ACCESS or AUTH1, and are `nil` when they cannot be read.
    private func decoded(_ bytes: [UInt8]) -> MemoryMap.KeyProtection? {
        cipher.flatMap { MemoryMap.KeyProtection(auth0: 0, configuration: bytes, isAES: $0 == .aes) }
    }

    /// Changes the block that begins with ACCESS or AUTH1 for an access and a limit of wrong tries; bits that mean something
    /// else stay.
    func set(_ access: ProtectedAccess, limit: Int, in block: inout [UInt8]) {
        let bits = (prot: MemoryMap.PasswordProtection.prot, authlim: MemoryMap.PasswordProtection.authlim)
        let isReading = access == .readingAndWriting
        switch self {
        case .password:
            block[0] =
                block[0] & ~(bits.prot | bits.authlim) | (isReading ? bits.prot : 0)
                | UInt8(truncatingIfNeeded: limit) & bits.authlim
        // Bit 0 of AUTH1 exempts reading.
        case .tripleDES: block[0] = isReading ? block[0] & ~0x01 : block[0] | 0x01
        // AUTH_LIM: 10 bits, the low byte first.
        case .aes:
            block[0] = block[0] & ~bits.prot | (isReading ? bits.prot : 0)
            block[2] = UInt8(truncatingIfNeeded: limit)
            block[3] = block[3] & ~0x03 | UInt8(truncatingIfNeeded: limit >> 8) & 0x03
        }
    }

    /// The wrong tries that the block with ACCESS allows, 0 for no limit.
    func limit(_ bytes: [UInt8]) -> Int {
        switch self {
        case .password: MemoryMap.PasswordProtection(auth0: 0, access: bytes[0]).authenticationLimit
        case .tripleDES, .aes: decoded(bytes)?.authenticationLimit ?? 0
        }
    }

    /// The same as a limit; `bytes` are `nil` when they cannot be read.
    func attemptLimit(_ bytes: [UInt8]?) -> Type2AttemptLimit {
        guard self != .tripleDES else { return .none }
        guard let bytes else { return .unknown }
        return limit(bytes) == 0 ? .none : .count(limit(bytes))
    }

    /// Whether the block with ACCESS or AUTH1 says that reading is protected, too.
    func protectsReading(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .password: MemoryMap.PasswordProtection(auth0: 0, access: bytes[0]).protectsReading
        case .tripleDES, .aes: decoded(bytes)?.protectsReading ?? true
        }
    }

    /// Whether ACCESS says that the configuration is frozen.
    func isConfigurationLocked(_ access: UInt8) -> Bool {
        switch self {
        case .password, .aes: MemoryMap.PasswordProtection(auth0: 0, access: access).isConfigurationLocked
        case .tripleDES: false
        }
    }
}

/// What a password or key is asked for.
public enum ProtectedAccess: Hashable, Sendable {
    /// Writing only.
    case writing
    /// Reading, too: phones then see no NDEF message.
    case readingAndWriting
}
