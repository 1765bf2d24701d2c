// An NDEF application on a DESFire — NXP AN11004, MIFARE DESFire as Type 4 Tag
import Chips
import Hexadecimal
import ReaderInterface

/// The state of a DESFire that is not a complete Type 4 Tag yet.
enum DESFireState: Hashable, Sendable {
    /// The card cannot become a Type 4 Tag; `reason` is a clause that says why.
    case refused(reason: String)
    /// The card has no NDEF application. A new one would get `identifier`; `freeMemory` is in bytes.
    case withoutApplication(identifier: UInt32, freeMemory: Int)
    /// An interruption left an NDEF application whose container file holds no capability container. The NDEF file has
    /// `size` bytes, or does not exist if `size` is `nil`.
    case unfinished(size: Int?, hasContainerFile: Bool)
}

extension Type4Tag {
    /// The bits in the key settings of the PICC that allow listing and creating applications without a key.
    private static let freeListing: UInt8 = 0x02
    private static let freeCreation: UInt8 = 0x04

    private var desfire: DESFireCommands { DESFireCommands(exchange: commands.exchange) }

    /// Sends GetVersion to an NXP chip, unless it was already sent.
    func identify() throws(TagError) {
        guard !isIdentified, case .nfcA(let target) = channel.target, target.isNXP else { return }
        do throws(TagError) {
            let answer = try desfire.send(.getVersion)
            if answer.sw == DESFireCommands.success { version = DESFireVersion(answer.data) }
        } catch .protocolViolation {
            // The card does not support GetVersion, so it reports no version.
        }
        isIdentified = true
    }

    /// Returns the chip that GetVersion identifies, or `nil` if it is not known.
    ///
    /// GetVersion is sent only once.
    package func identifiedChip() throws(TagError) -> Chip? {
        try persistently("GetVersion") { () throws(TagError) in try identify() }
        return chip
    }

    /// Whether GetVersion identifies an NTAG 424 DNA.
    ///
    /// GetVersion is sent only once.
    package var isNTAG424: Bool {
        get throws(TagError) { try identifiedChip()?.model == .ntag424 }
    }

    /// Runs a procedure with the chip's native commands.
    ///
    /// After noise, the tag is activated again and the procedure is repeated from its beginning.
    ///
    /// Any earlier selection is lost. The tag is activated again afterwards, which ends any authentication.
    package func directly<Value>(
        _ name: String, _ procedure: () throws(TagError) -> Value
    ) throws(TagError) -> Value {
        let value = try persistently(name) { () throws(TagError) in
            forgetApplication()
            return try procedure()
        }
        // The next command will show whether the tag is still present.
        try? restart()
        return value
    }

    /// Returns the state from which ``initialise()`` would start, or `nil` if this is not a DESFire.
    ///
    /// If the card refuses a command unexpectedly, the error becomes the reason for ``DESFireState/refused(reason:)``.
    func initialisable() throws(TagError) -> DESFireState? {
        do throws(TagError) {
            return try persistently("GetVersion") { () throws(TagError) in try desfireState() }
        } catch {
            if error.isOfConnection { throw error }
            return .refused(reason: "\(error)")
        }
    }

    /// Examines the card and returns the state from which ``initialise()`` would start, or `nil` if this is not a
    /// DESFire.
    ///
    /// Writes nothing.
    func desfireState() throws(TagError) -> DESFireState? {
        try identify()
        switch version?.family {
        case nil, .fixed?: return nil
        case .desfireEV0?:
            return .refused(
                reason: "the first MIFARE DESFire has no ISO file identifiers; EV1 and later have them")
        case .desfire?: break
        }
        if try commands.selectNDEFApplication() == .success { return try unfinishedApplication() }
        try desfire.selectApplication(0)
        let settings = try desfire.send(.getKeySettings)
        let needed = Self.freeListing | Self.freeCreation
        guard settings.sw == DESFireCommands.success, let bits = settings.data.first, bits & needed == needed else {
            return .refused(reason: "creating an application on it needs its PICC master key")
        }
        let list = try desfire.demand(.getApplicationIDs)
        guard let identifier = Self.freeIdentifier(list) else {
            return .refused(reason: "it has no room for another application")
        }
        let free = try desfire.freeMemory()
        guard free >= NDEFApplication.overhead + NDEFApplication.smallestFile else {
            return .refused(reason: "only \(free) bytes of its memory are free")
        }
        return .withoutApplication(identifier: identifier, freeMemory: free)
    }

    /// Returns the maximum message length in bytes after initialisation.
    ///
    /// Until the NDEF file exists, this is an estimate.
    func capacityOnceInitialised(_ state: DESFireState) -> Int {
        switch state {
        case .refused: 0
        case .unfinished(let size?, _): size - 2
        case .unfinished(nil, _): 0
        case .withoutApplication(_, let freeMemory):
            NDEFApplication.promisedSize(freeMemory: freeMemory) - 2
        }
    }

