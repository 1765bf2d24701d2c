// Type 1 Tag NDEF access — NFC Forum T1T, NDEF Detection and Read Procedures
import Chips
import Hexadecimal
public import ReaderInterface

/// An NFC Forum Type 1 Tag: Topaz 96, Topaz 512 and related chips.
public final class Type1Tag: ForumTag {
    typealias Area = TLVArea<Type1CapabilityContainer>

    /// The high nibble of HR0 on a tag with NDEF memory.
    private static let ndefHeader: UInt8 = 0x1
    /// The first byte address of the data area, after the capability container.
    static let dataStart = 12
    /// The address of LOCK-0 and LOCK-1, the first bytes of block E.
    static let staticLockAddress = 112
    /// The byte addresses of block D, which is reserved, and block E, which holds lock and OTP bits.
    static let reservedStatic = 104..<120
    /// The byte addresses of block F on tags with dynamic memory, which holds lock bits and reserved bytes.
    static let reservedDynamic = 120..<128

    /// The connection to the target.
    public let channel: any TagChannel
    let memory: Type1Memory
    private var area: Area?

    /// Creates a tag for an activated target.
    ///
    /// Nothing is sent to the target.
    ///
    /// - Parameters:
    ///   - channel: the connection to the activated tag.
    ///   - patience: how long commands are retried if the tag does not answer.
    public init(on channel: any TagChannel, patience: Patience = .standard) {
        self.channel = channel
        memory = Type1Memory(channel: channel, patience: patience)
    }

    /// The kind of tag.
    public var type: TagType? { .type1 }

    /// The chip that the header ROM identifies, or `nil` if it is not known.
    public var chip: Chip? {
        ChipModel(headerROM: memory.header).map { Chip($0, evidence: memory.header) }
    }

    /// Runs the NDEF detection procedure.
    ///
    /// Reads the header ROM, the capability container, the TLV blocks up to the NDEF TLV, and the lock bits.
    public func detect() throws(TagError) -> NDEFState {
        switch try detectedArea() {
        case .missing(let reason, let isBlank):
            return NDEFState(
                status: .notSupported, capacity: isBlank ? try capacityOnceInitialised() : 0, messageLength: nil,
                isBlank: isBlank, reason: reason)
        case .occupied: return .occupied
        case .present(let container, let layout, let ndef):
            let reason = writeRefusal(container, layout, layout.room ?? ndef)
            return NDEFState(
                status: reason == nil ? .readWrite : .readOnly, capacity: layout.capacity, messageLength: ndef.length,
                reason: reason)
        }
    }

    /// Reads the NDEF message, which is the value of the NDEF TLV.
    public func readNDEF() throws(TagError) -> [UInt8] {
        let (_, _, ndef) = try presentArea()
        var message: [UInt8] = []
        for address in ndef.addresses.dropFirst(ndef.headLength).prefix(ndef.length) {
            message.append(try byte(at: address))
        }
        return message
    }

    /// Returns the data area, or throws the error that explains why there is none.
    func presentArea() throws(TagError) -> (Type1CapabilityContainer, TLVLayout, TLVLayout.NDEFTLV) {
        try detectedArea().parts()
    }

    func detectedArea() throws(TagError) -> Area {
        if let area { return area }
        let found = try detectArea()
        area = found
        return found
    }

    /// Forgets the parsed area, so that it is parsed again when needed.
    ///
    /// Cached blocks are kept.
    func forgetArea() { area = nil }

    func containerBytes() throws(TagError) -> [UInt8] {
        try memory.bytes(at: Type1CapabilityContainer.address, count: Type1CapabilityContainer.byteCount)
    }

