// A tag's whole memory, as a file is to hold it

import Composing
package import ReaderSession
package import TagImage
package import TagTypes

/// A tag's memory, and what is not in it.
package struct TagDump: Sendable {
    /// The memory.
    package let image: TagImage
    /// The blocks that the tag does not show, passwords and keys aside, which never read back.
    package let hidden: [Int]
    /// The sectors of a MIFARE Classic of which a key is not known: it is zeros in the dump's blocks.
    package var sectorsWithoutKey: [Int] {
        guard image.kind.isClassic else { return [] }
        let sectors = Set(image.blocks.filter { $0.bytes != nil }.map { TagImage.Kind.classicSector(of: $0.number) })
        return sectors.filter { image.keys[$0]?.a == nil || image.keys[$0]?.b == nil }.sorted()
    }
    /// What the chip shows in the message in place of its memory.
    package let shown: MirrorContent?
    /// Where a MIFARE Classic is from, as far as it shows; nil for other tags.
    package let origin: ClassicOrigin?

    /// Reads a connected tag.
    package static func read(_ tag: ConnectedTag) async throws -> TagDump {
        let (image, memory) = try await tag.image()
        let hidden = memory.blocks.filter { $0.bytes == nil && $0.role != .password }.map(\.number)
        let block0 = memory.blocks.first?.bytes
        let origin = try await tag.perform { try ($0 as? ClassicTag)?.inspectOrigin(block0: block0) }
        return TagDump(image: image, hidden: hidden, shown: memory.mirror?.content, origin: origin)
    }
}
