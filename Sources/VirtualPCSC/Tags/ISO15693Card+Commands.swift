// The commands in the standard — ISO/IEC 15693-3, 10.3 and 10.4

import VirtualPN532

extension ISO15693Card {
    /// Executes a request, and returns the data of the response without flags.
    ///
    /// The result is nil if there is no response.
    mutating func execute(_ request: ISO15693Request) throws(ISO15693Error) -> [UInt8]? {
        if request.manufacturer != nil { return try executeCustom(request) }
        switch request.command {
        case Command.stayQuiet:
            // 10.3.2: this command takes effect only in addressed mode and is never answered.
            if request.uid != nil { state = .quiet }
            return nil
        case Command.select where chip.commands.contains(request.command):
            guard request.uid != nil else { throw .notRecognised }
            state = .selected
            return []
        case Command.resetToReady where chip.commands.contains(request.command):
            state = .ready
            return []
        case _ where !chip.commands.contains(request.command): throw .notSupported
        // From the M24LR64-R data sheet: without the flag, the chip answers with an error.
        case Command.readSingle...Command.readMultiple, Command.securityStatus:
            if chip.usesProtocolExtension, !request.has(Flag.protocolExtension) { throw .unknown }
            return try executeOptional(request)
        default: return try executeOptional(request)
        }
    }

    private mutating func executeOptional(_ request: ISO15693Request) throws(ISO15693Error) -> [UInt8] {
        if request.isWrite {
            switch chip.writeOption {
            case .allowed: break
            case .required where request.has(Flag.option): break
            case .refused where !request.has(Flag.option): break
            case .required, .refused: throw .optionNotSupported
            }
        }
        var parameters = Parameters(request, chip)
        switch request.command {
        case Command.readSingle, Command.extendedReadSingle:
            let block = try parameters.block()
            try parameters.end()
            return try read(block..<(block + 1), withStatus: request.has(Flag.option))
        case Command.readMultiple, Command.extendedReadMultiple:
            return try read(range(&parameters, isRead: true), withStatus: request.has(Flag.option))
        case Command.writeSingle, Command.extendedWriteSingle:
            let block = try parameters.block()
            try write(parameters.rest(count: chip.blockSize), to: block)
        case Command.writeMultiple, Command.extendedWriteMultiple:
            let first = try parameters.block()
            let count = try parameters.number() + 1
            if let longest = chip.longestWrite, count > longest { throw .unknown }
            guard first + count <= chip.blockCount else { throw .noSuchBlock }
            let data = try parameters.rest(count: count * chip.blockSize)
            for block in first..<(first + count) {
                guard !memory.isLocked[block] else { throw .locked }
                try checkWriting(to: block)
            }
            for index in 0..<count {
                try write(Array(data[(index * chip.blockSize)...].prefix(chip.blockSize)), to: first + index)
            }
        case Command.lockBlock, Command.extendedLockBlock:
            let block = try parameters.block()
            try parameters.end()
            try lock(block)
        case Command.writeAFI:
            let value = try parameters.rest(count: 1)
            guard !memory.isAFILocked else { throw .locked }
            try checkAFI()
            memory.afi = value[0]
        case Command.lockAFI:
            try parameters.end()
            guard !memory.isAFILocked else { throw .alreadyLocked }
            try checkAFI()
            memory.isAFILocked = true
        case Command.writeDSFID:
            let value = try parameters.rest(count: 1)
            guard !memory.isDSFIDLocked else { throw .locked }
            memory.dsfid = value[0]
        case Command.lockDSFID:
            try parameters.end()
            guard !memory.isDSFIDLocked else { throw .alreadyLocked }
            memory.isDSFIDLocked = true
        case Command.systemInformation:
            try parameters.end()
            return information(isExtended: false, hasLongSize: request.has(Flag.protocolExtension))
        case Command.extendedSystemInformation:
            let wanted = try parameters.rest(count: 1)[0]
            return information(isExtended: true, wanted: wanted)
        case Command.securityStatus, Command.extendedSecurityStatus:
            return try range(&parameters, isRead: false).map { memory.isLocked[$0] ? 0x01 : 0x00 }
        default: throw .notSupported
        }
        return []
    }

    // MARK: Blocks

