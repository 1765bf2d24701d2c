// One-time bits that a restore sets — NXP NTAG21x and MF0ULx1, NT3H1101; Broadcom Topaz; Sony FeliCa Lite-S

import Hexadecimal
package import TagImage
package import TagTypes

/// A change in which a restore sets one-time bits of a block.
package struct OneTimeChange: Hashable, Sendable {
    /// The name of the bits, for example `static lock bits`.
    package let name: String
    package let block: Int
    package let old: [UInt8]
    package let new: [UInt8]
    /// The effect of setting the bits, worded as a clause.
    package let effect: String
    /// One block of each group that the bits lock.
    ///
    /// The list is empty if the groups are not known.
    ///
    /// A lock can be tested by writing such a block's own bytes to it.
    package let locked: [Int]
    /// One block of each locked group that cannot be tested, because keys cannot be read and writing to a counter
    /// increments it.
    package let untriable: [Int]

    /// The beginning of the name of the access bits of a MIFARE Classic, which the sector number follows.
    package static let accessBitsName = "access bits of sector "

    /// Whether the bits are the access bits of a MIFARE Classic sector.
    ///
    /// Their block also contains the sector's keys.
    package let isOfKeys: Bool

    package let isLock: Bool

    /// The line that describes the change in a question.
    package var text: String { "  \(name), block \(block): \(old.hex) becomes \(new.hex): \(effect)" }

    package init(_ block: MemoryMap.Block, to new: [UInt8], of memory: MemoryMap, kind: TagImage.Kind) {
        let old = block.bytes ?? [UInt8](repeating: 0, count: new.count)
        let added = zip(old, new).map { $1 & ~$0 }
        self.block = block.number
        // In a trailer, show only the access bits and the byte after them, because keys cannot be read.
        let shown = block.role == .trailer && new.count == 16 && old.count == 16 ? 6..<10 : 0..<new.count
        (self.old, self.new) = (Array(old[shown.clamped(to: 0..<old.count)]), Array(new[shown]))
        isOfKeys = block.role == .trailer
        isLock = block.role == .lock || isOfKeys
        let triable: Set<MemoryMap.Role> = [.tlv, .ndef, .free, .capabilityContainer]
        let candidates = Set(memory.blocks.filter { triable.contains($0.role) }.map(\.number))
        switch (kind, block.role) {
        case (.type2, .lock) where block.number == 2:
            name = "static lock bits"
            let closed = Self.staticallyClosed(added)
            locked = closed.filter { $0 > 2 && candidates.contains($0) }
            untriable = closed.filter { $0 > 2 && !candidates.contains($0) }
            effect = Self.effect(closed, frozen: added[2] & 0x07 == 0 ? nil : "some static lock bits")
        case (.type2, .lock):
            name = "dynamic lock bits"
            let closes = memory.dynamicLock?.closes ?? [:]
            let positions = Self.positions(added, from: (memory.dynamicLock?.address ?? 0) - block.number * 4)
            let groups = positions.compactMap { closes[$0] }
            locked = groups.compactMap { $0.first { candidates.contains($0) } }.sorted()
            untriable = groups.filter { !$0.contains { candidates.contains($0) } }.compactMap(\.first).sorted()
            effect = Self.effect(
                groups.flatMap(\.self), frozen: groups.count == positions.count ? nil : "some dynamic lock bits")
        case (.topaz96, .lock), (.topaz512, .lock):
            let isStatic = block.number == 14
            let hasLocks = added[0] | added[1] != 0
            name = !isStatic ? "dynamic lock bits" : hasLocks ? "static lock bits" : "one-time bits"
            (locked, untriable) = ([], [])
            effect =
                isStatic
                ? Self.effect(
                    Self.positions(Array(added[..<2]), from: 0),
                    frozen: added[2...].contains { $0 != 0 } ? "one-time bits" : nil)
                : "their blocks can never be written again"
        case (_, .trailer):
            let sector = TagImage.Kind.classicSector(of: block.number)
            name = "\(Self.accessBitsName)\(sector)"
            (locked, untriable) = ([], [])
            let access = new.count == 16 ? ClassicAccess(new[6..<9]) : nil
            let frozen = Self.blocks(access, without: .write, before: block.number, of: sector, in: memory)
            let unreadable = Self.blocks(access, without: .read, before: block.number, of: sector, in: memory)
            effect = Self.effect(
                frozen.filter { !unreadable.contains($0) }, unreadable: unreadable, frozen: "the access bits")
        case (_, .capabilityContainer):
            name = "capability container"
            (locked, untriable) = ([], [])
            let isMark = added.count == 4 && new[3] & 0x0F == 0x0F && old[3] & 0x0F != 0x0F
            effect =
                isMark
                ? "marks the tag as read-only for readers" : "this can never be undone"
        default:
            name = kind == .feliCaLite ? "memory configuration" : "configuration"
            (locked, untriable) = ([], [])
            effect = "what it locks can never be unlocked"
        }
    }

    /// Returns the data blocks of a sector for which no key has the given right.
    ///
    /// Each group of conditions covers one block, or five in a large sector. If no key can read a block, no key can
    /// write it either. Block 0 is never written.
    private static func blocks(
        _ access: ClassicAccess?, without right: ClassicRight, before trailer: Int, of sector: Int, in memory: MemoryMap
    ) -> [Int] {
        guard let access, access.data.count == 3 else { return [] }
        let blocks = memory.blocks.map(\.number).filter {
            ($0 > 0 || right == .read) && $0 < trailer && TagImage.Kind.classicSector(of: $0) == sector
        }
        let first = (blocks.first ?? 0) == 1 ? 0 : blocks.first ?? 0
        let perGroup = max(1, (trailer - first) / 3)
        return blocks.filter { access.keys(right, .data(min(($0 - first) / perGroup, 2))).isEmpty }
    }

    private static func effect(_ closed: [Int], unreadable: [Int] = [], frozen: String?) -> String {
        let clauses = [
            unreadable.isEmpty ? nil : "\(BlockList(unreadable)) can never be read or written again",
            closed.isEmpty ? nil : "\(BlockList(closed)) can never be written again",
            frozen.map { "\($0) can never be changed again" },
        ]
        return clauses.compactMap(\.self).joined(separator: ", ")
    }

    /// Returns the blocks that the added static lock bits lock.
    ///
    /// Bits 3…7 of byte 2 lock blocks 3 to 7, and bits 0…7 of byte 3 lock blocks 8 to 15. Bits 0…2 of byte 2 freeze
    /// lock bits.
    private static func staticallyClosed(_ added: [UInt8]) -> [Int] {
        positions([added[2] & 0xF8, added[3]], from: 0)
    }

    /// Returns the positions of the set bits, counted from bit 0 of the byte at index `first`.
    private static func positions(_ bytes: [UInt8], from first: Int) -> [Int] {
        bytes.indices.flatMap { index in
            (0..<8).filter { bytes[index] >> $0 & 1 == 1 }.map { (index - first) * 8 + $0 }
        }
    }
}
