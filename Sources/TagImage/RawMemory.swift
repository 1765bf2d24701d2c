// Memory without metadata: .bin, .mfd, and Proxmark's .bin with a header — libnfc nfc-mfclassic; mfu_dump_t
import Chips
import Hexadecimal

/// The bytes of all blocks in order, without further data.
///
/// The number of bytes determines the kind of tag.
enum RawMemory {
    /// The length of the header in Proxmark's dump of a Type 2 Tag: version (8), TBO_0 (2), TBO_1 (1), last page (1),
    /// signature (32), and three counters (3 each, little-endian), each followed by its tearing flag (1).
    private static let headerLength = 56
    private static let lastPageOffset = 11
    private static let signatureOffset = 12
    private static let countersOffset = 44
    /// The length of the header in Proxmark's earlier format: version (8), TBO_0 (2), three tearing flags (3), PACK
    /// (2), TBO_1 (1), signature (32).
    private static let oldHeaderLength = 48
    private static let oldSignatureOffset = 16
    private static let signatureLength = 32

    static func image(_ bytes: [UInt8]) throws(TagImageError) -> TagImage {
        if let image = imageWithHeader(bytes) ?? imageWithOldHeader(bytes) { return image }
        if let image = imageOfOtherLength(bytes) { return image }
        return try plainImage(bytes)
    }

    /// Reads a file that contains only the memory, with nothing before or after it.
    static func plainImage(_ bytes: [UInt8]) throws(TagImageError) -> TagImage {
        guard let kind = kind(of: bytes), let numbers = blockNumbers(kind, bytes.count) else {
            throw .unknownFormat(
                reason:
                    "no known tag has a memory of \(ByteCount(bytes.count)), and the file is not in one of the text "
                    + "formats"
            )
        }
        var image = TagImage(kind: kind)
        image.blocks = numbers.enumerated().map { index, number in
            let start = index * kind.blockLength
            return TagImage.Block(number: number, bytes: Array(bytes[start..<start + kind.blockLength]))
        }
        image.adoptTrailerKeys()
        image.identifier = image.storedIdentifier ?? []
        // The block D_ID contains the IDm, followed by the PMm.
        if kind == .feliCaLite {
            image.parameter = image[block: TagImage.Kind.feliCaIdentifierBlock]?.suffix(8).map(\.self) ?? []
        }
        return image
    }

    static func bytes(_ image: TagImage) throws(TagImageError) -> [UInt8] {
        let memory = try PartialMemory.bytes(image, .bin)
        let bytes = memory.compactMap(\.self)
        guard bytes.count == memory.count else {
            throw .notExpressible(.bin, reason: "\(gap(in: image)), and \(formatsWithMarks(image)) mark unknown bytes")
        }
        return bytes
    }

    /// Returns a clause that describes what is unknown in an image.
    private static func gap(in image: TagImage) -> String {
        let blocks = image.blocksWithRegisters
        let missing = blocks.count { $0.bytes == nil }
        if missing == 0, let sector = PartialMemory.sectorsWithoutKey(image).min() {
            return "a key of sector \(sector) is not known"
        }
        return "\(missing) of the tag's \(blocks.count) blocks could not be read"
    }

    /// Lists the formats that can hold an image with unknown bytes.
    ///
    /// JSON is always one of them.
    private static func formatsWithMarks(_ image: TagImage) -> String {
        let formats = TagImage.Format.allCases.filter { $0 != .bin && $0 != .json && (try? image.bytes($0)) != nil }
        let names = formats.map { ".\($0.rawValue)" }
        return names.isEmpty ? "only .json files" : "only \(names.joined(separator: ", ")) and .json files"
    }

    /// Returns the kind of tag whose memory has this size, or `nil` if there is none.
    static func kind(of bytes: [UInt8]) -> TagImage.Kind? {
        let size = bytes.count
        if let kind = TagImage.Kind.fixed.first(where: { ($0.blockNumbers?.count ?? 0) * $0.blockLength == size }) {
            return kind
        }
        guard size % 4 == 0 else { return nil }
        let candidates = ChipModel.candidates(blockCount: size / 4)
        guard !candidates.isEmpty else { return nil }
        // Unlike that of an NTAG216, the memory of an NTAG I2C contains no check bytes for its UID.
        let isPlain = !hasCheckBytes(bytes)
        let told =
            Set(candidates.map(\.isNTAGI2C)).count == 1 ? candidates : candidates.filter { $0.isNTAGI2C == isPlain }
        return .type2(told.count == 1 ? told.first : nil)
    }

    static func blockNumbers(_ kind: TagImage.Kind, _ size: Int) -> [Int]? {
        kind == .type2(nil) ? Array(0..<size / 4) : kind.blockNumbers
    }

    /// Whether both check bytes of the UID, BCC0 and BCC1, are correct — ISO/IEC 14443-3.
    ///
    /// BCC0 includes the cascade tag 88.
    private static func hasCheckBytes(_ memory: [UInt8]) -> Bool {
        hasFirstCheckByte(memory) && memory[4] ^ memory[5] ^ memory[6] ^ memory[7] == memory[8]
    }

    private static func hasFirstCheckByte(_ memory: [UInt8]) -> Bool {
        0x88 ^ memory[0] ^ memory[1] ^ memory[2] == memory[3]
    }

