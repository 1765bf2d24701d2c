// Content that a chip mirrors over its memory, in a dump and on a tag — NXP NTAG21x, ASCII mirror function

import Chips
import TagImage
package import TagTypes

/// Compares the mirrors of a dump and of the tag to which the dump is restored.
struct RestoreMirror: Sendable {
    /// The current mirror of the tag, or nil if there is none.
    let present: MemoryMap.Mirror?
    /// The mirror of the dumped tag, or nil if there was none.
    let dumped: MemoryMap.Mirror?
    /// The number of CFG 0, which turns a mirror on.
    let configurationBlock: Int?
    /// CFG 0 of the tag with the mirror of the dump, or nil if the restore does not change it.
    let returned: RestorePlan.Write?

    /// Compares the mirrors of a dump and a tag's memory.
    ///
    /// `isOwn` is true if the dump is from this very tag. The dump then restores the mirror that the tag had.
    init(_ image: TagImage, _ memory: MemoryMap, isOwn: Bool) {
        present = memory.mirror?.content == nil ? nil : memory.mirror
        // Only chips with a mirror function report a mirror.
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

    var isSame: Bool { Self.isSame(present, dumped) }

    private static func isSame(_ present: MemoryMap.Mirror?, _ dumped: MemoryMap.Mirror?) -> Bool {
        present?.content == dumped?.content && present?.block == dumped?.block && present?.byte == dumped?.byte
    }

    /// The blocks in which the tag shows mirrored content.
    var shownBlocks: Set<Int> { Set((present?.addresses ?? 0..<0).map { $0 / 4 }) }

    /// Returns the dump with zeros in place of its mirrored UID or counter.
    ///
    /// The bytes that are stored underneath the mirrored content could not be read.
    func stored(_ image: TagImage) -> TagImage {
        guard let dumped else { return image }
        var image = image
        for index in image.blocks.indices {
            image.blocks[index].bytes = Self.filled(image.blocks[index].bytes, image.blocks[index].number, dumped)
        }
        return image
    }

    /// Returns the memory with zeros in place of the tag's mirrored UID or counter.
    func stored(_ memory: MemoryMap) -> MemoryMap {
        guard let present else { return memory }
        var memory = memory
        for index in memory.blocks.indices {
            memory.blocks[index].bytes = Self.filled(memory.blocks[index].bytes, memory.blocks[index].number, present)
        }
        return memory
    }

    /// Returns the blocks whose content is known while the mirror is off.
    ///
    /// The blocks with mirrored content are left out, and so is CFG 0, because a write of CFG 0 may have been
    /// interrupted.
    func knownWhenOff(_ blocks: [Int: [UInt8]]) -> [Int: [UInt8]] {
        blocks.filter { !shownBlocks.contains($0.key) && $0.key != configurationBlock }
    }

    /// Returns blocks with fixed characters in place of the tag's mirrored UID or counter.
    func withoutShown(_ blocks: [Int: [UInt8]]) -> [Int: [UInt8]] {
        guard let present else { return blocks }
        var blocks = blocks
        for number in shownBlocks { blocks[number] = Self.filled(blocks[number], number, present) }
        return blocks
    }

    /// Returns the memory as it is after the mirror is turned off.
    func turnedOff(_ memory: MemoryMap) -> MemoryMap {
        var memory = memory
        for index in memory.blocks.indices where memory.blocks[index].number == configurationBlock {
            memory.blocks[index].bytes = memory.blocks[index].bytes.map(MemoryMap.Mirror.off)
        }
        return memory
    }

    /// Fills the mirrored bytes in the same way as a write of a mirrored message: with digits 0, and with `x` between
    /// UID and counter.
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

/// The effect of a restore on mirrors.
package struct MirrorOutcome: Hashable, Sendable {
    /// The mirror that is turned off for the restore, or nil if there is none.
    package var turnedOff: MirrorContent?
    /// The mirror that the restore turned on or changed, or nil if there is none.
    package var shown: MirrorContent?
    /// The mirror of the dumped tag that this tag will not have, or nil if there is none.
    package var lacking: MirrorContent?
}

extension TagImage.Kind {
    /// Whether the chip has an NFC counter, which it can mirror.
    fileprivate var hasCounter: Bool {
        guard case .type2(let chip?) = self else { return false }
        return chip.layout?.features.contains(.nfcCounter) ?? false
    }
}
