// Files of a MIFARE DESFire — NXP MF3ICDx21_41_81, application level and data manipulation commands

extension DESFireCard {
    private typealias Setting = DESFireApplication.Setting

    private func fileIndex(_ number: UInt8) throws(DESFireStatus) -> Int {
        guard let index = application.files.firstIndex(where: { $0.number == number }) else { throw .fileNotFound }
        return index
    }

    /// Throws an error unless a setting makes listing or creating files free, or the session has the application master
    /// key.
    private func allowsInApplication(_ setting: UInt8) throws(DESFireStatus) {
        guard !application.isCardLevel else { throw .permissionDenied }
        guard application.keySettings & setting != 0 || isMaster else { throw .authenticationError }
    }

    // MARK: Listing

    func fileIdentifiers(_ data: [UInt8], areISO: Bool) throws(DESFireStatus) -> [UInt8] {
        try expect(data.isEmpty)
        try allowsInApplication(Setting.freeListing)
        guard areISO else { return application.files.map(\.number) }
        return application.files.flatMap { ($0.isoIdentifier ?? []).reversed() }
    }

    func fileSettings(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
        try expect(data.count == 1)
        try allowsInApplication(Setting.freeListing)
        let file = application.files[try fileIndex(data[0])]
        let rights = file.accessRights.bigEndianBytes.reversed()
        return [DESFireFile.typeOfStandardData, 0x00] + rights + Self.bytes(of: file.content.count)
    }

    // MARK: Creating and changing

    /// Creates a file.
    ///
    /// The data consists of the file number, the ISO/IEC 7816-4 identifier (if files in the application have one), the
    /// communication mode, the access rights and the size.
    mutating func createFile(_ data: [UInt8]) throws(DESFireStatus) {
        try expect(data.count == 7 || data.count == 9)
        try allowsInApplication(Setting.freeCreation)
        let isoIdentifier = data.count == 9 ? [data[2], data[1]] : nil
        let settings = data.suffix(6)
        let size = Self.number(settings.suffix(3))
        guard (isoIdentifier != nil) == application.hasISOIdentifiers, data[0] < DESFireMemory.maximumFiles,
            settings.first == 0x00, size > 0
        else { throw .parameterError }
        guard
            !application.files.contains(where: {
                $0.number == data[0] || isoIdentifier != nil && $0.isoIdentifier == isoIdentifier
            })
        else { throw .duplicate }
        guard DESFireMemory.occupied(size) <= memory.freeSize else { throw .outOfMemory }
        application.files.append(
            DESFireFile(
                number: data[0], isoIdentifier: isoIdentifier,
                accessRights: UInt16(Self.number(settings.dropFirst().prefix(2))),
                content: [UInt8](repeating: 0, count: size)))
    }

    mutating func deleteFile(_ data: [UInt8]) throws(DESFireStatus) {
        try expect(data.count == 1)
        try allowsInApplication(Setting.freeCreation)
        application.files.remove(at: try fileIndex(data[0]))
        currentFile = nil
    }

    /// Returns the right to change a file's settings: the number of the required key, or `free`.
    func changeRight(of data: [UInt8]) throws(DESFireStatus) -> UInt8 {
        guard let number = data.first else { throw .lengthError }
        let right = application.files[try fileIndex(number)].right(.change)
        guard right != DESFireFile.never else { throw .permissionDenied }
        return right
    }

    /// Changes a file's settings.
    ///
    /// The data consists of the file number, the communication mode and the access rights.
    mutating func changeFileSettings(_ data: some RandomAccessCollection<UInt8>) throws(DESFireStatus) {
        let data = Array(data)
        try expect(data.count == 4)
        guard data[1] == 0x00 else { throw .parameterError }
        application.files[try fileIndex(data[0])].accessRights = UInt16(Self.number(data[2...]))
    }

    // MARK: Reading and writing

    /// Whether an access is free or allowed with the session's key, by its own right or by the read-and-write right.
    func permits(_ access: DESFireFile.Access, _ file: DESFireFile) -> Bool {
        [file.right(access), file.right(.readWrite)].contains { right in
            right == DESFireFile.free || right != DESFireFile.never && session?.keyNumber == right
        }
    }

    private func checkAccess(_ access: DESFireFile.Access, _ file: DESFireFile) throws(DESFireStatus) {
        guard !permits(access, file) else { return }
        let isClosed = file.right(access) == DESFireFile.never && file.right(.readWrite) == DESFireFile.never
        throw isClosed ? .permissionDenied : .authenticationError
    }

    /// Reads from a file.
    ///
    /// The data consists of the file number, the offset and the length. A length of 0 means the rest of the file.
    func read(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
        try expect(data.count == 7)
        let file = application.files[try fileIndex(data[0])]
        try checkAccess(.read, file)
        let (offset, length) = (Self.number(data[1..<4]), Self.number(data[4...]))
        guard offset < file.content.count, length <= file.content.count - offset else { throw .boundaryError }
        return Array(length == 0 ? file.content[offset...] : file.content[offset..<offset + length])
    }

    /// Starts a write to a file.
    ///
    /// The data consists of the file number, the offset, the length, and the content, which may continue in further
    /// frames.
    mutating func write(_ code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> (DESFireStatus, [UInt8]) {
        try expect(data.count >= 7)
        let index = try fileIndex(data[0])
        let file = application.files[index]
        try checkAccess(.write, file)
        let (offset, length) = (Self.number(data[1..<4]), Self.number(data[4..<7]))
        try expect(length > 0)
        guard offset < file.content.count, length <= file.content.count - offset else { throw .boundaryError }
        let write = Write(file: index, offset: offset, missing: length, command: [code] + data.prefix(7))
        return try proceed(write, Array(data.dropFirst(7)))
    }

    /// Writes the content in one frame to the memory immediately.
    mutating func proceed(_ write: Write, _ data: [UInt8]) throws(DESFireStatus) -> (DESFireStatus, [UInt8]) {
        try expect(data.count <= write.missing && (!data.isEmpty || write.command.count == 8))
        store(data, file: write.file, at: write.offset)
        var write = write
        write.offset += data.count
        write.missing -= data.count
        write.command += data
        guard write.missing == 0 else {
            continuation = .write(write)
            return (.additionalFrame, [])
        }
        session?.absorb(write.command)
        return (.success, session?.seal([]) ?? [])
    }

    /// Stores data in a file.
    ///
    /// If power fails, only the first bytes are stored.
    mutating func store(_ data: [UInt8], file: Int, at offset: Int) {
        let count = stored?(data.count) ?? data.count
        var content = application.files[file].content
        for (index, byte) in zip(offset..<content.count, data.prefix(count)) { content[index] = byte }
        application.files[file].content = content
    }
}
