// Type 5 Tag life cycle: INITIALISED — NFC Forum T5T, Tag Life Cycle; sizes as chosen by ST and Android

import Chips
import ReaderInterface

extension Type5Tag {
    /// Checks that the data area is empty, or in the state that an interrupted ``initialise()`` leaves.
    public func requireBlank() throws(TagError) {
        guard case .missing(_, isBlank: true) = try detectedArea() else { throw .notBlank }
        guard try container() == nil else { return }
        let containers = try possibleContainers()
        // A tag without a capability container may still hold data of another application, or the empty message that
        // an interrupted initialisation wrote.
        let intended = containers.map { $0.bytes + TLVLayout.emptyMessage }
        let end = containers[0].area(memorySize: (memory.plainBlockCount ?? 0) * memory.blockSize).upperBound
        try memory.load(0...(end - 1) / memory.blockSize)
        for address in 0..<end {
            let byte = try memory.block(address / memory.blockSize)[address % memory.blockSize]
            guard Self.isBlank(byte, at: address, or: intended) else { throw .notBlank }
        }
    }

    /// Writes a capability container that matches the memory of the tag, then an empty message.
    ///
    /// The data area is 8 bytes shorter than the memory. All readers therefore agree on its end, including those that
    /// count the container as part of the data area. If there is a container without an NDEF TLV, only the TLV is
    /// written.
    public func initialise() throws(TagError) {
        try requireBlank()
        defer { forgetArea() }
        if let container = try container() {
            return try put(TLVLayout.emptyMessage, at: try layout(of: container).freeAddresses)
        }
        let bytes = try blankContainer(specialFrame: memory.wantsOption).bytes + TLVLayout.emptyMessage
        do throws(TagError) {
            try put(bytes, at: Array(0..<bytes.count))
        } catch .commandFailed(let command, let offset, let sw) {
            try initialiseWithOption(after: .commandFailed(command: command, offset: offset, sw: sw))
        }
    }

    /// Repeats the writes with the option flag.
    ///
    /// Some chips refuse writes without this flag, and a blank tag does not show whether its chip is one of them.
    private func initialiseWithOption(after refusal: TagError) throws(TagError) {
        guard !memory.wantsOption else { throw refusal }
        memory.wantsOption = true
        let bytes = try blankContainer(specialFrame: true).bytes + TLVLayout.emptyMessage
        do throws(TagError) {
            try put(bytes, at: Array(0..<bytes.count))
        } catch {
            memory.wantsOption = false
            throw error.isOfConnection ? error : refusal
        }
    }

    /// Returns the capacity of a blank tag after initialisation, in bytes, or 0 if the size of its memory is not known.
    func capacityOnceInitialised() throws(TagError) -> Int {
        if let container = try container() {
            return TLVLayout.capacity(of: try layout(of: container).freeAddresses.count)
        }
        guard let plan = formatting else { return 0 }
        return plan.capacity
    }

    /// Whether LOCK BLOCK can lock every block of a tag without a message.
    ///
    /// Only known chips are assumed to allow this.
    func hasBlockLock() throws(TagError) -> Bool {
        _ = try detectedArea()
        return memory.model?.type5Layout?.lock == .anyBlock
    }

    /// How ``initialise()`` divides the memory, or `nil` if the size of the memory is not known or too small for a
    /// message.
    private var formatting: Type5Formatting? {
        guard let count = memory.blockCount, memory.blockSize > 0 else { return nil }
        let plan = Type5Formatting(blockCount: count, blockLength: memory.blockSize)
        return plan.mlen > 0 ? plan : nil
    }

    /// Whether ``initialise()`` was interrupted while it wrote the capability container.
    ///
    /// A torn write leaves some bytes of the container blank. ``requireBlank()`` checks the rest of the memory.
    func isContainerBegun() throws(TagError) -> Bool {
        guard let plan = formatting else { return false }
        // First compare without the features, because more commands are needed to determine them.
        guard try holdsPart(of: [container(plan, [])], ignoring: 3) else { return false }
        // A locked container cannot be finished. It is also not the result of an interrupted initialisation, which
        // locks nothing.
        if try memory.isLocked(0) == true { return false }
        let containers = try possibleContainers()
        guard try holdsPart(of: containers, ignoring: nil) else { return false }
        let head = try head()
        return !containers.contains { head.starts(with: $0.bytes) }
    }

    /// Whether each byte at the start of the memory is blank or equal to the same byte of one of these containers.
    private func holdsPart(of containers: [Type5CapabilityContainer], ignoring index: Int?) throws(TagError) -> Bool {
        let intended = containers.map(\.bytes)
        for address in intended[0].indices where address != index {
            let byte = try memory.block(address / memory.blockSize)[address % memory.blockSize]
            guard Self.isBlank(byte, at: address, or: intended) else { return false }
        }
        return true
    }

    private static func isBlank(_ byte: UInt8, at address: Int, or intended: [[UInt8]]) -> Bool {
        byte == 0x00 || byte == 0xFF || intended.contains { address < $0.count && $0[address] == byte }
    }

    /// Returns the containers that ``initialise()`` may write: without and with the feature that announces the option
    /// flag.
    private func possibleContainers() throws(TagError) -> [Type5CapabilityContainer] {
        let first = try blankContainer(specialFrame: memory.wantsOption)
        return [first] + (formatting.map { [container($0, first.features.union(.specialFrame))] } ?? [])
    }

    private func blankContainer(specialFrame: Bool) throws(TagError) -> Type5CapabilityContainer {
        guard let plan = formatting else {
            try memory.requireIdentifyingReader()
            throw .unsupported(reason: "the size of its memory is not known, or too small for a message")
        }
        var features: Type5CapabilityContainer.Features = specialFrame ? .specialFrame : []
        if try memory.probesMultipleRead() { features.insert(.multipleBlockRead) }
        if memory.model?.type5Layout?.lock == .anyBlock { features.insert(.lockBlock) }
        return container(plan, features)
    }

    private func container(
        _ plan: Type5Formatting, _ features: Type5CapabilityContainer.Features
    ) -> Type5CapabilityContainer {
        // The older ST chips have no extended commands, and readers find their size in the system information.
        guard memory.addressing == .standard else {
            return Type5CapabilityContainer(length: 4, mlen: plan.mlen, isExtended: false, features)
        }
        return Type5CapabilityContainer(
            length: plan.containerLength, mlen: plan.mlen, isExtended: plan.isExtended, features)
    }

    private func put(_ bytes: [UInt8], at addresses: [Int]) throws(TagError) {
        let size = memory.blockSize
        var blocks: [Int: [UInt8]] = [:]
        for (address, byte) in zip(addresses, bytes) {
            let block = address / size
            if blocks[block] == nil { blocks[block] = try memory.block(block) }
            blocks[block]?[address % size] = byte
        }
        try memory.requireCarriage(writing: blocks.keys)
        let sorted = blocks.sorted { $0.key < $1.key }
        for (block, bytes) in sorted { try memory.write(bytes, to: block) }
        memory.forget(blocks.keys)
        for (block, bytes) in sorted {
            guard try memory.block(block) == bytes else {
                throw .commandFailed(
                    command: "\(memory.writeCode(of: block))", offset: memory.offset(of: block), sw: nil)
            }
        }
    }
}
