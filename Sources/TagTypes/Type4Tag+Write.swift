// Type 4 Tag NDEF write and life cycle — NFC Forum T4T, NDEF Write Procedure and State Transitions
import NFCReader

extension Type4Tag {
    /// Replaces the message: NLEN zero, body in pieces of MLc, body read back, NLEN, NLEN read back.
    public func writeNDEF(_ message: [UInt8]) throws(TagError) {
        let file = try presentFile()
        if let reason = file.writeRefusal { throw .readOnly(reason: reason) }
        guard message.count <= file.container.capacity else {
            throw .tooLong(length: message.count, capacity: file.container.capacity)
        }
        forgetApplication()
        var write = Type4Write(commands: commands, nlenSize: file.container.nlenSize, old: file.nlen, message: message)
        do throws(TagError) {
            try write.run()
        } catch {
            // A refused first command changed nothing; the status word says it best.
            if case .commandFailed = error, write.phase == .emptying { throw error }
            let (contents, cause) = aftermath(of: write, error)
            throw .writeInterrupted(contents: contents, written: write.written, of: message.count, cause: cause)
        }
    }

    /// What the tag holds now, and whether silence meant that it left.
    ///
    /// While the body changes the contents are certain; around NLEN it takes a look.
    private func aftermath(of write: Type4Write, _ cause: TagError) -> (TagError.Contents, TagError) {
        let either: TagError.Contents = write.phase == .emptying ? .unchangedOrEmpty : .emptyOrNew
        do throws(TagError) {
            try restart()
            guard write.phase != .body else { return (.empty, cause) }
            let nlen = try presentFile().nlen
            if write.phase == .emptying, nlen == write.old { return (.unchanged, cause) }
            if nlen == 0 { return (.empty, cause) }
            return (write.phase == .committing && nlen == write.message.count ? .new : either, cause)
        } catch {
            return (write.phase == .body ? .empty : either, cause == .reader(.noAnswer) ? error : cause)
        }
    }

    /// Sets the write access byte of the capability container to FF and reads it back.
    public func makeReadOnly() throws(TagError) {
        let file = try presentFile()
        guard file.container.file.writeAccess != 0xFF else { return }
        forgetApplication()
        let sw = try commands.select(fileID: Type4CapabilityContainer.fileID)
        guard sw == .success else {
            throw .commandFailed(command: "SELECT of file E103", offset: nil, sw: sw.rawValue)
        }
        let offset = file.container.writeAccessOffset
        do throws(TagError) {
            _ = try commands.updateBinary(offset: offset, bytes: [0xFF])
        } catch .commandFailed(_, _, let sw?) {
            throw .cannotMakeReadOnly(
                reason: "its capability container cannot be written, SW \(hex(sw)) (\(StatusWord(sw).meaning))")
        } catch {
            throw lockInterrupted(error)
        }
        do throws(TagError) {
            guard try commands.read(offset: offset, count: 1) == [0xFF] else {
                throw .commandFailed(command: "UPDATE BINARY", offset: offset, sw: nil)
            }
        } catch {
            throw lockInterrupted(error)
        }
    }

    private func lockInterrupted(_ cause: TagError) -> TagError {
        .lockInterrupted(done: [], missing: ["write access"], cause: cause)
    }

    /// Reads the capability container and names the files in it; empty without an NDEF application.
    public func memoryMap() throws(TagError) -> MemoryMap {
        guard case .present(let file) = try detectedApplication() else { return MemoryMap() }
        forgetApplication()
        let sw = try commands.select(fileID: Type4CapabilityContainer.fileID)
        guard sw == .success else {
            throw .commandFailed(command: "SELECT of file E103", offset: nil, sw: sw.rawValue)
        }
        let bytes = try commands.read(offset: 0, count: min(file.container.cclen, commands.mle))
        let container = try Type4CapabilityContainer(bytes)
        var map = MemoryMap()
        map.capabilityContainer = bytes
        map.fields = [
            MemoryMap.Field(name: "CCLEN", value: "\(container.cclen)"),
            MemoryMap.Field(
                name: "mapping version", value: "\(container.majorVersion).\(container.mappingVersion & 0x0F)"),
            MemoryMap.Field(name: "MLe", value: "\(container.mle)"),
            MemoryMap.Field(name: "MLc", value: "\(container.mlc)"),
        ]
        let own = MemoryMap.File(
            identifier: Type4CapabilityContainer.fileID, kind: "CC", size: container.cclen, readAccess: 0x00,
            writeAccess: 0xFF)
        map.files = [own, container.file] + container.proprietaryFiles
        return map
    }
}

/// One run of the write procedure.
private struct Type4Write {
    /// How far the procedure came: what a cut leaves on the tag follows from it.
    enum Phase {
        case emptying, body, committing
    }

    let commands: Type4Commands
    let nlenSize: Int
    /// NLEN as it was before.
    let old: Int
    let message: [UInt8]
    private(set) var phase = Phase.emptying
    private(set) var written = 0

    init(commands: Type4Commands, nlenSize: Int, old: Int, message: [UInt8]) {
        self.commands = commands
        self.nlenSize = nlenSize
        self.old = old
        self.message = message
    }

    mutating func run() throws(TagError) {
        // MLc holds a length field at least, so each of its updates is one command.
        if old != 0 { _ = try commands.updateBinary(offset: 0, bytes: nlen(0)[...]) }
        phase = .body
        while written < message.count {
            written += try commands.updateBinary(offset: nlenSize + written, bytes: message[written...])
        }
        try verify(message, offset: nlenSize)
        phase = .committing
        if !message.isEmpty { _ = try commands.updateBinary(offset: 0, bytes: nlen(message.count)[...]) }
        try verify(nlen(message.count), offset: 0)
    }

    private func verify(_ bytes: [UInt8], offset: Int) throws(TagError) {
        let found = try commands.read(offset: offset, count: bytes.count)
        if let index = zip(found, bytes).enumerated().first(where: { $1.0 != $1.1 })?.offset {
            throw .verificationFailed(offset: offset == 0 ? 0 : index)
        }
    }

    private func nlen(_ value: Int) -> [UInt8] {
        (0..<nlenSize).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
