// The NDEF tag application — NFC Forum Type 4 Tag (SELECT, READ BINARY, UPDATE BINARY), ISO/IEC 7816-4

/// The application D2760000850101 with its two files: the capability container and the NDEF file.
struct NDEFApplication: CardApplication, Hashable {
    private enum File { case capabilityContainer, ndef }

    private static let name: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
    private static let offsetTag: UInt8 = 0x54
    private static let discretionaryTag: UInt8 = 0x53

    let configuration: Type4Configuration
    /// The content of the NDEF file: NLEN or ENLEN, the message, and the rest of the file.
    private(set) var ndefFile: [UInt8] {
        didSet { if ndefFile != oldValue { generation += 1 } }
    }
    private(set) var generation = 0
    private var isSelected = false
    private var currentFile: File?

    /// Creates an application whose NDEF file starts with `content`.
    ///
    /// The rest of the file is zero.
    init(configuration: Type4Configuration, content: [UInt8] = []) {
        self.configuration = configuration
        let blank = [UInt8](repeating: 0, count: configuration.fileSize)
        ndefFile = Self.replacing(blank, at: 0, with: content)
    }

    mutating func powerOff() {
        (isSelected, currentFile) = (false, nil)
    }

    /// Writes bytes to the start of the NDEF file.
    ///
    /// Bytes that do not fit into the file are dropped.
    mutating func store(_ content: some Collection<UInt8>) {
        ndefFile = Self.replacing(ndefFile, at: 0, with: content)
    }

    /// Returns a file's content after bytes were replaced from an offset on.
    ///
    /// Bytes that do not fit into the file are dropped.
    private static func replacing(_ file: [UInt8], at offset: Int, with bytes: some Collection<UInt8>) -> [UInt8] {
        var file = file
        for (index, byte) in zip(offset..<file.count, bytes) { file[index] = byte }
        return file
    }

    /// Executes a C-APDU, and returns the R-APDU.
    ///
    /// Power may fail during an update. `stored` receives the length of the update in bytes, and returns how many of
    /// these bytes reach the memory.
    mutating func execute(_ command: [UInt8], stored: (Int) -> Int = { $0 }) -> [UInt8] {
        do {
            return try response(to: command, stored: stored)
        } catch {
            return error.bytes
        }
    }

    private mutating func response(to bytes: [UInt8], stored: (Int) -> Int) throws(StatusWord) -> [UInt8] {
        guard let command = CommandAPDU(bytes) else { throw .wrongLength }
        guard command.cla == 0x00 else { throw .classNotSupported }
        let hasOddInstructions = configuration.mappingVersion == .version3
        switch command.ins {
        case 0xA4:
            try select(command)
            return StatusWord.success.bytes
        case 0xB0:
            return try readBinary(command)
        case 0xB1 where hasOddInstructions:
            return try readBinaryOdd(command)
        case 0xD6:
            try update(command.data, at: offset(in: command), command, stored: stored)
            return StatusWord.success.bytes
        case 0xD7 where hasOddInstructions:
            try updateBinaryOdd(command, stored: stored)
            return StatusWord.success.bytes
        default:
            throw .instructionNotSupported
        }
    }

    // MARK: SELECT

    private mutating func select(_ command: CommandAPDU) throws(StatusWord) {
        guard command.p2 == 0x00 || command.p2 == 0x0C else { throw .wrongParameters }
        switch command.p1 {
        case 0x04:
            guard command.data == Self.name else { throw .fileNotFound }
            (isSelected, currentFile) = (true, nil)
        case 0x00, 0x02:
            guard command.data.count == 2 else { throw .wrongLength }
            guard isSelected else { throw .fileNotFound }
            switch command.data {
            case [0xE1, 0x03]: currentFile = .capabilityContainer
            case Type4Configuration.ndefFileIdentifier: currentFile = .ndef
            default: throw .fileNotFound
            }
        default:
            throw .wrongParameters
        }
    }

    // MARK: READ BINARY

    /// Returns the content of the current file, or throws the status word if the file cannot be read.
    private func readableFile() throws(StatusWord) -> [UInt8] {
        switch currentFile {
        case .capabilityContainer:
            return configuration.capabilityContainer
        case .ndef:
            guard configuration.readAccess == 0x00 else { throw .securityStatusNotSatisfied }
            return ndefFile
        case nil:
            throw .noCurrentFile
        }
    }

    /// Returns the offset in P1 and P2, 0000 to 7FFF.
    ///
    /// Throws an error if P1 contains a short file identifier, because the files have none.
    private func offset(in command: CommandAPDU) throws(StatusWord) -> Int {
        guard command.p1 & 0x80 == 0 else { throw .fileNotFound }
        return Int(command.p1) << 8 | Int(command.p2)
    }

