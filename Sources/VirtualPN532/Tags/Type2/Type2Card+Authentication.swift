// Authentication with a password, 3DES and AES — NXP data sheets NTAG213_215_216 and MF0ULX1 (PWD_AUTH), MF0ICU2 and
// MF0AES(H)20 (AUTHENTICATE); NTAG 223 DNA: zc-public/breakme-resources; NTAG 224 DNA: CRThu/nfctester

extension Type2Card {
    /// The configuration in CFG0 and CFG1 at power-up; nil if the chip has no such blocks.
    ///
    /// A change takes effect at the next power-up. The data sheets say so only for CFGLCK; NXP's support says so for
    /// all configuration bits (community.nxp.com, thread 488217). PWD and PACK take effect immediately.
    var configuration: Type2Configuration? {
        guard let first = chip.configurationBlock else { return nil }
        let inForce = atPowerUp ?? memory
        let bytes = inForce[first] + inForce[first + 1]
        return Type2Configuration(bytes[...])
    }

    /// The blocks that require the password or the key now; nil if no block requires it.
    var protection: (firstBlock: Int, coversReading: Bool)? {
        if isAuthenticated { return nil }
        if let configuration { return (configuration.auth0, configuration.protectsReading) }
        if let settings { return (settings.auth0, settings.protectsReading) }
        if let aesProtection { return (aesProtection.auth0, aesProtection.protectsReading) }
        return ultralightCProtection.map { ($0.auth0, $0.protectsReading) }
    }

    /// The settings of an NTAG 22x DNA at power-up; nil for other chips.
    var settings: NTAG22xSettings? {
        chip.settingsBlock.map { NTAG22xSettings((atPowerUp ?? memory).bytes[($0 * Type2Memory.blockSize)...]) }
    }

    /// The settings of an Ultralight AES at power-up, but with the current key locks; nil for other chips.
    var aesProtection: UltralightAESProtection? {
        guard chip.aesKeyBlock != nil else { return nil }
        let first = UltralightAESProtection.firstBlock
        let inForce = (atPowerUp ?? memory).bytes[(first * 4)..<(UltralightAESProtection.keyLockBlock * 4)]
        return UltralightAESProtection(inForce + memory[UltralightAESProtection.keyLockBlock])
    }

    /// The settings of an Ultralight C at the last activation; nil for other chips.
    ///
    /// A new key takes effect at the next activation.
    private var ultralightCProtection: UltralightCProtection? {
        chip.keyBlock.map { UltralightCProtection(atActivation.bytes[(($0 - 2) * Type2Memory.blockSize)...]) }
    }

    // MARK: PWD_AUTH

    mutating func authenticate(password: [UInt8]) throws(NAK) -> TagReply {
        guard let passwordBlock = chip.passwordBlock, let packBlock = chip.packBlock else { throw .invalidArgument }
        let limit = configuration?.authenticationLimit ?? 0
        guard limit == 0 || memory.failedAuthentications < limit else { throw .counterOverflow }
        guard password == memory[passwordBlock], memory.unknownBlocks.isEmpty else {
            if limit != 0 { memory.failedAuthentications += 1 }
            throw .invalidArgument
        }
        memory.failedAuthentications = 0
        isAuthenticated = true
        return reply(Array(memory[packBlock].prefix(2)))
    }

    // MARK: AUTHENTICATE

    private static let moreFollows: UInt8 = 0xAF
    private static let finished: UInt8 = 0x00

    mutating func beginAuthentication() throws(NAK) -> TagReply {
        isAuthenticated = false
        let rndB = (0..<8).map { _ in UInt8.random(in: 0...255, using: &noise) }
        guard let protection = ultralightCProtection else { throw .invalidArgument }
        let authentication = UltralightCAuthentication(keyBlocks: protection.keyBlocks, rndB: rndB)
        pending = .authenticate(authentication)
        return reply([Self.moreFollows] + authentication.challenge)
    }

    /// Starts an authentication with an AES key.
    ///
    /// After AUTH_LIM wrong keys, an Ultralight AES answers NAK 4, as an Ultralight EV1 does (from memory).
    mutating func beginAuthentication(key number: UInt8) throws(NAK) -> TagReply {
        isAuthenticated = false
        guard let blocks = chip.aesKeyBlocks(number: number) else { throw .invalidArgument }
        let limit = aesProtection?.authenticationLimit ?? 0
        guard limit == 0 || memory.failedAuthentications < limit else { throw .counterOverflow }
        let rndB = (0..<16).map { _ in UInt8.random(in: 0...255, using: &noise) }
        let keyBlocks = blocks.flatMap { memory[$0] }
        let authentication = UltralightAESAuthentication(keyNumber: number, keyBlocks: keyBlocks, rndB: rndB)
        pending = .authenticateAES(authentication)
        return reply([Self.moreFollows] + authentication.challenge)
    }

    mutating func finish(_ authentication: UltralightAESAuthentication, _ frame: [UInt8]) throws(NAK) -> TagReply {
        guard frame.first == Self.moreFollows, let answer = authentication.answer(to: Array(frame.dropFirst())) else {
            if let aesProtection, aesProtection.authenticationLimit != 0 { memory.failedAuthentications += 1 }
            throw .invalidArgument
        }
        memory.failedAuthentications = 0
        // Key 1, UIDRetrKey, gives access only to the UID.
        isAuthenticated = authentication.keyNumber == 0
        return reply([Self.finished] + answer)
    }

    mutating func finish(_ authentication: UltralightCAuthentication, _ frame: [UInt8]) throws(NAK) -> TagReply {
        guard frame.first == Self.moreFollows, memory.unknownBlocks.isEmpty,
            let answer = authentication.answer(to: Array(frame.dropFirst()))
        else { throw .invalidArgument }
        isAuthenticated = true
        return reply([Self.finished] + answer)
    }
}
