// What ACCESS and AUTH1 of a Type 2 Tag chip mean — NXP NTAG21x, MF0ULx1, MF0ICU2
import Chips

extension Type2Protection {
    /// ACCESS or AUTH1 for an access and a limit of wrong tries; bits that mean something else stay.
    func access(_ found: UInt8, _ access: ProtectedAccess, limit: Int) -> UInt8 {
        let bits = (prot: MemoryMap.PasswordProtection.prot, authlim: MemoryMap.PasswordProtection.authlim)
        return switch (self, access) {
        case (.password, _):
            found & ~(bits.prot | bits.authlim) | (access == .readingAndWriting ? bits.prot : 0)
                | UInt8(truncatingIfNeeded: limit) & bits.authlim
        // Bit 0 of AUTH1 exempts reading.
        case (.tripleDES, .writing): found | 0x01
        case (.tripleDES, .readingAndWriting): found & ~0x01
        }
    }

    /// The wrong tries that ACCESS allows, 0 for no limit.
    func limit(_ access: UInt8) -> Int {
        switch self {
        case .password: MemoryMap.PasswordProtection(auth0: 0, access: access).authenticationLimit
        case .tripleDES: 0
        }
    }

    /// The same as a limit; `access` is `nil` when it cannot be read.
    func attemptLimit(_ access: UInt8?) -> Type2AttemptLimit {
        guard self != .tripleDES else { return .none }
        guard let access else { return .unknown }
        return limit(access) == 0 ? .none : .count(limit(access))
    }

    /// Whether ACCESS or AUTH1 says that reading is protected, too.
    func protectsReading(_ access: UInt8) -> Bool {
        switch self {
        case .password: MemoryMap.PasswordProtection(auth0: 0, access: access).protectsReading
        // Bit 0 of AUTH1 exempts reading.
        case .tripleDES: access & 0x01 == 0
        }
    }

    /// Whether ACCESS says that the configuration is frozen.
    func isConfigurationLocked(_ access: UInt8) -> Bool {
        switch self {
        case .password: MemoryMap.PasswordProtection(auth0: 0, access: access).isConfigurationLocked
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
