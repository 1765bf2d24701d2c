// The password or key that opens a protected Type 2 Tag — NXP NTAG21x and MF0ULx1 (PWD_AUTH), MF0ICU2 and MF0AES(H)20
// (AUTHENTICATE)
import Chips
import ReaderInterface

/// A password or key that opens a protected Type 2 Tag.
public enum Type2Credential: Hashable, Sendable {
    /// The PWD and PACK of an NTAG21x, an NTAG I2C plus or an Ultralight EV1.
    case password(Type2Password)
    /// The key of an Ultralight C or AES.
    case key(UltralightKey)
}

/// A 4-byte password (PWD), and the acknowledgement (PACK) with which the tag answers it.
public struct Type2Password: Hashable, Sendable {
    /// The 4 bytes of PWD, in the order of the memory and of PWD_AUTH.
    public let pwd: [UInt8]
    /// The 2 bytes of PACK.
    ///
    /// If it is `nil`, any answer is accepted, and `00 00` is written.
    public let pack: [UInt8]?

    /// The factory password and PACK.
    public static let delivered = Type2Password(uncheckedPWD: [0xFF, 0xFF, 0xFF, 0xFF], pack: [0x00, 0x00])

    /// Creates a password, or returns `nil` unless `pwd` has 4 bytes and `pack`, if given, has 2.
    public init?(pwd: [UInt8], pack: [UInt8]? = nil) {
        guard pwd.count == 4, pack.map({ $0.count == 2 }) ?? true else { return nil }
        self.init(uncheckedPWD: pwd, pack: pack)
    }

    private init(uncheckedPWD pwd: [UInt8], pack: [UInt8]?) {
        self.pwd = pwd
        self.pack = pack
    }

    /// Creates the password from a PWD_AUTH command that a chip accepted, or returns `nil` for any other command or
    /// answer.
    ///
    /// - Parameters:
    ///   - command: the frame, without CRC.
    ///   - answer: the answer of the chip.
    public init?(accepted command: [UInt8], answer: [UInt8]) {
        guard command.first == Self.authenticateCommand, answer.count == 2 else { return nil }
        self.init(pwd: Array(command.dropFirst()), pack: answer)
    }

    private static let authenticateCommand: UInt8 = 0x1B

    /// Sends PWD_AUTH, which consists of `1B` and PWD, and returns what the tag's answer shows.
    ///
    /// The tag answers with the PACK or a NAK.
    ///
    /// NAK codes — NXP NTAG213_215_216, table "ACK and NAK values": 0 means an invalid argument, 1 a parity or CRC
    /// error, and 4 an overflow of the counter of invalid authentications.
    fileprivate func offer(on channel: any TagChannel) throws(TagError) -> CredentialAnswer {
        switch try channel.frameAnswer([Self.authenticateCommand] + pwd) {
        case .nibble(0x4)?: return .refused(isClosed: true)
        case .nibble(0x0)?: return .refused(isClosed: false)
        case .bytes(let answer)? where answer.count == 2:
            return pack == nil || pack == answer ? .accepted : .acceptedWithForeignPACK
        // The command or its answer was corrupted or lost on the way.
        case .nibble?, .bytes?, nil: return .unheard
        }
    }
}

/// The result of sending a password or key.
enum CredentialAnswer: Hashable {
    case accepted
    /// The tag accepted the password, but answered with a different PACK.
    case acceptedWithForeignPACK
    /// The tag answered with a NAK; `isClosed` is true if the NAK means that no more passwords are accepted.
    case refused(isClosed: Bool)
    /// No valid answer arrived. The tag may have accepted the credential, counted it as wrong, or never received it.
    case unheard
}

extension TagChannel {
    /// Sends one frame and returns the answer, which may be a NAK, or `nil` if there is no answer.
    func frameAnswer(_ command: [UInt8]) throws(TagError) -> FrameAnswer? {
        do throws(ReaderError) {
            return try exchangeFrame(command, timeout: Self.defaultTimeout)
        } catch .noAnswer {
            return nil
        } catch {
            throw .reader(error)
        }
    }
}

extension Type2Credential {
    /// Sends the credential once in the current activation.
    ///
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` for a tag that cannot prove that it knows
    ///   the key.
    func offer(
        on channel: any TagChannel, for cipher: UltralightKey.Cipher?
    ) throws(TagError) -> CredentialAnswer {
        switch self {
        case .password(let password): try password.offer(on: channel)
        case .key(let key): try key.authenticate(with: cipher ?? .tripleDES, on: channel)
        }
    }

    /// Checks that the credential is of the kind that a chip requires.
    ///
    /// The chip requires a key for this cipher, or a password if `cipher` is `nil`.
    ///
    /// - Throws: ``TagError/unsupported(reason:)``.
    func require(for cipher: UltralightKey.Cipher?) throws(TagError) {
        switch (self, cipher) {
        case (.password, nil), (.key, .some): return
        case (_, .aes?): throw .unsupported(reason: "its chip needs an AES key of 32 hexadecimal digits")
        case (_, .tripleDES?): throw .unsupported(reason: "its chip needs a 3DES key of 32 hexadecimal digits")
        case (_, nil): throw .unsupported(reason: "its chip needs a password of 8 hexadecimal digits")
        }
    }

    /// Whether the password or key is the factory one; the PACK of a password is not compared.
    public var isDelivered: Bool {
        switch self {
        case .password(let password): password.pwd == Type2Password.delivered.pwd
        case .key(let key): key == .delivered || key == .deliveredAES
        }
    }

    static func delivered(for protection: Type2Protection) -> Type2Credential {
        switch protection {
        case .password: .password(.delivered)
        case .tripleDES: .key(.delivered)
        case .aes: .key(.deliveredAES)
        }
    }

    /// Returns the contents of the blocks that hold the credential, in order.
    func secret(for protection: Type2Protection) -> [[UInt8]] {
        switch self {
        case .password(let password): [password.pwd, (password.pack ?? [0x00, 0x00]) + [0x00, 0x00]]
        case .key(let key): key.blocks(for: protection.cipher ?? .tripleDES)
        }
    }
}
