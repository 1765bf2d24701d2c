// A Type 2 Tag's command set — NXP data sheets NTAG213_215_216, MF0ICU1, MF0ULX1

/// The tag as a state machine: frames in, answers out, memory changed.
struct Type2Card: Sendable {
    /// A NAK and its code.
    ///
    /// After one the tag is back in IDLE or HALT.
    enum NAK: UInt8, Error {
        case invalidArgument = 0x0
        /// NTAG21x: too many negative password verifications. Ultralight EV1: also a counter at its end.
        case counterOverflow = 0x4
    }

    static let ack: UInt8 = 0xA
    /// Frame delay time PCD to PICC, n = 9: 1236 carrier cycles.
    static let frameDelay = Duration.nanoseconds(91_150)
    /// Programming time of one block.
    static let programmingTime = Duration.microseconds(4_100)

    var memory: Type2Memory {
        didSet { if memory != oldValue { generation += 1 } }
    }
    private(set) var generation = 0
    private(set) var activation = ActivationState()
    private(set) var isAuthenticated = false
    /// CFG0 and CFG1 are write-protected: CFGLCK, as it was at power-up.
    private var isConfigurationLocked: Bool
    private var hasCountedRead = false
    private var compatibilityWriteBlock: Int?
    private var isPowerFailing = false
    private var noise: TearNoise

    init(memory: Type2Memory) {
        self.memory = memory
        isConfigurationLocked = memory.configuration?.isLocked ?? false
        noise = TearNoise(seed: memory.bytes.prefix(9))
    }

    // MARK: Activation

    mutating func powerOff() {
        activation.powerOff()
        leaveActive()
        hasCountedRead = false
        isConfigurationLocked = memory.configuration?.isLocked ?? false
    }

    mutating func poll(wakeUp: Bool) -> Bool {
        leaveActive()
        return activation.poll(wakeUp: wakeUp)
    }

    mutating func deselect() {
        leaveActive()
        activation.fallBack()
    }

    mutating func select() {
        activation.select()
    }

    mutating func halt() {
        leaveActive()
        activation.halt()
    }

    private mutating func leaveActive() {
        isAuthenticated = false
        compatibilityWriteBlock = nil
    }

    // MARK: Frames

    mutating func receive(_ frame: [UInt8]) -> TagReply {
        guard activation.isActive else { return TagReply(.silence) }
        do {
            return try execute(frame)
        } catch {
            deselect()
            return TagReply(.nibble(error.rawValue), delay: Self.frameDelay)
        }
    }

    mutating func receiveTorn(_ frame: [UInt8]) {
        isPowerFailing = true
        _ = receive(frame)
        isPowerFailing = false
        powerOff()
    }

    private mutating func execute(_ frame: [UInt8]) throws(NAK) -> TagReply {
        if let block = compatibilityWriteBlock {
            compatibilityWriteBlock = nil
            guard frame.count == 16 else { throw .invalidArgument }
            return program(Array(frame.prefix(4)), at: block)
        }
        let isEV1 = chip.family == .ultralightEV1
        let body = Array(frame.dropFirst())
        switch (frame.first, body.count) {
        case (0x30, 1):
            return try read(from: Int(body[0]))
        case (0xA2, 5):
            try checkWriteAccess(to: Int(body[0]))
            return program(Array(body.dropFirst()), at: Int(body[0]))
        case (0xA0, 1):
            try checkWriteAccess(to: Int(body[0]))
            compatibilityWriteBlock = Int(body[0])
            return TagReply(.nibble(Self.ack), delay: Self.frameDelay)
        case (0x50, 1) where body[0] == 0x00:
            halt()
            return TagReply(.silence)
        case (0x60, 0) where !chip.version.isEmpty:
            return reply(memory.version)
        case (0x60, 0):
            // The first Ultralight does not know GET_VERSION and says nothing; hosts tell it from an NTAG203 by that.
            deselect()
            return TagReply(.silence)
        case (0x3A, 2) where chip.hasPassword:
            return try fastRead(from: Int(body[0]), through: Int(body[1]))
        case (0x1B, 4) where chip.hasPassword:
            return try authenticate(password: body)
        case (0x3C, 1) where chip.hasPassword && body[0] == 0x00:
            return reply(memory.signature)
        case (0x39, 1) where chip.hasPassword:
            return try readCounter(Int(body[0]))
        case (0xA5, 5) where isEV1:
            return try incrementCounter(Int(body[0]), by: body[1...])
        case (0x3E, 1) where isEV1:
            return try checkTearing(Int(body[0]))
        case (0x4B, 20) where isEV1:
            return reply([memory.configuration?.virtualCardTypeID ?? 0])
        default:
            throw .invalidArgument
        }
    }

    private var chip: Type2Chip { memory.chip }

    private func reply(_ bytes: [UInt8]) -> TagReply {
        TagReply(.bytes(bytes), delay: Self.frameDelay)
    }

