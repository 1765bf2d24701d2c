// Memory of FeliCa Lite-S (RC-S966) — Sony, "FeliCa Lite-S User's Manual"; Flipper's emulation for the status flags

/// The memory of a FeliCa Lite-S.
///
/// The simulation never calculates a MAC. RC can be written, but reads of MAC_A and writes with MAC_A fail as they
/// would with a wrong key. The tag never counts as authenticated.
struct FeliCaLiteSMemory: FeliCaMemory {
    enum Block {
        static let reg = 0x0E
        static let rc = 0x80
        static let id = 0x82
        static let dID = 0x83
        static let serC = 0x84
        static let sysC = 0x85
        static let ckv = 0x86
        static let ck = 0x87
        static let mc = 0x88
        static let wcnt = 0x90
        static let macA = 0x91
        static let state = 0x92
        static let crcCheck = 0xA0
        /// All blocks: S_PAD0 to 13, REG, and the system blocks.
        static let all = Array(0...reg) + Array(rc...mc) + Array(wcnt...state) + [crcCheck]
    }

    /// The positions of the settings in MC, in bytes.
    private enum Configuration {
        /// MC_SP_REG_ALL_RW: one bit each for S_PAD0 to 13, for REG, and for writing these bits.
        ///
        /// 1 means writable. A cleared bit cannot be set again.
        static let writable = 0
        static let system = 2
        static let sysOP = 3
        static let readRestriction = 6
        static let writeRestriction = 8
        static let writeMAC = 10
        static let stateMAC = 12
    }

    /// The number of blocks for NDEF data.
    ///
    /// S_PAD0 is the attribute information block. S_PAD1 to 13 contain 208 bytes of NDEF data.
    static let ndefBlocks = 13
    static let systemCode: [UInt8] = [0x88, 0xB4]
    static let ndefSystemCode: [UInt8] = [0x12, 0xFC]
    /// PMm with the response times and IC code F1.
    static let pmm: [UInt8] = [0x00, 0xF1, 0x00, 0x00, 0x00, 0x01, 0x43, 0x00]
    private static let zeros = [UInt8](repeating: 0, count: FeliCaCommand.blockSize)
    private static let unlocked: UInt8 = 0xFF

    /// The content of the blocks, 16 bytes each, by block number.
    private(set) var blocks: [Int: [UInt8]]
    /// The status flags of the blocks that could not be read when the tag's file was made, by block number.
    ///
    /// The content of these blocks is unknown. A write to a block makes it known.
    private(set) var unread: [Int: [UInt8]] = [:]
    /// The content of MC at power-up, which stays in force until the next power-up.
    private var configuration: [UInt8]

    let mostRead = 4
    /// A write command contains one block, or one block and MAC_A.
    let mostWritten = 2

    /// Creates the memory in delivery state: not formatted for NDEF, and all blocks writable.
    init(idm: [UInt8]) {
        blocks = Dictionary(uniqueKeysWithValues: Block.all.map { ($0, Self.zeros) })
        blocks[Block.reg] = [UInt8](repeating: 0xFF, count: FeliCaCommand.blockSize)
        blocks[Block.id] = idm + [UInt8](repeating: 0, count: 8)
        blocks[Block.dID] = idm + Self.pmm
        blocks[Block.sysC] = Self.systemCode + [UInt8](repeating: 0, count: 14)
        configuration = [0xFF, 0xFF, Self.unlocked, 0x00, 0x07] + [UInt8](repeating: 0, count: 11)
        blocks[Block.mc] = configuration
    }

    subscript(block: Int) -> [UInt8] { blocks[block] ?? Self.zeros }

    /// Writes a block regardless of access conditions, as in the factory.
    ///
    /// The change takes effect immediately.
    mutating func store(_ data: [UInt8], at block: Int) {
        guard exists(block), data.count == FeliCaCommand.blockSize else { return }
        blocks[block] = data
        unread[block] = nil
        configuration = self[Block.mc]
    }

    /// Makes the content of a block unknown.
    ///
    /// Reading the block then fails with these two status flags.
    mutating func forget(_ block: Int, flags: [UInt8]) { unread[block] = flags }

    mutating func formatForNDEF() {
        store(Type3Attributes(nbr: 4, nbw: 1, nmaxb: UInt16(Self.ndefBlocks)).bytes, at: 0)
        var mc = self[Block.mc]
        mc[Configuration.sysOP] = 0x01
        store(mc, at: Block.mc)
    }

