// How far a message extends after a partial dump is restored — NFC Forum T2T and T5T, TLV Blocks; T3T, Ln

import TagImage
import TagTypes

/// The data of a tag as it will be after a restore.
struct MessageReach {
    static let data: Set<MemoryMap.Role> = [.tlv, .ndef, .free, .directory]

    private let blocks: [MemoryMap.Block]
    private let kind: TagImage.Kind
    private var length: Int { max(1, kind.blockLength) }
    /// The last data block that is written, or nil if there is none.
    private let lastWritten: Int?
    private let contents: [Int: [UInt8]]

    init(_ memory: MemoryMap, after writes: [RestorePlan.Write], kind: TagImage.Kind) {
        blocks = memory.blocks
        self.kind = kind
        let data = Set(memory.blocks.filter { Self.data.contains($0.role) }.map(\.number))
        lastWritten = writes.map(\.number).filter { data.contains($0) }.max()
        var contents = memory.blocks.reduce(into: [Int: [UInt8]]()) { $0[$1.number] = $1.bytes }
        for write in writes { contents[write.number] = write.bytes }
        self.contents = contents
    }

    /// Returns the missing blocks into which a message with bytes from the dump would extend.
    ///
    /// If the end of the message is not known, every missing block before the last written one counts too.
    func mixed(_ missing: [Int]) -> [Int] {
        guard let lastWritten else { return [] }
        let end = lastBlock
        return blocks.filter { block in
            guard missing.contains(block.number), Self.data.contains(block.role) else { return false }
            guard let end else { return block.number < lastWritten || block.role == .ndef || block.role == .tlv }
            return block.number <= end
        }.map(\.number)
    }

    /// The last block of the message, or nil if it is not known.
    private var lastBlock: Int? {
        switch kind {
        case .type2: lastBlockOfTLV(from: 16)
        // The third byte of the container determines the container's length: 8 bytes if it is 0, and otherwise 4.
        case .type5: byte(2).flatMap { lastBlockOfTLV(from: $0 == 0 ? 8 : 4) }
        case .type3, .feliCaLite: lastBlockOfAttributes
        default: nil
        }
    }

    private func lastBlockOfTLV(from start: Int) -> Int? {
        var address = start
        while let tag = byte(address) {
            switch tag {
            case 0x00: address += 1
            case 0xFE: return address / length
            default:
                guard let short = byte(address + 1) else { return nil }
                var (valueLength, head) = (Int(short), 2)
                if short == 0xFF {
                    guard let high = byte(address + 2), let low = byte(address + 3) else { return nil }
                    (valueLength, head) = (Int(high) << 8 | Int(low), 4)
                }
                if tag == 0x03 { return (address + head + valueLength - 1) / length }
                address += head + valueLength
            }
        }
        return nil
    }

    private var lastBlockOfAttributes: Int? {
        guard let bytes = contents[0], bytes.count == 16 else { return nil }
        let length = Int(bytes[11]) << 16 | Int(bytes[12]) << 8 | Int(bytes[13])
        return (length + 15) / 16
    }

    private func byte(_ address: Int) -> UInt8? {
        guard let bytes = contents[address / length], bytes.count == length else { return nil }
        return bytes[address % length]
    }
}
