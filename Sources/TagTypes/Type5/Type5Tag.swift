// Type 5 Tag NDEF access — NFC Forum T5T, NDEF Detection and Read Procedures

import Chips
import Hexadecimal
public import ReaderInterface

/// An NFC Forum Type 5 Tag: an ISO 15693 chip such as ICODE, ST25DV, Tag-it HF-I or my-d vicinity.
public final class Type5Tag: ForumTag {
    /// The data area of a tag, or the reason why there is none.
    enum Area {
        case missing(reason: String, isBlank: Bool)
        /// The tag has a capability container and no NDEF TLV, but other data in the place of that TLV.
        case occupied
        case present(Type5CapabilityContainer, TLVLayout, TLVLayout.NDEFTLV)
    }

    /// The connection to the target.
    public let channel: any TagChannel
    let memory: Type5Memory
    private var area: Area?
    /// Whether an interrupted ``initialise()`` left the capability container incomplete, so that the tag counts as
    /// blank.
    private var isContainerUnfinished = false

    /// Creates a tag for an activated target.
    ///
    /// Sends nothing.
    ///
    /// - Parameters:
    ///   - channel: the connection to the activated tag.
    ///   - patience: how long commands are retried if the tag does not answer.
    public init(on channel: any TagChannel, patience: Patience = .standard) {
        self.channel = channel
        memory = Type5Memory(channel: channel, patience: patience)
    }

    /// The kind of tag.
    public var type: TagType? { .type5 }

    /// Throws the reader's own error if the memory size is unknown because this reader cannot request it.
    ///
    /// - Throws: ``TagError/reader(_:)`` with `cannotSend`.
    public func requireIdentifyingReader() throws(TagError) { try memory.requireIdentifyingReader() }

    /// The chip that the UID and the system information identify, or `nil` if it is not known.
    public var chip: Chip? { memory.model.map { Chip($0, evidence: memory.uid) } }

    /// Runs the NDEF detection procedure: system information, capability container, TLVs up to the NDEF TLV, locks.
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
            // One answer with the status of blocks is enough here. Planning a write checks all blocks that it writes.
            try memory.loadStatus(0...(layout.dataEnd - 1) / memory.blockSize, answers: 1)
            let refusal = writeRefusal(container, ndef, upTo: layout.dataEnd)
            return NDEFState(
                status: refusal == nil ? .readWrite : .readOnly, capacity: layout.capacity, messageLength: ndef.length,
                reason: refusal)
        }
    }

    /// Reads the NDEF message, which is the value of the NDEF TLV.
    public func readNDEF() throws(TagError) -> [UInt8] {
        let (_, layout, ndef) = try presentArea()
        let addresses = ndef.addresses.dropFirst(ndef.headLength).prefix(ndef.length)
        guard let first = addresses.first, let last = addresses.last else { return [] }
        try memory.load(first / memory.blockSize...last / memory.blockSize)
        var message: [UInt8] = []
        for address in addresses { message.append(try byte(at: address, end: layout.dataEnd)) }
        return message
    }

    /// Returns the data area, or throws the error that explains why there is none.
    func presentArea() throws(TagError) -> (Type5CapabilityContainer, TLVLayout, TLVLayout.NDEFTLV) {
        switch try detectedArea() {
        case .missing(let reason, _): throw .notNDEF(reason: reason)
        case .occupied: throw .notBlank
        case .present(let container, let layout, let ndef): return (container, layout, ndef)
        }
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

    /// Reads the first bytes of the memory: at least 4, or at least 8 if a container of 8 bytes begins there.
    func head() throws(TagError) -> [UInt8] {
        var bytes = try memory.block(0)
        while bytes.count < Type5CapabilityContainer.byteCount(bytes) {
            bytes += try memory.block(bytes.count / memory.blockSize)
        }
        return bytes
    }

    /// Reads the capability container, or returns `nil` if there is none, or only a part of one.
    func container() throws(TagError) -> Type5CapabilityContainer? {
        let bytes = try head()
        return isContainerUnfinished ? nil : Type5CapabilityContainer(bytes)
    }

    /// Returns the area of a tag whose initialisation was interrupted while the capability container was written, or
    /// `nil` for other tags.
    private func unfinishedArea() throws(TagError) -> Area? {
        isContainerUnfinished = try isContainerBegun()
        return isContainerUnfinished
            ? .missing(reason: "its capability container is unfinished", isBlank: true) : nil
    }

    private func detectArea() throws(TagError) -> Area {
        isContainerUnfinished = false
        try memory.identify()
        let bytes: [UInt8]
        do throws(TagError) {
            bytes = try head()
        } catch .commandFailed {
            return .missing(reason: "its first block cannot be read", isBlank: false)
        }
        guard let container = Type5CapabilityContainer(bytes) else {
            let start = bytes.prefix(4)
            let isBlank = start.allSatisfy { $0 == 0x00 } || start.allSatisfy { $0 == 0xFF }
            let reason = "its memory begins with \(Array(start).spacedHex), which is not a capability container"
            if !isBlank, let area = try unfinishedArea() { return area }
            return .missing(reason: isBlank ? "its capability container is blank" : reason, isBlank: isBlank)
        }
        if let reason = container.readRefusal {
            if let area = try unfinishedArea() { return area }
            return .missing(reason: reason, isBlank: false)
        }
        guard container.mlen > 0 else {
            if let area = try unfinishedArea() { return area }
            throw .protocolViolation(
                field: "MLEN of the capability container", found: "0", expected: "1 or more",
                offset: container.bytes.count - 2)
        }
        memory.adopt(container)
        let layout = try layout(of: container)
        guard let ndef = layout.ndef else {
            guard try layout.isFree(byte: { (address) throws(TagError) in try byte(at: address, end: layout.dataEnd) })
            else {
                return .occupied
            }
            if let area = try unfinishedArea() { return area }
            return .missing(
                reason: "its data area holds no NDEF TLV",
                isBlank: container.writeAccess == 0 && layout.freeAddresses.count >= 2)
        }
        return .present(container, layout, ndef)
    }

    /// Returns the layout of the data area, limited to the memory, whatever the capability container states.
    func layout(of container: Type5CapabilityContainer) throws(TagError) -> TLVLayout {
        let blockCount = memory.plainBlockCount ?? container.addressableBlockCount
        let area = container.area(memorySize: blockCount * memory.blockSize)
        return try TLVLayout(
            area: area, memoryEnd: area.upperBound, unit: memory.blockSize, hasControls: false
        ) { (address) throws(TagError) in try byte(at: address, end: area.upperBound) }
    }

    private func byte(at address: Int, end: Int) throws(TagError) -> UInt8 {
        let limit = (end + memory.blockSize - 1) / memory.blockSize
        return try memory.block(address / memory.blockSize, limit: limit)[address % memory.blockSize]
    }

    /// Returns the reason, as a clause, why the message cannot be replaced, or `nil` if it can be replaced as far as
    /// the locks are known.
    func writeRefusal(
        _ container: Type5CapabilityContainer, _ ndef: TLVLayout.NDEFTLV, upTo end: Int
    ) -> String? {
        if let reason = container.writeRefusal { return reason }
        guard ndef.addresses.count > 1 else { return "its NDEF TLV has no room for a message" }
        let blocks = ndef.addresses[1] / memory.blockSize...max(ndef.addresses[1], end - 1) / memory.blockSize
        return blocks.first { memory.status.isLocked($0) == true }.map {
            "its block \($0) is locked, though its capability container allows writing"
        }
    }
}
