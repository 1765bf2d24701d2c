// What opens a protected Type 2 Tag — NXP NTAG21x and MF0ULx1 (PWD_AUTH), MF0ICU2 (AUTHENTICATE)
import NFCReader

/// A password, or a key.
public enum Type2Credential: Hashable, Sendable {
    /// PWD and PACK of an NTAG21x, an NTAG I2C plus or an Ultralight EV1.
    case password(Type2Password)
    /// The key of an Ultralight C.
    case key(UltralightCKey)
}

/// PWD, 4 bytes, and the PACK that the tag answers it with.
public struct Type2Password: Hashable, Sendable {
    /// The 4 bytes of PWD in the order of memory and of PWD_AUTH.
    public let pwd: [UInt8]
    /// The 2 bytes of PACK; `nil` takes any answer, and writes `00 00`.
    public let pack: [UInt8]?

    /// The password of a chip as delivered.
    public static let delivered = Type2Password(uncheckedPWD: [0xFF, 0xFF, 0xFF, 0xFF], pack: [0x00, 0x00])

    /// `nil` unless `pwd` has 4 bytes, and `pack` 2.
    public init?(pwd: [UInt8], pack: [UInt8]? = nil) {
        guard pwd.count == 4, pack.map({ $0.count == 2 }) ?? true else { return nil }
        self.init(uncheckedPWD: pwd, pack: pack)
    }

    private init(uncheckedPWD pwd: [UInt8], pack: [UInt8]?) {
        self.pwd = pwd
        self.pack = pack
    }

    fileprivate static let authenticateCommand: UInt8 = 0x1B

    /// PWD_AUTH: `1B` and PWD; the answer is PACK.
    fileprivate func authenticate(on channel: any TagChannel) throws(TagError) {
        let answer = try onReader { () throws(ReaderError) in
            try channel.transceive([Self.authenticateCommand] + pwd, framing: .raw)
        }
        guard answer.count == 2, pack == nil || pack == answer else {
            throw .protocolViolation(
                field: "PACK", found: hex(answer), expected: pack.map { hex($0) } ?? "2 bytes", offset: nil)
        }
    }
}

extension Type2Credential {
    /// Authenticates in the running activation.
    ///
    /// - Throws: ``TagError/reader(_:)`` with `noAnswer` for a wrong password and for silence alike.
    func authenticate(on channel: any TagChannel) throws(TagError) {
        switch self {
        case .password(let password): try password.authenticate(on: channel)
        case .key(let key): try key.authenticate(on: channel)
        }
    }

    /// Whether this is what the chip asks for.
    func fits(_ protection: Type2Protection) -> Bool {
        switch (self, protection) {
        case (.password, .password), (.key, .tripleDES): true
        default: false
        }
    }

    /// Whether it is what chips are delivered with, whatever the PACK.
    public var isDelivered: Bool {
        switch self {
        case .password(let password): password.pwd == Type2Password.delivered.pwd
        case .key(let key): key == .delivered
        }
    }

    /// What a chip is delivered with.
    static func delivered(for protection: Type2Protection) -> Type2Credential {
        switch protection {
        case .password: .password(.delivered)
        case .tripleDES: .key(.delivered)
        }
    }

    /// The blocks that hold it, in order.
    var secret: [[UInt8]] {
        switch self {
        case .password(let password): [password.pwd, (password.pack ?? [0x00, 0x00]) + [0x00, 0x00]]
        case .key(let key): key.blocks
        }
    }
}
