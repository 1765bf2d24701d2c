// The whole memory of a tag, for a file

import Composing
package import ReaderSession
package import TagImage
package import TagTypes

/// The memory of a tag, and the parts of it that could not be read.
package struct TagDump: Sendable {
    package let image: TagImage
    /// The blocks that the tag does not return, except passwords and keys, which can never be read.
    package let hidden: [Int]
    /// The hidden blocks that no key can read, according to the access bits of a MIFARE Classic.
    package let closed: [Int]
    /// The sectors of a MIFARE Classic with an unknown key.
    ///
    /// The dump has zeros instead of that key.
    package var sectorsWithoutKey: [Int] {
        guard image.kind.isClassic else { return [] }
        let sectors = Set(image.blocks.filter { $0.bytes != nil }.map { TagImage.Kind.classicSector(of: $0.number) })
        return sectors.filter { image.keys[$0]?.a == nil || image.keys[$0]?.b == nil }.sorted()
    }
    /// The sectors of a MIFARE Classic that are permanently blocked by invalid access bits.
    package let blocked: [Int]
    /// The content that the chip mirrors into the message, or nil if it mirrors none.
    package let shown: MirrorContent?
    /// Whether the chip fills in the message, or signs it, at each tap.
    package let isFilledIn: Bool
    /// The likely origin of a MIFARE Classic, or nil for other tags.
    package let origin: ClassicOrigin?

    package static func read(_ tag: ConnectedTag) async throws -> TagDump {
        let (image, memory) = try await tag.image()
        let hidden = memory.blocks.filter { $0.bytes == nil && $0.role != .password }.map(\.number)
        let closed = hidden.filter { number in memory.sectors.contains { $0.isClosed(number) } }
        let block0 = memory.blocks.first?.bytes
        let origin = try await tag.perform { try ($0 as? ClassicTag)?.inspectOrigin(block0: block0) }
        return TagDump(
            image: image, hidden: hidden, closed: closed,
            blocked: memory.sectors.filter(\.isBlocked).map(\.number), shown: memory.mirror?.content,
            isFilledIn: image.isFilledIn || memory.sun?.isOn ?? false, origin: origin)
    }
}
