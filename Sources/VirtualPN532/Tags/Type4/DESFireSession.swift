// Authenticated sessions of a MIFARE DESFire — NXP MF3ICDx21_41_81, "Authenticate", "Secure messaging"

/// The commands for authentication.
///
/// The raw value is the command code.
enum DESFireAuthentication: UInt8, Hashable, Sendable {
    /// The authentication of the first DESFire (MF3ICD40): DES, without a MAC on plain answers.
    case legacy = 0x0A
    /// DES or two-key triple DES with chained vectors.
    case iso = 0x1A
    case aes = 0xAA

    var algorithm: BlockCipher.Algorithm { self == .aes ? .aes : .tripleDES }
}

/// A session that was authenticated with one key of the selected application.
struct DESFireSession: Hashable, Sendable {
    private static let codeSize = 8

    let authentication: DESFireAuthentication
    let keyNumber: UInt8
    let cipher: BlockCipher
    private var vector: [UInt8]

    /// Creates a session whose key is derived from parts of both random numbers.
    init(
        _ authentication: DESFireAuthentication, keyNumber: UInt8, key: BlockCipher, reader: [UInt8], card: [UInt8]
    ) {
        (self.authentication, self.keyNumber) = (authentication, keyNumber)
        let first = reader.prefix(4) + card.prefix(4)
        let second = key.isSingleDES ? first : reader.suffix(4) + card.suffix(4)
        cipher = BlockCipher(algorithm: key.algorithm, key: Array(first + second))
        vector = cipher.zeroVector
    }

    /// Includes a plain command in the calculation of the next MAC.
    mutating func absorb(_ command: [UInt8]) {
        guard authentication != .legacy else { return }
        _ = cipher.authenticationCode(command, vector: &vector)
    }

    /// Returns the data of an answer, followed by the MAC over the data and the status.
    ///
    /// In a legacy session, there is no MAC.
    mutating func seal(_ data: [UInt8]) -> [UInt8] {
        guard authentication != .legacy else { return data }
        let code = cipher.authenticationCode(data + [DESFireStatus.success.rawValue], vector: &vector)
        return data + code.prefix(Self.codeSize)
    }

    /// Deciphers the data of a command, which contains `size` bytes, their CRC, `extra` bytes and zeros.
    ///
    /// - Parameters:
    ///   - data: the enciphered data, in whole blocks of the cipher.
    ///   - command: the bytes before the data. They are included in the 4-byte CRC.
    ///   - size: the number of bytes before the CRC.
    ///   - extra: the number of bytes between the CRC and the zeros. In ChangeKey, these bytes are the CRC of the new
    ///     key.
    /// - Returns: the `size` bytes and the `extra` bytes.
    /// - Throws: `.lengthError` if the data does not consist of whole blocks; `.integrityError` if the CRC or the
    ///   padding is wrong.
    mutating func decipher(
        _ data: [UInt8], after command: [UInt8], size: Int, extra: Int = 0
    ) throws(DESFireStatus) -> (data: [UInt8], extra: [UInt8]) {
        guard !data.isEmpty, data.count.isMultiple(of: cipher.blockSize) else { throw .lengthError }
        let isLegacy = authentication == .legacy
        let plain = isLegacy ? cipher.recoverLegacy(data) : cipher.decryptCBC(data, vector: &vector)
        let content = Array(plain.prefix(size))
        let checksum = checksum(content, after: command)
        let rest = plain.dropFirst(size + checksum.count)
        guard plain.count >= size + checksum.count + extra, plain.dropFirst(size).starts(with: checksum),
            rest.dropFirst(extra).allSatisfy({ $0 == 0 })
        else { throw .integrityError }
        return (content, Array(rest.prefix(extra)))
    }

    /// Returns CRC_A over the data in a legacy session, or the 4-byte CRC over command and data in any other session.
    func checksum(_ data: [UInt8], after command: [UInt8]) -> [UInt8] {
        authentication == .legacy ? Checksum.typeA(data) : Self.longChecksum(command + data)
    }

    /// Returns the CRC-32 of IEEE 802.3 without the final inversion, least significant byte first.
    static func longChecksum(_ bytes: [UInt8]) -> [UInt8] {
        let checksum = bytes.reduce(0xFFFF_FFFF as UInt32) { checksum, byte in
            (0..<8).reduce(checksum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
        return checksum.bigEndianBytes.reversed()
    }
}

/// The card's state between the two frames of an authentication.
struct DESFireHandshake: Hashable, Sendable {
    let authentication: DESFireAuthentication
    let keyNumber: UInt8
    let key: BlockCipher
    let challenge: [UInt8]
    private var vector: [UInt8]

    init(_ authentication: DESFireAuthentication, keyNumber: UInt8, key: BlockCipher, challenge: [UInt8]) {
        (self.authentication, self.keyNumber, self.key) = (authentication, keyNumber, key)
        self.challenge = challenge
        vector = key.zeroVector
    }

    /// Returns the answer to the first frame, E(RndB).
    mutating func firstAnswer() -> [UInt8] { key.encryptCBC(challenge, vector: &vector) }

    /// Checks the token, which contains RndA and the rotated RndB.
    ///
    /// Returns the new session, and the answer with the rotated RndA.
    mutating func finish(_ token: [UInt8]) throws(DESFireStatus) -> (session: DESFireSession, answer: [UInt8]) {
        guard token.count == 2 * key.blockSize else { throw .lengthError }
        let isLegacy = authentication == .legacy
        let plain = isLegacy ? key.recoverLegacy(token) : key.decryptCBC(token, vector: &vector)
        let (reader, card) = (Array(plain.prefix(key.blockSize)), Array(plain.suffix(key.blockSize)))
        guard card == Self.rotated(challenge) else { throw .authenticationError }
        if isLegacy { vector = key.zeroVector }
        let session = DESFireSession(
            authentication, keyNumber: keyNumber, key: key, reader: reader, card: challenge)
        return (session, key.encryptCBC(Self.rotated(reader), vector: &vector))
    }

    private static func rotated(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.dropFirst() + bytes.prefix(1)) }
}
