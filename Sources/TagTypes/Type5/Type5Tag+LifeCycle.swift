// Type 5 Tag life cycle: INITIALISED — NFC Forum T5T, Tag Life Cycle; ST's and Android's choice of the sizes

import Chips
import ReaderInterface

extension Type5Tag {
    /// Makes sure that the data area is empty, or as an interrupted ``initialise()`` left it.
    public func requireBlank() throws(TagError) {
        guard case .missing(_, isBlank: true) = try detectedArea() else { throw .notBlank }
        guard try container() == nil else { return }
        let container = try blankContainer(specialFrame: memory.wantsOption)
        let bytes = container.bytes + TLVLayout.emptyMessage
        // Without a capability container there may still be data of another application; or this message, after a cut.
        let end = container.area(memorySize: (memory.plainBlockCount ?? 0) * memory.blockSize).upperBound
        try memory.load(0...(end - 1) / memory.blockSize)
        for address in 0..<end {
            let byte = try memory.block(address / memory.blockSize)[address % memory.blockSize]
            guard byte == 0x00 || byte == 0xFF || address < bytes.count && byte == bytes[address] else {
                throw .notBlank
            }
        }
    }

    /// Writes a capability container for the memory that the tag has, then an empty message.
    ///
    /// The data area is 8 bytes shorter than the memory, so that all readers agree on its end: some count the container in.
    /// A container without an NDEF TLV after it only gets the TLV.
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

    /// Writes once more, with the option flag: some chips refuse without it, and nothing on a blank tag says so.
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

    /// What a blank tag will hold; 0 when its size is not known.
    func capacityOnceInitialised() throws(TagError) -> Int {
        if let container = try container() {
            return TLVLayout.capacity(of: try layout(of: container).freeAddresses.count)
        }
        guard let plan = formatting else { return 0 }
        return plan.capacity
    }

    /// Whether LOCK BLOCK locks any block of a tag without a message: only chips that are known are taken at their word.
    func hasBlockLock() throws(TagError) -> Bool {
        _ = try detectedArea()
        return memory.model?.type5Layout?.lock == .anyBlock
    }

    /// How the memory is divided; `nil` when its size is not known, or too small for a message.
    private var formatting: Type5Formatting? {
        guard let count = memory.blockCount, memory.blockSize > 0 else { return nil }
        let plan = Type5Formatting(blockCount: count, blockLength: memory.blockSize)
        return plan.mlen > 0 ? plan : nil
    }

    private func blankContainer(specialFrame: Bool) throws(TagError) -> Type5CapabilityContainer {
        guard let plan = formatting else {
            try memory.requireIdentifyingReader()
            throw .unsupported(reason: "the size of its memory is not known, or too small for a message")
        }
        var features: Type5CapabilityContainer.Features = specialFrame ? .specialFrame : []
        if try memory.probesMultipleRead() { features.insert(.multipleBlockRead) }
        if memory.model?.type5Layout?.lock == .anyBlock { features.insert(.lockBlock) }
        // The older ST chips have no extended commands, and readers find their size in the system information.
        guard memory.addressing == .standard else {
            return Type5CapabilityContainer(length: 4, mlen: plan.mlen, isExtended: false, features)
        }
        return Type5CapabilityContainer(
            length: plan.containerLength, mlen: plan.mlen, isExtended: plan.isExtended, features)
    }

    /// Writes bytes to addresses in ascending order, and reads them back.
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
