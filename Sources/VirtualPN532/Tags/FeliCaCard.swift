// A FeliCa tag's side of its commands — JIS X 6319-4; NFC Forum Type 3 Tag

/// What distinguishes FeliCa tags: systems, blocks and their access.
protocol FeliCaMemory: Hashable, Sendable {
    /// Most blocks in one Read Without Encryption.
    var mostRead: Int { get }
    /// Most blocks in one Write Without Encryption.
    var mostWritten: Int { get }
    /// The tag's systems, first the one that wildcards find.
    var systemCodes: [[UInt8]] { get }

    func exists(_ block: Int) -> Bool
    /// Sixteen bytes of a block that exists.
    /// - Parameter index: the position in the block list, for the status.
    func read(_ block: Int, at index: Int) throws(FeliCaStatus) -> [UInt8]
    /// Refuses a write of blocks that exist before any is written.
    func checkWrite(_ blocks: [Int]) throws(FeliCaStatus)
    /// Sixteen bytes into a block that may be written.
    mutating func write(_ data: [UInt8], to block: Int)
    /// Whether power that fails leaves the block old or new, never mixed.
    func isTearProtected(_ block: Int) -> Bool
    mutating func powerOff()
}

private enum Response {
    static let polling: UInt8 = 0x01
    static let read: UInt8 = 0x07
    static let write: UInt8 = 0x09
}

private enum Service {
    static let readWrite: UInt16 = 0x0009
    static let readOnly: UInt16 = 0x000B
}

private enum Request {
    static let systemCode: UInt8 = 0x01
    static let performance: UInt8 = 0x02
}

/// Polling, reading and writing of one tag.
struct FeliCaCard<Memory: FeliCaMemory>: Sendable {
    /// Communication performance: 212 and 424 kbit/s, found by the tag itself.
    private static var performance: [UInt8] { [0x00, 0x83] }
    private static var success: [UInt8] { [0x00, 0x00] }
    /// From the end of Polling to the first time slot, and the length of a slot.
    private static var firstSlot: Duration { .microseconds(2_417) }
    private static var slotTime: Duration { .microseconds(1_208) }
    /// T of the response time: 4096 carrier periods.
    private static var responseUnit: Duration { .nanoseconds(302_065) }

    let idm: [UInt8]
    let pmm: [UInt8]
    private(set) var memory: Memory
    private(set) var generation = 0
    private var noise: TearNoise

    init(idm: [UInt8], pmm: [UInt8], memory: Memory) {
        (self.idm, self.pmm, self.memory) = (idm, pmm, memory)
        noise = TearNoise(seed: idm)
    }

    /// Changes the memory as the factory can.
    mutating func change(_ body: (inout Memory) -> Void) {
        let old = memory
        body(&memory)
        if memory != old { generation += 1 }
    }

    mutating func powerOff() { memory.powerOff() }

    func isCommand(_ frame: [UInt8]) -> Bool {
        switch FeliCaCommand(frame) {
        case .read(let idm, _, _), .write(let idm, _, _, _): idm == self.idm
        case .polling, nil: false
        }
    }

    mutating func receive(_ frame: [UInt8], isPowerFailing: Bool) -> TagReply {
        switch FeliCaCommand(frame) {
        case .polling(let systemCode, let request, let lastSlot):
            return poll(systemCode, request, lastSlot: lastSlot)
        case .read(idm, let services, let blocks):
            return read(services, blocks)
        case .write(idm, let services, let blocks, let data):
            return write(services, blocks, data, isPowerFailing: isPowerFailing)
        case .read, .write, nil:
            return TagReply(.silence)
        }
    }

    // MARK: Polling

    private func poll(_ wanted: [UInt8], _ request: UInt8, lastSlot: UInt8) -> TagReply {
        let wildcard: UInt8 = 0xFF
        let found = memory.systemCodes.first { zip($0, wanted).allSatisfy { $0 == $1 || $1 == wildcard } }
        guard let found else { return TagReply(.silence) }
        let extra: [UInt8] =
            switch request {
            case Request.systemCode: found
            case Request.performance: Self.performance
            default: []
            }
        // A tag takes a slot by chance; ours takes always the same.
        let slot = Int(idm.reduce(0) { $0 &* 31 &+ $1 }) % (Int(lastSlot & 0x0F) + 1)
        let delay = slot == 0 ? Self.firstSlot : Self.slotTime
        return TagReply(.bytes(Self.framed([Response.polling] + idm + pmm + extra)), delay: delay, slot: slot)
    }

    // MARK: Read and Write Without Encryption

    private func read(_ services: [UInt16], _ blocks: [FeliCaBlockElement]) -> TagReply {
        let delay = responseTime(blocks.count, pmm[5])
        do throws(FeliCaStatus) {
            try check(services, among: [Service.readWrite, Service.readOnly])
            try check(blocks, most: memory.mostRead)
            var data: [UInt8] = []
            for (index, block) in blocks.enumerated() { data += try memory.read(block.number, at: index) }
            return reply(Response.read, Self.success + [UInt8(blocks.count)] + data, delay)
        } catch {
            return reply(Response.read, error.flags, delay)
        }
    }

    private mutating func write(
        _ services: [UInt16], _ blocks: [FeliCaBlockElement], _ data: [UInt8], isPowerFailing: Bool
    ) -> TagReply {
        let delay = responseTime(blocks.count, pmm[6])
        do throws(FeliCaStatus) {
            try check(services, among: [Service.readWrite])
            try check(blocks, most: memory.mostWritten)
            try memory.checkWrite(blocks.map(\.number))
        } catch {
            return reply(Response.write, error.flags, delay)
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
        return reply(Response.write, Self.success, delay)
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

    private func reply(_ code: UInt8, _ data: [UInt8], _ delay: Duration) -> TagReply {
        TagReply(.bytes(Self.framed([code] + idm + data)), delay: delay)
    }

    private static func framed(_ bytes: [UInt8]) -> [UInt8] { [UInt8(truncatingIfNeeded: bytes.count + 1)] + bytes }

    /// The longest time the tag allows itself: T × ((B + 1) n + (A + 1)) × 4^E, from its byte of PMm.
    private func responseTime(_ blocks: Int, _ parameter: UInt8) -> Duration {
        let (a, b, e) = (Int(parameter & 0x07), Int(parameter >> 3 & 0x07), Int(parameter >> 6))
        return Self.responseUnit * (((b + 1) * blocks + a + 1) << (2 * e))
    }
}
