// The memory map of a Type 2 Tag, block by block — NFC Forum T2T, Memory Structure; NXP NTAG21x and MF0ULx1
// configuration pages
import Chips

import Hexadecimal

extension Type2Tag {
    /// Reads every block, and determines the role of each.
    ///
    /// In the map, blocks that cannot be read have no bytes.
    public func memoryMap() throws(TagError) -> MemoryMap {
        try identify()
        let (container, layout) = try readableArea()
        try loadAll()
        let dynamicLocks = layout.map { self.dynamicLocks($0) } ?? memory.chip?.dynamicLock.map { [$0] } ?? []
        var map = MemoryMap()
        map.blocks = numbers().map { block in
            MemoryMap.Block(
                number: block, bytes: memory.cached(block), role: role(of: block, container, layout, dynamicLocks),
                isLocked: isLocked(block, layout))
        }
        map.dynamicLock = dynamicLocks.first.map { lock in
            let bytes = (lock.address..<lock.address + lock.byteCount).compactMap { memory.cached($0 / 4)?[$0 % 4] }
            return MemoryMap.DynamicLock(
                address: lock.address, bitCount: lock.bitCount, blocksPerBit: lock.blocksPerBit,
                bytes: bytes.count == lock.byteCount ? bytes : nil,
                closes: Dictionary(grouping: map.blocks.map(\.number).filter { lock.bit(of: $0) != nil }) {
                    lock.bit(of: $0) ?? 0
                })
        }
        describeProtection(in: &map)
        map.mirror = mirrorConfiguration()
        map.sun = sunMessage
        map.hasUnknownSUN = chip?.model?.sun != nil && map.sun == nil
        map.counters = try readCounters()
        map.signature = try readSignature()
        if let container {
            map.capabilityContainer = container.bytes
            map.fields = [
                MemoryMap.Field(name: "version", value: "\(container.bytes[1] >> 4).\(container.bytes[1] & 0x0F)"),
                MemoryMap.Field(name: "data area size", value: "\(container.dataAreaSize)"),
                MemoryMap.Field(name: "read access", value: container.readAccess.hex),
                MemoryMap.Field(name: "write access", value: container.writeAccess.hex),
            ]
        }
        return map
    }

    /// Returns the numbers of the existing blocks or, on an unknown chip, of the blocks before the first one that was
    /// not read.
    private func numbers() -> [Int] {
        if let chip = memory.chip { return chip.blocks.flatMap(\.self) }
        return Array(0..<((0..<memory.blockCount).first { memory.cached($0) == nil } ?? memory.blockCount))
    }

    private func describeProtection(in map: inout MemoryMap) {
        guard let protection = memory.chip?.protection,
            let auth0 = memory.cached(protection.auth0Address / 4)?[protection.auth0Address % 4],
            let access = memory.cached(protection.accessAddress / 4)
        else { return }
        if let cipher = protection.cipher {
            map.key = MemoryMap.KeyProtection(auth0: auth0, configuration: access, isAES: cipher == .aes)
        } else {
            map.password = MemoryMap.PasswordProtection(auth0: auth0, access: access[0])
        }
    }

    /// Returns the container and the layout, each `nil` if it cannot be decoded.
    ///
    /// A tag with invalid data also gets a map, so errors in the data are ignored.
    private func readableArea() throws(TagError) -> (Type2CapabilityContainer?, TLVLayout?) {
        do throws(TagError) {
            if case .present(let container, let layout, _) = try detectedArea() { return (container, layout) }
        } catch {
            if error.isOfConnection { throw error }
        }
        return (memory.cached(Type2CapabilityContainer.block).flatMap { Type2CapabilityContainer($0) }, nil)
    }

    /// Reads all blocks up to the end of the memory.
    ///
    /// On an unknown chip, the memory ends where a READ is refused or rolls over to block 0.
    private func loadAll() throws(TagError) {
        guard memory.chip == nil else { return try memory.load(0...memory.blockCount - 1) }
        for block in 0..<memory.blockCount where memory.cached(block) == nil {
            do throws(TagError) {
                try memory.load(block...min(block + memory.runLength, memory.blockCount) - 1)
            } catch .noReliableAnswer where block > Type2CapabilityContainer.block {
                // Some chips do not answer a READ of blocks that do not exist.
                return
            }
            guard memory.cached(block) != nil else { return }
        }
    }

    /// The size of the data area of every Type 2 Tag: blocks 4 to 15, in bytes.
    private static let staticDataSize = 48

    private func role(
        of block: Int, _ container: Type2CapabilityContainer?, _ layout: TLVLayout?, _ locks: [DynamicLockLayout]
    ) -> MemoryMap.Role {
        switch block {
        case 0...1: return .uid
        case Self.staticLockBlock: return .lock
        case Type2CapabilityContainer.block: return .capabilityContainer
        default: break
        }
        if locks.contains(where: { $0.blocks.contains(block) }) { return .lock }
        if let sun = memory.sunLayout, block >= sun.userEnd {
            if sun.key.contains(block) || sun.secret.contains(block) { return .password }
            let settings = sun.configuration...sun.configuration + 1
            return settings.contains(block) || block == sun.keyLock ? .configuration : .reserved
        }
        if let chip = memory.chip, block >= chip.userEnd {
            if chip.furtherUserBlocks?.contains(block) ?? false { return .free }
            if block == chip.counterBlock { return .counter }
            if chip.killBlocks?.contains(block) ?? false { return .password }
            if chip.layout.isUntouchable(block) { return .reserved }
            return chip.protection?.secretBlocks.contains(block) ?? false ? .password : .configuration
        }
        guard let layout else {
            // Beyond the data area of an unknown chip, there may be lock bits, a configuration and a password.
            let size = container?.dataAreaSize ?? Self.staticDataSize
            let end = Self.dataStart + size
            return memory.chip != nil || block * Self.blockSize < end ? .free : .reserved
        }
        if layout.isReserved(block * 4) { return .reserved }
        guard block * 4 < layout.dataEnd else { return memory.chip == nil ? .reserved : .free }
        guard let ndef = layout.ndef, let start = ndef.addresses.first else { return .free }
        if block * 4 < start + ndef.headLength { return .tlv }
        let message = ndef.addresses.dropFirst(ndef.headLength).prefix(ndef.length)
        return message.last.map { block <= $0 / 4 } ?? false ? .ndef : .free
    }
}
