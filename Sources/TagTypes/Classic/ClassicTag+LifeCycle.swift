// MIFARE Classic life cycle: INITIALISED — NXP AN1304 and AN1305, State Transitions; AN10787 (MAD)

extension ClassicTag {
    private static let emptyMessage: [UInt8] =
        [0x03, 0x00, 0xFE] + Array(repeating: 0, count: ClassicLayout.blockSize - 3)

    /// Checks that every sector is empty and opens with a factory key, or is in a state in which an interrupted
    /// ``initialise()`` left it.
    public func requireBlank() throws(TagError) { _ = try unfinishedSectors() }

    /// Returns the sectors that are not initialised yet, each with the key that may write its trailer.
    private func unfinishedSectors() throws(TagError) -> [Int: ClassicKey] {
        switch try detectedArea() {
        case .blank: break
        case .closed(let sector, _): throw .keyNeeded(sector: sector)
        case .missing, .foreign, .present: throw .notBlank
        }
        var sectors: [Int: ClassicKey] = [:]
        for sector in layout.applicationSectors + layout.directorySectors.dropFirst() {
            sectors[sector] = try writer(of: sector)
        }
        let isDelivered = try memory.trailer(of: 0).access.trailer == .transport
        guard let key = try memory.open(0, trying: [isDelivered ? .factory : .factoryB]) else {
            throw .keyNeeded(sector: 0)
        }
        sectors[0] = key
        return sectors
    }

    /// Assigns all sectors of a blank card to NDEF, and writes an empty message.
    ///
    /// Checks that every sector is empty and open before anything is written. The data is written first. Each trailer
    /// is then replaced in steps (see `ClassicMemory/replace(_:of:with:)`), and is verified with its new keys before
    /// the next one is replaced. The trailer of sector 0 comes last, because a card with this trailer counts as
    /// initialised. After an interruption, call this function again to continue.
    public func initialise() throws(TagError) {
        let writers = try unfinishedSectors()
        defer { forgetArea() }
        try put([Self.emptyMessage], at: layout.dataBlocks(of: 1).lowerBound)
        for sector in layout.applicationSectors {
            if let key = writers[sector] { try memory.replace(.ndef, of: sector, with: key) }
        }
        for sector in layout.directorySectors.dropFirst() {
            guard let key = writers[sector] else { continue }
            try put(directoryBlocks(1), at: layout.dataBlocks(of: sector).lowerBound)
            try memory.replace(finalTrailer(of: sector), of: sector, with: key)
        }
        guard let key = writers[0], try memory.open(0, trying: [key]) != nil else {
            throw .commandFailed(command: "AUTHENTICATE", offset: 0, sw: nil)
        }
        try put(directoryBlocks(0), at: layout.dataBlocks(of: 0).lowerBound)
        try memory.replace(finalTrailer(of: 0), of: 0, with: key)
    }

    private func finalTrailer(of sector: Int) -> ClassicTrailer {
        guard layout.directorySectors.contains(sector) else { return .ndef }
        return .directory(generalPurpose: sector == 0 ? ClassicDirectory.generalPurpose(layout) : 0)
    }

    /// Returns the key that may write the trailer of a sector that is not initialised yet, or `nil` for any other
    /// sector.
    ///
    /// - Throws: ``TagError/notBlank`` if the sector holds data; ``TagError/keyNeeded(sector:)`` if it has other keys.
    private func writer(of sector: Int) throws(TagError) -> ClassicKey? {
        let isDirectory = layout.directorySectors.contains(sector)
        let (ours, ourKey) = (finalTrailer(of: sector), memory.publicKey(of: sector))
        let torn = tornKeys(of: sector)
        guard let key = try openedOrTorn(sector, [.factory, ourKey, .factoryB], torn) else {
            throw .keyNeeded(sector: sector)
        }
        guard [.factory, ourKey, .factoryB].contains(key) || torn.contains(key) else {
            guard key.kind == .a else { throw .keyNeeded(sector: sector) }
            throw .unsupported(reason: "sector \(sector) has its own keys")
        }
        let trailer = try memory.trailer(of: sector)
        let isBegun = ours.isBegun(by: trailer)
        let blocks = layout.dataBlocks(of: sector)
        let written = isDirectory ? directoryBlocks(1) : sector == 1 ? [Self.emptyMessage] : []
        for block in blocks {
            let bytes = try memory.block(block)
            let index = block - blocks.lowerBound
            let intended = index < written.count ? written[index] : []
            // The directory must be complete before the trailer is changed.
            let isFree = isBegun && isDirectory ? bytes == intended : Self.isBlank(bytes, or: intended)
            guard isFree else { throw .notBlank }
        }
        if trailer.access.trailer == .transport { return key }
        guard isBegun else {
            guard key == .factory else { throw .notBlank }
            throw .unsupported(reason: "the access bits of sector \(sector) are not those of a blank card")
        }
        if key == .factoryB, try !isKeyATorn(sector) { throw .keyNeeded(sector: sector) }
        if key == ourKey, trailer.visibleBytes == ours.visibleBytes { return nil }
        guard let writer = try memory.open(sector, trying: [.factoryB]) else {
            throw .unsupported(reason: "sector \(sector) has its own keys")
        }
        return writer
    }

