// Type 2 Tag NDEF access — NFC Forum T2T, NDEF Detection and Read Procedures
import Chips
import Hexadecimal
public import ReaderInterface

/// An NFC Forum Type 2 Tag: NTAG21x, MIFARE Ultralight and related chips.
public final class Type2Tag: ForumTag {
    typealias Area = TLVArea<Type2CapabilityContainer>

    /// The ATQA of the chips whose data sheets specify GET_VERSION.
    ///
    /// The value stands for a double-size UID and bit frame anticollision.
    private static let versionedSensRes: [UInt8] = [0x00, 0x44]
    static let blockSize = 4
    /// The first byte address of the data area.
    static let dataStart = 16
    /// The number of the block whose bytes 2 and 3 are the static lock bytes.
    static let staticLockBlock = 2
    /// The size of a data area that the static lock bits cover completely, in bytes.
    static let staticDataAreaSize = 48

    /// The connection to the target.
    public let channel: any TagChannel
    let memory: Type2Memory
    private var isIdentified = false
    /// The number of consecutive wrong passwords that the tag is known to have refused.
    var wrongTries = 0
    private var area: Area?
    /// Whether an interrupted ``initialise()`` left the capability container incomplete, so that the tag counts as
    /// blank.
    private var isContainerUnfinished = false
    /// Whether plans may replace bytes that are not a message; see ``replaceOtherData()``.
    var replacesOtherData = false

    /// Creates a tag for an activated target.
    ///
    /// Nothing is sent to the target.
    ///
    /// - Parameters:
    ///   - channel: the connection to the activated tag.
    ///   - patience: how long commands are retried if the tag does not answer.
    public init(on channel: any TagChannel, patience: Patience = .standard) {
        self.channel = channel
        memory = Type2Memory(channel: channel, patience: patience)
    }

    /// The kind of tag.
    public var type: TagType? { .type2 }

    /// The chip that GET_VERSION or its behaviour identified, or `nil` if it is not known.
    public var chip: Chip? { memory.chip?.chip ?? memory.version.flatMap { Chip(type2Version: $0) } }

    /// Runs the NDEF detection procedure.
    ///
    /// Reads the capability container, the TLV blocks up to the NDEF TLV, and the lock bits.
    public func detect() throws(TagError) -> NDEFState {
        switch try detectedArea() {
        case .missing(let reason, let isBlank):
            var state = NDEFState(
                status: .notSupported, capacity: isBlank ? try capacityOnceInitialised() : 0, messageLength: nil,
                isBlank: isBlank, reason: reason)
            if isBlank { state.needsOnlyTLV = try container() != nil }
            return state
        case .occupied: return .occupied
        case .present(let container, let layout, let ndef):
            let room = layout.room ?? ndef
            let refusal = writeRefusal(container, layout, room)
            // A tag that was opened with its password still needs it, from others and the next time.
            let reason: String? = withoutPassword {
                switch writeRefusal(container, layout, room) {
                case .readOnly(let reason, _)?: reason
                // Report the first protected block, because control TLVs before the message may be protected too.
                case .passwordNeeded(let block)?:
                    (protectsReading ? "reading and writing" : "writing")
                        + " from block \(firstProtectedBlock ?? block) onwards \(protectsReading ? "need" : "needs") a password"
                default: nil
                }
            }
            var state = NDEFState(
                status: refusal == nil ? .readWrite : .readOnly, capacity: layout.capacity,
                messageLength: ndef.length, reason: reason)
            if case .passwordNeeded? = refusal {
                state.needsPassword = true
                // A message that lies before the protected blocks can be replaced without the password.
                if fitsBeforePassword(room.length, in: room) { state.status = .readWrite }
            }
            return state
        }
    }

    /// Returns the state that ``detect()`` would return without the password, for a tag that was opened with it.
    public func stateWithoutPassword() throws(TagError) -> NDEFState {
        try withoutPassword { () throws(TagError) in try detect() }
    }

