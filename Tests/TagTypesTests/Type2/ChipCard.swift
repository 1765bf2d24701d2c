// Type 2 Tag chips in memory: passwords, keys, sectors, counters — NXP NTAG21x, MF0ULx1, NT3H1x01, NT3H2x11, MF0ICU2,
// MF0AES(H)20
import ReaderInterface

@testable import TagTypes

/// A chip that enforces its protection, and can be any chip with a known memory layout.
final class ChipCard: Card {
    enum Secret {
        case none
        /// The first block of CFG 0, CFG 1, PWD and PACK.
        case password(Int)
        case key
        /// CFG 0, CFG 1 and, seven blocks later, the key.
        case aes(Int)
    }

    let existing: [ClosedRange<Int>]
    let version: [UInt8]?
    let secret: Secret
    var blocks: [Int: [UInt8]] = [:]
    var pwd: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    var pack: [UInt8] = [0x00, 0x00]
    var counters: [UInt8: Int] = [:]
    var signature: [UInt8]?
    var hasFastRead = true
    /// The block with the enforced dynamic lock bits, which lock the blocks from 16 on, in order.
    ///
    /// Nil if there is none.
    var lockBlock: (number: Int, blocksPerBit: Int)?
    private(set) var wrongTries = 0
    private var isAuthenticated = false
    private var rndB: [UInt8]?
    private var sector = 0
    private var isSelectingSector = false

    init(_ existing: [ClosedRange<Int>], version: String?, secret: Secret, cc: String, tlvs: String) {
        self.existing = existing
        self.version = version.map { bytes($0) }
        self.secret = secret
        for block in existing.flatMap(\.self) { blocks[block] = [0, 0, 0, 0] }
        blocks[0] = bytes("04A1B29F")
        blocks[1] = bytes("C3D4E580")
        blocks[2] = bytes("72480000")
        blocks[3] = bytes(cc)
        for (index, byte) in bytes(tlvs).enumerated() { blocks[4 + index / 4]?[index % 4] = byte }
        switch secret {
        case .none: break
        case .password(let first): blocks[first]?[3] = 0xFF
        case .key:
            blocks[42]?[0] = 0x30
            setKey(.delivered)
        case .aes(let first):
            blocks[first]?[3] = UInt8(first + 19)
            blocks[first + 1]?[0] = 0x80
        }
    }

    static func ntag213(_ tlvs: String = "0103A00C340300FE") -> ChipCard {
        ChipCard([0...44], version: "0004040201000F03", secret: .password(41), cc: "E1101200", tlvs: tlvs)
    }
    static func ntag215(_ tlvs: String = "0300FE") -> ChipCard {
        ChipCard([0...134], version: "0004040201001103", secret: .password(131), cc: "E1103E00", tlvs: tlvs)
    }
    static func ev1() -> ChipCard {
        ChipCard([0...40], version: "0004030101000E03", secret: .password(37), cc: "E1101000", tlvs: "0300FE")
    }
    static func ntagI2C2k(_ tlvs: String = "0300FE") -> ChipCard {
        ChipCard([0...480, 488...489], version: "0004040502011503", secret: .none, cc: "E110EA00", tlvs: tlvs)
    }
    static func ntagI2CPlus2k() -> ChipCard {
        ChipCard(
            [0...0xE9, 256...511], version: "0004040502021503", secret: .password(0xE3), cc: "E1106D00", tlvs: "0300FE")
    }
    static func ultralightC(cc: String = "E1101200") -> ChipCard {
        ChipCard([0...47], version: nil, secret: .key, cc: cc, tlvs: "0103A010440300FE")
    }
    static func ultralightAES(_ cc: String = "E1101200") -> ChipCard {
        ChipCard([0...59], version: "0004030104000F03", secret: .aes(41), cc: cc, tlvs: "0103A00C340300FE")
    }
    static func ntag223DNA() -> ChipCard {
        ChipCard([0...59], version: "0004040204000F03", secret: .password(41), cc: "E1101200", tlvs: "0300FE")
    }
    static func ntag224DNA() -> ChipCard {
        ChipCard([0...75], version: "0004040205001003", secret: .aes(57), cc: "E1101A00", tlvs: "0300FE")
    }
    static func ntag203() -> ChipCard {
        ChipCard([0...41], version: nil, secret: .none, cc: "E1101200", tlvs: "0103A010440300FE")
    }

    static func ntag210micro() -> ChipCard {
        let card = ChipCard([0...15], version: "0004040102000B03", secret: .none, cc: "E1100600", tlvs: "0300FE")
        card.hasFastRead = false
        return card
    }
    static let st25Target = Target.nfcA(NFCATarget(sensRes: [0, 0x44], selRes: 0, nfcID1: bytes("02E1B2C3D4E580")))
    static func st25tn01k() -> ChipCard {
        let card = ChipCard([0...63], version: nil, secret: .none, cc: "E1101400", tlvs: "0300FE")
        card.blocks[0] = bytes("02E1B2D9")
        card.blocks[0x2D] = bytes("90900100")
        card.lockBlock = (number: 0x2C, blocksPerBit: 2)
        return card
    }

