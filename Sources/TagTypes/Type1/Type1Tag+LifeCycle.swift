// Type 1 Tag life cycle: INITIALISED — NFC Forum T1T, Tag Life Cycle; Broadcom Topaz 96 and 512

extension Type1Tag {
    /// Checks that the data area is empty, or in a state in which an interrupted ``initialise()`` left it.
    public func requireBlank() throws(TagError) {
        guard case .missing(_, isBlank: true) = try detectedArea() else { throw .notBlank }
        guard try Type1CapabilityContainer(containerBytes()) == nil else { return }
        // A tag without a capability container may still hold data of another application, or the TLVs that an
        // interrupted initialisation wrote.
        let (area, tlvs) = try blankArea()
        for (index, address) in area.enumerated() {
            let byte = try memory.bytes(at: address, count: 1)[0]
            guard byte == 0 || index < tlvs.count && byte == tlvs[index] else { throw .notBlank }
        }
    }

    /// Writes the factory TLVs of Topaz tags and the capability container, whose magic number is written last.
    ///
    /// If there is already a container without an NDEF TLV, only that TLV is written.
    public func initialise() throws(TagError) {
        try requireBlank()
        try memory.requireWritingReader()
        defer { forgetArea() }
        if let container = Type1CapabilityContainer(try containerBytes()) {
            return try put(TLVLayout.emptyMessage, at: try layout(of: container).freeAddresses)
        }
        let (area, tlvs) = try blankArea()
        try put(
            try delivery().container.bytes + tlvs, at: Array(Type1CapabilityContainer.address..<Self.dataStart) + area)
    }

    /// Whether ``initialise()`` was interrupted while it wrote the capability container.
    ///
    /// An interruption leaves a part of the container, and a torn write may have set only some bits of a byte. The TLVs
    /// are written first, so if these are missing, the bytes belong to another application. ``requireBlank()`` checks
    /// the rest of the memory.
    func isContainerBegun(_ bytes: [UInt8]) throws(TagError) -> Bool {
        do throws(TagError) {
            guard zip(bytes, try delivery().container.bytes).allSatisfy({ $0 & ~$1 == 0 }) else { return false }
            let (area, tlvs) = try blankArea()
            for (address, byte) in zip(area, tlvs) {
                guard try memory.bytes(at: address, count: 1)[0] == byte else { return false }
            }
            return true
        } catch {
            // A tag whose memory size is not known cannot be initialised, so no initialisation was interrupted.
            guard case .unsupported = error else { throw error }
            return false
        }
    }

    /// Returns the addresses of the data area of a tag without a capability container, and the TLVs with which the area
    /// will start.
    private func blankArea() throws(TagError) -> (addresses: [Int], tlvs: [UInt8]) {
        let delivered = try delivery()
        return (dataAddresses(upTo: delivered.container.memorySize), delivered.tlvs + TLVLayout.emptyMessage)
    }

    /// Returns the capacity that a blank tag will have after initialisation, in bytes, or 0 if its memory size is not
    /// known.
    func capacityOnceInitialised() throws(TagError) -> Int {
        if let container = Type1CapabilityContainer(try containerBytes()) {
            return TLVLayout.capacity(of: try layout(of: container).freeAddresses.count)
        }
        do throws(TagError) {
            let delivered = try delivery()
            return TLVLayout.capacity(
                of: dataAddresses(upTo: delivered.container.memorySize).count - delivered.tlvs.count)
        } catch .unsupported {
            return 0
        }
    }

    /// Returns the byte addresses of the data area of a tag without control TLVs.
    private func dataAddresses(upTo end: Int) -> [Int] {
        (Self.dataStart..<end).filter { !Self.reservedStatic.contains($0) && !Self.reservedDynamic.contains($0) }
    }

    /// Returns the factory capability container and the factory TLVs before the message.
    private func delivery() throws(TagError) -> (container: Type1CapabilityContainer, tlvs: [UInt8]) {
        let sizeAndTLVs: (UInt8, [UInt8])? =
            switch memory.header {
            // The Lock Control TLV names 48 bits from byte 122 onwards, which lock 8 bytes each. The Memory Control TLV
            // names bytes 120 and 121.
            case [0x12, 0x4C]: (0x3F, [0x01, 0x03, 0xF2, 0x30, 0x33, 0x02, 0x03, 0xF0, 0x02, 0x03])
            // All tags with only static memory have 120 bytes.
            default: memory.isDynamic ? nil : (0x0E, [])
            }
        guard let (size, tlvs) = sizeAndTLVs,
            let container = Type1CapabilityContainer([Type1CapabilityContainer.magicNumber, 0x10, size, 0x00])
        else {
            throw .unsupported(reason: "the size of its memory is not known")
        }
        return (container, tlvs)
    }

    /// Writes bytes to the given ascending addresses, of which the first is written last, and verifies them.
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
}