    /// Returns what `body` finds as if the tag had not been opened with its password.
    private func withoutPassword<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let credential = memory.credential
        memory.credential = nil
        defer { memory.credential = credential }
        return try body()
    }

    /// Reads the NDEF message, which is the value of the NDEF TLV.
    public func readNDEF() throws(TagError) -> [UInt8] {
        let (_, layout, ndef) = try presentArea()
        let addresses = ndef.addresses.dropFirst(ndef.headLength).prefix(ndef.length)
        guard let first = addresses.first, let last = addresses.last else { return [] }
        try memory.load(first / 4...last / 4)
        var message: [UInt8] = []
        for address in addresses { message.append(try byte(at: address, end: layout.dataEnd)) }
        return message
    }

    /// Returns the data area, or throws the error that explains why there is none.
    func presentArea() throws(TagError) -> (Type2CapabilityContainer, TLVLayout, TLVLayout.NDEFTLV) {
        try detectedArea().parts()
    }

    /// The data area, or `nil` if it has not been detected yet.
    var knownArea: Area? { area }

    func detectedArea() throws(TagError) -> Area {
        if let area { return area }
        let found = try replacesOtherData ? replaceableArea() : detectArea()
        area = found
        return found
    }

    /// Makes the next operation identify the chip again if it is unknown and its memory does not explain why.
    ///
    /// Call this function before a permanent change, because the chip may be unknown only because an answer was lost.
    public func confirmChip() {
        guard memory.chip == nil, !memory.isLikeFirstUltralight else { return }
        isIdentified = false
        memory.forgetAll()
        forgetArea()
    }

    /// Throws the reader's own error if the chip is unknown because this reader cannot send GET_VERSION.
    ///
    /// - Throws: ``TagError/reader(_:)`` with `cannotSend`.
    public func requireIdentifyingReader() throws(TagError) { try memory.requireIdentifyingReader() }

    /// Selects the first sector of the memory, unless it is selected.
    ///
    /// - Throws: ``TagError/reader(_:)``.
    public func selectFirstSector() throws(TagError) { try memory.select(sectorOf: 0) }

    /// Forgets the parsed area, so that it is parsed again when needed.
    ///
    /// Cached blocks are kept.
    func forgetArea() { area = nil }

    /// Reads the capability container, or returns `nil` if there is no complete one.
    func container() throws(TagError) -> Type2CapabilityContainer? {
        let block = try memory.block(Type2CapabilityContainer.block, limit: memory.blockCount)
        return isContainerUnfinished ? nil : Type2CapabilityContainer(block)
    }

    /// Returns the area of a tag whose initialisation was interrupted while its capability container was written.
    ///
    /// Returns `nil` for other tags.
    private func unfinishedArea() throws(TagError) -> Area? {
        isContainerUnfinished = try isContainerBegun()
        return isContainerUnfinished
            ? .missing(reason: "its capability container is unfinished", isBlank: true) : nil
    }

    /// Detects the data area, even if it is already known.
    func detectArea() throws(TagError) -> Area {
        isContainerUnfinished = false
        try identify()
        let block = try memory.block(Type2CapabilityContainer.block, limit: memory.blockCount)
        guard let container = Type2CapabilityContainer(block) else {
            let isBlank = block.allSatisfy { $0 == 0 }
            if !isBlank, let area = try unfinishedArea() { return area }
            let reason = "block 3 holds \(block.spacedHex), which is not a capability container"
            return .missing(reason: isBlank ? "its capability container is blank" : reason, isBlank: isBlank)
        }
        if let reason = container.readRefusal {
            if let area = try unfinishedArea() { return area }
            return .missing(reason: reason, isBlank: false)
        }
        guard container.dataAreaSize > 0 else {
            if let area = try unfinishedArea() { return area }
            throw .protocolViolation(
                field: "data area size of the capability container", found: "00", expected: "01 or more", offset: 14)
        }
        let layout = try layout(of: container)
        guard let ndef = layout.ndef else {
            guard try layout.isFree(byte: { (address) throws(TagError) in try byte(at: address, end: layout.dataEnd) })
            else { return .occupied }
            return .missing(
                reason: "its data area holds no NDEF TLV",
                isBlank: container.writeAccess == 0 && layout.freeAddresses.count >= 2)
        }
        try loadProtection(layout, ndef)
        return .present(container, layout, ndef)
    }

    /// Identifies the chip and reads the start of the memory.
    ///
    /// On a known chip, as many blocks are read as one exchange can carry.
    func identify() throws(TagError) {
        if !isIdentified {
            // No data sheet specifies GET_VERSION for other targets, and after each refusal the tag must be selected
            // again, so do not send the command to them.
            if case .nfcA(let target) = channel.target, target.selRes == 0x00,
                target.sensRes == Self.versionedSensRes, target.nfcID1.count == 7
            {
                try memory.identify()
                if memory.version == nil { try recogniseOlderChip() }
            }
            isIdentified = true
        }
        try memory.load(0...(memory.chip == nil ? 3 : min(memory.runLength, memory.blockCount) - 1))
    }

    /// Returns the first byte address after the data area, limited to the memory of the chip, whatever the capability
    /// container states.
    func dataEnd(_ container: Type2CapabilityContainer) -> Int {
        let blocks =
            memory.chip.map { 4 + $0.userBlockCount } ?? memory.sunLayout?.userEnd ?? Type2Memory.sectorBlockCount
        return min(Self.dataStart + container.dataAreaSize, blocks * 4)
    }

    func layout(of container: Type2CapabilityContainer) throws(TagError) -> TLVLayout {
        let end = dataEnd(container)
        let memoryEnd = max(memory.blockCount, Type2Memory.sectorBlockCount) * Self.blockSize
        return try TLVLayout(
            area: Self.dataStart..<max(Self.dataStart, end), memoryEnd: memoryEnd, unit: Self.blockSize,
            areLocksKnown: memory.chip != nil
        ) { (address) throws(TagError) in try byte(at: address, end: end) }
    }

    private func byte(at address: Int, end: Int) throws(TagError) -> UInt8 {
        try memory.block(address / 4, limit: end / 4)[address % 4]
    }
}

