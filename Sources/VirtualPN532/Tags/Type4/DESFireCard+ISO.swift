// The ISO/IEC 7816-4 commands of a MIFARE DESFire — NXP MF3ICDx21_41_81

extension DESFireCard {
    /// Executes SELECT, READ BINARY or UPDATE BINARY.
    mutating func iso(_ command: [UInt8]) -> [UInt8] {
        continuation = nil
        do throws(StatusWord) {
            guard let command = CommandAPDU(command) else { throw .wrongLength }
            switch command.ins {
            case 0xA4: try selectFile(command)
            case 0xB0: return try readBinary(command)
            case 0xD6: try updateBinary(command)
            default: throw .instructionNotSupported
            }
            return StatusWord.success.bytes
        } catch {
            return error.bytes
        }
    }

    // MARK: SELECT

    private mutating func selectFile(_ command: CommandAPDU) throws(StatusWord) {
        guard command.p2 == 0x00 || command.p2 == 0x0C else { throw .wrongParameters }
        switch command.p1 {
        case 0x04:
            guard !command.data.isEmpty,
                let index = memory.applications.firstIndex(where: { $0.name == command.data })
            else { throw .fileNotFound }
            select(index)
        case 0x00, 0x02:
            guard command.data.count == 2 else { throw .wrongLength }
            if let index = application.files.firstIndex(where: { $0.isoIdentifier == command.data }) {
                currentFile = index
            } else if command.p1 == 0x00,
                let index = memory.applications.firstIndex(where: { $0.isoIdentifier == command.data })
            {
                select(index)
            } else {
                throw .fileNotFound
            }
        default:
            throw .wrongParameters
        }
    }

    /// Returns the index of the file that a command addresses, and the offset in the file.
    ///
    /// If bit 8 of P1 is set, P1 contains a short identifier, and the file with this identifier becomes the current
    /// file. Otherwise, the current file is addressed.
    private mutating func target(of command: CommandAPDU) throws(StatusWord) -> (file: Int, offset: Int) {
        if command.p1 & 0x80 != 0 {
            let number = command.p1 & 0x1F
            guard command.p1 & 0x60 == 0 else { throw .wrongParameters }
            guard let index = application.files.firstIndex(where: { $0.number == number }) else { throw .fileNotFound }
            currentFile = index
            return (index, Int(command.p2))
        }
        guard let currentFile else { throw .noCurrentFile }
        return (currentFile, Int(command.p1) << 8 | Int(command.p2))
    }

    // MARK: READ BINARY, UPDATE BINARY

    private mutating func readBinary(_ command: CommandAPDU) throws(StatusWord) -> [UInt8] {
        let (index, offset) = try target(of: command)
        let file = application.files[index]
        guard permits(.read, file) else { throw .securityStatusNotSatisfied }
        guard command.data.isEmpty, let size = command.ne else { throw .wrongLength }
        guard offset < file.content.count else { throw .wrongOffset }
        let content = file.content[offset...].prefix(min(size, 256))
        return content + (content.count < size && !command.wantsAll ? StatusWord.endOfFile : .success).bytes
    }

    private mutating func updateBinary(_ command: CommandAPDU) throws(StatusWord) {
        let (index, offset) = try target(of: command)
        let file = application.files[index]
        guard permits(.write, file) else { throw .securityStatusNotSatisfied }
        guard !command.data.isEmpty else { throw .wrongLength }
        guard offset < file.content.count else { throw .wrongOffset }
        guard command.data.count <= file.content.count - offset else { throw .notEnoughMemory }
        store(command.data, file: index, at: offset)
    }
}
