// Where a Type 2 Tag chip keeps its password or key, and from where it asks for it — NXP NTAG21x, MF0ULx1, MF0ICU2

/// The way a chip protects its memory.
enum Type2Protection: Hashable, Sendable {
    /// 4 bytes sent in the clear: CFG 0 with AUTH0, CFG 1 with ACCESS, PWD and PACK, from a block on.
    case password(configuration: Int)
    /// Two-key 3DES of an Ultralight C: AUTH0 in block 42, AUTH1 in 43, the key in 44…47.
    case tripleDES

    /// The byte address of AUTH0, the first block that is protected.
    var auth0Address: Int {
        switch self {
        case .password(let configuration): configuration * 4 + 3
        case .tripleDES: 42 * 4
        }
    }

    /// The byte address of ACCESS or AUTH1.
    var accessAddress: Int {
        switch self {
        case .password(let configuration): (configuration + 1) * 4
        case .tripleDES: 43 * 4
        }
    }

    /// The blocks with AUTH0, ACCESS and their like.
    var configurationBlocks: ClosedRange<Int> { auth0Address / 4...accessAddress / 4 }

    /// The blocks that never read back.
    var secretBlocks: ClosedRange<Int> {
        switch self {
        case .password(let configuration): configuration + 2...configuration + 3
        case .tripleDES: 44...47
        }
    }

    /// The AUTH0 that protects nothing, as delivered.
    var openAUTH0: UInt8 {
        switch self {
        case .password: 0xFF
        case .tripleDES: 0x30
        }
    }

    /// The lowest AUTH0 that the data sheet allows.
    var firstProtectable: Int {
        switch self {
        case .password: 0
        case .tripleDES: 3
        }
    }

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