    // MARK: FeliCaMemory

    var systemCodes: [[UInt8]] {
        [Self.systemCode] + (configuration[Configuration.sysOP] == 0x01 ? [Self.ndefSystemCode] : [])
    }

    func exists(_ block: Int) -> Bool { blocks[block] != nil }

    func read(_ block: Int, at index: Int) throws(FeliCaStatus) -> [UInt8] {
        switch block {
        case 0...Block.reg where bit(block, from: Configuration.readRestriction):
            throw .element(index, .notAuthenticated)
        case Block.macA: throw .element(index, .verification)
        case Block.rc, Block.ck: return Self.zeros
        case _ where unread[block] != nil: throw .element(index, code: unread[block]?.last ?? 0xFF)
        default: return self[block]
        }
    }

    func checkWrite(_ blocks: [Int]) throws(FeliCaStatus) {
        guard blocks.count == 1, let block = blocks.first else { throw .element(1, .verification) }
        guard isWritable(block) else { throw .element(0, .blockNumber) }
        if block <= Block.reg, bit(block, from: Configuration.writeRestriction) { throw .element(0, .notAuthenticated) }
        // The new value of the subtraction register depends on the old value, which must be known.
        if block == Block.reg, let flags = unread[block] { throw .element(0, code: flags.last ?? 0xFF) }
    }

    mutating func write(_ data: [UInt8], to block: Int) {
        var data = data
        let old = self[block]
        switch block {
        case Block.reg: data = Self.subtracted(old, data)
        case Block.id: data = Array(old.prefix(8) + data.suffix(8))
        case Block.serC, Block.ckv: data = Array(data.prefix(2) + Self.zeros.dropFirst(2))
        case Block.mc: data = configured(data)
        default: break
        }
        blocks[block] = data
        unread[block] = nil
        countWrite()
    }

    func isTearProtected(_ block: Int) -> Bool { block > Block.reg }

    mutating func powerOff() {
        blocks[Block.rc] = Self.zeros
        configuration = self[Block.mc]
    }

    // MARK: Access

    private func bit(_ number: Int, from byte: Int) -> Bool {
        configuration[byte + number / 8] >> UInt8(number % 8) & 1 == 1
    }

    private func isWritable(_ block: Int) -> Bool {
        switch block {
        case 0...Block.reg: bit(block, from: Configuration.writable) && !bit(block, from: Configuration.writeMAC)
        case Block.rc, Block.mc: true
        case Block.id, Block.serC, Block.ckv, Block.ck: configuration[Configuration.system] == Self.unlocked
        default: false
        }
    }

    /// Returns the content of MC after a write.
    ///
    /// Permissions can only be removed, and restrictions can only be added. Locked settings do not change.
    private func configured(_ new: [UInt8]) -> [UInt8] {
        let old = self[Block.mc]
        let opensBits = bit(15, from: Configuration.writable)
        let opensSystem = configuration[Configuration.system] == Self.unlocked
        return new.indices.map { index in
            switch index {
            case 0...1: opensBits ? old[index] & new[index] : old[index]
            case 2...5: opensSystem ? new[index] : old[index]
            case 6...Configuration.stateMAC: opensBits ? old[index] | new[index] : old[index]
            default: 0x00
            }
        }
    }

    /// Returns the content of the subtraction register after a write.
    ///
    /// A and B (4 bytes each, low byte first) can only decrease. If one of them would increase, the register does not
    /// change. C (8 bytes) can have any new value.
    private static func subtracted(_ old: [UInt8], _ new: [UInt8]) -> [UInt8] {
        func value(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
        let falls = value(new[0..<4]) <= value(old[0..<4]) && value(new[4..<8]) <= value(old[4..<8])
        return falls ? new : old
    }

    /// Increments WCNT, which has three bytes, low byte first.
    ///
    /// It stops at FFFFFF.
    private mutating func countWrite() {
        guard unread[Block.wcnt] == nil else { return }
        var counter = self[Block.wcnt]
        let value = min((UInt32(counter[0]) | UInt32(counter[1]) << 8 | UInt32(counter[2]) << 16) + 1, 0xFF_FFFF)
        counter.replaceSubrange(0..<3, with: [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value >> 16)])
        blocks[Block.wcnt] = counter
    }
}