    /// Returns the memory that a new NDEF file will take, or `nil` if the card already has an NDEF application or
    /// cannot get one.
    func memoryOnceInitialised(_ state: DESFireState) -> NDEFState.TakenMemory? {
        guard case .withoutApplication(_, let free) = state else { return nil }
        return NDEFState.TakenMemory(file: NDEFApplication.promisedSize(freeMemory: free), free: free)
    }

    /// Returns the first free application identifier from 000001 (as in AN11004) to 00001C, or `nil` if none is free.
    private static func freeIdentifier(_ list: [UInt8]) -> UInt32? {
        let taken = Set(
            stride(from: 0, to: list.count - 2, by: 3).map {
                UInt32(list[$0]) | UInt32(list[$0 + 1]) << 8 | UInt32(list[$0 + 2]) << 16
            })
        return (1...28).first { !taken.contains($0) }
    }

    /// Examines an application that has the NDEF name but no valid capability container.
    private func unfinishedApplication() throws(TagError) -> DESFireState {
        let foreign = DESFireState.refused(reason: "its NDEF application was not created by nfctool")
        let files = try desfire.send(.getFileIDs)
        guard files.sw == DESFireCommands.success,
            Set(files.data).isSubset(of: [NDEFApplication.containerFile, NDEFApplication.ndefFile])
        else { return foreign }
        var sizes: [UInt8: Int] = [:]
        for file in files.data {
            guard let settings = try desfire.fileSettings(file),
                settings.accessRights == DESFireCommands.FileSettings.free
            else { return foreign }
            sizes[file] = settings.size
        }
        let size = sizes[NDEFApplication.ndefFile]
        if let size {
            guard NDEFApplication.smallestFile...NDEFApplication.largestFile ~= size,
                try desfire.readData(NDEFApplication.ndefFile, count: 2) == [0, 0]
            else { return foreign }
        }
        guard let containerSize = sizes[NDEFApplication.containerFile] else {
            return .unfinished(size: size, hasContainerFile: false)
        }
        guard containerSize == Type4CapabilityContainer.minimalLength,
            isBegun(try desfire.readData(NDEFApplication.containerFile, count: containerSize), size)
        else { return foreign }
        return .unfinished(size: size, hasContainerFile: true)
    }

    /// Whether each byte of a container file is either zero or equal to the byte that nfctool writes there.
    private func isBegun(_ bytes: [UInt8], _ size: Int?) -> Bool {
        let zeros = [UInt8](repeating: 0, count: Type4CapabilityContainer.minimalLength)
        let container = size.map { NDEFApplication.container(size: $0) } ?? zeros
        return bytes.count == container.count && zip(bytes, container).allSatisfy { $0 == 0 || $0 == $1 }
    }

    static let unfinishedContainer = "its capability container is unfinished"

    /// Whether a torn write left only a part of nfctool's container on a card that ``initialise()`` can finish.
    func isContainerUnfinished(_ bytes: [UInt8]) throws(TagError) -> Bool {
        guard bytes.count > 12 else { return false }
        let size = Int(bytes[11]) << 8 | Int(bytes[12])
        // If the container is complete, the card refuses the NDEF file for another reason.
        guard isBegun(bytes, size), bytes != NDEFApplication.container(size: size) else { return false }
        do throws(TagError) {
            if case .unfinished? = try desfireState() { return true }
        } catch {
            if error.isOfConnection { throw error }
        }
        return false
    }

    /// Creates the NDEF application, or its missing parts.
    ///
    /// The file of the capability container is created first and filled last. Until then, the card is not a Type 4 Tag.
    func createApplication(_ state: DESFireState) throws(TagError) {
        switch state {
        case .refused(let reason): throw .unsupported(reason: reason)
        case .unfinished(let size, let hasContainerFile):
            try createFiles(size: size, hasContainerFile: hasContainerFile)
        case .withoutApplication(let identifier, let freeMemory):
            _ = try desfire.demand(
                .createApplication,
                DESFireCommands.littleEndian(Int(identifier), 3)
                    + [NDEFApplication.keySettings, NDEFApplication.keyCount] + NDEFApplication.isoFileID
                    + Type4Commands.ndefApplication)
            try createFiles(
                size: nil, hasContainerFile: false, atMost: NDEFApplication.promisedSize(freeMemory: freeMemory))
        }
    }

