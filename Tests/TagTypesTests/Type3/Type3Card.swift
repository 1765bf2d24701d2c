// FeliCa cards kept in memory — JIS X 6319-4; FeliCa Lite-S User's Manual
import ReaderInterface

@testable import TagTypes

/// A card with one system that may hold NDEF, on a reader that sends frames unchanged.
final class Type3Card: Card {
    static let idm = bytes("012E4CD2A1B2C3D4")

    /// Blocks 0… of services 000B and 0009, 16 bytes each.
    var memory: [UInt8]
    /// The card's limits for one command, whatever its attribute information block says.
    let limits: (read: Int, write: Int)
    /// MC of a Lite-S, or nil for other cards.
    var configuration: [UInt8]?
    /// The answer to Request System Code, 2 bytes for each system.
    ///
    /// If it is empty, the card is silent.
    var systems: [UInt8] = []
    /// The IDm in the NDEF system.
    ///
    /// It differs from ``idm`` if another system is the card's first one.
    var idmOfNDEF = Type3Card.idm
    private(set) var writes: [[Int]] = []

    init(blocks: Int, nbr: Int, nbw: Int, limits: (read: Int, write: Int)? = nil, message: [UInt8]?) {
        memory = [UInt8](repeating: 0, count: blocks * 16)
        self.limits = limits ?? (nbr, nbw)
        guard let message else { return }
        put(attributes(nbr: nbr, nbw: nbw, nmaxb: blocks - 1, length: message.count), at: 0)
        memory.replaceSubrange(16..<16 + message.count, with: message)
    }

    /// Creates a FeliCa Lite-S with S_PAD0 to S_PAD13 and MC as delivered.
    ///
    /// With a message, it has NDEF.
    static func liteS(_ message: [UInt8]? = []) -> Type3Card {
        let card = Type3Card(blocks: 14, nbr: 4, nbw: 1, message: message)
        card.configuration = bytes("FFFFFF\(message == nil ? "00" : "01")07" + String(repeating: "00", count: 11))
        return card
    }

    static func generic(_ message: [UInt8]? = []) -> Type3Card {
        Type3Card(blocks: 101, nbr: 12, nbw: 8, message: message)
    }

    /// Returns block 0 in the form of NFC Forum T3T, with its checksum.
    static func attributes(
        version: UInt8 = 0x10, nbr: Int, nbw: Int, nmaxb: Int, writeFlag: UInt8 = 0, rwFlag: UInt8 = 1, length: Int
    ) -> [UInt8] {
        var block = [version, UInt8(nbr), UInt8(nbw), UInt8(nmaxb >> 8), UInt8(nmaxb & 0xFF), 0, 0, 0, 0]
        block += [writeFlag, rwFlag, UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
        let sum = block.reduce(0) { $0 + Int($1) }
        return block + [UInt8(sum >> 8), UInt8(sum & 0xFF)]
    }

    private func attributes(nbr: Int, nbw: Int, nmaxb: Int, length: Int) -> [UInt8] {
        Self.attributes(nbr: nbr, nbw: nbw, nmaxb: nmaxb, length: length)
    }

    func put(_ block: [UInt8], at number: Int) { memory.replaceSubrange(number * 16..<number * 16 + 16, with: block) }
    func block(_ number: Int) -> [UInt8] { Array(memory[number * 16..<number * 16 + 16]) }

    func reset() {}

    func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
        guard framing == .raw, command.count >= 2, Int(command[0]) == command.count else { return nil }
        if command[1] == 0x00 {
            let isNDEF = configuration.map { $0[3] & 1 != 0 } ?? true
            guard Array(command[2..<4]) == [0x12, 0xFC], isNDEF else { return nil }
            return frame(0x01, idmOfNDEF + bytes("00F1000000014300"))
        }
        if command[1] == 0x0C, !systems.isEmpty {
            return frame(0x0D, idmOfNDEF + [UInt8(systems.count / 2)] + systems)
        }
        guard command.count > 14, Array(command[2..<10]) == idmOfNDEF, command[10] == 1 else { return nil }
        var list = command[14...]
        var blocks: [Int] = []
        for _ in 0..<command[13] {
            guard list.count >= 2 else { return nil }
            let isShort = list[list.startIndex] & 0x80 != 0
            guard isShort || list.count >= 3 else { return nil }
            let low = Int(list[list.startIndex + 1])
            blocks.append(isShort ? low : low | Int(list[list.startIndex + 2]) << 8)
            list = list.dropFirst(isShort ? 2 : 3)
        }
        switch (command[1], Array(command[11..<13])) {
        case (0x06, [0x0B, 0x00]): return read(blocks)
        case (0x08, [0x09, 0x00]): return write(blocks, Array(list))
        default: return status(command[1] + 1, 0xFF, 0xA6)
        }
    }

