// EV2 secure messaging of an NTAG 424 DNA — NXP NT4H2421Gx, 9.1

/// An authenticated session with one application key.
struct NTAG424Session: Hashable, Sendable {
    static let codeSize = 8
    private static let blockSize = 16

    let keyNumber: UInt8
    /// The transaction identifier (TI), 4 bytes.
    let transaction: [UInt8]
    /// The session key for encryption, SesAuthENCKey.
    let encryption: BlockCipher
    /// The session key for MACs, SesAuthMACKey.
    let authentication: BlockCipher
    var counter: UInt16

    init(
        keyNumber: UInt8, transaction: [UInt8], encryptionKey: [UInt8], authenticationKey: [UInt8], counter: UInt16
    ) {
        (self.keyNumber, self.transaction, self.counter) = (keyNumber, transaction, counter)
        encryption = BlockCipher(algorithm: .aes, key: encryptionKey)
        authentication = BlockCipher(algorithm: .aes, key: authenticationKey)
    }

    /// Derives both session keys from the random numbers RndA and RndB, 16 bytes each (9.1.7).
    init(
        keyNumber: UInt8, key: BlockCipher, rndA: [UInt8], rndB: [UInt8], transaction: [UInt8], counter: UInt16
    ) {
        let mixed = zip(rndA[2..<8], rndB[0..<6]).map { $0 ^ $1 }
        let context = rndA[0..<2] + mixed + rndB[6...] + rndA[8...]
        self.init(
            keyNumber: keyNumber, transaction: transaction,
            encryptionKey: key.authenticationCode([0xA5, 0x5A, 0x00, 0x01, 0x00, 0x80] + context),
            authenticationKey: key.authenticationCode([0x5A, 0xA5, 0x00, 0x01, 0x00, 0x80] + context),
            counter: counter)
    }

    private var counterBytes: [UInt8] { counter.bigEndianBytes.reversed() }

    private func vector(_ label: [UInt8]) -> [UInt8] {
        var zero = encryption.zeroVector
        let zeros = [UInt8](repeating: 0, count: 8)
        return encryption.encryptCBC(label + transaction + counterBytes + zeros, vector: &zero)
    }

    /// Checks a command, removes its protection, and increments CmdCtr.
    /// - Parameters:
    ///   - code: the command code (Cmd).
    ///   - header: the command header (CmdHeader).
    ///   - body: the data after the header.
    ///   - mode: the protection that the command must have. In plain mode, only CmdCtr is checked.
    /// - Returns: CmdData in plain text.
    /// - Throws: `.lengthError` for a body without a complete MAC or with an incomplete block; `.integrityError` for a
    ///   wrong MAC or padding, or if CmdCtr is FFFF.
    mutating func open(
        _ code: UInt8, _ header: [UInt8], _ body: [UInt8], _ mode: NTAG424Mode
    ) throws(NTAG424Status) -> [UInt8] {
        // 9.1.2: if CmdCtr is FFFF, a command is handled as if its MAC were wrong.
        guard counter < .max else { throw .integrityError }
        var content = body
        if mode != .plain {
            guard body.count >= Self.codeSize else { throw .lengthError }
            content = body.dropLast(Self.codeSize)
            let expected = authentication.truncatedCode([code] + counterBytes + transaction + header + content)
            guard expected == Array(body.suffix(Self.codeSize)) else { throw .integrityError }
        }
        if mode == .full, !content.isEmpty {
            guard content.count.isMultiple(of: Self.blockSize) else { throw .lengthError }
            let plain = decrypted(content)
            guard let end = plain.lastIndex(where: { $0 != 0 }), plain[end] == 0x80,
                end >= plain.count - Self.blockSize
            else { throw .integrityError }
            content = Array(plain[..<end])
        }
        counter += 1
        return content
    }

    /// Decrypts the data of a command.
    ///
    /// The result includes the padding.
    ///
    /// An incomplete last block is dropped.
    func decrypted(_ data: [UInt8]) -> [UInt8] {
        var vector = vector([0xA5, 0x5A])
        return encryption.decryptCBC(data, vector: &vector)
    }

    func seal(_ data: [UInt8], _ mode: NTAG424Mode, status: NTAG424Status) -> [UInt8] {
        guard mode != .plain else { return data }
        var content = data
        if mode == .full, !data.isEmpty {
            content.append(0x80)
            while !content.count.isMultiple(of: Self.blockSize) { content.append(0) }
            var vector = vector([0x5A, 0xA5])
            content = encryption.encryptCBC(content, vector: &vector)
        }
        return content + authentication.truncatedCode([status.rawValue] + counterBytes + transaction + content)
    }
}

/// The card's state between the two parts of AuthenticateEV2First or AuthenticateEV2NonFirst.
struct NTAG424Handshake: Hashable, Sendable {
    private static let randomSize = 16

    let keyNumber: UInt8
    let key: BlockCipher
    let rndB: [UInt8]
    let transaction: [UInt8]
    let counter: UInt16
    /// PDCap2 and PCDcap2 (12 bytes); nil for AuthenticateEV2NonFirst, whose answer also does not contain TI.
    let capabilities: [UInt8]?

    /// The card's random number, encrypted: E(Kx, RndB).
    var challenge: [UInt8] {
        var vector = key.zeroVector
        return key.encryptCBC(rndB, vector: &vector)
    }

    /// Checks E(Kx, RndA || RndB'), and returns the session and the answer.
    ///
    /// The prime means that the bytes are rotated to the left by one byte.
    func finish(_ token: [UInt8]) throws(NTAG424Status) -> (session: NTAG424Session, answer: [UInt8]) {
        guard token.count == 2 * Self.randomSize else { throw .lengthError }
        var vector = key.zeroVector
        let plain = key.decryptCBC(token, vector: &vector)
        let rndA = Array(plain.prefix(Self.randomSize))
        guard Array(plain.suffix(Self.randomSize)) == Self.rotated(rndB) else { throw .authenticationError }
        let answer = capabilities.map { transaction + Self.rotated(rndA) + $0 } ?? Self.rotated(rndA)
        vector = key.zeroVector
        let session = NTAG424Session(
            keyNumber: keyNumber, key: key, rndA: rndA, rndB: rndB, transaction: transaction, counter: counter)
        return (session, key.encryptCBC(answer, vector: &vector))
    }

    private static func rotated(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.dropFirst() + bytes.prefix(1)) }
}
