// A tag's memory as an image: what dump saves, and what restore and diff compare a file with

import CoreNFC
import NFCReader
import TagImage
import TagTypes

extension TagImage {
    /// The image of a tag that was just read.
    ///
    /// - Parameter message: the NDEF message, of which a Type 4 Tag's NDEF file is made.
    /// - Throws: ``TagError/unsupported(reason:)`` when the tag's memory cannot be read.
    init(of target: Target, chip: TagTypes.Chip?, type: TagType?, memory: MemoryMap, message: [UInt8]) throws(TagError)
    {
        guard let kind = Kind(type, chip: chip, memory: memory) else {
            throw .unsupported(reason: "its memory cannot be read")
        }
        self.init(kind: kind)
        identifier = target.identifier
        if case .nfcA(let target) = target {
            atqa = target.sensRes
            sak = target.selRes
            ats = target.ats
        }
        if case .type2 = kind, let evidence = chip?.evidence, evidence.count == 8 { version = evidence }
        blocks = memory.blocks.map { Block(number: $0.number, bytes: $0.bytes) }
        guard kind == .type4 else { return }
        files = [File(identifier: 0xE103, bytes: memory.capabilityContainer)]
        if let file = memory.files.first(where: { $0.kind == "NDEF" }) {
            let length = [UInt8(message.count >> 8 & 0xFF), UInt8(message.count & 0xFF)]
            files.append(File(identifier: file.identifier, bytes: length + message))
        }
    }
}

extension TagImage.Kind {
    /// The kind of a tag whose blocks, or files, are known; `nil` of any other.
    fileprivate init?(_ type: TagType?, chip: TagTypes.Chip?, memory: MemoryMap) {
        switch type {
        case .type2 where !memory.blocks.isEmpty:
            let candidates = TagImage.Chip.candidates(blockCount: memory.blocks.count)
            self = .type2(
                chip.flatMap { TagImage.Chip(version: $0.evidence) } ?? (candidates.count == 1 ? candidates.first : nil)
            )
        case .type4 where !memory.capabilityContainer.isEmpty: self = .type4
        default: return nil
        }
    }
}

extension TagImage {
    /// Whether the image may be of the same chip as another: a file of mere memory does not tell apart those of one size.
    func fits(_ other: TagImage) -> Bool {
        if kind == other.kind { return blocks.map(\.number) == other.blocks.map(\.number) }
        guard case .type2(let mine) = kind, case .type2(let others) = other.kind else { return false }
        return (mine == nil || others == nil) && blocks.count == other.blocks.count
    }

    /// The kind for people, with the chips it may be where the file does not tell.
    var kindName: String {
        guard case .type2(nil) = kind else { return kind.description }
        let candidates = Chip.candidates(blockCount: blocks.count).map(\.rawValue)
        return candidates.isEmpty ? "a tag of \(blocks.count) blocks" : candidates.joined(separator: " or ")
    }
}

extension TagSession {
    /// Connects to a tag and reads its whole memory.
    func image(of tag: SessionTag) async throws -> (TagImage, MemoryMap) {
        try await session?.connect(to: tag)
        return try await tag.perform { forumTag in
            // A tag that breaks the rules of NDEF has a memory all the same.
            let state = try? forumTag.detect()
            let memory = try forumTag.memoryMap()
            let isFile = forumTag.type == .type4 && state?.messageLength ?? 0 > 0
            let message = isFile ? try forumTag.readNDEF() : []
            let image = try TagImage(
                of: forumTag.channel.target, chip: forumTag.chip, type: forumTag.type, memory: memory, message: message)
            return (image, memory)
        }
    }
}
