// The command set of a MIFARE Classic — NXP MF1S50yyX, MF1S70yyX

/// The state machine of a MIFARE Classic.
///
/// It answers frames and changes its memory.
struct ClassicCard: TypeAPICC {
    /// The codes of NAK answers.
    ///
    /// After a NAK, the card is in IDLE or HALT.
    enum NAK: UInt8, Error {
        case invalidOperation = 0x0
        case checksumError = 0x1
        /// An invalid operation while the transfer buffer is empty.
        case invalidTransferBuffer = 0x4
    }

    private enum Command {
        static let halt: [UInt8] = [0x50, 0x00]
        static let read: UInt8 = 0x30
        static let write: UInt8 = 0xA0
        static let decrement: UInt8 = 0xC0
        static let increment: UInt8 = 0xC1
        static let restore: UInt8 = 0xC2
        static let transfer: UInt8 = 0xB0
    }

    private enum Pending {
        case authentication(ClassicKey, sector: Int, nonce: [UInt8])
        case write(block: Int)
        case operand(command: UInt8, block: Int)
    }

    private struct Session {
        let key: ClassicKey
        let sector: Int
    }

    private static let frameDelay = Duration.nanoseconds(91_150)
    /// Assumed to be equal to the programming time of one block of an Ultralight.
    private static let programmingTime = Duration.microseconds(4_100)

    var memory: ClassicMemory {
        didSet { if memory != oldValue { generation += 1 } }
    }
    private(set) var generation = 0
    private(set) var activation = ActivationState()
    /// The last four bytes of the UID, which the authentication uses.
    private let cipherUID: [UInt8]
    private var session: Session?
    private var pending: Pending?
    private var transferBuffer: ValueBlock?
    private var isPowerFailing = false
    private var noise: TearNoise
    /// The part of the card that answers RATS and the commands after it; nil if the card does not support RATS.
    private var isoDEP: ISODEPCard<MIFAREPlusCard>?
    /// Whether the card answers the short frame 40, as copies with a writable block 0 do.
    private let hasBackdoor: Bool

    init(memory: ClassicMemory, uid: [UInt8], ats: [UInt8]?, hasBackdoor: Bool) {
        self.memory = memory
        self.hasBackdoor = hasBackdoor
        isoDEP = ats.map { ISODEPCard(ISODEPLink(ats: $0), MIFAREPlusCard(uid: uid), seed: uid) }
        cipherUID = uid.suffix(4)
        noise = TearNoise(seed: uid)
    }

    // MARK: Activation

    mutating func powerOff() {
        leaveActive()
        isoDEP?.powerOff()
        activation.powerOff()
    }

    /// Whether the card has answered RATS.
    ///
    /// If so, it accepts only ISO-DEP blocks.
    private var isProtocolOpen: Bool { isoDEP?.link.isOpen ?? false }

    mutating func poll(wakeUp: Bool) -> Bool {
        guard !isProtocolOpen else { return false }
        leaveActive()
        return activation.poll(wakeUp: wakeUp)
    }

    mutating func deselect() {
        guard !isProtocolOpen else { return }
        leaveActive()
        activation.fallBack()
    }

    /// Handles 40 in 7 bits, the first frame for the backdoor of copies, and returns whether the card answers with ACK.
    ///
    /// Copies accept this frame in the states in which they wait for REQA or WUPA.
    mutating func receiveShortFrame(_ code: UInt8) -> Bool {
        guard hasBackdoor, code == 0x40, [.idle, .halt].contains(activation.state) else { return false }
        return true
    }

    mutating func select() { activation.select() }

    /// Handles HLTA that is not enciphered.
    ///
    /// During an authentication or after it, HLTA counts as a garbled frame.
    mutating func halt() {
        guard !isProtocolOpen else { return }
        guard session == nil, pending == nil else { return deselect() }
        activation.halt()
    }

    private mutating func leaveActive() {
        (session, pending, transferBuffer) = (nil, nil, nil)
    }

    // MARK: Frames