    /// Returns one card of each kind.
    static var all: [ChipCard] {
        [
            ntag213(), ntag215(), ev1(), ntagI2C2k(), ntagI2CPlus2k(), ultralightC(), ntag203(), ntag210micro(),
            st25tn01k(), ultralightAES(),
        ]
    }

    // MARK: Configuration

    var auth0: Int {
        switch secret {
        case .none: Int.max
        case .password(let first): Int(blocks[first]?[3] ?? 0xFF)
        case .key: Int(blocks[42]?[0] ?? 0x30)
        case .aes(let first): Int(blocks[first]?[3] ?? 0x3C)
        }
    }
    var access: UInt8 {
        switch secret {
        case .none: 0
        case .password(let first): blocks[first + 1]?[0] ?? 0
        case .key: blocks[43]?[0] ?? 0
        case .aes(let first): blocks[first + 1]?[0] ?? 0
        }
    }
    var protectsReading: Bool {
        if case .key = secret { return access & 1 == 0 }
        return access & 0x80 != 0
    }
    var isProtected: Bool { existing[0].contains(auth0) }
    var key: UltralightKey? {
        let stored = (keyBlock..<keyBlock + 4).flatMap { blocks[$0] ?? [] }
        if cipher == .aes { return UltralightKey(stored.reversed()) }
        return stored.count == 16 ? UltralightKey(Array(stored[..<8].reversed() + stored[8...].reversed())) : nil
    }
    func setKey(_ key: UltralightKey) {
        for (block, bytes) in zip(keyBlock..., key.blocks(for: cipher)) { blocks[block] = bytes }
    }
    private var keyBlock: Int { if case .aes(let first) = secret { first + 7 } else { 44 } }
    private var cipher: UltralightKey.Cipher { if case .aes = secret { .aes } else { .tripleDES } }

    // MARK: Commands

    func reset() {
        isAuthenticated = false
        isSelectingSector = false
        rndB = nil
        sector = 0
    }

