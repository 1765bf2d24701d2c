// What opens a protected Type 2 Tag — NXP NTAG21x and MF0ULx1 (PWD_AUTH), MF0ICU2 and MF0AES(H)20 (AUTHENTICATE)
import Chips
import ReaderInterface

/// A password, or a key.
public enum Type2Credential: Hashable, Sendable {
    /// PWD and PACK of an NTAG21x, an NTAG I2C plus or an Ultralight EV1.
    case password(Type2Password)
    /// The key of an Ultralight C or AES.
    case key(UltralightKey)
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

    /// The password of a PWD_AUTH that a chip accepted; nil when this was none.
    ///
    /// - Parameters:
    ///   - command: a frame without its CRC.
    ///   - answer: what the chip answered.
    public init?(accepted command: [UInt8], answer: [UInt8]) {
        guard command.first == Self.authenticateCommand, answer.count == 2 else { return nil }
        self.init(pwd: Array(command.dropFirst()), pack: answer)
    }

    private static let authenticateCommand: UInt8 = 0x1B

    /// PWD_AUTH: `1B` and PWD; the answer is PACK, or a NAK.
    ///
    /// NAK codes — NXP NTAG213_215_216, table "ACK and NAK values": 0 invalid argument, 1 parity or CRC error, 4 invalid
    /// authentication counter overflow.
    fileprivate func offer(on channel: any TagChannel) throws(TagError) -> CredentialAnswer {
        switch try channel.frameAnswer([Self.authenticateCommand] + pwd) {
        case .nibble(0x4)?: return .refused(isClosed: true)
        case .nibble(0x0)?: return .refused(isClosed: false)
        case .bytes(let answer)? where answer.count == 2:
            return pack == nil || pack == answer ? .accepted : .acceptedWithForeignPACK
        // A frame that arrived broken, on either side.
        case .nibble?, .bytes?, nil: return .unheard
        }
    }
}

/// What became of a password or key that was sent.
enum CredentialAnswer: Hashable {
    case accepted
    /// The tag accepted the password, and answered another PACK than ours.
    case acceptedWithForeignPACK
    /// The tag answered NAK; `isClosed` when it says that it accepts no password any more.
    case refused(isClosed: Bool)
    /// No answer arrived: the tag may have accepted it, counted it as wrong, or never received it.
    case unheard
}

extension TagChannel {
    /// One frame whose answer may be a NAK; `nil` for silence.
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
    /// Sends it once in the running activation.
    ///
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` for a tag that cannot prove that it knows the key.
    func offer(on channel: any TagChannel, to protection: Type2Protection?) throws(TagError) -> CredentialAnswer {
        switch self {
        case .password(let password): try password.offer(on: channel)
        case .key(let key): try key.authenticate(with: protection?.cipher ?? .tripleDES, on: channel)
        }
    }

    /// Whether this is what the chip asks for.
    func fits(_ protection: Type2Protection) -> Bool {
        switch (self, protection) {
        case (.password, .password), (.key, .tripleDES), (.key, .aes): true
        default: false
        }
    }

    /// Whether it is what chips are delivered with, whatever the PACK.
    public var isDelivered: Bool {
        switch self {
        case .password(let password): password.pwd == Type2Password.delivered.pwd
        case .key(let key): key == .delivered || key == .deliveredAES
        }
    }

    /// What a chip is delivered with.
    static func delivered(for protection: Type2Protection) -> Type2Credential {
        switch protection {
        case .password: .password(.delivered)
        case .tripleDES: .key(.delivered)
        case .aes: .key(.deliveredAES)
        }
    }

    /// The blocks that hold it, in order.
    func secret(for protection: Type2Protection) -> [[UInt8]] {
        switch self {
        case .password(let password): [password.pwd, (password.pack ?? [0x00, 0x00]) + [0x00, 0x00]]
        case .key(let key): key.blocks(for: protection.cipher ?? .tripleDES)
        }
    }
}
