// The command set of a Topaz tag — NFC Forum Type 1 Tag, command set; Broadcom BCM20203T96 and BCM20203T512

/// The state machine of a Topaz tag.
///
/// It answers frames and changes its memory.
///
/// A frame with a wrong UID, length or address gets no answer and changes nothing. The same is true of a write to a
/// locked block.
struct TopazCard: Sendable {
    private enum Command {
        static let readIdentification: UInt8 = 0x78
        static let readAll: UInt8 = 0x00
        static let read: UInt8 = 0x01
        static let writeErase: UInt8 = 0x53
        static let writeNoErase: UInt8 = 0x1A
        static let readSegment: UInt8 = 0x10
        static let read8: UInt8 = 0x02
        static let writeErase8: UInt8 = 0x54
        static let writeNoErase8: UInt8 = 0x1B
    }

    /// The number of UID bytes that every command except RID repeats and that RID returns.
    static let uidEchoSize = 4
    /// The frame delay time for n = 9: 1236 carrier periods.
    private static let frameDelay = Duration.nanoseconds(91_150)
    /// The time to erase and write, n = 554.
    private static let eraseWriteTime = Duration.microseconds(5_236)
    /// The time to write without erasing, n = 281.
    private static let writeTime = Duration.microseconds(2_659)

    var memory: TopazMemory {
        didSet { if memory != oldValue { generation += 1 } }
    }
    private(set) var generation = 0
    /// Whether the tag has answered SENS_REQ or ALL_REQ since power-up (READY).
    private var isReady = false
    private var isPowerFailing = false
    private var noise: TearNoise

    init(memory: TopazMemory) {
        self.memory = memory
        noise = TearNoise(seed: memory[0..<TopazMemory.blockSize])
    }

    mutating func powerOff() { isReady = false }

    /// Handles SENS_REQ or ALL_REQ.
    ///
    /// A Type 1 Tag has no HALT state.
    mutating func poll() { isReady = true }

    /// Whether a frame is a command for this tag.
    ///
    /// RID does not count, because it belongs to the activation.
    func isCommand(_ frame: [UInt8]) -> Bool {
        isReady && frame.first != Command.readIdentification
            && frame.suffix(Self.uidEchoSize) == memory.bytes.prefix(Self.uidEchoSize)
    }

    mutating func receiveTorn(_ frame: [UInt8]) {
        isPowerFailing = true
        _ = receive(frame)
        isPowerFailing = false
        powerOff()
    }

    /// Handles a command that includes the UID echo.
    ///
    /// The CRC has been removed.
    mutating func receive(_ frame: [UInt8]) -> TagReply {
        guard isReady, let command = frame.first else { return TagReply(.silence) }
        if command == Command.readIdentification {
            // The address, data and UID bytes of RID may have any values.
            return frame.count == 3 + Self.uidEchoSize
                ? reply(memory.chip.headerROM + memory[0..<Self.uidEchoSize]) : TagReply(.silence)
        }
        guard isCommand(frame) else { return TagReply(.silence) }
        let operands = Array(frame.dropFirst().dropLast(Self.uidEchoSize))
        guard let operand = operands.first else { return TagReply(.silence) }
        let data = Array(operands.dropFirst())
        switch data.count {
        case 1: return executeStatic(command, operand, data)
        case TopazMemory.blockSize where memory.chip.isDynamic: return executeDynamic(command, operand, data)
        default: return TagReply(.silence)
        }
    }

    /// Executes a command for single bytes, or RALL.
    ///
    /// ADD consists of a `0` bit, the block (4 bits) and the byte (3 bits).
    private mutating func executeStatic(_ command: UInt8, _ operand: UInt8, _ data: [UInt8]) -> TagReply {
        if command == Command.readAll {
            return reply(memory.chip.headerROM + memory[0..<TopazMemory.staticSize])
        }
        let address = Int(operand)
        guard address < TopazMemory.segmentSize else { return TagReply(.silence) }
        switch command {
        case Command.read: return reply([operand] + memory[address..<address + 1])
        case Command.writeErase: return erase(andWrite: data, at: address, echo: operand)
        case Command.writeNoErase: return setBits(of: data, at: address, echo: operand)
        default: return TagReply(.silence)
        }
    }

    /// Executes a command for 8 bytes or a segment.
    ///
    /// ADD8 is the number of a block. ADDS contains the number of a segment in its upper four bits.
    private mutating func executeDynamic(_ command: UInt8, _ operand: UInt8, _ data: [UInt8]) -> TagReply {
        let address = Int(operand) * TopazMemory.blockSize
        switch command {
        case Command.readSegment where operand & 0x0F == 0:
            return reply([operand] + memory[address..<address + TopazMemory.segmentSize])
        case Command.read8: return reply([operand] + memory[address..<address + TopazMemory.blockSize])
        case Command.writeErase8: return erase(andWrite: data, at: address, echo: operand)
        case Command.writeNoErase8: return setBits(of: data, at: address, echo: operand)
        default: return TagReply(.silence)
        }
    }

    private func reply(_ bytes: [UInt8], delay: Duration = frameDelay) -> TagReply {
        TagReply(.bytes(bytes), delay: delay)
    }

    private mutating func erase(andWrite data: [UInt8], at address: Int, echo: UInt8) -> TagReply {
        guard memory.canErase(address / TopazMemory.blockSize) else { return TagReply(.silence) }
        let erased = [UInt8](repeating: 0x00, count: data.count)
        if isPowerFailing, Bool.random(using: &noise) {
            // Power failed during the erase phase.
            write(erased, over: memory[address..<address + data.count], at: address)
        } else {
            write(data, over: erased, at: address)
        }
        return reply([echo] + memory[address..<address + data.count], delay: Self.eraseWriteTime)
    }

    private mutating func setBits(of data: [UInt8], at address: Int, echo: UInt8) -> TagReply {
        guard memory.canSetBits(address / TopazMemory.blockSize) else { return TagReply(.silence) }
        let old = memory[address..<address + data.count]
        write(zip(old, data).map(|), over: old, at: address)
        return reply([echo] + memory[address..<address + data.count], delay: Self.writeTime)
    }

    /// Writes to the memory.
    ///
    /// If power fails, each bit has either its old or its new value.
    private mutating func write(_ new: [UInt8], over old: [UInt8], at address: Int) {
        memory.store(isPowerFailing ? noise.bitMixture(of: old, and: new) : new, at: address)
    }
}
