// Reading a tag from a dump, without a reader

import Chips
import NDEF
package import PhoneLint
import ReaderInterface
public import TagImage
import TagTypes

/// A tag in a dump, which can be read like a tag on a reader.
///
/// ```swift
/// let tag = DumpedTag(try DumpFile(path: "tag.nfc").read(), file: "tag.nfc")
/// print(try tag.reading().message.records)
/// ```
public struct DumpedTag {
    private let image: TagImage
    private let file: String

    /// Creates a tag from the image of its memory.
    ///
    /// - Parameters:
    ///   - image: the image of the memory.
    ///   - file: the path of the dump, as the user named it.
    public init(_ image: TagImage, file: String) {
        self.image = image
        self.file = file
    }

    private func tag(fillsGaps: Bool = false) -> any ForumTag {
        let tag = TagDetection.tag(
            on: ImageChannel(image, fillsGaps: fillsGaps), patience: Patience(attempts: 3, time: .zero, pause: .zero))
        (tag as? ClassicTag)?.offer(image.keys.mapValues { SectorKeys(a: $0.a, b: $0.b) })
        return tag
    }

    /// The bytes that virtual tags, and their files, contain instead of an originality signature.
    private static let signatureOfVirtualTags = Array("nfctool: no NXP key signed this.".utf8)

    private var gaps: [Int] { image.blocks.filter { $0.bytes == nil }.map(\.number) }

    /// Returns the state of the tag.
    ///
    /// It is adjusted if the dump lacks blocks that determine it.
    ///
    /// Unknown lock bits count as clear, and an unknown configuration does not protect the tag.
    private func honest(_ state: NDEFState) -> NDEFState {
        switch image.kind {
        case .topaz96, .topaz512: return gaps.first.map { NDEFState(unknownBlock: $0) } ?? state
        case .type2(let chip):
            guard let layout = chip?.layout, state.status == .readWrite, state.reason == nil else { return state }
            // Block 2 holds the static lock bits — NFC Forum T2T, Static Lock Bytes.
            let deciding = [layout.dynamicLock?.blocks, layout.protection?.configurationBlocks]
            let missing = gaps.filter { block in block == 2 || deciding.contains { $0?.contains(block) ?? false } }
            guard !missing.isEmpty else { return state }
            var state = state
            state.reason =
                "\(BlockList(missing)) \(missing.count == 1 ? "is" : "are") not in this file, so the file does not show "
                + "whether the tag is locked or protected"
            return state
        case .classic, .feliCaLite, .type3, .type4, .type5: return state
        }
    }

    /// Inspects the tag: its chip, state and memory.
    ///
    /// - Throws: `TagError` if nothing can be read from the memory.
    public func inspection() throws -> TagInspection {
        let tag = tag(fillsGaps: true)
        let isVirtual = image.signature == Self.signatureOfVirtualTags
        var inspection = try TagInspection(of: tag, on: "", isVirtual: isVirtual)
        inspection.file = file
        inspection.state = honest(inspection.state)
        // Take the block contents from the dump. READ commands would return other blocks in place of unknown ones, and
        // would end before the last block.
        let numbers = Set(image.blocks.map(\.number))
        if !numbers.isEmpty { inspection.memory.blocks.removeAll { !numbers.contains($0.number) } }
        for (index, block) in inspection.memory.blocks.enumerated()
        where numbers.contains(block.number) && block.role != .password && block.role != .trailer {
            inspection.memory.blocks[index].bytes = image[block: block.number]
        }
        inspection.memory.sectors = inspection.memory.sectors.map { sector in
            sector.knowing(image.keys[sector.number].map { SectorKeys(a: $0.a, b: $0.b) })
        }
        return inspection
    }

    /// Reads the message of the tag.
    ///
    /// - Throws: ``BrokenMessage``; `TagError`, including if the dump does not contain a block that is needed.
    public func reading() throws -> TagReading {
        let tag = tag()
        var reading = try TagReading(of: tag, on: "")
        reading.file = file
        reading.state = honest(reading.state)
        return try reading.whole()
    }

    /// The message of the tag, or nil if the dump lacks blocks that are needed to read the message.
    var held: HeldMessage? { try? HeldMessage.read(from: tag()) }

    /// Checks the tag for problems with phones.
    ///
    /// - Throws: `NDEFError`; `TagError`.
    package func check(by lint: PhoneLint) throws -> Check {
        let tag = tag()
        return try Check(try CheckedTag(tag), of: tag.channel.target, on: "", by: lint)
    }
}
