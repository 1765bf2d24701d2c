// Type 5 Tag memory, block by block — NFC Forum T5T, Memory Structure; ISO/IEC 15693-3, Get System Information

import Chips
import Hexadecimal
import ReaderInterface

extension Type5Tag {
    /// Reads every block and its lock status, and determines the role of each block.
    ///
    /// In the map, blocks that cannot be read have no bytes.
    public func memoryMap() throws(TagError) -> MemoryMap {
        let (container, layout) = try readableArea()
        var map = MemoryMap()
        let count = memory.blockCount ?? unknownEnd(layout)
        for number in 0..<count {
            let bytes = try readable(number, limit: count)
            // If the size is unknown, the first block that cannot be read marks the end of the memory.
            if bytes == nil, memory.blockCount == nil { break }
            map.blocks.append(
                MemoryMap.Block(
                    number: number, bytes: bytes, role: role(of: number, container, layout), isLocked: false))
        }
        if let last = map.blocks.last?.number {
            try memory.loadStatus(0...last)
            for index in map.blocks.indices {
                map.blocks[index].isLocked = memory.status.isLocked(map.blocks[index].number) ?? false
            }
        }
        map.capabilityContainer = container?.bytes ?? []
        map.fields = fields(container)
        map.systemInformation = memory.information
        return map
    }

    /// Returns the container and the layout, each `nil` if it cannot be decoded.
    ///
    /// A tag with invalid data also gets a map, so errors in the data are ignored.
    private func readableArea() throws(TagError) -> (Type5CapabilityContainer?, TLVLayout?) {
        do throws(TagError) {
            if case .present(let container, let layout, _) = try detectedArea() { return (container, layout) }
            return (try container(), nil)
        } catch {
            if error.isOfConnection { throw error }
            return ((0..<8).contains(memory.cached(0)?.count ?? 0) ? nil : memory.cached(0).flatMap { .init($0) }, nil)
        }
    }

    /// Returns the maximum number of blocks of a tag that does not report its size.
    private func unknownEnd(_ layout: TLVLayout?) -> Int {
        guard let layout, memory.blockSize > 0 else { return Type5Memory.shortBlockCount }
        return (layout.dataEnd + memory.blockSize - 1) / memory.blockSize
    }

    private func readable(_ number: Int, limit: Int) throws(TagError) -> [UInt8]? {
        do throws(TagError) {
            return try memory.block(number, limit: limit)
        } catch .commandFailed {
            return nil
        } catch .passwordUnsupported {
            return nil
        } catch .reader(.notInFile) {
            return nil
        } catch .noReliableAnswer where number > 0 {
            return nil
        }
    }

    private func role(
        of block: Int, _ container: Type5CapabilityContainer?, _ layout: TLVLayout?
    ) -> MemoryMap.Role {
        if let plain = memory.plainBlockCount, block >= plain { return .counter }
        let start = block * memory.blockSize
        if let container, start < container.bytes.count { return .capabilityContainer }
        guard let layout else { return .free }
        guard start < layout.dataEnd, let ndef = layout.ndef, let first = ndef.addresses.first else { return .free }
        if start < first + ndef.headLength { return .tlv }
        let message = ndef.addresses.dropFirst(ndef.headLength).prefix(ndef.length)
        return message.last.map { start <= $0 } ?? false ? .ndef : .free
    }

    private func fields(_ container: Type5CapabilityContainer?) -> [MemoryMap.Field] {
        var fields: [MemoryMap.Field] = []
        func add(_ name: String, _ value: String?) {
            if let value { fields.append(MemoryMap.Field(name: name, value: value)) }
        }
        if let container {
            add("version", "\(container.majorVersion).\(container.minorVersion)")
            add("MLEN", "\(container.mlen)")
            add("read access", container.readAccess.hex)
            add("write access", container.writeAccess.hex)
            add("features", container.features.rawValue.hex)
            for word in container.features.words { add(word.name, word.value) }
        }
        add("block size", memory.blockSize > 0 ? "\(memory.blockSize)" : nil)
        add("number of blocks", memory.blockCount.map(String.init))
        add("DSFID", memory.information?.dsfid?.hex)
        add("AFI", memory.information?.afi?.hex)
        add("IC reference", memory.information?.icReference?.hex)
        if memory.model == nil, let (maker, similar) = ChipModel.maker(ofVicinityUID: memory.uid) {
            let names = similar.map(\.shortName).joined(separator: ", ")
            add("manufacturer", maker.rawValue)
            add("product code", memory.uid[2].hex + (similar.isEmpty ? "" : " (as \(names))"))
        }
        return fields
    }
}
