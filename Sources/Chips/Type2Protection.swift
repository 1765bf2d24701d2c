// The position of the password or key on a Type 2 Tag chip, and of its protection settings — NXP NTAG21x, MF0ULx1,
// MF0ICU2; MF0AES(H)20 as used by pretix/libpretixnfc and stustapay/stustapay

/// The way in which a chip protects its memory.
public enum Type2Protection: Hashable, Sendable {
    /// A 4-byte password, sent in plain text.
    ///
    /// The blocks CFG 0 (with AUTH0), CFG 1 (with ACCESS), PWD and PACK follow one another, starting at
    /// `configuration`.
    case password(configuration: Int)
    /// The two-key 3DES key of an Ultralight C: AUTH0 in block 42, AUTH1 in 43, the key in 44…47.
    case tripleDES
    /// The AES-128 key of an Ultralight AES: CFG 0 with AUTH0 in block 41, CFG 1 with ACCESS and AUTH_LIM in 42, key
    /// locks in 45, DataProtKey in 48…51.
    case aes

    /// The byte address of AUTH0, which names the first protected block.
    public var auth0Address: Int {
        switch self {
        case .password(let configuration): configuration * 4 + 3
        case .tripleDES: 42 * 4
        case .aes: 41 * 4 + 3
        }
    }

    /// The byte address of ACCESS or AUTH1.
    public var accessAddress: Int {
        switch self {
        case .password(let configuration): (configuration + 1) * 4
        case .tripleDES: 43 * 4
        case .aes: 42 * 4
        }
    }

    /// The blocks from AUTH0 to ACCESS or AUTH1.
    public var configurationBlocks: ClosedRange<Int> { auth0Address / 4...accessAddress / 4 }

    /// The blocks with the password or key, which can never be read back.
    public var secretBlocks: ClosedRange<Int> {
        switch self {
        case .password(let configuration): configuration + 2...configuration + 3
        case .tripleDES: 44...47
        case .aes: 48...51
        }
    }

    /// The factory value of AUTH0, which protects nothing.
    public var openAUTH0: UInt8 {
        switch self {
        case .password: 0xFF
        case .tripleDES: 0x30
        case .aes: 0x3C
        }
    }

    /// The lowest value of AUTH0 that the data sheet allows.
    public var firstProtectable: Int {
        switch self {
        case .password: 0
        case .tripleDES: 3
        // From memory, the same value as on the Ultralight C: no source says whether a protected UID can still be read.
        case .aes: 3
        }
    }

    /// The bit LOCK_AES_KEY0, which freezes the secret, as a block and a mask for its first byte; `nil` if lock bits or
    /// CFGLCK freeze the secret.
    public var secretLock: (block: Int, mask: UInt8)? {
        switch self {
        case .aes: (45, 0x40)
        case .password, .tripleDES: nil
        }
    }
}