    /// Opens a sector with a known key or, if none fits, with one of the keys that a torn WRITE may have left.
    private func openedOrTorn(
        _ sector: Int, _ usual: [ClassicKey], _ torn: [ClassicKey]
    ) throws(TagError) -> ClassicKey? {
        if let key = try memory.openWithAnyKey(sector, usual) { return key }
        return try memory.open(sector, trying: torn)
    }

    /// Returns the keys A that a torn WRITE of ``initialise()`` can leave in a sector.
    private func tornKeys(of sector: Int) -> [ClassicKey] {
        ClassicKey.mixtures(of: .factory, and: memory.publicKey(of: sector))
    }

    /// Whether key A of a sector was left by a torn WRITE.
    ///
    /// An unknown key A that is not torn was set by the owner of the card.
    func isKeyATorn(_ sector: Int) throws(TagError) -> Bool {
        try memory.open(sector, trying: tornKeys(of: sector)) != nil
    }

    /// Whether each byte is zero or equal to the corresponding byte of the intended content.
    ///
    /// The result is true for a blank block, even after a torn WRITE.
    private static func isBlank(_ bytes: [UInt8], or intended: [UInt8]) -> Bool {
        bytes.enumerated().allSatisfy { index, byte in
            byte == 0 || index < intended.count && byte == intended[index]
        }
    }

    /// Whether the data blocks of sector 0 are empty, or hold nfctool's directory or a part of it.
    func holdsNoOtherDirectory() throws(TagError) -> Bool {
        for (block, ours) in zip(layout.dataBlocks(of: 0), directoryBlocks(0)) {
            guard Self.isBlank(try memory.block(block), or: ours) else { return false }
        }
        return true
    }

    /// Whether both the access bits of sector 0 and the directory are those that nfctool writes.
    ///
    /// If key A is torn as well, ``initialise()`` was interrupted in its last step.
    func isDirectoryUnfinished(_ trailer: ClassicTrailer) throws(TagError) -> Bool {
        guard finalTrailer(of: 0).isBegun(by: trailer) else { return false }
        for (block, ours) in zip(layout.dataBlocks(of: 0), directoryBlocks(0)) {
            guard try memory.block(block) == ours else { return false }
        }
        return true
    }

    func holdsEmptyMessage() throws(TagError) -> Bool {
        guard try memory.openWithAnyKey(1, [.ndef]) != nil else { return false }
        return try memory.block(layout.dataBlocks(of: 1).lowerBound) == Self.emptyMessage
    }

    private func directoryBlocks(_ part: Int) -> [[UInt8]] {
        let bytes = ClassicDirectory.giving(layout, part: part)
        return stride(from: 0, to: bytes.count, by: ClassicLayout.blockSize).map {
            Array(bytes[$0..<$0 + ClassicLayout.blockSize])
        }
    }

    private func put(_ contents: [[UInt8]], at first: Int) throws(TagError) {
        let blocks = first..<first + contents.count
        for (block, bytes) in zip(blocks, contents) { try memory.write(bytes, to: block) }
        memory.forget(blocks)
        for (block, bytes) in zip(blocks, contents) where try memory.block(block) != bytes {
            throw .commandFailed(command: "WRITE", offset: block * ClassicLayout.blockSize, sw: nil)
        }
    }
}
