// Authentication, keys and configuration of an NTAG 424 DNA — NXP NT4H2421Gx, 9, 10.4, 10.5.1, 10.6; AN12196

extension NTAG424Card {
    /// Bits 7 and 6 of a key number, which are reserved for future use.
    private static let reservedKeyBits: UInt8 = 0xC0
    private static let largestCapabilities = 6
    private static let randomSize = 16
    private static let transactionSize = 4

    // MARK: Authentication

    mutating func challenge(isFirst: Bool, _ data: [UInt8]) throws(NTAG424Status) -> [UInt8] {
        let previous = session
        session = nil
        if isFirst {
            try expect(data.count >= 2)
            guard data[1] <= Self.largestCapabilities else { throw .parameterError }
            try expect(data.count == 2 + Int(data[1]))
        } else {
            try expect(data.count == 1)
        }
        let number = try keyNumber(data[0])
        // In the MF, authentication with keys 1 to 4 requires LRP.
        try expectApplication()
        guard isFirst || previous != nil, !memory.configuration.usesLRP, !memory.isLocked(memory.keys[number]) else {
            throw .permissionDenied
        }
        guard memory.keys[number].dueDelays == 0 else {
            memory.keys[number].spentDelays += 1
            time = Self.delayTime
            throw .authenticationDelay
        }
        time = Self.cipherTime
        // RndB is generated before TI.
        let rndB = randomBytes(Self.randomSize)
        // In the answer, PCDcap2 always has 6 bytes.
        let capabilities = Array((data.dropFirst(2) + [UInt8](repeating: 0, count: 6)).prefix(6))
        let handshake = NTAG424Handshake(
            keyNumber: data[0], key: memory.keys[number].cipher, rndB: rndB,
            transaction: isFirst ? randomBytes(Self.transactionSize) : previous?.transaction ?? [],
            counter: isFirst ? 0 : previous?.counter ?? 0,
            capabilities: isFirst ? memory.configuration.pdCap2 + capabilities : nil)
        pending = .handshake(handshake)
        return handshake.challenge
    }

    mutating func authenticate(_ handshake: NTAG424Handshake, _ data: [UInt8]) throws(NTAG424Status) -> [UInt8] {
        let number = Int(handshake.keyNumber)
        time = Self.cipherTime
        do throws(NTAG424Status) {
            let (session, answer) = try handshake.finish(data)
            let decrement = memory.configuration.failureDecrement
            commit { $0.keys[number].countSuccess(decrement: decrement) }
            self.session = session
            return answer
        } catch {
            // Count a failure even if power fails. Otherwise, switching off the power would allow unlimited attempts.
            if error == .authenticationError { memory.keys[number].countFailure() }
            throw error
        }
    }

    /// Returns the index of the key with this number.
    ///
    /// The application has keys 0 to 4, and the MF has keys 1 to 4.
    private func keyNumber(_ byte: UInt8) throws(NTAG424Status) -> Int {
        guard byte & Self.reservedKeyBits == 0 else { throw .parameterError }
        let exists = isApplicationSelected || byte > 0
        guard exists, byte < NTAG424Memory.keyCount else { throw .noSuchKey }
        return Int(byte)
    }

    // MARK: Keys

    mutating func keyVersion(_ code: UInt8, _ data: [UInt8]) throws(NTAG424Status) -> [UInt8] {
        try expect(try open(code, data, headerSize: 1, .mac).isEmpty)
        guard data[0] & 0xF0 == 0 else { throw .parameterError }
        let number = try keyNumber(data[0])
        // Table 67: an originality key has version 00.
        return seal([isApplicationSelected ? memory.keys[number].version : 0x00], .mac)
    }

