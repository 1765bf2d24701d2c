// Makes the message empty during a restore — NFC Forum T1T, T2T, T3T and T5T, NDEF Write Procedures; NXP AN1304

import TagImage
import TagTypes

/// The block that a restore writes first and last, so that an interrupted restore leaves an empty message.
///
/// Otherwise, phones would read a mixture of the old and the new message.
struct ClosedMessage: Hashable, Sendable {
    /// The first block of the message, with length zero.
    let closed: RestorePlan.Write
    /// The same block with its restored content.
    let open: RestorePlan.Write

    /// Creates the value for a tag with a message, if a restore writes data beyond the first block of that message.
    ///
    /// The result is nil if there is no message, if no other data block is written, if the first block is locked or
    /// needs a password, or if the message is already empty.
    ///
    /// - Parameters:
    ///   - writes: the writes of the restore.
    ///   - memory: the current memory of the tag.
    ///   - kind: the kind of tag in the dump, which determines where the message begins.
    ///   - isOpen: whether the block with the given number can be written without the tag's password.
    init?(
        before writes: [RestorePlan.Write], _ memory: MemoryMap, _ kind: TagImage.Kind, isOpen: (Int) -> Bool
    ) {
        guard memory.blocks.contains(where: { $0.role == .tlv || $0.role == .ndef }),
            let (number, offset) = Self.place(in: memory, kind), isOpen(number),
            let block = memory.blocks.first(where: { $0.number == number }), !block.isLocked,
            let bytes = block.bytes,
            memory.blocks.contains(where: { other in
                MessageReach.data.contains(other.role) && other.number != number
                    && writes.contains { $0.number == other.number }
            }),
            let empty = offset.map({ Self.emptyMessage(bytes, from: $0) }) ?? Self.emptyAttributes(bytes),
            empty != bytes
        else { return nil }
        closed = RestorePlan.Write(number: number, bytes: empty)
        open = writes.first { $0.number == number } ?? RestorePlan.Write(number: number, bytes: bytes)
    }

    /// Returns the number of the block with the first TLV, and the offset of the TLV in that block in bytes.
    ///
    /// The offset is nil for the attributes of a Type 3 Tag, which contain the length instead of a TLV.
    static func place(in memory: MemoryMap, _ kind: TagImage.Kind) -> (number: Int, offset: Int?)? {
        switch kind {
        case .type3, .feliCaLite: return (0, nil)
        case .type2: return (4, 0)
        // The capability container fills the first half of block 1.
        case .topaz96, .topaz512: return (1, 4)
        case .type5(let length):
            // If MLEN is 0, the container has 8 bytes.
            let container = memory.capabilityContainer
            guard length > 0, container.count > 2 else { return nil }
            let start = container[2] == 0 ? 8 : 4
            return (start / length, start % length)
        case .classic: return memory.blocks.first { $0.role == .tlv || $0.role == .ndef }.map { ($0.number, 0) }
        case .type4: return nil
        }
    }

    /// Returns the block with an empty NDEF TLV, or nil if the block is too short for one.
    private static func emptyMessage(_ bytes: [UInt8], from offset: Int) -> [UInt8]? {
        guard bytes.count >= offset + 2 else { return nil }
        return Array((bytes.prefix(offset) + [0x03, 0x00, 0xFE] + bytes.dropFirst(offset + 3)).prefix(bytes.count))
    }

    /// Returns the attributes with WriteFlag set, and with Ln 0 for readers that ignore this flag.
    ///
    /// Returns nil if the block is read-only or does not contain attributes.
    private static func emptyAttributes(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count == 16, BlockRule.allowsWriting(bytes) else { return nil }
        var attributes = bytes.prefix(9) + [0x0F, bytes[10], 0, 0, 0]
        let sum = attributes.reduce(0) { $0 + UInt16($1) }
        attributes += [UInt8(sum >> 8), UInt8(sum & 0xFF)]
        return Array(attributes)
    }
}

extension RestorePlan {
    /// The writes in the order in which they are sent.
    ///
    /// The message is made empty first, and its first block is written after all other data.
    package var steps: [Write] {
        guard let closedMessage else { return writes }
        var steps = writes
        if !steps.contains(closedMessage.open) {
            let end = steps.lastIndex { replaced.contains($0.number) }.map { $0 + 1 } ?? steps.count
            steps.insert(closedMessage.open, at: end)
        }
        return [closedMessage.closed] + steps
    }

    /// Moves the write of the message's first block after the writes of all other data blocks.
    static func messageLast(_ writes: [Write], _ memory: MemoryMap, _ kind: TagImage.Kind) -> [Write] {
        let data = Set(memory.blocks.filter { MessageReach.data.contains($0.role) }.map(\.number))
        guard let first = ClosedMessage.place(in: memory, kind)?.number, data.contains(first),
            let from = writes.firstIndex(where: { $0.number == first }),
            let last = writes.lastIndex(where: { data.contains($0.number) })
        else { return writes }
        var writes = writes
        writes.insert(writes.remove(at: from), at: last)
        return writes
    }
}
