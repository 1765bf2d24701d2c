// Memory with unknown bytes, which .eml and .hex files can mark, but .bin files cannot

import Chips

/// The bytes of all blocks in order, in which `nil` stands for an unknown byte.
///
/// The number of bytes determines the kind of tag.
///
/// A block must be known or unknown as a whole. In a sector trailer of a MIFARE Classic, the same applies separately to
/// each key and to the bytes between them.
enum PartialMemory {
    private static let keyLength = 6

    static func image(_ memory: [UInt8?]) throws(TagImageError) -> TagImage {
        let known = memory.compactMap(\.self)
        guard known.count < memory.count else { return try RawMemory.image(known) }
        // Use zeros for unknown bytes until the size has determined the kind.
        var image = try RawMemory.plainImage(memory.map { $0 ?? 0 })
        if case .type2(let chip?) = image.kind, chip.isNTAGI2C, memory.prefix(9).contains(nil),
            ChipModel.candidates(blockCount: memory.count / 4).contains(where: { !$0.isNTAGI2C })
        {
            throw .malformed(
                "the UID", found: "incomplete",
                expected: "all of its bytes, because several chips have this size")
        }
        image.keys = [:]
        let length = image.kind.blockLength
        for (index, block) in image.blocks.enumerated() {
            let bytes = memory[index * length..<(index + 1) * length]
            guard image.kind.isClassic, TagImage.Kind.isClassicTrailer(block.number) else {
                image.blocks[index].bytes = try whole(bytes, of: block.number)
                continue
            }
            let (trailer, keys) = try trailerAndKeys(bytes, of: block.number)
            image.blocks[index].bytes = trailer
            image.keys[TagImage.Kind.classicSector(of: block.number)] = keys
        }
        image.identifier = image.storedIdentifier ?? []
        // The PMm comes from the same block as the IDm, so if the IDm is not known, the PMm is not known either.
        if image.kind == .feliCaLite, image.identifier.isEmpty { image.parameter = [] }
        return image
    }

    /// Returns the bytes of an image's memory, with `nil` for each unknown byte.
    ///
    /// Throws `TagImageError.notExpressible` with the format if the kind of tag could not be determined from this
    /// memory.
    static func bytes(_ image: TagImage, _ format: TagImage.Format) throws(TagImageError) -> [UInt8?] {
        if case .type5 = image.kind {
            throw .notExpressible(format, reason: "its size would not identify it as \(image.kind)")
        }
        let blocks = image.blocksWithRegisters
        let length = image.kind.blockLength
        let sectors = sectorsWithoutKey(image)
        var memory: [UInt8?] = []
        for block in blocks {
            let sector = TagImage.Kind.classicSector(of: block.number)
            let isTrailer = image.kind.isClassic && TagImage.Kind.isClassicTrailer(block.number)
            let bytes = marked(block.bytes, length)
            // A key can be known even if the rest of its trailer is not.
            guard isTrailer, block.bytes == nil || sectors.contains(sector) else {
                memory += bytes
                continue
            }
            let keys = image.keys[sector]
            memory += marked(keys?.a, keyLength)
            memory += bytes.dropFirst(keyLength).dropLast(keyLength)
            memory += marked(keys?.b, keyLength)
        }
        let filled = memory.map { $0 ?? 0 }
        guard let kind = RawMemory.kind(of: filled), kind.blockLength == length else {
            throw .notExpressible(format, reason: "its size would not identify it as \(image.kind)")
        }
        // Zeros for unknown bytes must not make the memory look like a different chip, whose blocks have other numbers.
        guard !memory.contains(nil) || RawMemory.blockNumbers(kind, filled.count) == blocks.map(\.number) else {
            throw .notExpressible(format, reason: "with zeros for the unknown bytes, it would be read as \(kind)")
        }
        return memory
    }

    /// Returns the MIFARE Classic sectors whose trailer is known except for one or both keys.
    static func sectorsWithoutKey(_ image: TagImage) -> Set<Int> {
        guard image.kind.isClassic else { return [] }
        return Set(
            image.blocks.filter { TagImage.Kind.isClassicTrailer($0.number) && $0.bytes != nil }
                .map { TagImage.Kind.classicSector(of: $0.number) }
                .filter { image.keys[$0]?.a == nil || image.keys[$0]?.b == nil })
    }

    /// Returns the given bytes, or `count` unknown bytes if `bytes` is `nil`.
    private static func marked(_ bytes: [UInt8]?, _ count: Int) -> [UInt8?] {
        guard let bytes else { return Array(repeating: nil, count: count) }
        return bytes.map { Optional($0) }
    }

    /// Returns a sector trailer and its keys, or `nil` for both if nothing is known.
    ///
    /// As in images, the bytes of an unknown key are zeros in the trailer.
    private static func trailerAndKeys(
        _ bytes: ArraySlice<UInt8?>, of block: Int
    ) throws(TagImageError) -> (trailer: [UInt8]?, keys: TagImage.SectorKeys?) {
        let zero = [UInt8](repeating: 0, count: keyLength)
        let a = try whole(bytes.prefix(keyLength), of: block, "key A of ")
        let access = try whole(bytes.dropFirst(keyLength).dropLast(keyLength), of: block, "the access bits of ")
        let b = try whole(bytes.suffix(keyLength), of: block, "key B of ")
        guard a != nil || access != nil || b != nil else { return (nil, nil) }
        return (access.map { (a ?? zero) + $0 + (b ?? zero) }, TagImage.SectorKeys(a: a, b: b))
    }

    /// Returns the bytes if all are known, or `nil` if all are unknown.
    ///
    /// Throws an error if only some are known. `part` names the part of the block that the bytes are, if any.
    private static func whole(
        _ bytes: ArraySlice<UInt8?>, of block: Int, _ part: String = ""
    ) throws(TagImageError) -> [UInt8]? {
        let known = bytes.compactMap(\.self)
        guard known.isEmpty || known.count == bytes.count else {
            throw .malformed(
                "\(part)block \(block)", found: "only partly known", expected: "all of its bytes, or -- for every byte")
        }
        return known.isEmpty ? nil : known
    }
}