    private func read(_ blocks: [Int]) -> [UInt8] {
        guard !blocks.isEmpty, blocks.count <= limits.read else { return status(0x07, 0xFF, 0xA2) }
        var data: [UInt8] = []
        for (index, number) in blocks.enumerated() {
            if number == 0x88, let configuration {
                data += configuration
            } else if configuration != nil, [0x0E, 0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x90].contains(number) {
                data += [UInt8](repeating: 0, count: 16)
            } else if number < memory.count / 16 {
                if let configuration, word(configuration, 6) & 1 << UInt16(number) != 0 {
                    return status(0x07, 1 << UInt8(index), 0xB1)
                }
                data += block(number)
            } else {
                return status(0x07, 1 << UInt8(index % 8), 0xA8)
            }
        }
        return frame(0x07, idmOfNDEF + [0x00, 0x00, UInt8(blocks.count)] + data)
    }

    private func write(_ blocks: [Int], _ data: [UInt8]) -> [UInt8] {
        guard !blocks.isEmpty, blocks.count <= limits.write, data.count == blocks.count * 16 else {
            return status(0x09, 0xFF, 0xA2)
        }
        for (index, number) in blocks.enumerated() where !isWritable(number) {
            return status(0x09, 1 << UInt8(index), number < memory.count / 16 ? 0xA5 : 0xA8)
        }
        writes.append(blocks)
        for (index, number) in blocks.enumerated() {
            let bytes = Array(data[index * 16..<index * 16 + 16])
            if number == 0x88, let old = configuration {
                // Access bits can only be cleared.
                configuration = (0..<2).map { old[$0] & bytes[$0] } + bytes[2...]
            } else {
                put(bytes, at: number)
            }
        }
        return status(0x09, 0x00, 0x00)
    }

    private func isWritable(_ number: Int) -> Bool {
        guard let configuration else { return number < memory.count / 16 }
        if number == 0x88 { return configuration[1] & 0x80 != 0 && configuration[2] == 0xFF }
        return number < 14 && word(configuration, 0) & 1 << UInt16(number) != 0
    }

    private func word(_ bytes: [UInt8], _ index: Int) -> UInt16 { UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8 }

    private func status(_ code: UInt8, _ flag1: UInt8, _ flag2: UInt8) -> [UInt8] {
        frame(code, idmOfNDEF + [flag1, flag2])
    }

    private func frame(_ code: UInt8, _ body: [UInt8]) -> [UInt8] { [UInt8(body.count + 2), code] + body }
}

extension Type3Card: TearableCard {}

extension Target {
    /// A FeliCa Lite-S as a wildcard poll finds it: system code 88B4, IC code F1.
    static let liteS = Target.nfcF(
        NFCFTarget(nfcID2: Type3Card.idm, pad: bytes("00F1000000014300"), systemCode: [0x88, 0xB4]))
    /// A card whose first system is the NDEF system.
    static let type3 = Target.nfcF(
        NFCFTarget(nfcID2: Type3Card.idm, pad: bytes("0120220427674EFF"), systemCode: [0x12, 0xFC]))
}
