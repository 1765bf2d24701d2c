// MIFARE Classic life cycle: INITIALISED — NXP AN1304 and AN1305, State Transitions; AN10787 (MAD)

extension ClassicTag {
    private static let emptyMessage: [UInt8] =
        [0x03, 0x00, 0xFE] + Array(repeating: 0, count: ClassicLayout.blockSize - 3)

    /// Checks that every sector is empty and open with a factory key, or as an interrupted ``initialise()`` left it.
    public func requireBlank() throws(TagError) { _ = try factorySectors() }

    /// Returns the sectors to assign to NDEF that are in the factory state.
    ///
    /// The others were initialised before an interruption.
    private func factorySectors() throws(TagError) -> Set<Int> {
        switch try detectedArea() {
        case .blank: break
        case .closed(let sector, _): throw .keyNeeded(sector: sector)
        case .missing, .present: throw .notBlank
        }
        var sectors: Set<Int> = []
        for sector in layout.applicationSectors + layout.directorySectors.dropFirst() where try isFactory(sector) {
            sectors.insert(sector)
        }
        return sectors
    }

    /// Assigns all sectors of a blank card to NDEF, with an empty message.
    ///
    /// Nothing is written until every sector is known to be empty and open. The data is written first. The trailers
    /// follow, each verified with its new keys before the next. The trailer of sector 0 comes last and turns the card
    /// from blank to initialised. After an interruption, another call continues where this one stopped.
    public func initialise() throws(TagError) {
        let factorySectors = try factorySectors()
        defer { forgetArea() }
        try put([Self.emptyMessage], at: layout.dataBlocks(of: 1).lowerBound)
        for sector in layout.applicationSectors where factorySectors.contains(sector) {
            try memory.write(.ndef, of: sector, with: .factory)
        }
        for sector in layout.directorySectors.dropFirst() {
            guard factorySectors.contains(sector) else { continue }
            try put(directoryBlocks(1), at: layout.dataBlocks(of: sector).lowerBound)
            try memory.write(.directory(generalPurpose: 0), of: sector, with: .factory)
        }
        guard try memory.open(0, trying: [.factory]) != nil else {
            throw .commandFailed(command: "AUTHENTICATE", offset: 0, sw: nil)
        }
        try put(directoryBlocks(0), at: layout.dataBlocks(of: 0).lowerBound)
        try memory.write(
            .directory(generalPurpose: ClassicDirectory.generalPurpose(layout)), of: 0, with: .factory)
    }

    /// Whether a sector is in the factory state; false if it was initialised before an interruption.
    ///
    /// - Throws: ``TagError/notBlank`` if it holds data, ``TagError/keyNeeded(sector:)`` if it has other keys.
    private func isFactory(_ sector: Int) throws(TagError) -> Bool {
        let isDirectory = layout.directorySectors.contains(sector)
        let ours: ClassicTrailer = isDirectory ? .directory(generalPurpose: 0) : .ndef
        let ourKey: ClassicKey = isDirectory ? .directory : .ndef
        guard let key = try memory.open(sector, trying: [.factory, ourKey]) else {
            guard try memory.open(sector, trying: memory.further(sector).of(.a)) == nil else {
                throw .unsupported(reason: "sector \(sector) has its own keys")
            }
            throw .keyNeeded(sector: sector)
        }
        let blocks = layout.dataBlocks(of: sector)
        let written = isDirectory ? directoryBlocks(1) : sector == 1 ? [Self.emptyMessage] : []
        for block in blocks {
            let bytes = try memory.block(block)
            let index = block - blocks.lowerBound
            let isOurs = index < written.count && bytes == written[index]
            guard isOurs || bytes.allSatisfy({ $0 == 0 }) else { throw .notBlank }
        }
        let trailer = try memory.trailer(of: sector)
        guard key == .factory else {
            guard trailer.visibleBytes == ours.visibleBytes else { throw .notBlank }
            return false
        }
        guard trailer.access.trailer == .transport else {
            throw .unsupported(reason: "the access bits of sector \(sector) are not those of a blank card")
        }
        return true
    }

    /// Returns a part of the directory, divided into blocks.
    private func directoryBlocks(_ part: Int) -> [[UInt8]] {
        let bytes = ClassicDirectory.giving(layout, part: part)
        return stride(from: 0, to: bytes.count, by: ClassicLayout.blockSize).map {
            Array(bytes[$0..<$0 + ClassicLayout.blockSize])
        }
    }

    /// Writes consecutive data blocks and reads them back.
    private func put(_ contents: [[UInt8]], at first: Int) throws(TagError) {
        let blocks = first..<first + contents.count
        for (block, bytes) in zip(blocks, contents) { try memory.write(bytes, to: block) }
        memory.forget(blocks)
        for (block, bytes) in zip(blocks, contents) where try memory.block(block) != bytes {
            throw .commandFailed(command: "WRITE", offset: block * ClassicLayout.blockSize, sw: nil)
        }
    }
}
