// The commands of a FeliCa tag — JIS X 6319-4; NFC Forum Type 3 Tag

/// The properties that differ between FeliCa tags: systems, blocks, and access to the blocks.
protocol FeliCaMemory: Hashable, Sendable {
    /// The maximum number of blocks in one Read Without Encryption command.
    var mostRead: Int { get }
    /// The maximum number of blocks in one Write Without Encryption command.
    var mostWritten: Int { get }
    /// The codes of the tag's systems.
    ///
    /// The first is that of the system that a Polling with wildcards finds.
    var systemCodes: [[UInt8]] { get }

    func exists(_ block: Int) -> Bool
    /// Returns the 16 bytes of a block, which must exist.
    ///
    /// `index` is the position of the block in the block list. If the read is refused, the status flags contain it.
    func read(_ block: Int, at index: Int) throws(FeliCaStatus) -> [UInt8]
    /// Checks a write to existing blocks before the first of them is written.
    ///
    /// Throws the status if the write must be refused.
    func checkWrite(_ blocks: [Int]) throws(FeliCaStatus)
    mutating func write(_ data: [UInt8], to block: Int)
    /// Whether a power failure during a write leaves the block with either its old or its new content, never a mixture.
    func isTearProtected(_ block: Int) -> Bool
    mutating func powerOff()
}

private enum Service {
    static let readWrite: UInt16 = 0x0009
    static let readOnly: UInt16 = 0x000B
}

/// The card of a tag that supports Polling, Read Without Encryption and Write Without Encryption.
struct FeliCaCard<Memory: FeliCaMemory>: Sendable {
    let identity: FeliCaIdentity
    private(set) var memory: Memory
    private(set) var generation = 0
    private var noise: TearNoise

    init(idm: [UInt8], pmm: [UInt8], memory: Memory) {
        (identity, self.memory) = (FeliCaIdentity(idm: idm, pmm: pmm), memory)
        noise = TearNoise(seed: idm)
    }

    /// Changes the memory regardless of access conditions, as in the factory.
    mutating func change(_ body: (inout Memory) -> Void) {
        let old = memory
        body(&memory)
        if memory != old { generation += 1 }
    }

    mutating func powerOff() { memory.powerOff() }

    func isCommand(_ frame: [UInt8]) -> Bool {
        switch FeliCaCommand(frame) {
        case .read(identity.idm, _, _), .write(identity.idm, _, _, _): true
        default: false
        }
    }

    mutating func receive(_ frame: [UInt8], isPowerFailing: Bool) -> TagReply {
        switch FeliCaCommand(frame) {
        case .polling(let systemCode, let request, let lastSlot):
            return poll(systemCode, request, lastSlot: lastSlot)
        case .read(identity.idm, let services, let blocks):
            return read(services, blocks)
        case .write(identity.idm, let services, let blocks, let data):
            return write(services, blocks, data, isPowerFailing: isPowerFailing)
        default:
            return TagReply(.silence)
        }
    }

    // MARK: Polling

    private func poll(_ wanted: [UInt8], _ request: UInt8, lastSlot: UInt8) -> TagReply {
        guard let found = memory.systemCodes.first(where: { FeliCaIdentity.matches($0, wanted) }) else {
            return TagReply(.silence)
        }
        return identity.polled(found, request, lastSlot: lastSlot)
    }

    // MARK: Read and Write Without Encryption

    private func read(_ services: [UInt16], _ blocks: [FeliCaBlockElement]) -> TagReply {
        let delay = identity.responseTime(of: .read, blocks.count)
        do throws(FeliCaStatus) {
            try check(services, among: [Service.readWrite, Service.readOnly])
            try check(blocks, most: memory.mostRead)
            var data: [UInt8] = []
            for (index, block) in blocks.enumerated() { data += try memory.read(block.number, at: index) }
            return identity.reply(.read, FeliCaIdentity.success + [UInt8(blocks.count)] + data, delay)
        } catch {
            return identity.reply(.read, error.flags, delay)
        }
    }

    private mutating func write(
        _ services: [UInt16], _ blocks: [FeliCaBlockElement], _ data: [UInt8], isPowerFailing: Bool
    ) -> TagReply {
        let delay = identity.responseTime(of: .write, blocks.count)
        do throws(FeliCaStatus) {
            try check(services, among: [Service.readWrite])
            try check(blocks, most: memory.mostWritten)
            try memory.checkWrite(blocks.map(\.number))
        } catch {
            return identity.reply(.write, error.flags, delay)
        }
        let torn = isPowerFailing ? Int.random(in: 0..<blocks.count, using: &noise) : nil
        let old = memory
        for (index, block) in blocks.enumerated() {
            let new = Array(data[FeliCaCommand.blockSize * index..<FeliCaCommand.blockSize * (index + 1)])
            if index == torn {
                tear(block.number, new)
                break
            }
            memory.write(new, to: block.number)
        }
        if memory != old { generation += 1 }
        return identity.reply(.write, FeliCaIdentity.success, delay)
    }

    private mutating func tear(_ block: Int, _ new: [UInt8]) {
        if memory.isTearProtected(block) {
            if Bool.random(using: &noise) { memory.write(new, to: block) }
        } else if let old = try? memory.read(block, at: 0) {
            memory.write(noise.mixture(of: old, and: new), to: block)
        }
    }

    private func check(_ services: [UInt16], among known: [UInt16]) throws(FeliCaStatus) {
        guard services.count == 1 else { throw .numberOfServices }
        guard known.contains(services[0]) else { throw .serviceCode }
    }

    private func check(_ blocks: [FeliCaBlockElement], most: Int) throws(FeliCaStatus) {
        guard blocks.count >= 1, blocks.count <= most else { throw .numberOfBlocks }
        for (index, block) in blocks.enumerated() {
            guard block.service == 0 else { throw .element(index, .serviceOrder) }
            guard block.accessMode == 0 else { throw .element(index, .accessMode) }
            guard memory.exists(block.number) else { throw .element(index, .blockNumber) }
        }
    }
}