    /// Reads the dump of a Type 2 Tag without its password pages, or with its signature after the memory.
    ///
    /// For an NTAG215, these dumps have 532 and 572 bytes. A dump is recognised only if the UID has correct check bytes
    /// and all chips with a matching size have the same memory size.
    private static func imageOfOtherLength(_ bytes: [UInt8]) -> TagImage? {
        guard bytes.count % 4 == 0, bytes.count > 64, kind(of: bytes) == nil, hasCheckBytes(bytes) else { return nil }
        let memory: [UInt8]
        let signature: [UInt8]
        let shorter = ChipModel.all.filter { chip in
            chip.isToldBySize && chip.secretLength > 0 && chip.blockCount * 4 - chip.secretLength == bytes.count
        }
        if let chip = shorter.first, Set(shorter.map(\.blockCount)).count == 1 {
            // Add zeros for the password pages, because a chip returns zeros for them.
            (memory, signature) = (bytes + [UInt8](repeating: 0, count: chip.secretLength), [])
        } else if !ChipModel.candidates(blockCount: (bytes.count - signatureLength) / 4).isEmpty {
            (memory, signature) = (Array(bytes.dropLast(signatureLength)), Array(bytes.suffix(signatureLength)))
        } else {
            return nil
        }
        guard let kind = kind(of: memory), let numbers = blockNumbers(kind, memory.count) else { return nil }
        var image = TagImage(kind: kind)
        image.blocks = numbers.enumerated().map { index, number in
            .init(number: number, bytes: Array(memory[index * 4..<index * 4 + 4]))
        }
        image.signature = signature.contains { $0 != 0 } ? signature : []
        image.identifier = image.storedIdentifier ?? []
        return image
    }

    /// Reads a dump in Proxmark's earlier format.
    ///
    /// The version in its header identifies the chip, and the memory must have the size of that chip.
    private static func imageWithOldHeader(_ bytes: [UInt8]) -> TagImage? {
        guard bytes.count > oldHeaderLength + 64, bytes.count % 4 == 0,
            let chip = ChipModel.withMemory(version: Array(bytes[..<8])), !chip.isNTAGI2C,
            chip.blockCount == (bytes.count - oldHeaderLength) / 4
        else { return nil }
        let memory = Array(bytes[oldHeaderLength...])
        guard hasCheckBytes(memory) else { return nil }
        var image = TagImage(kind: .type2(chip))
        image.version = Array(bytes[..<8])
        let signature = Array(bytes[oldSignatureOffset..<oldHeaderLength])
        image.signature = signature.contains { $0 != 0 } ? signature : []
        image.blocks = chip.blockNumbers.enumerated().map { index, number in
            .init(number: number, bytes: Array(memory[index * 4..<index * 4 + 4]))
        }
        image.identifier = image.storedIdentifier ?? []
        return image
    }

    /// Reads a dump in Proxmark's format with a header.
    ///
    /// The header contains the page count, and the UID after it must have a correct check byte.
    ///
    /// For an NTAG I2C, which has no check bytes, Proxmark reads sector 0 up to its end.
    private static func imageWithHeader(_ bytes: [UInt8]) -> TagImage? {
        let pages = (bytes.count - headerLength) / 4
        guard bytes.count >= headerLength + 64, bytes.count % 4 == 0, pages <= 256,
            Int(bytes[lastPageOffset]) == pages - 1
        else { return nil }
        let memory = Array(bytes[headerLength...])
        let version = Array(bytes[..<8])
        let told = ChipModel.withMemory(version: version)
        let chip = told ?? ChipModel.only(blockCount: pages)
        if let told, told.isNTAGI2C {
            guard pages <= told.blockCount else { return nil }
        } else {
            guard hasFirstCheckByte(memory), (chip?.blockCount ?? pages) == pages else { return nil }
        }
        var image = TagImage(kind: .type2(chip))
        image.version = version.contains { $0 != 0 } ? version : []
        let signature = Array(bytes[signatureOffset..<countersOffset])
        image.signature = signature.contains { $0 != 0 } ? signature : []
        for index in 0..<3 {
            let field = Array(bytes[countersOffset + index * 4..<countersOffset + index * 4 + 4])
            let value = Int(field[0]) | Int(field[1]) << 8 | Int(field[2]) << 16
            image.setCounter(index, value: value, tearing: field[3])
        }
        image.blocks = (image.kind.blockNumbers ?? Array(0..<pages)).map { number in
            .init(number: number, bytes: number < pages ? Array(memory[number * 4..<number * 4 + 4]) : nil)
        }
        image.identifier = image.storedIdentifier ?? []
        return image
    }
}

extension ChipModel {
    /// The length, in bytes, of the password or key at the end of the memory, which no chip reveals, or 0 if there is
    /// none.
    fileprivate var secretLength: Int {
        guard let secrets = layout?.protection?.secretBlocks, secrets.upperBound == blockCount - 1 else { return 0 }
        return secrets.count * 4
    }
}

extension TagImage {
    /// Sets a counter to the values stored in a dump file.
    ///
    /// If both values are zero, the counter was not read and is not set.
    mutating func setCounter(_ index: Int, value: Int, tearing: UInt8) {
        guard value != 0 || tearing != 0 else { return }
        counters[index] = Counter(value: value, tearing: tearing == 0 ? nil : tearing)
    }

    /// Copies the keys of a MIFARE Classic from its sector trailers, which must contain all of them.
    mutating func adoptTrailerKeys() {
        guard kind.isClassic else { return }
        for block in blocks where Kind.isClassicTrailer(block.number) {
            guard let bytes = block.bytes, bytes.count == 16 else { continue }
            keys[Kind.classicSector(of: block.number)] =
                SectorKeys(a: Array(bytes[..<6]), b: Array(bytes[10...]))
        }
    }
}
