// The memory map of a Type 1 Tag, block by block — NFC Forum T1T, Memory Structure

import Hexadecimal

extension Type1Tag {
    /// Reads every block, and determines the role of each.
    ///
    /// In the map, blocks that cannot be read have no bytes.
    public func memoryMap() throws(TagError) -> MemoryMap {
        try memory.identify()
        let (container, layout) = try readableArea()
        let count = blockCount(container)
        // Not every reader supports READ8. If the reader does not support it, the missing answer may look like noise,
        // so ignore both errors.
        do throws(TagError) { try memory.load(0...count - 1) } catch .unsupported {} catch .noReliableAnswer {}
        var map = MemoryMap()
        map.blocks = (0..<count).map { block in
            MemoryMap.Block(
                number: block, bytes: memory.cached(block), role: role(of: block, layout),
                isLocked: isLocked(block, layout))
        }
        map.dynamicLock = layout?.lockControl.first.map { lock in
            let bytes = (lock.address...lock.address + (lock.bitCount - 1) / 8).compactMap { address in
                memory.cached(address / Type1Memory.blockSize)?[address % Type1Memory.blockSize]
            }
            return MemoryMap.DynamicLock(
                address: lock.address, bitCount: lock.bitCount,
                blocksPerBit: max(1, lock.bytesPerBit / Type1Memory.blockSize),
                bytes: bytes.count == (lock.bitCount + 7) / 8 ? bytes : nil)
        }
        map.fields = [MemoryMap.Field(name: "header ROM", value: memory.header.spacedHex)]
        if let container {
            map.capabilityContainer = container.bytes
            map.fields += [
                MemoryMap.Field(name: "version", value: "\(container.majorVersion).\(container.bytes[1] & 0x0F)"),
                MemoryMap.Field(name: "memory size", value: "\(container.memorySize)"),
                MemoryMap.Field(name: "read access", value: container.readAccess.hex),
                MemoryMap.Field(name: "write access", value: container.writeAccess.hex),
            ]
        }
        return map
    }

    /// Returns the container and the layout, each `nil` if it cannot be decoded.
    ///
    /// A tag with invalid data also gets a map, so errors in the data are ignored.
    private func readableArea() throws(TagError) -> (Type1CapabilityContainer?, TLVLayout?) {
        do throws(TagError) {
            if case .present(let container, let layout, _) = try detectedArea() { return (container, layout) }
        } catch {
            if error.isOfConnection { throw error }
        }
        return (Type1CapabilityContainer(try containerBytes()), nil)
    }

    private func blockCount(_ container: Type1CapabilityContainer?) -> Int {
        guard memory.isDynamic else { return Type1Memory.readAllBlockCount }
        let claimed = container.map { $0.memorySize / Type1Memory.blockSize }
        return max(Type1Memory.staticBlockCount, claimed ?? (chip == nil ? 0 : 64))
    }

    private func role(of block: Int, _ layout: TLVLayout?) -> MemoryMap.Role {
        let start = block * Type1Memory.blockSize
        switch block {
        case 0: return .uid
        case 1: return .capabilityContainer
        case 0x0D: return .reserved
        case Self.staticLockAddress / Type1Memory.blockSize: return .lock
        default: break
        }
        let locks = layout?.lockControl ?? []
        if locks.contains(where: { start..<start + Type1Memory.blockSize ~= $0.address }) { return .lock }
        if Self.reservedDynamic.contains(start) { return .reserved }
        guard let layout, let ndef = layout.ndef, let first = ndef.addresses.first else { return .free }
        if layout.isReserved(start) || start >= layout.dataEnd { return .reserved }
        let head = ndef.addresses.prefix(ndef.headLength).last ?? first
        if start <= head { return .tlv }
        let message = ndef.addresses.dropFirst(ndef.headLength).prefix(ndef.length)
        return message.last.map { start <= $0 } ?? false ? .ndef : .free
    }
}
