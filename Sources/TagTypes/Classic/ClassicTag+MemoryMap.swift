// MIFARE Classic memory, block by block — NXP MF1S50yyX and MF1S70yyX, Memory Organization

extension ClassicTag {
    /// Reads every block that opens with a known key and names its role; key A always reads back as zeros.
    public func memoryMap() throws(TagError) -> MemoryMap {
        let area = try readableArea()
        var map = MemoryMap()
        for sector in 0..<layout.sectorCount {
            let access = try load(sector)
            for block in layout.blocks(of: sector) {
                map.blocks.append(
                    MemoryMap.Block(
                        number: block, bytes: memory.cached(block), role: role(of: block, area),
                        isLocked: access.map { isLocked(block, $0) } ?? (block == 0)))
            }
        }
        return map
    }

    /// The NDEF area, as far as it can be made out: a map is wanted of a broken tag above all.
    private func readableArea() throws(TagError) -> ClassicArea? {
        do throws(TagError) {
            if case .present(let area) = try detectedArea() { return area }
        } catch {
            if error.isOfConnection { throw error }
            // A rule the tag breaks: the map shows its bytes all the same.
        }
        return nil
    }

    /// The keys to try for a sector: the public one of its kind first, those that were offered last.
    func knownKeys(_ sector: Int) -> [ClassicKey] {
        let known: [ClassicKey] =
            layout.directorySectors.contains(sector)
            ? [.directory, .factory, .factoryB] : [.ndef, .factory, .directory, .factoryB]
        return known + (offered[sector] ?? []).filter { !known.contains($0) }
    }

    /// Reads what a known key opens of a sector; `nil` when none does, or its access bits cannot be read.
    private func load(_ sector: Int) throws(TagError) -> ClassicAccess? {
        guard try memory.open(sector, trying: knownKeys(sector)) != nil else { return nil }
        for block in layout.blocks(of: sector).reversed() {
            do throws(TagError) {
                _ = try memory.block(block)
            } catch .commandFailed {
                continue
            }
        }
        return memory.cached(layout.trailer(of: sector)).flatMap { ClassicTrailer($0)?.access }
    }

    private func isLocked(_ block: Int, _ access: ClassicAccess) -> Bool {
        if block == 0 { return true }
        let group = layout.accessGroup(of: block)
        guard group < access.data.count else { return access.trailer.isFrozen }
        let condition = access.data[group]
        return !condition.isWritable(with: .a)
            && (access.trailer.isKeyBReadable || !condition.isWritable(with: .b))
    }

    private func role(of block: Int, _ area: ClassicArea?) -> MemoryMap.Role {
        if block == 0 { return .uid }
        if layout.isTrailer(block) { return .trailer }
        let sector = layout.sector(of: block)
        // Without a directory these are blocks like others.
        if layout.directorySectors.contains(sector) { return area == nil ? .free : .directory }
        guard let area, area.sectors.contains(sector), let start = area.ndef.addresses.first else { return .free }
        if block * ClassicLayout.blockSize < start + area.ndef.headLength { return .tlv }
        let message = area.ndef.addresses.dropFirst(area.ndef.headLength).prefix(area.ndef.length)
        return message.last.map { block <= $0 / ClassicLayout.blockSize } ?? false ? .ndef : .free
    }
}
