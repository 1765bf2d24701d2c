// The states of an ISO 15693 tag and the addressing of requests — ISO/IEC 15693-3, 7.3 and 8

import VirtualPN532

/// The commands and states of an ISO 15693 tag.
///
/// This type is not thread-safe, but ``VirtualISO15693Tag`` is.
struct ISO15693Card: Sendable {
    enum State: Hashable, Sendable { case ready, quiet, selected }

    typealias Flag = ISO15693Request.Flag
    typealias Command = ISO15693Request.Command

    /// t1: the time from the reader's EOF to the tag's SOF — ISO/IEC 15693-3, 9.1.
    private static let responseTime = Duration.nanoseconds(320_900)
    private static let errorFlag: UInt8 = 0x01

    var memory: ISO15693Memory
    var state = State.ready
    var volatile = VolatileState()
    private(set) var generation = 0
    var noise: TearNoise
    /// The response to a write with the option flag, which the tag holds back until the EOF; nil if there is none.
    private var pending: [UInt8]?

    init(memory: ISO15693Memory) {
        self.memory = memory
        noise = TearNoise(seed: memory.uid)
    }

    var chip: ISO15693Chip { memory.chip }

    mutating func powerOff() {
        (state, pending) = (.ready, nil)
        volatile = VolatileState()
    }

    /// Handles a request whose CRC has been removed.
    ///
    /// An empty request is a separate EOF.
    mutating func receive(_ frame: [UInt8]) -> TagReply {
        if frame.isEmpty {
            defer { pending = nil }
            return pending.map { TagReply(.bytes($0), delay: Self.responseTime) } ?? TagReply(.silence)
        }
        pending = nil
        guard let request = ISO15693Request(frame), !volatile.isMute, !memory.custom.isDestroyed else {
            return TagReply(.silence)
        }
        if memory.custom.isPrivate, !isAllowedInPrivacy(request) { return TagReply(.silence) }
        if request.isInventory { return inventory(request) }
        guard isMeant(request) else { return TagReply(.silence) }
        let before = memory
        let response: [UInt8]
        do throws(ISO15693Error) {
            guard let data = try execute(request) else { return TagReply(.silence) }
            response = [0x00] + data
        } catch {
            // 7.4: a tag need not report errors unless the request is addressed or for a selected tag. Real chips do
            // not report them.
            guard request.uid != nil || request.has(Flag.select) else { return TagReply(.silence) }
            return TagReply(.bytes([Self.errorFlag, error.rawValue]), delay: Self.responseTime)
        }
        let isChanged = memory != before
        if isChanged { generation += 1 }
        if request.waitsForEOF {
            pending = response
            return TagReply(.silence)
        }
        return TagReply(.bytes(response), delay: Self.responseTime + (request.isWrite ? chip.programmingTime : .zero))
    }

    /// Handles a request as ``receive(_:)`` does, but power fails during the execution.
    ///
    /// Each byte that the command changes then has either its old or its new value.
    mutating func receiveTorn(_ frame: [UInt8]) {
        let before = memory
        _ = receive(frame)
        if memory != before { memory = torn(from: before, to: memory) }
        powerOff()
    }

    private mutating func torn(from before: ISO15693Memory, to after: ISO15693Memory) -> ISO15693Memory {
        var torn = after
        torn.bytes = noise.mixture(of: before.bytes, and: after.bytes)
        // Each changed lock bit has either its old or its new value.
        for block in torn.isLocked.indices where before.isLocked[block] != after.isLocked[block] {
            torn.isLocked[block] = Bool.random(using: &noise)
        }
        if before.isAFILocked != after.isAFILocked { torn.isAFILocked = Bool.random(using: &noise) }
        if before.isDSFIDLocked != after.isDSFIDLocked { torn.isDSFIDLocked = Bool.random(using: &noise) }
        if Bool.random(using: &noise) { (torn.afi, torn.dsfid) = (before.afi, before.dsfid) }
        if Bool.random(using: &noise) { torn.custom = before.custom }
        return torn
    }

    /// Whether a request is for this tag (7.3.1).
    ///
    /// A request is for the tag with a certain UID, for the selected tag, or for all tags that are not quiet.
    private mutating func isMeant(_ request: ISO15693Request) -> Bool {
        // A select command for another tag ends the selection of this one.
        if request.command == Command.select, let uid = request.uid, uid != memory.uid, state == .selected {
            state = .ready
        }
        guard !request.has(Flag.reserved) else { return false }
        if let uid = request.uid { return uid == memory.uid && !request.has(Flag.select) }
        return request.has(Flag.select) ? state == .selected : state != .quiet
    }

    // MARK: Inventory

    /// Answers an inventory: `flags 01 [AFI] mask length, mask value`, in 1 or 16 slots — 10.3.1.
    private func inventory(_ request: ISO15693Request) -> TagReply {
        guard request.command == Command.inventory, state != .quiet else { return TagReply(.silence) }
        var rest = request.parameters[...]
        if request.has(Flag.afi) {
            guard let afi = rest.popFirst(), answers(to: afi) else { return TagReply(.silence) }
        }
        guard let length = rest.popFirst().map(Int.init), rest.count == (length + 7) / 8 else {
            return TagReply(.silence)
        }
        let slotBits = request.has(Flag.oneSlot) ? 0 : 4
        guard length + slotBits <= 8 * memory.uid.count else { return TagReply(.silence) }
        let uid = Array(memory.uid.reversed())
        let mask = Array(rest)
        func bit(_ bytes: [UInt8], _ index: Int) -> UInt8 { bytes[index / 8] >> UInt8(index % 8) & 1 }
        guard (0..<length).allSatisfy({ bit(mask, $0) == bit(uid, $0) }) else { return TagReply(.silence) }
        let slot = (0..<slotBits).reduce(0) { $0 | Int(bit(uid, length + $1)) << $1 }
        return TagReply(.bytes([0x00, memory.dsfid] + uid), delay: Self.responseTime, slot: slot)
    }

    /// Whether the tag matches the AFI in a request (7.2, table 1).
    ///
    /// 00 matches all families, X0 all subfamilies of X, and 0Y subfamily Y of all families.
    private func answers(to afi: UInt8) -> Bool {
        let (family, subfamily) = (afi & 0xF0, afi & 0x0F)
        return (family == 0 || family == memory.afi & 0xF0) && (subfamily == 0 || subfamily == memory.afi & 0x0F)
    }
}

/// The state that a tag loses together with its power.
struct VolatileState: Hashable, Sendable {
    /// Whether the tag no longer answers, because it received a wrong password.
    var isMute = false
    /// The two-byte random number with which the reader combines the next password.
    var random: [UInt8] = [0, 0]
    /// The identifiers or numbers of the passwords that the reader has presented correctly.
    var given: Set<UInt8> = []
}
