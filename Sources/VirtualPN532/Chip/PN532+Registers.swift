// Registers, and manual control of the CIU — NXP UM0701-02, ReadRegister and WriteRegister; PN532/C1 data sheet, CIU

/// The CIU commands that a host can write to CIU_Command.
private enum CIUCommand: UInt8 {
    case idle = 0x00
    case transmit = 0x04
    case noCommandChange = 0x07
    case receive = 0x08
}

/// The FIFO of the CIU, and the frames that the host sends directly from it.
struct ContactlessUART {
    private static let capacity = 64
    /// The number of bits of a Type 1 Tag's command code, which is sent in a short frame.
    private static let commandBits = 7

    private(set) var fifo: [UInt8] = []
    /// The bytes of a Type 1 command so far.
    ///
    /// The first is a frame of 7 bits, and each other is a frame without parity.
    private var type1Command: [UInt8] = []
    private var heard = AirAnswer.silence

    /// Replaces the content of the FIFO with the bytes that the firmware left there.
    mutating func leave(_ bytes: [UInt8]) { (fifo, type1Command, heard) = (bytes, [], .silence) }

    mutating func append(_ byte: UInt8) {
        if fifo.count < Self.capacity { fifo.append(byte) }
    }

    mutating func removeFirst() -> UInt8 { fifo.isEmpty ? 0x00 : fifo.removeFirst() }

    /// Executes the command Transmit: sends the bytes in the FIFO as one frame.
    mutating func transmit(_ registers: RegisterMap, over radio: Radio) {
        let bytes = fifo
        fifo = []
        heard = .silence
        let isOneByte = bytes.count == 1 && !registers.addsCRC
        if isOneByte, registers.txLastBits == Self.commandBits {
            type1Command = bytes
            heard = radio.exchange(AirFrame(bytes: bytes, lastBits: Self.commandBits), timeout: .zero)
        } else if isOneByte, registers.txLastBits == 0, registers.isParityDisabled, !type1Command.isEmpty {
            type1Command += bytes
        } else {
            type1Command = []
        }
    }

    /// Executes the command Receive: puts the tag's answer into the FIFO.
    ///
    /// If the parity is not checked, the FIFO contains the parity bits too. Returns the number of valid bits in the
    /// last byte.
    mutating func receive(_ registers: RegisterMap, over radio: Radio, timeout: Duration) -> Int {
        if type1Command.count > 1 {
            heard = radio.exchange(AirFrame(bytes: type1Command, modulation: .type1), timeout: timeout)
        }
        type1Command = []
        guard case .frame(let frame) = heard else { return 0 }
        heard = .silence
        guard registers.isParityDisabled else {
            fifo = Array(frame.bytes.prefix(Self.capacity))
            return frame.lastBits
        }
        let bits = frame.bytes.flatMap { byte in
            (0..<8).map { byte >> $0 & 1 } + [UInt8(1 - byte.nonzeroBitCount % 2)]
        }
        fifo = stride(from: 0, to: bits.count, by: 8).prefix(Self.capacity).map { start in
            bits[start..<min(start + 8, bits.count)].reversed().reduce(0) { $0 << 1 | $1 }
        }
        return bits.count % 8
    }
}

extension PN532 {
    /// ReadRegister: `ADR_H ADR_L …` → the values of the registers.
    func readRegister(_ data: [UInt8]) -> [UInt8]? {
        guard !data.isEmpty, data.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: data.count, by: 2).map { read(UInt16(data[$0]) << 8 | UInt16(data[$0 + 1])) }
    }

    /// WriteRegister: `ADR_H ADR_L value …`.
    func writeRegister(_ data: [UInt8]) -> [UInt8]? {
        guard !data.isEmpty, data.count.isMultiple(of: 3) else { return nil }
        for index in stride(from: 0, to: data.count, by: 3) {
            write(data[index + 2], to: UInt16(data[index]) << 8 | UInt16(data[index + 1]))
        }
        return []
    }

    private func read(_ address: UInt16) -> UInt8 {
        switch address {
        case RegisterMap.fifoData: contactlessUART.removeFirst()
        case RegisterMap.fifoLevel: UInt8(contactlessUART.fifo.count)
        default: registers[address]
        }
    }

    private func write(_ value: UInt8, to address: UInt16) {
        switch address {
        case RegisterMap.fifoData: contactlessUART.append(value)
        case RegisterMap.fifoLevel:
            // The highest bit is FlushBuffer.
            if value & 0x80 != 0 { contactlessUART.leave([]) }
        case RegisterMap.command:
            registers[address] = value
            switch CIUCommand(rawValue: value & 0x0F) {
            case .transmit: contactlessUART.transmit(registers, over: radio)
            case .receive:
                registers.setRxLastBits(contactlessUART.receive(registers, over: radio, timeout: retryTimeout))
            case .idle, .noCommandChange, nil: break
            }
        default: registers[address] = value
        }
    }
}
