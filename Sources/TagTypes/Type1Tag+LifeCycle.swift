// Type 1 Tag life cycle: INITIALISED and READ-ONLY — NFC Forum T1T, Tag Life Cycle; Broadcom Topaz 96 and 512

extension Type1Tag {
    /// The bits of the capability container, the static and the dynamic lock bits that are not set.
    public func planLock() throws(TagError) -> [LockStep] {
        var steps: [LockStep] = []
        for write in try lockWrites() {
            let old = try memory.bytes(at: write.address, count: write.bits.count)
            let new = zip(old, write.bits).map { $0 | $1 }
            guard old != new else { continue }
            steps.append(
                LockStep(
                    name: write.name, place: "byte \(write.address)", old: old, new: new, effect: write.effect,
                    isForEver: write.address >= Self.staticLockAddress))
        }
        return steps
    }

    /// Sets the capability container's write access to F, then the static and the dynamic lock bits, checking each.
    ///
    /// Topaz tags are sold whose lock bits do not take (nfcpy). They keep the write access, which phones heed and which
    /// can be undone; the error names what is missing.
    public func makeReadOnly() throws(TagError) {
        let writes = try lockWrites()
        defer { forgetArea() }
        try performInOrder(writes, in: memory) { (write) throws(TagError) in try perform(write) }
    }

    private func lockWrites() throws(TagError) -> [LockWrite] {
        let (_, layout, _) = try presentArea()
        var writes = [
            LockWrite(
                name: "write access", address: Type1CapabilityContainer.address + Type1CapabilityContainer.accessOffset,
                bits: [0x0F], effect: "readers are told that the tag is read-only"),
            // Blocks 0 to 7 and 8 to C; D and E have theirs from the factory.
            LockWrite(
                name: "static lock bits", address: Self.staticLockAddress, bits: [0xFF, 0x1F],
                effect: "blocks 0 to 12 can never be written again"),
        ]
        for lock in layout.lockControl {
            let bits = (0..<(lock.bitCount + 7) / 8).map { index in
                UInt8(truncatingIfNeeded: (1 << min(8, lock.bitCount - index * 8)) - 1)
            }
            writes.append(
                LockWrite(
                    name: "dynamic lock bits", address: lock.address, bits: bits,
                    effect: "the blocks behind 15 can never be written again"))
        }
        return writes
    }

    /// Writes the capability container and the TLVs that Topaz tags are delivered with, the magic number last.
    ///
    /// A container without an NDEF TLV behind it only gets the TLV.
    public func initialise() throws(TagError) {
        guard case .missing(_, isBlank: true) = try detectedArea() else { throw .notBlank }
        defer { forgetArea() }
        if let container = Type1CapabilityContainer(try containerBytes()) {
            return try put(Self.emptyMessage, at: freeAddresses(try layout(of: container)))
        }
        let delivered = try delivery()
        let area = dataAddresses(upTo: delivered.container.memorySize)
        let tlvs = delivered.tlvs + Self.emptyMessage
        // Without a capability container there may still be somebody's data; or these TLVs, after a cut.
        for (index, address) in area.enumerated() {
            let byte = try memory.bytes(at: address, count: 1)[0]
            guard byte == 0 || index < tlvs.count && byte == tlvs[index] else { throw .notBlank }
        }
        try put(
            delivered.container.bytes + tlvs, at: Array(Type1CapabilityContainer.address..<Self.dataStart) + area)
    }

    /// What a blank tag will hold; 0 when its size is not known.
    func capacityOnceInitialised() throws(TagError) -> Int {
        if let container = Type1CapabilityContainer(try containerBytes()) {
            return TLVLayout.capacity(of: freeAddresses(try layout(of: container)).count)
        }
        do throws(TagError) {
            let delivered = try delivery()
            return TLVLayout.capacity(
                of: dataAddresses(upTo: delivered.container.memorySize).count - delivered.tlvs.count)
        } catch .unsupported {
            return 0
        }
    }

    /// Where an NDEF TLV may go in a data area without one.
    func freeAddresses(_ layout: TLVLayout) -> [Int] {
        (layout.freeAddress..<layout.dataEnd).filter { !layout.isReserved($0) }
    }

    /// The data area of a memory without control TLVs.
    private func dataAddresses(upTo end: Int) -> [Int] {
        (Self.dataStart..<end).filter { !Self.reservedStatic.contains($0) && !Self.reservedDynamic.contains($0) }
    }

    private static let emptyMessage: [UInt8] = [0x03, 0x00, 0xFE]

    /// The capability container and the TLVs before the message, as delivered.
    private func delivery() throws(TagError) -> (container: Type1CapabilityContainer, tlvs: [UInt8]) {
        let sizeAndTLVs: (UInt8, [UInt8])? =
            switch memory.header {
            // Lock Control: 48 bits from byte 122 on, each for 8 bytes; Memory Control: bytes 120 and 121.
            case [0x12, 0x4C]: (0x3F, [0x01, 0x03, 0xF2, 0x30, 0x33, 0x02, 0x03, 0xF0, 0x02, 0x03])
            // All tags with static memory have 120 bytes.
            default: memory.isDynamic ? nil : (0x0E, [])
            }
        guard let (size, tlvs) = sizeAndTLVs,
            let container = Type1CapabilityContainer([Type1CapabilityContainer.magicNumber, 0x10, size, 0x00])
        else {
            throw .unsupported(reason: "the size of its memory is not known")
        }
        return (container, tlvs)
    }

    /// Writes bytes to addresses in ascending order, the first of them last, and reads them back.
    private func put(_ bytes: [UInt8], at addresses: [Int]) throws(TagError) {
        let unit = memory.writeUnit
        var units: [Int: [UInt8]] = [:]
        for (address, byte) in zip(addresses, bytes) {
            let start = address - address % unit
            if units[start] == nil { units[start] = try memory.bytes(at: start, count: unit) }
            units[start]?[address % unit] = byte
        }
        for (start, bytes) in units.sorted(by: { $0.key > $1.key }) { try memory.write(bytes, at: start) }
        memory.forgetAll()
        for (start, bytes) in units.sorted(by: { $0.key < $1.key }) {
            guard try memory.bytes(at: start, count: unit) == bytes else {
                throw .commandFailed(command: "WRITE-E", offset: start, sw: nil)
            }
        }
    }

    /// Bits to set, never to clear.
    private struct LockWrite: NamedStep {
        let name: String
        let address: Int
        let bits: [UInt8]
        let effect: String
    }

    /// Sets bits with WRITE-NE, or WRITE-NE8 behind block F, and checks that they are set.
    private func perform(_ step: LockWrite) throws(TagError) {
        for (address, bits) in zip(step.address..., step.bits) {
            guard try memory.bytes(at: address, count: 1)[0] & bits != bits else { continue }
            if address < Type1Memory.staticBlockCount * Type1Memory.blockSize {
                try memory.write([bits], at: address, .noErase)
            } else {
                var block = [UInt8](repeating: 0, count: Type1Memory.blockSize)
                block[address % Type1Memory.blockSize] = bits
                try memory.write(block, at: address - address % Type1Memory.blockSize, .noErase)
            }
        }
        memory.forget(step.address..<step.address + step.bits.count)
        for (address, bits) in zip(step.address..., step.bits) {
            guard try memory.bytes(at: address, count: 1)[0] & bits == bits else {
                throw .commandFailed(command: "WRITE-NE of lock bits", offset: address, sw: nil)
            }
        }
    }
}
