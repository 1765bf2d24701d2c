// The memory map of a MIFARE Classic, block by block — NXP MF1S50yyX and MF1S70yyX, Memory Organization
import ReaderInterface

extension ClassicTag {
    /// Reads every block that can be read with a known key, and determines the role of each.
    ///
    /// The map shows trailers with zeros in place of both keys. The known keys are in ``MemoryMap/sectors``.
    public func memoryMap() throws(TagError) -> MemoryMap {
        let area = try readableArea()
        var map = MemoryMap()
        for number in 0..<layout.sectorCount {
            let sector = try load(number)
            map.sectors.append(sector)
            let access = sector.access
            for block in sector.blocks {
                map.blocks.append(
                    MemoryMap.Block(
                        number: block, bytes: withoutKeys(block), role: role(of: block, area),
                        isLocked: access.map { isLocked(block, $0) } ?? (block == 0 || sector.isBlocked)))
            }
        }
        return map
    }

    /// Returns the NDEF area, or `nil` if there is none or it cannot be decoded.
    ///
    /// A tag with invalid data also gets a map, so errors in the data are ignored.
    private func readableArea() throws(TagError) -> ClassicArea? {
        do throws(TagError) {
            if case .present(let area) = try detectedArea() { return area }
        } catch {
            if error.isOfConnection { throw error }
        }
        return nil
    }

    /// Returns the bytes of a block, or `nil` if it was not read.
    ///
    /// The keys in a trailer are replaced by zeros.
    private func withoutKeys(_ block: Int) -> [UInt8]? {
        guard var bytes = memory.cached(block) else { return nil }
        if layout.isTrailer(block) {
            for index in Array(0..<6) + Array(10..<bytes.count) { bytes[index] = 0 }
        }
        return bytes
    }

    /// Reads the parts of a sector that known keys can read, and determines which keys these are.
    private func load(_ number: Int) throws(TagError) -> ClassicSector {
        let keyA = try memory.open(number, trying: memory.knownKeys(number, .a))
        if keyA != nil { try readBlocks(of: number) }
        var trailer = memory.cached(layout.trailer(of: number)).flatMap { ClassicTrailer($0) }
        // A key B that can be read is only data, but show it.
        var keyB = trailer.flatMap { $0.access.trailer.isKeyBReadable ? $0.keyB : nil }
        if keyB == nil, let opening = try openingKeyB(of: number, isOptional: keyA != nil) {
            keyB = opening.bytes
            let isFirst = keyA == nil
            do throws(TagError) {
                try readBlocks(of: number)
            } catch .noReliableAnswer where isFirst {
                // If key B can be read, the authentication succeeds, but everything else is refused.
            }
            trailer = memory.cached(layout.trailer(of: number)).flatMap { ClassicTrailer($0) }
        }
        return ClassicSector(
            number: number, blocks: layout.blocks(of: number), keyA: keyA.map { key($0.bytes) },
            keyB: keyB.map(key), access: trailer?.access, isBlocked: memory.blocked.contains(number))
    }

    /// Returns key B, or `nil` if no known key fits.
    ///
    /// If `isOptional` is true, because key A opened the sector, a weak connection is not an error.
    private func openingKeyB(of sector: Int, isOptional: Bool) throws(TagError) -> ClassicKey? {
        do throws(TagError) {
            return try memory.open(sector, trying: memory.knownKeys(sector, .b))
        } catch .noReliableAnswer where isOptional {
            return nil
        }
    }

    private func key(_ bytes: [UInt8]) -> ClassicSector.Key {
        ClassicSector.Key(bytes: bytes, origin: memory.ring?.origin(of: bytes) ?? ClassicKeyRing().origin(of: bytes))
    }

    private func readBlocks(of sector: Int) throws(TagError) {
        for block in layout.blocks(of: sector).reversed() where memory.cached(block) == nil {
            do throws(TagError) {
                // Do not switch keys, because key B is tried later, after key A.
                _ = try memory.block(block, isSwitchingKeys: false)
            } catch .sectorBlocked {
                return
            } catch .commandFailed {
                continue
            } catch .reader(.notInFile) {
                continue
            }
        }
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
        // Without a directory, these sectors are ordinary ones.
        if layout.directorySectors.contains(sector) { return area == nil ? .free : .directory }
        guard let area, area.sectors.contains(sector), let start = area.ndef.addresses.first else { return .free }
        if block * ClassicLayout.blockSize < start + area.ndef.headLength { return .tlv }
        let message = area.ndef.addresses.dropFirst(area.ndef.headLength).prefix(area.ndef.length)
        return message.last.map { block <= $0 / ClassicLayout.blockSize } ?? false ? .ndef : .free
    }
}
