// A MIFARE Classic kept in memory — NXP MF1S50yyX and MF1S70yyX: authentication, access conditions, READ, WRITE
import ReaderInterface

@testable import TagTypes

final class ClassicCard: Card {
    static let uid = bytes("11223344")

    var memory: [UInt8]
    /// Whether the card respects the access bits of data blocks.
    var isHeeding = true
    /// Whether a sector with invalid access bits still accepts its keys, and refuses everything after that.
    var opensBlockedSectors = false
    private(set) var writes: [Int] = []
    private(set) var authentications = 0
    /// The sector that is open, and whether key B opened it.
    ///
    /// Nil if no sector is open.
    private var open: (sector: Int, isB: Bool)?

    /// Creates a card as delivered: zeros, all keys FF, transport access bits.
    init(sectors: Int = 16) {
        memory = Array(repeating: 0, count: Self.start(of: sectors) * 16)
        memory.replaceSubrange(0..<16, with: bytes("11223344 44 88 0400 C09E8A1D6A2F1B01"))
        for sector in 0..<sectors {
            setTrailer(of: sector, bytes("FFFFFFFFFFFF FF078069 FFFFFFFFFFFF"))
        }
    }

    /// Returns a card as AN1304 requires: MAD, NDEF keys, and TLVs in the data area from sector 1 on.
    static func ndef(_ tlvs: [UInt8], sectors: Int = 16) -> ClassicCard {
        let card = ClassicCard(sectors: sectors)
        let aids = (1..<16).flatMap { $0 < sectors ? bytes("03E1") : bytes("0500") }
        card.memory.replaceSubrange(16..<48, with: withCRC([0] + aids))
        card.setTrailer(of: 0, bytes("A0A1A2A3A4A5 787788 \(sectors > 16 ? "C2" : "C1") FFFFFFFFFFFF"))
        if sectors > 16 {
            card.memory.replaceSubrange(1024..<1072, with: withCRC([0] + (17..<40).flatMap { _ in bytes("03E1") }))
            card.setTrailer(of: 16, bytes("A0A1A2A3A4A5 787788 00 FFFFFFFFFFFF"))
        }
        for sector in 1..<sectors where sector != 16 {
            card.setTrailer(of: sector, bytes("D3F7D3F7D3F7 7F0788 40 FFFFFFFFFFFF"))
        }
        for (address, byte) in zip(card.dataAddresses, tlvs) { card.memory[address] = byte }
        return card
    }

    /// The addresses of the NDEF data area of a card that assigns all sectors to NDEF.
    var dataAddresses: [Int] {
        (64..<memory.count).filter { address in
            let sector = Self.sector(of: address / 16)
            return sector != 16 && address / 16 != Self.start(of: sector + 1) - 1
        }
    }

    static func withCRC(_ body: [UInt8]) -> [UInt8] {
        var crc = 0xC7
        for byte in body {
            crc ^= Int(byte)
            for _ in 0..<8 { crc = crc & 0x80 == 0 ? crc << 1 : (crc << 1 ^ 0x11D) & 0xFF }
        }
        return [UInt8(crc)] + body
    }

    static func start(of sector: Int) -> Int { sector <= 32 ? sector * 4 : 128 + (sector - 32) * 16 }
    static func sector(of block: Int) -> Int { block < 128 ? block / 4 : 32 + (block - 128) / 16 }

    func setTrailer(of sector: Int, _ bytes: [UInt8]) {
        let start = Self.start(of: sector + 1) * 16 - 16
        memory.replaceSubrange(start..<start + 16, with: bytes)
    }

    func trailer(of sector: Int) -> [UInt8] { Array(memory[(Self.start(of: sector + 1) * 16 - 16)...].prefix(16)) }

