// Where a Type 2 Tag chip keeps its password or key, and from where it asks for it — NXP NTAG21x, MF0ULx1, MF0ICU2;
// MF0AES(H)20 as pretix/libpretixnfc and stustapay/stustapay use it

/// The way a chip protects its memory.
public enum Type2Protection: Hashable, Sendable {
    /// 4 bytes sent in the clear: CFG 0 with AUTH0, CFG 1 with ACCESS, PWD and PACK, from a block on.
    case password(configuration: Int)
    /// Two-key 3DES of an Ultralight C: AUTH0 in block 42, AUTH1 in 43, the key in 44…47.
    case tripleDES
    /// AES-128 of an Ultralight AES: CFG 0 with AUTH0 in block 41, CFG 1 with ACCESS and AUTH_LIM in 42, locks of the keys in
    /// 45, DataProtKey in 48…51.
    case aes

    /// The byte address of AUTH0, the first block that is protected.
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

    /// The blocks with AUTH0, ACCESS and their like.
    public var configurationBlocks: ClosedRange<Int> { auth0Address / 4...accessAddress / 4 }

    /// The blocks that never read back.
    public var secretBlocks: ClosedRange<Int> {
        switch self {
        case .password(let configuration): configuration + 2...configuration + 3
        case .tripleDES: 44...47
        case .aes: 48...51
        }
    }

    /// The AUTH0 that protects nothing, as delivered.
    public var openAUTH0: UInt8 {
        switch self {
        case .password: 0xFF
        case .tripleDES: 0x30
        case .aes: 0x3C
        }
    }

    /// The lowest AUTH0 that the data sheet allows.
    public var firstProtectable: Int {
        switch self {
        case .password: 0
        case .tripleDES: 3
        // No source says what protecting the UID does to reading it: from memory of the Ultralight C.
        case .aes: 3
        }
    }

    /// The block and the bit of its first byte that freeze the secret, LOCK_AES_KEY0; `nil` where lock bits or CFGLCK do.
    public var secretLock: (block: Int, mask: UInt8)? {
        switch self {
        case .aes: (45, 0x40)
        case .password, .tripleDES: nil
        }
    }
}
