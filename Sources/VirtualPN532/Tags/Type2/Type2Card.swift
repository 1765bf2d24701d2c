// The command set of a Type 2 Tag — NXP data sheets NTAG213_215_216, NTAG203, NT3H1101_1201, MF0ICU1, MF0ICU2, MF0ULX1

/// The state machine of a Type 2 Tag.
///
/// It answers frames and changes its memory.
struct Type2Card: TypeAPICC {
    /// The codes of NAK answers.
    ///
    /// After a NAK, the tag is in IDLE or HALT.
    enum NAK: UInt8, Error {
        case invalidArgument = 0x0
        /// The frame had a parity error or a CRC error.
        case integrity = 0x1
        /// Too many authentications failed.
        ///
        /// On an Ultralight EV1, this is also the NAK for a counter overflow.
        case counterOverflow = 0x4
    }

    static let ack: UInt8 = 0xA
    /// The frame delay time for n = 9: 1236 carrier periods.
    static let frameDelay = Duration.nanoseconds(91_150)
    /// The programming time of one block.
    static let programmingTime = Duration.microseconds(4_100)

    var memory: Type2Memory {
        didSet { if memory != oldValue { generation += 1 } }
    }
    private(set) var generation = 0
    private(set) var activation = ActivationState()
    /// Whether PWD_AUTH or AUTHENTICATE has succeeded since the tag was selected.
    var isAuthenticated = false
    /// The command that the next frame continues; nil if the next frame starts a command.
    var pending: Pending?
    var sector: UInt8 = 0
    var hasCountedRead = false
    /// The memory as it was at power-up; nil without a field.
    ///
    /// Some settings take effect only at power-up.
    private(set) var atPowerUp: Type2Memory?
    /// The memory as it was when the tag last answered REQA or WUPA.
    private(set) var atActivation: Type2Memory
    private(set) var isPowerFailing = false
    var noise: TearNoise
    /// The differences between this chip and the NXP chip with the same memory layout.
    var variant = Type2Variant()
    var fastReads = 0

    /// A command with two frames, of which the first has arrived.
    enum Pending: Sendable {
        case compatibilityWrite(block: Int)
        case authenticate(UltralightCAuthentication)
        case authenticateAES(UltralightAESAuthentication)
        case sectorSelect
    }

    init(memory: Type2Memory) {
        self.memory = memory
        atActivation = memory
        noise = TearNoise(seed: memory.bytes.prefix(9))
    }

    /// Writes bytes to the memory regardless of locks.
    ///
    /// The change takes effect immediately.
    mutating func store(_ bytes: [UInt8], at block: Int) {
        memory.store(bytes, at: block)
        atActivation = memory
        if atPowerUp != nil { atPowerUp = memory }
    }

    // MARK: Activation

    mutating func powerOff() {
        activation.powerOff()
        leaveActive()
        hasCountedRead = false
        atPowerUp = nil
    }

    mutating func poll(wakeUp: Bool) -> Bool {
        if atPowerUp == nil {
            memory.loadSessionRegisters()
            atPowerUp = memory
        }
        leaveActive()
        guard activation.poll(wakeUp: wakeUp) else { return false }
        atActivation = memory
        return true
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
        pending = nil
        sector = 0
    }

    // MARK: Frames

    mutating func receive(_ frame: [UInt8]) -> TagReply {
        guard activation.isActive else { return TagReply(.silence) }
        do {
            if let second = pending {
                pending = nil
                return try execute(frame, after: second)
            }
            return try execute(frame)
        } catch {
            deselect()
            return refusal(error)
        }
    }

    /// Answers a garbled frame with a NAK, as any other invalid frame — NXP data sheet NTAG213F_216F, 8.4.4 (ACTIVE
    /// state) and 9.3 (ACK and NAK).
    mutating func receiveGarbled() -> TagReply {
        let isActive = activation.isActive
        deselect()
        return isActive ? refusal(.integrity) : TagReply(.silence)
    }

    private func refusal(_ nak: NAK) -> TagReply { TagReply(.nibble(nak.rawValue), delay: Self.frameDelay) }

    mutating func receiveTorn(_ frame: [UInt8]) {
        isPowerFailing = true
        _ = receive(frame)
        isPowerFailing = false
        powerOff()
    }

    private mutating func execute(_ frame: [UInt8], after first: Pending) throws(NAK) -> TagReply {
        switch first {
        case .compatibilityWrite(let block):
            guard frame.count == 16 else { throw .invalidArgument }
            return try program(Array(frame.prefix(4)), at: block)
        case .authenticate(let authentication): return try finish(authentication, frame)
        case .authenticateAES(let authentication): return try finish(authentication, frame)
        case .sectorSelect: return try selectSector(frame)
        }
    }

    private mutating func execute(_ frame: [UInt8]) throws(NAK) -> TagReply {
        let isEV1 = chip.family == .ultralightEV1
        // The simulated readers never send a CMAC, so the chip accepts only a new authentication here.
        if isAuthenticated, aesProtection?.wantsCMAC ?? false, frame.first != 0x1A { throw .invalidArgument }
        let body = Array(frame.dropFirst())
        switch (frame.first, body.count) {
        case (0x30, 1):
            return try read(from: Int(body[0]))
        case (0xA2, 5):
            return try program(Array(body.dropFirst()), at: writableBlock(at: Int(body[0])))
        case (0xA0, 1) where chip.hasCompatibilityWrite:
            pending = try .compatibilityWrite(block: writableBlock(at: Int(body[0])))
            return acknowledge()
        case (0x50, 1) where body[0] == 0x00:
            halt()
            return TagReply(.silence)
        case (0x60, 0) where variant.version == .none:
            throw .invalidArgument
        case (0x60, 0) where !chip.version.isEmpty:
            return reply(variant.answers(version: memory.version))
        case (0x60, 0) where chip.family == .ultralight:
            // The first Ultralight does not support GET_VERSION and stays silent. Hosts use this to distinguish it from
            // an NTAG203.
            deselect()
            return TagReply(.silence)
        case (0x3A, 2) where chip.hasFastRead:
            return try fastRead(from: Int(body[0]), through: Int(body[1]))
        case (0xC2, 1) where chip.sectorMap != nil && body[0] == 0xFF:
            pending = .sectorSelect
            return acknowledge()
        case (0x1A, 1) where chip.keyBlock != nil && body[0] == 0x00:
            return try beginAuthentication()
        case (0x1A, 1) where chip.aesKeyBlocks(number: body[0]) != nil:
            return try beginAuthentication(key: body[0])
        case (0x1B, 4) where chip.passwordBlock != nil:
            return try authenticate(password: body)
        case (0x3C, 1) where chip.hasSignature && variant.hasSignature && body[0] == 0x00:
            return reply(memory.signature)
        case (0x39, 1) where chip.hasConfiguration:
            return try readCounter(Int(body[0]))
        case (0xA5, 5) where isEV1:
            return try incrementCounter(Int(body[0]), by: body[1...])
        case (0x3E, 1) where isEV1:
            return try checkTearing(Int(body[0]))
        case (0x4B, 20) where isEV1:
            return reply([configuration?.virtualCardTypeID ?? 0])
        default:
            throw .invalidArgument
        }
    }

    var chip: Type2Chip { memory.chip }

    func reply(_ bytes: [UInt8]) -> TagReply {
        TagReply(.bytes(bytes), delay: Self.frameDelay)
    }

    func acknowledge(after delay: Duration = frameDelay) -> TagReply {
        TagReply(.nibble(Self.ack), delay: delay)
    }
}
