// What a chip shows in place of its memory, in a dump and on a tag — NXP NTAG21x, ASCII mirror function

import Chips
package import TagImage
package import TagTypes

/// The mirrors of a dump and of the tag that it is restored to.
package struct RestoreMirror: Sendable {
    /// What the tag shows now; nil for nothing.
    package let present: MemoryMap.Mirror?
    /// What the dumped tag showed; nil for nothing.
    package let dumped: MemoryMap.Mirror?
    /// The number of CFG 0, which turns a mirror on.
    package let configurationBlock: Int?
    /// CFG 0 of the tag with the mirror of the dump; nil where the restore leaves it alone.
    package let returned: RestorePlan.Write?

    /// Compares the mirrors; a dump of this very tag (`isOwn`) gives it back what it showed.
    package init(_ image: TagImage, _ memory: MemoryMap, isOwn: Bool) {
        present = memory.mirror?.content == nil ? nil : memory.mirror
        // Only chips with a mirror say what it is.
        configurationBlock = memory.mirror.flatMap { _ in memory.blocks.first { $0.role == .configuration }?.number }
        let mirror = configurationBlock.flatMap { image[block: $0] }.flatMap {
            MemoryMap.Mirror(configuration: $0, hasCounter: image.kind.hasCounter)
        }
        dumped = mirror?.content == nil ? nil : mirror
        let isClosed = memory.password?.isConfigurationLocked ?? false
        let isWanted = dumped != nil && (Self.isSame(present, dumped) || isOwn && !isClosed)
        let block = isWanted ? memory.blocks.first { [configurationBlock] in $0.number == configurationBlock } : nil
        returned = block.flatMap { block in
            guard let bytes = block.bytes, let source = image[block: block.number] else { return nil }
            return RestorePlan.Write(
                number: block.number, bytes: MemoryMap.Mirror.taken(from: source, into: bytes))
        }
    }

    /// Whether both show the same in the same place.
    package var isSame: Bool { Self.isSame(present, dumped) }

    private static func isSame(_ present: MemoryMap.Mirror?, _ dumped: MemoryMap.Mirror?) -> Bool {
        present?.content == dumped?.content && present?.block == dumped?.block && present?.byte == dumped?.byte
    }

    /// The blocks in which the tag shows something.
    package var shownBlocks: Set<Int> { Set((present?.addresses ?? 0..<0).map { $0 / 4 }) }

    /// The dump with zeros where the dumped tag showed its UID or counter: what was stored there could not be read.
    package func stored(_ image: TagImage) -> TagImage {
        guard let dumped else { return image }
        var image = image
        for index in image.blocks.indices {
            image.blocks[index].bytes = Self.filled(image.blocks[index].bytes, image.blocks[index].number, dumped)
        }
        return image
    }

    /// The memory with zeros where the tag shows its UID or counter.
    package func stored(_ memory: MemoryMap) -> MemoryMap {
        guard let present else { return memory }
        var memory = memory
        for index in memory.blocks.indices {
            memory.blocks[index].bytes = Self.filled(memory.blocks[index].bytes, memory.blocks[index].number, present)
        }
        return memory
    }

    /// The tag's blocks of which it is known what they hold while the mirror is turned off: not those in which it shows
    /// something, and not CFG 0, which may be torn then.
    package func knownWhenOff(_ blocks: [Int: [UInt8]]) -> [Int: [UInt8]] {
        blocks.filter { !shownBlocks.contains($0.key) && $0.key != configurationBlock }
    }

    /// Blocks without the bytes in which the tag shows something.
    package func withoutShown(_ blocks: [Int: [UInt8]]) -> [Int: [UInt8]] {
        guard let present else { return blocks }
        var blocks = blocks
        for number in shownBlocks { blocks[number] = Self.filled(blocks[number], number, present) }
        return blocks
    }

    /// The memory as it is when the mirror was turned off.
    package func turnedOff(_ memory: MemoryMap) -> MemoryMap {
        var memory = memory
        for index in memory.blocks.indices where memory.blocks[index].number == configurationBlock {
            memory.blocks[index].bytes = memory.blocks[index].bytes.map(MemoryMap.Mirror.off)
        }
        return memory
    }

    /// As a write of a mirrored message leaves it: digits 0, and the `x` between UID and counter.
    private static func filled(_ bytes: [UInt8]?, _ number: Int, _ mirror: MemoryMap.Mirror) -> [UInt8]? {
        guard var bytes, let addresses = mirror.addresses else { return bytes }
        for index in bytes.indices where addresses.contains(number * 4 + index) {
            let position = number * 4 + index - addresses.lowerBound
            let isSeparator = mirror.content == .uidAndCounter && position == MirrorContent.uid.length
            bytes[index] = isSeparator ? UInt8(ascii: "x") : UInt8(ascii: "0")
        }
        return bytes
    }
}

/// What a restore does about mirrors.
package struct MirrorOutcome: Hashable, Sendable {
    /// What the tag shows when the restore begins and is turned off for it; nil for nothing.
    package var turnedOff: MirrorContent?
    /// What the tag shows after the restore, where that changed anything about it; nil for nothing.
    package var shown: MirrorContent?
    /// What the dumped tag showed and this one will not show; nil for nothing.
    package var lacking: MirrorContent?
}

extension TagImage.Kind {
    /// Whether the chip has an NFC counter, which it may show.
    fileprivate var hasCounter: Bool {
        guard case .type2(let chip?) = self else { return false }
        return chip.layout?.features.contains(.nfcCounter) ?? false
    }
}