    /// Parses the number of the first block and the number of blocks minus 1, and returns the range of blocks.
    private func range(_ parameters: inout Parameters, isRead: Bool) throws(ISO15693Error) -> Range<Int> {
        let first = try parameters.block()
        let count = try parameters.number() + 1
        try parameters.end()
        guard first < chip.blockCount else { throw .noSuchBlock }
        if isRead {
            if let longest = chip.longestRead, count > longest { throw .unknown }
            if let size = chip.sectorSize, first / size != (first + count - 1) / size { throw .unknown }
        }
        guard first + count > chip.blockCount else { return first..<(first + count) }
        guard chip.truncatesReads else { throw .noSuchBlock }
        return first..<chip.blockCount
    }

    private func read(_ blocks: Range<Int>, withStatus: Bool) throws(ISO15693Error) -> [UInt8] {
        var data: [UInt8] = []
        for block in blocks {
            guard block < chip.blockCount else { throw .noSuchBlock }
            try checkReading(of: block)
            data += (withStatus ? [memory.isLocked[block] ? 0x01 : 0x00] : []) + contents(of: block)
        }
        return data
    }

    private mutating func write(_ data: [UInt8], to block: Int) throws(ISO15693Error) {
        guard block < chip.blockCount else { throw .noSuchBlock }
        guard !memory.isLocked[block] else { throw .locked }
        try checkWriting(to: block)
        guard try !writesSpecially(data, to: block) else { return }
        memory[block] = data
    }

    private mutating func lock(_ block: Int) throws(ISO15693Error) {
        guard block < chip.blockCount else { throw .noSuchBlock }
        if let lockable = chip.lockableBlocks, !lockable.contains(block) { throw .noSuchBlock }
        guard !memory.isLocked[block] else { throw .alreadyLocked }
        try checkLocking(of: block)
        memory.isLocked[block] = true
    }

    // MARK: Information

    /// Returns the system information — 10.4.12, or the extended form in Amd 4.
    private func information(isExtended: Bool, wanted: UInt8 = 0xFF, hasLongSize: Bool = false) -> [UInt8] {
        typealias Field = ISO15693Chip.Information
        // The one-byte block count can describe at most 256 blocks.
        let isLong = isExtended || hasLongSize && chip.usesProtocolExtension
        let available = isLong ? Field.all : chip.information
        let fields = available & wanted
        var data = [fields] + memory.uid.reversed()
        if fields & Field.dsfid != 0 { data.append(memory.dsfid) }
        if fields & Field.afi != 0 { data.append(memory.afi) }
        if fields & Field.memorySize != 0 {
            let last = UInt16(chip.blockCount - 1)
            data.append(UInt8(last & 0xFF))
            if isLong { data.append(UInt8(last >> 8)) }
            data.append(UInt8(chip.blockSize - 1))
        }
        if fields & Field.icReference != 0 { data.append(chip.icReference) }
        return data
    }
}

/// The parameters of a request, parsed from front to back.
struct Parameters {
    private var bytes: ArraySlice<UInt8>
    /// Whether block numbers and counts have two bytes each, as in extended commands.
    private let isExtended: Bool
    /// Whether block numbers have two bytes and counts have one, as in the protocol extension of old ST chips.
    private let hasExtension: Bool

    init(_ request: ISO15693Request, _ chip: ISO15693Chip) {
        bytes = request.parameters[...]
        isExtended = (0x30...0x3C).contains(request.command)
        hasExtension = chip.usesProtocolExtension && request.has(ISO15693Request.Flag.protocolExtension)
    }

    private mutating func number(size: Int) throws(ISO15693Error) -> Int {
        guard bytes.count >= size else { throw .notRecognised }
        defer { bytes = bytes.dropFirst(size) }
        return bytes.prefix(size).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func block() throws(ISO15693Error) -> Int { try number(size: isExtended || hasExtension ? 2 : 1) }
    mutating func number() throws(ISO15693Error) -> Int { try number(size: isExtended ? 2 : 1) }

    mutating func rest(count: Int) throws(ISO15693Error) -> [UInt8] {
        guard bytes.count == count else { throw .notRecognised }
        defer { bytes = [] }
        return Array(bytes)
    }

    func end() throws(ISO15693Error) { if !bytes.isEmpty { throw .notRecognised } }
}
