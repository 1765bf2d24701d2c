// The files of an NTAG 424 DNA — NXP NT4H2421Gx, 8.2.3, 10.7, 10.8

extension NTAG424Card {
    enum Grant: Hashable {
        /// The session's key has the access right.
        ///
        /// The value is the file's communication mode, which applies.
        case key(NTAG424Mode)
        case free
        /// The reader may read the file with Secure Dynamic Messaging or mirroring.
        case dynamic
    }

    struct Write: Hashable {
        let file: Int
        let offset: Int
        let data: [UInt8]
    }

    /// The number of bytes in FileNo, Offset and Length.
    private static let accessHeader = 7
    /// The offset of the command data field in a command, in bytes.
    private static let dataField = 5
    /// Bits 7 to 5 of FileNo, which are reserved for future use.
    private static let reservedFileBits: UInt8 = 0xE0

    private func fileIndex(_ number: UInt8) throws(NTAG424Status) -> Int {
        try expectApplication()
        guard number & Self.reservedFileBits == 0 else { throw .parameterError }
        guard let index = memory.files.firstIndex(where: { $0.number == number }) else { throw .fileNotFound }
        return index
    }

    /// Returns the reason why the access is permitted (8.2.3.3, file access rights management).
    func grant(_ right: NTAG424File.Right, _ file: NTAG424File) throws(NTAG424Status) -> Grant {
        let conditions =
            right == .change ? [file.condition(.change)] : [file.condition(right), file.condition(.readWrite)]
        let sdm = right == .read ? file.sdm : nil
        if let session, conditions.contains(session.keyNumber) { return .key(file.mode) }
        if session == nil, let sdm, sdm.fileReadKey != nil { return .dynamic }
        if conditions.contains(NTAG424File.free) { return session == nil && sdm != nil ? .dynamic : .free }
        let isClosed = conditions.allSatisfy { $0 == NTAG424File.never } && sdm?.fileReadKey == nil
        throw isClosed ? .permissionDenied : .authenticationError
    }

    // MARK: Settings

    mutating func fileSettings(_ code: UInt8, _ data: [UInt8]) throws(NTAG424Status) -> [UInt8] {
        try expect(try open(code, data, headerSize: 1, .mac).isEmpty)
        return seal(memory.files[try fileIndex(data[0])].settings, .mac)
    }

    mutating func fileCounters(_ code: UInt8, _ data: [UInt8]) throws(NTAG424Status) -> [UInt8] {
        try expect(data.count >= 1)
        let file = memory.files[try fileIndex(data[0])]
        guard let sdm = file.sdm, sdm.counterRetrieval != NTAG424File.never else { throw .permissionDenied }
        let isKey = session.map { $0.keyNumber == sdm.counterRetrieval } ?? false
        guard isKey || sdm.counterRetrieval == NTAG424File.free else { throw .authenticationError }
        let mode = isKey ? NTAG424Mode.full : .plain
        try expect(try open(code, data, headerSize: 1, mode).isEmpty)
        return seal(NTAG424Memory.bytes(of: file.readCounter) + [0x00, 0x00], mode)
    }

    /// Changes the settings of a file.
    ///
    /// The data is FileNo, FileOption, AccessRights, and the settings that ``NTAG424SDM`` parses.
    mutating func changeFileSettings(_ code: UInt8, _ data: [UInt8]) throws(NTAG424Status) -> [UInt8] {
        try expect(data.count >= 1)
        let index = try fileIndex(data[0])
        var file = memory.files[index]
        // CommMode.Full applies, regardless of the file's mode. If changes are free, CommMode.Plain applies.
        let mode = try grant(.change, file) == .free ? NTAG424Mode.plain : .full
        let content = try open(code, data, headerSize: 1, mode)
        try expect(content.count >= 3)
        guard content[0] & 0xBC == 0 else { throw .parameterError }
        let rights = UInt16(content[2]) << 8 | UInt16(content[1])
        for shift in stride(from: 0 as UInt16, to: 16, by: 4) {
            let condition = UInt8(rights >> shift & 0xF)
            guard condition < NTAG424Memory.keyCount || condition >= NTAG424File.free else { throw .parameterError }
        }
        (file.communication, file.accessRights) = (content[0] & 0x03, rights)
        if content[0] & NTAG424File.dynamicOption != 0 {
            guard file.number == NTAG424Memory.ndefFile else { throw .permissionDenied }
            // 9.3.1: switching on Secure Dynamic Messaging resets the counter.
            if file.sdm == nil { file.readCounter = 0 }
            file.sdm = try NTAG424SDM(
                Array(content[3...]), fileSize: file.content.count, readCounter: file.readCounter)
        } else {
            try expect(content.count == 3)
            file.sdm = nil
        }
        commit { $0.files[index] = file }
        return seal([], mode)
    }