    /// Returns the maximum size of the answer in bytes.
    ///
    /// Throws an error if Ne exceeds MLe, unless the command requests all available bytes.
    private func answerSize(_ command: CommandAPDU) throws(StatusWord) -> Int {
        guard let ne = command.ne, ne <= Int(configuration.mle) || command.wantsAll else { throw .wrongLength }
        return min(ne, Int(configuration.mle))
    }

    private func readBinary(_ command: CommandAPDU) throws(StatusWord) -> [UInt8] {
        let file = try readableFile()
        let offset = try offset(in: command)
        guard command.data.isEmpty else { throw .wrongLength }
        let size = try answerSize(command)
        guard offset < file.count else { throw .wrongOffset }
        let content = file[offset...].prefix(size)
        return content + (content.count < size && !command.wantsAll ? StatusWord.endOfFile : .success).bytes
    }

    private func readBinaryOdd(_ command: CommandAPDU) throws(StatusWord) -> [UInt8] {
        let file = try readableFile()
        guard command.p1 == 0, command.p2 == 0 else { throw .wrongParameters }
        var objects = command.data[...]
        let offset = try offsetObject(&objects)
        guard objects.isEmpty else { throw .wrongData }
        let size = try answerSize(command)
        guard offset < file.count else { throw .wrongOffset }
        switch configuration.oddReadAnswer {
        case .plain:
            return file[offset...].prefix(size) + StatusWord.success.bytes
        case .dataObject:
            // Tag and length take 2 bytes for up to 127 bytes of data, 3 bytes for up to 255, and 4 bytes for more.
            let room = size <= 129 ? size - 2 : size <= 258 ? min(size - 3, 255) : size - 4
            guard room > 0 else { throw .wrongLength }
            let content = file[offset...].prefix(room)
            return [Self.discretionaryTag] + Self.lengthField(content.count) + content + StatusWord.success.bytes
        }
    }

    // MARK: UPDATE BINARY

    private mutating func update(
        _ data: some Collection<UInt8>, at offset: Int, _ command: CommandAPDU, stored: (Int) -> Int
    ) throws(StatusWord) {
        guard let currentFile else { throw .noCurrentFile }
        guard currentFile == .ndef, configuration.writeAccess == 0x00 else { throw .securityStatusNotSatisfied }
        guard !data.isEmpty, command.data.count <= Int(configuration.mlc), command.ne == nil else {
            throw .wrongLength
        }
        guard offset < ndefFile.count else { throw .wrongOffset }
        guard data.count <= ndefFile.count - offset else { throw .notEnoughMemory }
        ndefFile = Self.replacing(ndefFile, at: offset, with: data.prefix(stored(data.count)))
    }

    private mutating func updateBinaryOdd(_ command: CommandAPDU, stored: (Int) -> Int) throws(StatusWord) {
        guard command.p1 == 0, command.p2 == 0 else { throw .wrongParameters }
        var objects = command.data[...]
        let offset = try offsetObject(&objects)
        let data = try Self.object(Self.discretionaryTag, &objects)
        guard objects.isEmpty else { throw .wrongData }
        try update(data, at: offset, command, stored: stored)
    }

    // MARK: Data objects

    /// Removes an offset data object from the start of the bytes, and returns the offset.
    ///
    /// The object consists of `54`, a length of 1 to 4, and the offset. The Type 4 Tag specification requires a length
    /// of 3.
    private func offsetObject(_ bytes: inout ArraySlice<UInt8>) throws(StatusWord) -> Int {
        let value = try Self.object(Self.offsetTag, &bytes)
        guard (1...4).contains(value.count) else { throw .wrongData }
        return value.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Removes a BER-TLV object with this one-byte tag from the start of the bytes, and returns its value.
    private static func object(_ tag: UInt8, _ bytes: inout ArraySlice<UInt8>) throws(StatusWord) -> ArraySlice<UInt8> {
        guard bytes.popFirst() == tag, let first = bytes.popFirst() else { throw .wrongData }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...2).contains(count), bytes.count >= count else { throw .wrongData }
            length = bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(count)
        }
        guard bytes.count >= length else { throw .wrongData }
        defer { bytes = bytes.dropFirst(length) }
        return bytes.prefix(length)
    }

    private static func lengthField(_ length: Int) -> [UInt8] {
        switch length {
        case ..<0x80: [UInt8(length)]
        case ..<0x100: [0x81, UInt8(length)]
        default: [0x82] + UInt16(truncatingIfNeeded: length).bigEndianBytes
        }
    }
}
