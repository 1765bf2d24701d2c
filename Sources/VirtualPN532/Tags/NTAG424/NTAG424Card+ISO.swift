// The ISO/IEC 7816-4 commands of an NTAG 424 DNA — NXP NT4H2421Gx, 10.9

extension NTAG424Card {
    /// Executes ISOSelectFile, ISOReadBinary or ISOUpdateBinary.
    mutating func iso(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.count < 2 || bytes[1] != 0xB0 { series = nil }
        do throws(StatusWord) {
            guard pending == nil else { throw .conditionsNotSatisfied }
            guard let command = Self.apdu(bytes) else { throw .wrongLength }
            switch command.ins {
            case 0xA4: try select(command)
            case 0xB0: return try readBinary(command) + StatusWord.success.bytes
            case Command.updateBinary: try update(command)
            default: throw .instructionNotSupported
            }
            return StatusWord.success.bytes
        } catch {
            forgetState()
            return error.bytes
        }
    }

    // MARK: ISOSelectFile

    /// Selects a file or an application.
    ///
    /// Assumed: every selection ends the authenticated state. The data sheet does not say which selections do so.
    private mutating func select(_ command: CommandAPDU) throws(StatusWord) {
        guard command.p2 == 0x00 || command.p2 == 0x0C else { throw .wrongParameters }
        switch (command.p1, command.data.count) {
        case (0x00, 0), (0x03, 0):
            selectApplication(false)
        case (0x00, 2), (0x01, 2), (0x02, 2):
            try selectFile(command.data, p1: command.p1)
        case (0x04, 1...16):
            switch command.data {
            case NTAG424Memory.masterFileName: selectApplication(false)
            case NTAG424Memory.applicationName: selectApplication(true)
            default: throw .fileNotFound
            }
        case (0x00...0x04, _): throw .lengthInconsistent
        default: throw .wrongParameters
        }
    }

    private mutating func selectApplication(_ isApplication: Bool) {
        (isApplicationSelected, currentFile, session) = (isApplication, nil, nil)
    }

    private mutating func selectFile(_ identifier: [UInt8], p1: UInt8) throws(StatusWord) {
        if p1 != 0x01, isApplicationSelected,
            let index = memory.files.firstIndex(where: { $0.isoIdentifier == identifier })
        {
            (currentFile, session) = (index, nil)
        } else if p1 == 0x00, identifier == NTAG424Memory.masterFile {
            selectApplication(false)
        } else if p1 != 0x02, identifier == NTAG424Memory.applicationFile {
            selectApplication(true)
        } else {
            throw .fileNotFound
        }
    }

    // MARK: ISOReadBinary, ISOUpdateBinary

    /// Returns the file and the offset that a command addresses.
    ///
    /// The file is the current file or, if bit 8 of P1 is set, the file with this short identifier.
    ///
    /// Assumed: short identifiers are file numbers. The data sheet does not define them.
    private func target(p1: UInt8, p2: UInt8) throws(StatusWord) -> (file: Int, offset: Int) {
        guard p1 & 0x80 != 0, p1 & 0x7F != 0 else {
            guard let currentFile else { throw .conditionsNotSatisfied }
            return (currentFile, Int(p1 & 0x7F) << 8 | Int(p2))
        }
        guard p1 & 0x60 == 0, p1 & 0x1F != 0x1F else { throw .wrongParameters }
        guard isApplicationSelected, let index = memory.files.firstIndex(where: { $0.number == p1 & 0x1F }) else {
            throw .fileNotFound
        }
        return (index, Int(p2))
    }

    /// Returns the reason why ISOReadBinary or ISOUpdateBinary may access a file.
    ///
    /// In an authenticated session, both commands are refused.
    private func isoGrant(_ right: NTAG424File.Right, _ index: Int) throws(StatusWord) -> Grant {
        guard session == nil, let grant = try? grant(right, memory.files[index]) else {
            throw .securityStatusNotSatisfied
        }
        return grant
    }

    private mutating func readBinary(_ command: CommandAPDU) throws(StatusWord) -> [UInt8] {
        let (index, offset) = try target(p1: command.p1, p2: command.p2)
        guard command.data.isEmpty, let size = command.ne else { throw .wrongLength }
        let grant = try isoGrant(.read, index)
        var content = memory.files[index].content
        guard offset < content.count else { throw .wrongParameters }
        currentFile = index
        if grant == .dynamic {
            do throws(NTAG424Status) {
                content = try dynamicContent(of: index, .isoReadBinary)
            } catch {
                throw .securityStatusNotSatisfied
            }
        }
        return Array(content[offset...].prefix(size))
    }

    /// Writes to a file.
    ///
    /// Assumed: the status for data that does not fit into the file is "wrong length". The table of return codes was
    /// not available.
    private mutating func update(_ command: CommandAPDU) throws(StatusWord) {
        let (index, offset) = try target(p1: command.p1, p2: command.p2)
        guard !command.data.isEmpty, command.ne == nil else { throw .wrongLength }
        _ = try isoGrant(.write, index)
        let size = memory.files[index].content.count
        guard offset < size else { throw .wrongParameters }
        guard command.data.count <= size - offset else { throw .wrongLength }
        currentFile = index
        store(Write(file: index, offset: offset, data: command.data), headerSize: 0)
    }

    /// Returns the data that an ISOUpdateBinary would write, or nil if it would be refused.
    func isoWrite(p1: UInt8, p2: UInt8, _ data: [UInt8]) -> Write? {
        guard let (index, offset) = try? target(p1: p1, p2: p2), (try? isoGrant(.write, index)) != nil,
            offset < memory.files[index].content.count
        else { return nil }
        return Write(file: index, offset: offset, data: data)
    }
}