    // MARK: ReadData

    mutating func readData(_ code: UInt8, _ data: [UInt8]) throws(NTAG424Status) -> [UInt8] {
        try expect(data.count >= Self.accessHeader)
        let index = try fileIndex(data[0])
        let file = memory.files[index]
        let grant = try grant(.read, file)
        var mode = NTAG424Mode.plain
        if case .key(let own) = grant { mode = own }
        try expect(try open(code, data, headerSize: Self.accessHeader, mode).isEmpty)
        let (offset, length) = (NTAG424Memory.number(data[1..<4]), NTAG424Memory.number(data[4..<7]))
        guard offset < file.content.count, length <= file.content.count - offset else { throw .boundaryError }
        let range = offset..<(length == 0 ? file.content.count : offset + length)
        let content = grant == .dynamic ? try dynamicContent(of: index, .readData) : file.content
        let answer = seal(Array(content[range]), mode)
        try expect(answer.count <= Self.longestAnswer)
        return answer
    }

    // MARK: WriteData

    mutating func writeData(_ code: UInt8, _ data: [UInt8]) throws(NTAG424Status) -> [UInt8] {
        try expect(data.count >= Self.accessHeader)
        let index = try fileIndex(data[0])
        let file = memory.files[index]
        var mode = NTAG424Mode.plain
        if case .key(let own) = try grant(.write, file) { mode = own }
        guard mode == .plain || begun.isEmpty || memory.configuration.hasChainedWriting else {
            throw .permissionDenied
        }
        let write: Write
        do throws(NTAG424Status) {
            let content = try open(code, data, headerSize: Self.accessHeader, mode)
            write = Write(file: index, offset: NTAG424Memory.number(data[1..<4]), data: content)
        } catch {
            // 10.8.2: a wrong MAC ends a chained write, but does not undo it.
            if error == .integrityError { storeBegun() }
            throw error
        }
        let length = NTAG424Memory.number(data[4..<7])
        guard length > 0 else { throw .parameterError }
        try expect(write.data.count == length)
        guard write.offset < file.content.count, length <= file.content.count - write.offset else {
            throw .boundaryError
        }
        store(write, headerSize: Self.accessHeader)
        return seal([], mode)
    }

    /// Writes data.
    ///
    /// If power fails, the rest of the data is written completely or not at all.
    ///
    /// In a chained command, the data of earlier frames is written first, even if power fails (8.6). `headerSize` is
    /// the number of bytes before the data in the command data field.
    mutating func store(_ write: Write, headerSize: Int) {
        let arrived = begun.count - Self.dataField - headerSize
        if arrived > 0 { memory.files[write.file].store(Array(write.data.prefix(arrived)), at: write.offset) }
        commit { $0.files[write.file].store(write.data, at: write.offset) }
    }

    /// Returns the data that the received part of a WriteData or ISOUpdateBinary would write, or nil if it would write
    /// nothing.
    func plannedWrite(_ command: [UInt8]) throws(NTAG424Status) -> Write? {
        guard command.count > Self.dataField else { return nil }
        let (length, body) = (Int(command[4]), Array(command[Self.dataField...]))
        if command[0] == 0x00, command[1] == Command.updateBinary {
            return isoWrite(p1: command[2], p2: command[3], Array(body.prefix(length)))
        }
        guard command[0] == 0x90, command[1] == Command.writeData, body.count > Self.accessHeader else { return nil }
        let index = try fileIndex(body[0])
        let file = memory.files[index]
        let grant = try grant(.write, file)
        var data = Array(body[Self.accessHeader...])
        let protected = length - Self.accessHeader - NTAG424Session.codeSize
        switch grant {
        case .key(.mac): data = Array(data.prefix(max(0, protected)))
        case .key(.full): data = session?.decrypted(Array(data.prefix(max(0, protected)))) ?? []
        default: break
        }
        let (offset, count) = (NTAG424Memory.number(body[1..<4]), NTAG424Memory.number(body[4..<7]))
        guard offset < file.content.count, count <= file.content.count - offset,
            grant == .free || grant == .key(.plain) || memory.configuration.hasChainedWriting
        else { return nil }
        return Write(file: index, offset: offset, data: Array(data.prefix(count)))
    }
}

extension NTAG424File {
    /// Writes bytes to the file.
    ///
    /// Bytes that do not fit into the file are dropped.
    mutating func store(_ bytes: [UInt8], at offset: Int) {
        for (index, byte) in zip(offset..<max(offset, content.count), bytes) { content[index] = byte }
    }
}