    func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
        if isSelectingSector {
            isSelectingSector = false
            if command.count == 4, existing.contains(where: { $0.contains(Int(command[0]) * 256) }) {
                sector = Int(command[0])
                // The command is acknowledged by silence: the reader reports no answer, and the tag is not muted.
                return []
            }
            return nil
        }
        switch (command.first, framing, command.count) {
        case (0x60, .raw, 1): return version
        case (0x30, .handled, 2): return read(sector * 256 + Int(command[1]))
        case (0x3A, .raw, 3) where version != nil && hasFastRead: return fastRead(Int(command[1]), Int(command[2]))
        case (0xA2, .handled, 6): return write(sector * 256 + Int(command[1]), Array(command[2...])) ? [] : nil
        case (0x1B, .raw, 5): return authenticate(Array(command[1...]))
        case (0x1A, .raw, 2), (0xAF, .raw, 17), (0xAF, .raw, 33): return authenticate(withKey: command)
        case (0x39, .raw, 2):
            return counters[command[1]].map { value in (0..<3).map { UInt8(value >> ($0 * 8) & 0xFF) } }
        case (0x3E, .raw, 2): return counters[command[1]] == nil ? nil : [0xBD]
        case (0x3C, .raw, 2): return signature
        case (0xC2, .raw, 2) where existing.contains { $0.upperBound > 255 }:
            isSelectingSector = true
            return []
        default: return nil
        }
    }

    private func isOpen(_ block: Int) -> Bool { isAuthenticated || block < auth0 || block > 255 }

    private func isReadable(_ block: Int) -> Bool {
        if case .key = secret, block >= 44 { return false }
        return existing.contains { $0.contains(block) } && (isOpen(block) || !protectsReading)
    }

    private func shown(_ block: Int) -> [UInt8] {
        if case .password(let first) = secret, block >= first + 2, block <= first + 3 { return [0, 0, 0, 0] }
        if case .aes = secret, keyBlock..<keyBlock + 8 ~= block { return [0, 0, 0, 0] }
        return blocks[block] ?? [0, 0, 0, 0]
    }

    private func read(_ block: Int) -> [UInt8]? {
        guard isReadable(block) else { return nil }
        var answer: [UInt8] = []
        var next = block
        for _ in 0..<4 {
            if !isReadable(next) { next = 0 }
            answer += shown(next)
            next += 1
        }
        return answer
    }

    private func fastRead(_ first: Int, _ last: Int) -> [UInt8]? {
        guard first <= last else { return nil }
        let range = sector * 256 + first...sector * 256 + last
        guard range.allSatisfy({ isReadable($0) }) else { return nil }
        return range.flatMap { shown($0) }
    }

    private var isKeyed: Bool { if case .key = secret { true } else { false } }

    /// The static lock bits, and the dynamic ones of an Ultralight C and an NTAG203.
    private func isLocked(_ block: Int) -> Bool {
        if 3..<16 ~= block, let bytes = blocks[2] {
            return (UInt16(bytes[2]) | UInt16(bytes[3]) << 8) & 1 << UInt16(block) != 0
        }
        if let lockBlock, 16..<lockBlock.number ~= block, let bytes = blocks[lockBlock.number] {
            let bit = (block - 16) / lockBlock.blocksPerBit
            return bytes[bit / 8] & 1 << UInt8(bit % 8) != 0
        }
        guard version == nil, 16..<40 ~= block, let bits = blocks[40]?[0] else { return false }
        let group = (block - 16) / 4
        return bits & 1 << UInt8(group < 3 ? group + 1 : group + 2) != 0
    }

    private func write(_ block: Int, _ bytes: [UInt8]) -> Bool {
        guard block > 1, existing.contains(where: { $0.contains(block) }), isOpen(block) else { return false }
        guard !isLocked(block) else { return false }
        if case .aes(let first) = secret {
            if access & 0x40 != 0, first...first + 1 ~= block { return false }
            if keyBlock..<keyBlock + 4 ~= block, (blocks[first + 4]?[0] ?? 0) & 0x40 != 0 { return false }
        }
        if case .password(let first) = secret {
            if access & 0x40 != 0, block == first || block == first + 1 { return false }
            if block == first + 2 { pwd = bytes }
            if block == first + 3 { pack = Array(bytes[..<2]) }
        }
        let old = blocks[block] ?? [0, 0, 0, 0]
        switch block {
        case 2: blocks[2] = Array(old[..<2]) + [old[2] | bytes[2], old[3] | bytes[3]]
        case 3: blocks[3] = zip(old, bytes).map { $0 | $1 }
        // Dynamic lock bits of an Ultralight C and an NTAG203.
        case lockBlock?.number: blocks[block] = zip(old, bytes).map { $0 | $1 }
        case 40 where isKeyed: blocks[40] = zip(old, bytes).map { $0 | $1 }
        default: blocks[block] = bytes
        }
        return true
    }

    private func authenticate(_ password: [UInt8]) -> [UInt8]? {
        guard case .password = secret else { return nil }
        let limit = Int(access & 0x07)
        guard limit == 0 || wrongTries < limit else { return nil }
        guard password == pwd else {
            wrongTries += 1
            return nil
        }
        wrongTries = 0
        isAuthenticated = true
        return pack
    }

    private func authenticate(withKey command: [UInt8]) -> [UInt8]? {
        if case .aes = secret { return authenticateAES(command) }
        guard case .key = secret, let key else { return nil }
        let zero = [UInt8](repeating: 0, count: 8)
        guard command[0] == 0xAF else {
            rndB = bytes("51E764602678DF2B")
            return (try? key.crypt(.encrypt, bytes("51E764602678DF2B"), with: .tripleDES, after: zero)).map {
                [0xAF] + $0
            }
        }
        guard let rndB, let challenge = try? key.crypt(.encrypt, rndB, with: .tripleDES, after: zero),
            let plain = try? key.crypt(.decrypt, Array(command[1...]), with: .tripleDES, after: challenge),
            Array(plain[8...]) == Array(rndB[1...] + rndB[..<1])
        else { return nil }
        isAuthenticated = true
        return
            (try? key.crypt(
                .encrypt, Array(plain[1..<8] + plain[..<1]), with: .tripleDES, after: Array(command.suffix(8))))
            .map { [0x00] + $0 }
    }

    private func authenticateAES(_ command: [UInt8]) -> [UInt8]? {
        let zero = [UInt8](repeating: 0, count: 16)
        let configuration = blocks[keyBlock - 6] ?? [0, 0, 0, 0]
        let limit = Int(configuration[2]) | Int(configuration[3]) << 8
        guard let key, limit == 0 || wrongTries < limit else { return nil }
        guard command[0] == 0xAF else {
            rndB = bytes("B9E2FC789B64BF237CCCAA20EC7E6E48")
            return rndB.flatMap { try? key.crypt(.encrypt, $0, with: .aes, after: zero) }.map { [0xAF] + $0 }
        }
        guard let rndB, let plain = try? key.crypt(.decrypt, Array(command[1...]), with: .aes, after: zero),
            Array(plain[16...]) == Array(rndB[1...] + rndB[..<1])
        else {
            wrongTries += 1
            return nil
        }
        wrongTries = 0
        isAuthenticated = true
        return (try? key.crypt(.encrypt, Array(plain[1..<16] + plain[..<1]), with: .aes, after: zero)).map {
            [0x00] + $0
        }
    }
}

/// A reader that reports a 4-bit ACK and silence as no answer, like libnfc for SECTOR SELECT.
final class SectorBlindChannel: TagChannel {
    let target = Target.type2
    let maxCommandLength = 262
    let maxResponseLength = 262
    private let inner: RecordingChannel
    var commands: [[UInt8]] { inner.commands }

    init(_ card: any Card, fault: RecordingChannel.Fault? = nil) { inner = RecordingChannel(card, fault: fault) }

    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
        let answer = try inner.transceive(command, framing: framing, timeout: timeout)
        if framing == .raw, answer.isEmpty { throw .noAnswer }
        return answer
    }

    func exchangeFrame(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> FrameAnswer {
        try inner.exchangeFrame(command, timeout: timeout)
    }

    func reselect() throws(ReaderError) { try inner.reselect() }
}
