// Areas, passwords and registers of the ST25DV — ST DS10925, ST25DV04K, ST25DV16K, ST25DV64K

/// The addresses of the ST25DV's static registers.
enum ST25DVRegister {
    static let rfA1SS = 0x04
    static let endA1 = 0x05
    /// The address of the register that can be written only over I2C.
    static let i2cSS = 0x0B
    static let lockCCFile = 0x0C
    static let lockConfiguration = 0x0F
    static let count = 0x10

    /// Returns the registers at delivery: one unprotected area that covers the whole memory.
    static func factory(_ chip: ISO15693Chip) -> [UInt8] {
        var registers = [UInt8](repeating: 0, count: count)
        let end = UInt8(chip.size / areaUnit - 1)
        for area in 0..<3 { registers[endA1 + 2 * area] = end }
        // The values for GPO, interrupt time, energy harvesting and watchdog at delivery are from memory.
        registers[0x00] = 0x88
        registers[0x01] = 0x03
        registers[0x02] = 0x01
        registers[0x0E] = 0x07
        return registers
    }

    /// The unit of area sizes in bytes.
    ///
    /// Every area ends at a multiple of it.
    static let areaUnit = 32
}

extension ISO15693Card {
    private enum ST {
        static let readConfiguration: UInt8 = 0xA0
        static let writeConfiguration: UInt8 = 0xA1
        static let writePassword: UInt8 = 0xB1
        static let presentPassword: UInt8 = 0xB3
        static let fastReadSingle: UInt8 = 0xC0
        static let fastReadMultiple: UInt8 = 0xC3
        static let fastExtendedReadSingle: UInt8 = 0xC4
        static let fastExtendedReadMultiple: UInt8 = 0xC5
    }

    private static let passwordSize = 8
    private static let configurationPassword: UInt8 = 0

    mutating func executeST25DV(_ request: ISO15693Request) throws(ISO15693Error) -> [UInt8]? {
        let parameters = request.parameters
        switch request.command {
        case ST.readConfiguration:
            guard parameters.count == 1 else { throw .notRecognised }
            guard let value = register(parameters[0]) else { throw .noSuchBlock }
            return [value]
        case ST.writeConfiguration:
            guard parameters.count == 2 else { throw .notRecognised }
            guard register(parameters[0]) != nil, Int(parameters[0]) != ST25DVRegister.i2cSS else { throw .noSuchBlock }
            guard volatile.given.contains(Self.configurationPassword),
                memory.custom.registers[ST25DVRegister.lockConfiguration] == 0
            else { throw .locked }
            memory.custom.registers[Int(parameters[0])] = parameters[1]
            return []
        case ST.presentPassword:
            let (number, password) = try password(parameters)
            guard memory.custom.passwords[number] == password else {
                volatile.given.remove(number)
                throw .unknown
            }
            // Only one password session is open at a time.
            volatile.given = [number]
            return []
        case ST.writePassword:
            let (number, password) = try password(parameters)
            guard volatile.given.contains(number) else { throw .unknown }
            memory.custom.passwords[number] = password
            return []
        case ST.fastReadSingle, ST.fastReadMultiple, ST.fastExtendedReadSingle, ST.fastExtendedReadMultiple:
            return try execute(request.slow)
        default: throw .notSupported
        }
    }

    private func register(_ pointer: UInt8) -> UInt8? {
        memory.custom.registers.indices.contains(Int(pointer)) ? memory.custom.registers[Int(pointer)] : nil
    }

    private func password(_ parameters: [UInt8]) throws(ISO15693Error) -> (UInt8, [UInt8]) {
        guard parameters.count == 1 + Self.passwordSize else { throw .notRecognised }
        guard memory.custom.passwords[parameters[0]] != nil else { throw .noSuchBlock }
        return (parameters[0], Array(parameters.dropFirst()))
    }

    /// Whether the area that contains a block permits the operation now.
    func isOpen(_ block: Int, isWrite: Bool) -> Bool {
        let registers = memory.custom.registers
        // Blocks 0 and 1 contain the CC file and have their own locks.
        if isWrite, block < 2, registers[ST25DVRegister.lockCCFile] >> UInt8(block) & 1 == 1 { return false }
        let unit = block * chip.blockSize / ST25DVRegister.areaUnit
        let area = (0..<3).first { unit <= Int(registers[ST25DVRegister.endA1 + 2 * $0]) } ?? 3
        let status = registers[ST25DVRegister.rfA1SS + 2 * area]
        let number = status & 0x03
        let isInSession = number != 0 && volatile.given.contains(number)
        switch (status >> 2 & 0x03, isWrite) {
        case (0, _), (1, false): return true
        // Area 1 can always be read.
        case (_, false): return area == 0 || isInSession
        case (3, true): return false
        case (_, true): return isInSession
        }
    }
}

extension ISO15693Request {
    /// The standard command that reads the same data at the usual data rate: 20 for C0, 23 for C3, 30 for C4, 33 for
    /// C5.
    fileprivate var slow: ISO15693Request {
        let codes: [UInt8: UInt8] = [0xC0: 0x20, 0xC3: 0x23, 0xC4: 0x30, 0xC5: 0x33]
        return ISO15693Request(flags: flags, command: codes[command] ?? command, uid: uid, parameters: parameters)
    }
}