    /// Handles a frame that is not enciphered and whose CRC_A has been checked and removed.
    mutating func receive(_ frame: [UInt8]) -> TagReply {
        guard activation.isActive else { return TagReply(.silence) }
        if isProtocolOpen, let reply = isoDEP?.receive(frame, isPowerFailing: isPowerFailing) {
            if !isProtocolOpen { activation.halt() }
            return reply
        }
        guard session == nil, pending == nil else { return garbled() }
        if let ats = isoDEP?.link.answerToSelect(frame) { return TagReply(.bytes(ats), delay: Self.frameDelay) }
        if frame == Command.halt {
            activation.halt()
            return TagReply(.silence)
        }
        guard frame.count == 2, let key = ClassicKey(rawValue: frame[0]) else {
            // Outside a session, only an authentication is valid.
            return refused(.invalidTransferBuffer)
        }
        return challenge(key, block: Int(frame[1]))
    }

    /// Handles an enciphered frame: the second pass of an authentication, or a command with its CRC_A.
    mutating func receiveCiphered(_ frame: [UInt8]) -> TagReply {
        guard activation.isActive else { return TagReply(.silence) }
        if case .authentication(let key, let sector, let nonce) = pending {
            pending = nil
            return verify(frame, key, sector: sector, nonce: nonce)
        }
        guard let session else { return garbled() }
        do throws(NAK) {
            guard let command = Checksum.typeA.stripped(frame) else { throw .checksumError }
            return try execute(command, session)
        } catch {
            return refused(error)
        }
    }

    /// Handles the frame in `deliver`, but power fails during the execution.
    mutating func tear(_ deliver: (inout ClassicCard) -> TagReply) {
        isPowerFailing = true
        _ = deliver(&self)
        isPowerFailing = false
        powerOff()
    }

    mutating func receiveTorn(_ frame: [UInt8]) { tear { $0.receive(frame) } }

    /// Answers a garbled frame with the NAK for a parity or CRC error (MF1S50yyX, table of ACK and NAK).
    mutating func receiveGarbled() -> TagReply {
        guard activation.isActive else { return garbled() }
        return refused(.checksumError)
    }

    private mutating func garbled() -> TagReply {
        deselect()
        return TagReply(.silence)
    }

    private mutating func refused(_ nak: NAK) -> TagReply {
        deselect()
        return TagReply(.nibble(nak.rawValue), delay: Self.frameDelay)
    }

    private static let acknowledge = TagReply(.nibble(0xA), delay: frameDelay)

    // MARK: Authentication

    private mutating func challenge(_ key: ClassicKey, block: Int) -> TagReply {
        session = nil
        guard block < memory.layout.blockCount else { return refused(.invalidTransferBuffer) }
        let nonce = Array(noise.next().bigEndianBytes.prefix(CRYPTO1.nonceSize))
        pending = .authentication(key, sector: ClassicLayout.sector(of: block), nonce: nonce)
        return TagReply(.bare(nonce), delay: Self.frameDelay)
    }

    private mutating func verify(_ answer: [UInt8], _ key: ClassicKey, sector: Int, nonce: [UInt8]) -> TagReply {
        guard let secret = memory.key(key, of: sector),
            answer == CRYPTO1.readerAnswer(key: secret, uid: cipherUID, nonce: nonce)
        else { return garbled() }
        session = Session(key: key, sector: sector)
        return TagReply(.bare(CRYPTO1.tagAnswer(key: secret, uid: cipherUID, nonce: nonce)), delay: Self.frameDelay)
    }

    // MARK: Commands

    private mutating func execute(_ frame: [UInt8], _ session: Session) throws(NAK) -> TagReply {
        if let pending {
            self.pending = nil
            return try complete(pending, with: frame)
        }
        if frame == Command.halt {
            leaveActive()
            activation.halt()
            return TagReply(.silence)
        }
        guard frame.count == 2 else { throw refusal }
        let (code, block) = (frame[0], Int(frame[1]))
        if let key = ClassicKey(rawValue: code) { return challenge(key, block: block) }
        guard block < memory.layout.blockCount, ClassicLayout.sector(of: block) == session.sector,
            let access = memory.access(of: session.sector)
        else { throw refusal }
        let permission = Permission(access: access, key: session.key, block: block)
        switch code {
        case Command.read: return try read(block, permission)
        case Command.write:
            guard permission.writes else { throw refusal }
            pending = .write(block: block)
        case Command.increment, Command.decrement, Command.restore:
            let operation: ClassicAccess.Operation = code == Command.increment ? .increment : .decrement
            guard permission.allows(operation), ValueBlock(memory[block]) != nil else { throw refusal }
            pending = .operand(command: code, block: block)
        case Command.transfer:
            guard permission.allows(.decrement), let transferBuffer else { throw refusal }
            return program(transferBuffer.bytes, at: block)
        default: throw refusal
        }
        return Self.acknowledge
    }