    /// Creates the missing files.
    ///
    /// `size` is the size of the NDEF file, or `nil` if the file does not exist; `limit` is the maximum size of a new
    /// one.
    private func createFiles(
        size: Int?, hasContainerFile: Bool, atMost limit: Int = NDEFApplication.largestFile
    ) throws(TagError) {
        try selectApplication()
        if !hasContainerFile {
            try require(
                try desfire.createFile(
                    NDEFApplication.containerFile, identifier: Type4CapabilityContainer.fileID,
                    size: Type4CapabilityContainer.minimalLength))
        }
        let size = if let size { size } else { try createNDEFFile(atMost: limit) }
        // CCLEN is written last. Otherwise, a reader could mistake a partly written size for the size of a smaller
        // file.
        let container = NDEFApplication.container(size: size)
        try desfire.writeData(NDEFApplication.containerFile, Array(container[2...]), at: 2)
        try desfire.writeData(NDEFApplication.containerFile, Array(container[..<2]))
    }

    private func selectApplication() throws(TagError) {
        let sw = try commands.selectNDEFApplication()
        guard sw == .success else {
            throw .commandFailed(command: "SELECT of the NDEF application", offset: nil, sw: sw.rawValue)
        }
    }

    /// Creates the largest NDEF file that the memory allows, with NLEN zero, and returns its size in bytes.
    ///
    /// The data sheet does not give the size of file headers, so if a file does not fit, a smaller one is tried.
    private func createNDEFFile(atMost limit: Int) throws(TagError) -> Int {
        try desfire.selectApplication(0)
        let largest = min(limit, NDEFApplication.fileSize(freeMemory: try desfire.freeMemory()))
        try selectApplication()
        var size = largest
        var sw = DESFireCommands.outOfMemory
        while sw == DESFireCommands.outOfMemory, size >= NDEFApplication.smallestFile,
            size > largest - NDEFApplication.overhead
        {
            sw = try desfire.createFile(
                NDEFApplication.ndefFile, identifier: NDEFApplication.ndefFileID, size: size)
            if sw == DESFireCommands.outOfMemory { size -= NDEFApplication.memoryUnit }
        }
        try require(sw)
        try desfire.writeData(NDEFApplication.ndefFile, [0, 0])
        return size
    }

    private func require(_ sw: StatusWord) throws(TagError) {
        guard sw == DESFireCommands.success else {
            throw .commandFailed(
                command: DESFireCommands.Instruction.createStandardDataFile.name, offset: nil, sw: sw.rawValue)
        }
    }
}

// MARK: Read-only

extension Type4Tag {
    /// Returns the steps that remove the right to change the files of nfctool's application, or no steps on other tags.
    ///
    /// The NDEF application must be selected.
    func accessToFreeze(_ container: Type4CapabilityContainer) throws(TagError) -> [LockStep] {
        try identify()
        guard version?.family == .desfire,
            let ndef = try desfire.fileSettings(NDEFApplication.ndefFile), ndef.size == container.file.size,
            let own = try desfire.fileSettings(NDEFApplication.containerFile), own.size >= container.cclen
        else { return [] }
        let files = [
            (NDEFApplication.ndefFile, container.file.identifier, ndef),
            (NDEFApplication.containerFile, Type4CapabilityContainer.fileID, own),
        ]
        let new = Self.bytes(ofRights: DESFireCommands.FileSettings.onlyReading)
        return files.filter { $0.2.isChangeable }.map { file, identifier, settings in
            let old = Self.bytes(ofRights: settings.accessRights)
            return LockStep(
                name: "access rights of file \(identifier.hex)", place: "settings of file \(file)",
                old: old, new: new,
                effect: .lock(
                    "file \(identifier.hex)",
                    limit: "can never be written again; DESFire's own commands can still delete it"),
                // Anyone can delete the application without a key and create a new one.
                permanence: .unknown,
                pieces: [LockPiece(space: .fileSettings, address: Int(file), old: old, new: new, written: new)])
        }
    }

    /// Returns the access rights of a DESFire file, high byte first.
    func accessRights(of file: Int) throws(TagError) -> [UInt8] {
        guard let settings = try desfire.fileSettings(UInt8(truncatingIfNeeded: file)) else {
            throw .commandFailed(command: "GetFileSettings", offset: nil, sw: nil)
        }
        return Self.bytes(ofRights: settings.accessRights)
    }

    /// Removes the right to change a file.
    ///
    /// Does nothing if the right has already been removed.
    func freezeAccess(to file: Int) throws(TagError) {
        let rights = DESFireCommands.FileSettings.onlyReading
        let file = UInt8(truncatingIfNeeded: file)
        guard try desfire.fileSettings(file)?.accessRights != rights else { return }
        try desfire.changeAccessRights(file, to: rights)
    }

    private static func bytes(ofRights rights: UInt16) -> [UInt8] { [UInt8(rights >> 8), UInt8(rights & 0xFF)] }
}

extension NFCATarget {
    /// Whether the UID or the answer to select indicates an NXP chip.
    fileprivate var isNXP: Bool { nfcID1.first == 0x04 && nfcID1.count == 7 || ats.suffix(2) == [0x02, 0x80] }
}