    // MARK: READ, FAST_READ

    /// The first block that may not be read now, and the end of the memory at the latest.
    private var readableEnd: Int {
        guard let configuration = memory.configuration, configuration.protectsReading, !isAuthenticated else {
            return chip.blockCount
        }
        return min(configuration.auth0, chip.blockCount)
    }

    /// READ: four blocks, rolling over to block 0 at the end of the memory or of its unprotected part.
    private mutating func read(from block: Int) throws(NAK) -> TagReply {
        let end = readableEnd
        guard block < end else { throw .invalidArgument }
        countRead()
        let image = mirroredMemory()
        return reply((block..<block + 4).flatMap { image[($0 % end) * 4..<($0 % end) * 4 + 4] })
    }

    private mutating func fastRead(from first: Int, through last: Int) throws(NAK) -> TagReply {
        guard first <= last, last < readableEnd else { throw .invalidArgument }
        countRead()
        return reply(Array(mirroredMemory()[first * 4..<(last + 1) * 4]))
    }

    private func mirroredMemory() -> [UInt8] {
        guard chip.family == .ntag21x, let configuration = memory.configuration else { return memory.readable }
        let mirror = ASCIIMirror(
            configuration, uid: memory.bytes[..<3] + memory.bytes[4..<8], counter: memory.counters[2],
            showsCounter: configuration.countsReads && (!configuration.protectsCounter || isAuthenticated))
        return mirror.applied(to: memory.readable, userBlocks: 4..<chip.locks[1].block)
    }

    /// NFC counter: the first READ or FAST_READ after power-up counts, up to FFFFFF.
    private mutating func countRead() {
        guard chip.family == .ntag21x, memory.configuration?.countsReads == true, !hasCountedRead else { return }
        hasCountedRead = true
        memory.counters[2] = min(memory.counters[2] + 1, 0xFF_FFFF)
    }

    // MARK: WRITE, COMPATIBILITY_WRITE

    private func checkWriteAccess(to block: Int) throws(NAK) {
        guard (2..<chip.blockCount).contains(block), !memory.isLocked(block) else { throw .invalidArgument }
        if let configuration = memory.configuration, block >= configuration.auth0, !isAuthenticated {
            throw .invalidArgument
        }
        if isConfigurationLocked, let first = chip.configurationBlock, (first...first + 1).contains(block) {
            throw .invalidArgument
        }
    }

    private mutating func program(_ data: [UInt8], at block: Int) -> TagReply {
        let old = memory[block]
        var new = memory.programmed(data, at: block)
        if isPowerFailing {
            new =
                chip.isTearProtected(block)
                ? (Bool.random(using: &noise) ? new : old)
                : noise.mixture(of: old, and: new)
        }
        memory.store(new, at: block)
        return TagReply(.nibble(Self.ack), delay: Self.programmingTime)
    }

    // MARK: PWD_AUTH

    private mutating func authenticate(password: [UInt8]) throws(NAK) -> TagReply {
        guard let configuration = memory.configuration else { throw .invalidArgument }
        let limit = configuration.authenticationLimit
        guard limit == 0 || memory.failedAuthentications < limit else { throw .counterOverflow }
        guard password == configuration.password else {
            if limit != 0 { memory.failedAuthentications += 1 }
            throw .invalidArgument
        }
        memory.failedAuthentications = 0
        isAuthenticated = true
        return reply(configuration.pack)
    }

    // MARK: Counters

    private func readCounter(_ number: Int) throws(NAK) -> TagReply {
        if chip.family == .ntag21x {
            guard number == 2, let configuration = memory.configuration, configuration.countsReads,
                !configuration.protectsCounter || isAuthenticated
            else { throw .invalidArgument }
        }
        guard memory.counters.indices.contains(number) else { throw .invalidArgument }
        let value = memory.counters[number]
        return reply([0, 8, 16].map { UInt8(truncatingIfNeeded: value >> $0) })
    }

    /// INCR_CNT: three bytes, least significant first; the fourth is ignored.
    private mutating func incrementCounter(_ number: Int, by amount: ArraySlice<UInt8>) throws(NAK) -> TagReply {
        guard memory.counters.indices.contains(number) else { throw .invalidArgument }
        let sum = memory.counters[number] + amount.prefix(3).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        guard sum <= 0xFF_FFFF else { throw .counterOverflow }
        if !isPowerFailing || Bool.random(using: &noise) { memory.counters[number] = sum }
        memory.tearingFlags[number] = isPowerFailing ? 0x00 : 0xBD
        return TagReply(.nibble(Self.ack), delay: Self.programmingTime)
    }

    private func checkTearing(_ number: Int) throws(NAK) -> TagReply {
        guard memory.tearingFlags.indices.contains(number) else { throw .invalidArgument }
        return reply([memory.tearingFlags[number]])
    }
}