    private var refusal: NAK { transferBuffer == nil ? .invalidTransferBuffer : .invalidOperation }

    private mutating func complete(_ pending: Pending, with data: [UInt8]) throws(NAK) -> TagReply {
        switch pending {
        case .write(let block):
            guard data.count == ClassicLayout.blockSize else { throw refusal }
            return program(writable(data, at: block), at: block)
        case .operand(let command, let block):
            guard data.count == 4, var value = ValueBlock(memory[block]) else { throw refusal }
            let operand = Int32(truncatingIfNeeded: data.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
            switch command {
            case Command.increment: value.value &+= operand
            case Command.decrement: value.value &-= operand
            default: break
            }
            transferBuffer = value
            // The operand is not acknowledged. Only an error is answered.
            return TagReply(.silence)
        case .authentication: throw refusal
        }
    }

    private func read(_ block: Int, _ permission: Permission) throws(NAK) -> TagReply {
        var content = memory[block]
        if permission.isTrailer {
            let parts = ClassicAccess.TrailerPart.allCases.filter(permission.reads)
            guard !parts.isEmpty else { throw refusal }
            for part in ClassicAccess.TrailerPart.allCases where !parts.contains(part) {
                for index in part.range { content[index] = 0 }
            }
        } else if !permission.allows(.read) {
            throw refusal
        }
        return TagReply(.bare(content + Checksum.typeA(content)), delay: Self.frameDelay)
    }

    /// Returns the new content of a block after a write.
    ///
    /// Bytes that stay unknown are nil.
    ///
    /// In a trailer, only the parts that the key may write are changed.
    private func writable(_ data: [UInt8], at block: Int) -> [UInt8?] {
        guard let session, let access = memory.access(of: session.sector) else { return memory.partial(block) }
        guard block == ClassicLayout.trailer(of: session.sector) else { return data }
        var content = memory.partial(block)
        for part in ClassicAccess.TrailerPart.allCases where access.allowsWriting(part, with: session.key) {
            for index in part.range { content[index] = data[index] }
        }
        return content
    }

    private mutating func program(_ data: [UInt8?], at block: Int) -> TagReply {
        var new = data
        if isPowerFailing {
            let old = memory.partial(block)
            let mixture = noise.mixture(of: memory[block], and: data.map { $0 ?? 0 })
            new = data.indices.map { old[$0] == nil || data[$0] == nil ? nil : mixture[$0] }
        }
        memory.store(partial: new, at: block)
        return TagReply(.nibble(0xA), delay: Self.programmingTime)
    }
}

/// The operations that the authenticated key permits on one block.
private struct Permission {
    let access: ClassicAccess
    let key: ClassicKey
    let block: Int

    var isTrailer: Bool { block == ClassicLayout.trailer(of: ClassicLayout.sector(of: block)) }

    /// Whether an operation on a data block is permitted.
    ///
    /// Block 0 holds the manufacturer's data and can only be read.
    func allows(_ operation: ClassicAccess.Operation) -> Bool {
        guard !isTrailer, block != 0 || operation == .read else { return false }
        return access.allows(operation, group: ClassicLayout.accessGroup(of: block), with: key)
    }

    func reads(_ part: ClassicAccess.TrailerPart) -> Bool { access.allowsReading(part, with: key) }

    /// Whether the block can be written.
    ///
    /// For a trailer, one writable part is enough.
    var writes: Bool {
        guard isTrailer else { return allows(.write) }
        return ClassicAccess.TrailerPart.allCases.contains { access.allowsWriting($0, with: key) }
    }
}

extension ClassicAccess.TrailerPart {
    /// The positions of the part's bytes in the trailer.
    ///
    /// The access bits include the user byte.
    fileprivate var range: Range<Int> {
        switch self {
        case .keyA: 0..<ClassicMemory.keySize
        case .accessBits: ClassicMemory.accessBytes
        case .keyB: ClassicMemory.accessBytes.upperBound..<ClassicLayout.blockSize
        }
    }
}