    private func detectArea() throws(TagError) -> Area {
        try memory.identify()
        guard let header = memory.header.first, header >> 4 == Self.ndefHeader else {
            return .missing(
                reason: "its header ROM is \(memory.header.spacedHex); only 1x means NDEF memory", isBlank: false)
        }
        let bytes = try containerBytes()
        guard let container = Type1CapabilityContainer(bytes) else {
            if bytes.allSatisfy({ $0 == 0 }) {
                return .missing(reason: "its capability container is blank", isBlank: true)
            }
            if try isContainerBegun(bytes) {
                return .missing(reason: "its capability container is unfinished", isBlank: true)
            }
            return .missing(
                reason: "block 1 begins with \(bytes.spacedHex), which is not a capability container", isBlank: false)
        }
        if let reason = container.readRefusal { return .missing(reason: reason, isBlank: false) }
        guard container.memorySize > Self.dataStart else {
            throw .protocolViolation(
                field: "memory size of the capability container", found: container.bytes[2].hex,
                expected: "01 or more", offset: Type1CapabilityContainer.address + 2)
        }
        let layout = try layout(of: container)
        guard let ndef = layout.ndef else {
            guard try layout.isFree(byte: { (address) throws(TagError) in try byte(at: address) }) else {
                return .occupied
            }
            return .missing(
                reason: "its data area holds no NDEF TLV",
                isBlank: container.writeAccess == 0 && layout.freeAddresses.count >= 2)
        }
        for lock in layout.lockControl where lock.address / 8 < layout.dataEnd / 8 {
            try memory.load(lock.address / 8...(lock.address + (lock.bitCount - 1) / 8) / 8)
        }
        return .present(container, layout, ndef)
    }

    /// Returns the layout of the data area, limited to the memory that such a tag can have, whatever the capability
    /// container states.
    func layout(of container: Type1CapabilityContainer) throws(TagError) -> TLVLayout {
        let blocks = memory.isDynamic ? Type1Memory.maximumBlockCount : Type1Memory.readAllBlockCount
        let end = min(container.memorySize, blocks * Type1Memory.blockSize)
        return try TLVLayout(
            area: Self.dataStart..<end, memoryEnd: Type1Memory.maximumBlockCount * Type1Memory.blockSize,
            reserved: [Self.reservedStatic] + (memory.isDynamic ? [Self.reservedDynamic] : []), unit: memory.writeUnit
        ) { (address) throws(TagError) in try byte(at: address) }
    }

    private func byte(at address: Int) throws(TagError) -> UInt8 {
        try memory.block(address / Type1Memory.blockSize)[address % Type1Memory.blockSize]
    }

    // MARK: Protection

    /// Whether lock bits prevent a block from being written.
    ///
    /// Lock bits that are not known count as clear.
    func isLocked(_ block: Int, _ layout: TLVLayout?) -> Bool {
        if block < Type1Memory.staticBlockCount {
            // The UID and block D can never be written, whatever the lock bits say.
            if block == 0 || block == 0x0D { return true }
            guard let lock = memory.cached(Self.staticLockAddress / 8) else { return false }
            return (UInt16(lock[0]) | UInt16(lock[1]) << 8) & 1 << UInt16(block) != 0
        }
        // The lock bits that the Lock Control TLVs describe start after the blocks that the static lock bits cover.
        var offset = block * Type1Memory.blockSize - Type1Memory.staticBlockCount * Type1Memory.blockSize
        for lock in layout?.lockControl ?? [] {
            let bit = offset / lock.bytesPerBit
            guard bit >= lock.bitCount else {
                let address = lock.address + bit / 8
                return memory.cached(address / 8).map { $0[address % 8] & 1 << UInt8(bit % 8) != 0 } ?? false
            }
            offset -= lock.bitCount * lock.bytesPerBit
        }
        return false
    }

    /// Returns the reason, as a clause, why the message cannot be replaced, or `nil` if it can be replaced.
    func writeRefusal(
        _ container: Type1CapabilityContainer, _ layout: TLVLayout, _ room: TLVLayout.NDEFTLV
    ) -> String? {
        if let reason = container.writeRefusal { return reason }
        if let reason = layout.unsoundControls.first { return reason }
        guard room.addresses.count > 1 else { return "its NDEF TLV has no room for a message" }
        let blocks = Set(room.addresses.dropFirst().map { $0 / Type1Memory.blockSize }).sorted()
        return blocks.first { isLocked($0, layout) }.map {
            "its lock bits lock block \(UInt8(truncatingIfNeeded: $0).hex), though its capability container allows writing"
        }
    }
}