    /// Changes a key.
    ///
    /// For key 0, the data is NewKey and its version. For other keys, it is NewKey XOR OldKey, the version, and CRC32NK
    /// over NewKey.
    mutating func changeKey(_ code: UInt8, _ data: [UInt8]) throws(NTAG424Status) -> [UInt8] {
        try expect(data.count >= 1)
        let number = try keyNumber(data[0])
        try expectApplication()
        guard session?.keyNumber == 0 else { throw .authenticationError }
        let content = try open(code, data, headerSize: 1, .full)
        try expect(content.count == (number == 0 ? 17 : 21))
        var key = Array(content.prefix(BlockCipher.keySize))
        if number != 0 {
            key = zip(key, memory.keys[number].cipher.key).map { $0 ^ $1 }
            guard DESFireSession.longChecksum(key) == Array(content.suffix(4)) else { throw .integrityError }
        }
        let changed = NTAG424Key(
            cipher: BlockCipher(algorithm: .aes, key: key), version: content[BlockCipher.keySize])
        commit { $0.keys[number] = changed }
        guard number == 0 else { return seal([], .full) }
        // AN12196, "Changing the key", case 2: a change to the key of the session ends the session.
        session = nil
        return []
    }

    // MARK: Configuration

    mutating func setConfiguration(_ code: UInt8, _ data: [UInt8]) throws(NTAG424Status) -> [UInt8] {
        try expect(data.count >= 1)
        try expectApplication()
        guard session?.keyNumber == 0 else { throw .authenticationError }
        let content = try open(code, data, headerSize: 1, .full)
        var configuration = memory.configuration
        switch data[0] {
        case 0x00:
            try expect(content.count == 1)
            guard content[0] & ~0x02 == 0 else { throw .parameterError }
            if content[0] & 0x02 != 0 { configuration.hasRandomID = true }
        case 0x04:
            try expect(content.count == 2)
            // The data is SMConfig, in which bits 15 to 3, 1 and 0 are reserved for future use.
            let bits = NTAG424Memory.number(content)
            guard bits & ~0x0004 == 0 else { throw .parameterError }
            if bits & 0x0004 != 0 { configuration.hasChainedWriting = false }
        case 0x05:
            try expect(content.count == 10)
            if content[4] & 0x02 != 0 { configuration.usesLRP = true }
            configuration.capabilities = Array(content[8...])
        case 0x0A:
            try expect(content.count == 5)
            try setFailureLimit(content, &configuration)
        case 0x0B:
            try expect(content.count == 1)
            guard content[0] & ~0x01 == 0 else { throw .parameterError }
            configuration.hasStrongBackModulation = content[0] == 0x01
        default:
            throw .parameterError
        }
        let switchesToLRP = configuration.usesLRP && !memory.configuration.usesLRP
        commit { memory in
            memory.configuration = configuration
            // 9.3.4.2: switching from AES to LRP also switches off Secure Dynamic Messaging.
            if switchesToLRP { for index in memory.files.indices { memory.files[index].sdm = nil } }
        }
        guard switchesToLRP else { return seal([], .full) }
        // AN12321, table 3: the answer has no MAC.
        session = nil
        return []
    }

    private func setFailureLimit(
        _ content: [UInt8], _ configuration: inout NTAG424Configuration
    ) throws(NTAG424Status) {
        guard content[0] & ~0x01 == 0 else { throw .parameterError }
        guard content[0] == 0x01 else {
            configuration.failureLimit = nil
            return
        }
        let limit = UInt16(content[2]) << 8 | UInt16(content[1])
        guard limit > 0 else { throw .parameterError }
        configuration.failureLimit = limit
        configuration.failureDecrement = UInt16(content[4]) << 8 | UInt16(content[3])
    }

    // MARK: Identity

    mutating func cardUID(_ code: UInt8, _ data: [UInt8]) throws(NTAG424Status) -> [UInt8] {
        guard session != nil else { throw .authenticationError }
        try expect(try open(code, data, headerSize: 0, .full).isEmpty)
        return seal(memory.uid, .full)
    }

    mutating func readSignature(_ code: UInt8, _ data: [UInt8]) throws(NTAG424Status) -> [UInt8] {
        try expect(try open(code, data, headerSize: 1, .full).isEmpty)
        guard data[0] == 0x00 else { throw .parameterError }
        return seal(memory.signature, .full, status: .signature)
    }
}