// MARK: Protection

extension Type2Tag {
    /// Returns the layouts of the dynamic lock bits, as defined by the chip or by a Lock Control TLV.
    ///
    /// The default position in the specification is not used, because on chips such as the NTAG215 it lies in user
    /// memory.
    func dynamicLocks(_ layout: TLVLayout) -> [DynamicLockLayout] {
        if let chip = memory.chip { return chip.dynamicLock.map { [$0] } ?? [] }
        return layout.lockControl.map { lock in
            DynamicLockLayout(
                address: lock.address, bitCount: lock.bitCount,
                blocksPerBit: max(1, lock.bytesPerBit / Self.blockSize))
        }
    }

    /// Reads the lock bits and the password configuration, together with the end of the message if one exchange can
    /// carry all of them.
    func loadProtection(_ layout: TLVLayout, _ ndef: TLVLayout.NDEFTLV) throws(TagError) {
        guard let chip = memory.chip, chip.features.contains(.fastRead), let protection = chip.protection else {
            for lock in dynamicLocks(layout) { try memory.load(lock.blocks) }
            if let protection = memory.chip?.protection { try memory.load(protection.configurationBlocks) }
            return try loadSUNMessage()
        }
        var first = chip.dynamicLock?.blocks.lowerBound ?? protection.configurationBlocks.lowerBound
        let last = protection.configurationBlocks.upperBound
        let end = ndef.addresses[min(ndef.headLength + ndef.length, ndef.addresses.count) - 1] / 4
        if let missing = (Type2CapabilityContainer.block...end).first(where: { memory.cached($0) == nil }) {
            let tail = missing + (end - missing) / memory.runLength * memory.runLength
            if last - tail < memory.runLength { first = min(first, tail) }
        }
        try memory.load(first...last)
    }

    /// Whether lock bits prevent a block from being written.
    ///
    /// Lock bits that are not known count as clear.
    func isLocked(_ block: Int, _ layout: TLVLayout?) -> Bool {
        if block < DynamicLockLayout.firstBlock {
            // The UID and its check bytes can never be written. Lock bits can only be set, never cleared, so their
            // block counts as locked too.
            if block < Type2CapabilityContainer.block { return true }
            guard let lock = memory.cached(Self.staticLockBlock) else { return false }
            let bits = UInt16(lock[2]) | UInt16(lock[3]) << 8
            return bits & (1 << UInt16(block)) != 0
        }
        if let protection = memory.chip?.protection, protection.secretBlocks.contains(block),
            let lock = protection.secretLock, let bytes = memory.cached(lock.block), bytes[0] & lock.mask != 0
        {
            return true
        }
        let locks = layout.map { dynamicLocks($0) } ?? memory.chip?.dynamicLock.map { [$0] } ?? []
        if let protection = memory.chip?.protection, protection.configurationBlocks.contains(block),
            let access = memory.cached(protection.accessAddress / 4)?[0], protection.isConfigurationLocked(access)
        {
            return true
        }
        guard let lock = locks.first, let bit = lock.bit(of: block) else { return false }
        let address = lock.address + bit / 8
        guard let bytes = memory.cached(address / 4) else { return false }
        return bytes[address % 4] & (1 << UInt8(bit % 8)) != 0
    }

    /// Returns the reason why not every message that fits can replace the present one, or `nil` if every message can.
    func writeRefusal(
        _ container: Type2CapabilityContainer, _ layout: TLVLayout, _ room: TLVLayout.NDEFTLV
    ) -> TagError? {
        if let reason = container.writeRefusal {
            return .readOnly(reason: lockReason(layout, room) ?? reason)
        }
        if let reason = layout.unsoundControls.first { return .readOnly(reason: reason) }
        guard room.addresses.count > 1 else { return .readOnly(reason: "its NDEF TLV has no room for a message") }
        let blocks = room.addresses[1] / 4..<layout.dataEnd / 4
        if let locked = blocks.first(where: { isLocked($0, layout) }) {
            return .readOnly(
                reason: "its lock bits lock block \(locked), though its capability container allows writing")
        }
        if let refusal = sunRefusal(of: blocks) { return refusal }
        if let guarded = firstProtectedBlock, guarded < blocks.upperBound {
            return .passwordNeeded(block: max(guarded, blocks.lowerBound))
        }
        return nil
    }
}