    /// Returns C1 C2 C3 of a group.
    ///
    /// Nil if any bit contradicts its complement, because the sector is blocked in that case.
    func condition(_ sector: Int, _ group: Int) -> Int? {
        let trailer = trailer(of: sector).map { Int($0) }
        let c1 = trailer[7] >> 4
        let c2 = trailer[8] & 0x0F
        let c3 = trailer[8] >> 4
        guard trailer[6] & 0x0F == ~c1 & 0x0F, trailer[6] >> 4 == ~c2 & 0x0F, trailer[7] & 0x0F == ~c3 & 0x0F else {
            return nil
        }
        return (c1 >> group & 1) * 4 + (c2 >> group & 1) * 2 + (c3 >> group & 1)
    }

    func reset() { open = nil }

    func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
        guard framing == .handled, command.count >= 2, Int(command[1]) * 16 < memory.count else { return nil }
        let block = Int(command[1])
        switch (command[0], command.count) {
        case (0x60, 12), (0x61, 12): return authenticate(block, isB: command[0] == 0x61, Array(command[2...]))
        case (0x30, 2): return read(block)
        case (0xA0, 18): return write(block, Array(command[2...])) ? [] : nil
        default: return nil
        }
    }

    private func authenticate(_ block: Int, isB: Bool, _ rest: [UInt8]) -> [UInt8]? {
        authentications += 1
        open = nil
        let sector = Self.sector(of: block)
        let trailer = trailer(of: sector)
        let key = isB ? trailer[10...] : trailer[0..<6]
        guard opensBlockedSectors || condition(sector, 3) != nil, rest == Array(key) + Self.uid else { return nil }
        open = (sector, isB)
        return []
    }

    private func group(of block: Int) -> Int {
        let sector = Self.sector(of: block)
        let index = block - Self.start(of: sector)
        return sector < 32 ? index : index / 5
    }

    /// Returns the condition that applies to a block, and whether the key is key B.
    ///
    /// Nil if the chip refuses any operation.
    private func rule(_ block: Int) -> (condition: Int, isB: Bool)? {
        guard let open, open.sector == Self.sector(of: block), let condition = condition(open.sector, group(of: block)),
            let trailer = self.condition(open.sector, 3)
        else { return nil }
        // A key B that can be read gives no access.
        return open.isB && [0, 1, 2].contains(trailer) ? nil : (condition, open.isB)
    }

    private func read(_ block: Int) -> [UInt8]? {
        guard let rule = rule(block) else { return nil }
        var bytes = Array(memory[block * 16..<block * 16 + 16])
        if group(of: block) == 3 {
            bytes.replaceSubrange(0..<6, with: Array(repeating: 0, count: 6))
            if ![0, 1, 2].contains(rule.condition) {
                bytes.replaceSubrange(10..<16, with: Array(repeating: 0, count: 6))
            }
            return bytes
        }
        return rule.condition == 7 || !rule.isB && [3, 5].contains(rule.condition) ? nil : bytes
    }

    private func write(_ block: Int, _ bytes: [UInt8]) -> Bool {
        guard block > 0, let rule = rule(block) else { return false }
        if group(of: block) == 3 {
            // Partial rights are left out, because no test writes with them.
            guard rule.condition == (rule.isB ? 3 : 1) else { return false }
        } else {
            guard !isHeeding || rule.condition == 0 || rule.isB && [3, 4, 6].contains(rule.condition) else {
                return false
            }
        }
        memory.replaceSubrange(block * 16..<block * 16 + 16, with: bytes)
        writes.append(block)
        return true
    }
}

extension Target {
    /// A MIFARE Classic 1K.
    static let classic = Target.nfcA(NFCATarget(sensRes: [0x00, 0x04], selRes: 0x08, nfcID1: ClassicCard.uid))
    /// A MIFARE Classic 4K with a 7-byte UID.
    static let classic4K = Target.nfcA(
        NFCATarget(sensRes: [0x00, 0x42], selRes: 0x18, nfcID1: bytes("048899") + ClassicCard.uid))
}
