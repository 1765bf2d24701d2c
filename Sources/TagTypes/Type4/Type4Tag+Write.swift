// Type 4 Tag NDEF write — NFC Forum T4T, NDEF Write Procedure
import ReaderInterface

extension Type4Tag {
    /// Reads the old message if it must be kept, and plans UPDATE BINARY commands of at most MLc bytes.
    public func planWrite(
        _ message: [UInt8], _ transition: WritePlan.Transition, oldMessage: WritePlan.OldMessage,
        followedBy _: [UInt8]
    ) throws(TagError) -> WritePlan {
        guard transition == .throughEmpty else {
            throw .unsupported(reason: "a Type 4 Tag has room for one message only")
        }
        let file = try presentFile()
        if let reason = file.writeRefusal { throw .readOnly(reason: reason) }
        try requireOpenMessage()
        // GetFileSettings may have reset the selection. Select the file again here, where a missing answer leads to a
        // retry.
        try persistently("SELECT") { () throws(TagError) in try ensureFileSelected() }
        guard message.count <= file.container.capacity else {
            throw .tooLong(length: message.count, capacity: file.container.capacity)
        }
        let nlenSize = file.container.nlenSize
        let kept = try self.message(oldMessage)
        let old = kept ?? Array(file.head.prefix(nlenSize + file.nlen).dropFirst(nlenSize))
        var body: [WritePlan.Piece] = []
        for offset in stride(from: 0, to: message.count, by: commands.mlc) {
            let new = Array(message[offset..<min(offset + commands.mlc, message.count)])
            body.append(
                WritePlan.Piece(
                    address: nlenSize + offset, old: Array(old.dropFirst(offset).prefix(new.count)), new: new,
                    messageOffset: offset, messageCount: new.count))
        }
        if let last = body.last { try commands.requireReach(to: last.address) }
        let head = WritePlan.Piece(
            address: 0, old: nlen(file.nlen, nlenSize), new: nlen(message.count, nlenSize), messageOffset: 0,
            messageCount: 0)
        for piece in body + [head] where piece.isOldKnown { known[piece.span] = piece.old }
        return WritePlan(
            body: body, head: [head], closed: nlen(0, nlenSize), oldMessage: kept, newMessage: message)
    }

    /// Carries out a plan with UPDATE BINARY.
    public func carryOut(_ plan: WritePlan, _ direction: WritePlan.Direction) throws(TagError) {
        var procedure = WriteProcedure(plan, direction, in: self)
        defer { forgetApplication() }
        try procedure.run()
    }

    private func nlen(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// Reads the capability container and returns a memory map that names its files.
    ///
    /// The map is empty if there is no NDEF application.
    public func memoryMap() throws(TagError) -> MemoryMap {
        let application = try detectedApplication()
        try persistently("GetVersion") { () throws(TagError) in try identify() }
        guard case .present(let file) = application else { return MemoryMap() }
        let bytes = try readContainer(file)
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

extension Type4Tag {
    private func readContainer(_ file: Type4NDEFFile) throws(TagError) -> [UInt8] {
        try persistently("READ BINARY of file E103") { () throws(TagError) in
            // Select the application first, because an activation resets the selection.
            try ensureFileSelected()
            forgetApplication()
            let sw = try commands.select(fileID: Type4CapabilityContainer.fileID)
            guard sw == .success else {
                throw .commandFailed(command: "SELECT of file E103", offset: nil, sw: sw.rawValue)
            }
            return try commands.read(
                offset: 0, count: min(file.container.cclen, max(commands.mle, Type4CapabilityContainer.extendedLength)))
        }
    }
}

extension Type4Tag: PlannedMemory {
    var isAcknowledgementChecked: Bool { true }

    func contents(of spans: [Span]) throws(TagError) -> [[UInt8]] {
        try ensureFileSelected()
        let missing = spans.filter { known[$0] == nil }.sorted { $0.address < $1.address }
        var run: [Span] = []
        for (index, span) in missing.enumerated() {
            run.append(span)
            let isLast = index + 1 == missing.count
            guard isLast || missing[index + 1].address != span.address + span.count else { continue }
            try read(run)
            run = []
        }
        return spans.map { known[$0] ?? [] }
    }

    /// Reads consecutive spans into ``known``.
    private func read(_ run: [Span]) throws(TagError) {
        guard let start = run.first?.address else { return }
        var bytes = try readFile(offset: start, count: run.reduce(0) { $0 + $1.count })[...]
        for span in run {
            known[span] = Array(bytes.prefix(span.count))
            bytes = bytes.dropFirst(span.count)
        }
    }

    func forget(_ spans: [Span]) {
        for span in spans { known[span] = nil }
    }

    func write(_ bytes: [UInt8], at address: Int) throws(TagError) {
        known[Span(address: address, count: bytes.count)] = nil
        var written = 0
        while written < bytes.count {
            written += try insist(on: "UPDATE BINARY", at: address + written) { number throws(TagError) in
                if number > 1 { commands.shorten() }
                try ensureFileSelected()
                return try commands.updateBinary(offset: address + written, bytes: bytes[written...])
            }
        }
    }

    func reopen() throws(TagError) { try restart() }
}
