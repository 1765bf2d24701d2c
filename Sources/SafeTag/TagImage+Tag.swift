// A tag's memory as an image, which dump saves, and which restore and diff compare with a file

import Chips
package import ReaderInterface
package import ReaderSession
package import TagImage
package import TagTypes

extension TagImage {
    /// Creates the image of a tag that was just read.
    ///
    /// The message is used only for a Type 4 Tag, to create its NDEF file.
    ///
    /// - Throws: ``TagError/unsupported(reason:)`` if the tag's memory cannot be read, or is larger than the memory of
    ///   its chip.
    package init(of target: Target, chip: TagTypes.Chip?, type: TagType?, memory: MemoryMap, message: [UInt8])
        throws(TagError)
    {
        guard let kind = Kind(type, chip: chip, memory: memory) else {
            throw .unsupported(reason: "its memory cannot be read")
        }
        self.init(kind: kind)
        identifier = target.identifier
        let contents = Dictionary(uniqueKeysWithValues: memory.blocks.map { ($0.number, $0.bytes) })
        // The session registers of an NTAG I2C are not memory, but dumps include them.
        let numbers = kind.blockNumbers ?? memory.blocks.map(\.number)
        guard Set(numbers).isSuperset(of: contents.keys) else {
            throw .unsupported(reason: "it has more memory than \(kind), the chip that it identifies as")
        }
        blocks = numbers.map { Block(number: $0, bytes: contents[$0] ?? nil) }
        switch target {
        case .nfcA(let target):
            atqa = target.sensRes
            sak = target.selRes
            ats = target.ats
        case .nfcF(let target): parameter = target.pad
        case .jewel: headerROM = chip?.evidence ?? []
        case .nfcB, .nfcV: break
        }
        if case .type2 = kind { adoptAnswers(chip, memory) }
        if kind == .type4 { files = Self.files(memory, message) }
        if case .type5 = kind { adoptSystemInformation(memory) }
    }

    /// Adds the answers of a Type 2 Tag that are not part of its memory to the image.
    private mutating func adoptAnswers(_ chip: TagTypes.Chip?, _ memory: MemoryMap) {
        signature = memory.signature ?? []
        guard let evidence = chip?.evidence, evidence.count == 8 else { return }
        version = evidence
        for counter in memory.counters {
            // BD means that no increment was interrupted. Other values of the chip are not kept.
            counters[Int(counter.number)] = Counter(
                value: counter.value, tearing: counter.isTorn == false ? 0xBD : nil)
        }
    }

    /// Adds the system information of a Type 5 Tag and its locked blocks to the image.
    private mutating func adoptSystemInformation(_ memory: MemoryMap) {
        vicinity.dsfid = memory.systemInformation?.dsfid
        vicinity.afi = memory.systemInformation?.afi
        vicinity.icReference = memory.systemInformation?.icReference
        vicinity.lockedBlocks = Set(memory.blocks.filter(\.isLocked).map(\.number))
    }

    /// Returns the capability container, and the part of the NDEF file that contains the message.
    private static func files(_ memory: MemoryMap, _ message: [UInt8]) -> [File] {
        let container = File(identifier: containerFile, bytes: memory.capabilityContainer)
        guard let file = memory.files.first(where: { lengthSizes[$0.kind] != nil }) else { return [container] }
        let length = (0..<(lengthSizes[file.kind] ?? 2)).reversed().map { UInt8(message.count >> (8 * $0) & 0xFF) }
        return [container, File(identifier: file.identifier, bytes: length + message)]
    }

    /// The file identifier of the capability container of a Type 4 Tag.
    package static let containerFile: UInt16 = 0xE103

    /// The size of NLEN in bytes, by the kind of file — NFC Forum T4T, NDEF File and Extended NDEF File.
    private static let lengthSizes = ["NDEF": 2, "ENDEF": 4]

    /// The NDEF message in the dump of a Type 4 Tag, or nil if the dump has no complete message.
    package var message: [UInt8]? {
        guard let container = files.first(where: { $0.identifier == Self.containerFile })?.bytes, container.count > 10
        else {
            return nil
        }
        // The tag of the first File Control TLV determines the size of NLEN. The value contains the file identifier.
        let size = container[7] == 0x06 ? 4 : 2
        let identifier = UInt16(container[9]) << 8 | UInt16(container[10])
        guard let file = files.first(where: { $0.identifier == identifier }), file.bytes.count >= size else {
            return nil
        }
        let length = file.bytes.prefix(size).reduce(0) { $0 << 8 | Int($1) }
        let rest = file.bytes.dropFirst(size)
        return length <= rest.count ? Array(rest.prefix(length)) : nil
    }

    /// Copies the known keys into the sector trailers, as dump files store them.
    package mutating func adopt(_ sectors: [ClassicSector]) {
        let known = Dictionary(sectors.map { ($0.number, $0) }) { first, _ in first }
        for (index, block) in blocks.enumerated() where Kind.isClassicTrailer(block.number) {
            let (a, b) = (
                known[Kind.classicSector(of: block.number)]?.keyA, known[Kind.classicSector(of: block.number)]?.keyB
            )
            keys[Kind.classicSector(of: block.number)] = SectorKeys(a: a?.bytes, b: b?.bytes)
            if let a { blocks[index].bytes?.replaceSubrange(0..<6, with: a.bytes) }
            if let b { blocks[index].bytes?.replaceSubrange(10..<16, with: b.bytes) }
        }
    }
}

extension TagImage.Kind {
    /// Determines the kind of a tag from its blocks or files, or returns nil if they match no known kind.
    fileprivate init?(_ type: TagType?, chip: TagTypes.Chip?, memory: MemoryMap) {
        switch type {
        case .type2 where !memory.blocks.isEmpty:
            let candidates = ChipModel.candidates(blockCount: memory.blocks.count)
            self = .type2(
                chip?.model.flatMap { $0.layout == nil ? nil : $0 } ?? (candidates.count == 1 ? candidates.first : nil)
            )
        case .type4 where !memory.capabilityContainer.isEmpty: self = .type4
        case .type5:
            guard let length = memory.blocks.lazy.compactMap(\.bytes?.count).first else { return nil }
            self = .type5(blockLength: length)
        case .type3 where !memory.blocks.isEmpty:
            self = Self.feliCaLite.blockNumbers == memory.blocks.map(\.number) ? .feliCaLite : .type3
        case .type1, .mifareClassic:
            // The number of blocks determines the kind.
            let kinds: [Self] = type == .type1 ? [.topaz96, .topaz512] : Self.classics
            guard let kind = kinds.first(where: { $0.blockNumbers?.count == memory.blocks.count }) else { return nil }
            self = kind
        default: return nil
        }
    }
}

extension TagImage {
    /// Whether both images may be from the same kind of chip.
    ///
    /// A raw memory file does not distinguish chips of the same size.
    package func fits(_ other: TagImage) -> Bool {
        if kind == other.kind { return blocks.map(\.number) == other.blocks.map(\.number) }
        guard case .type2(let mine) = kind, case .type2(let others) = other.kind else { return false }
        guard blocks.count == other.blocks.count else { return false }
        return mine == nil || others == nil || mayBe(others) || other.mayBe(mine)
    }

    /// Whether this chip was identified only by its number of blocks, and the other chip has the same number.
    private func mayBe(_ other: TagImage.Chip?) -> Bool {
        version.isEmpty && !(other?.isToldBySize ?? true)
    }

    /// The name of the kind for people, with the possible chips if the file does not specify one.
    package var kindName: String {
        guard case .type2(nil) = kind else { return kind.description }
        let candidates = ChipModel.candidates(blockCount: blocks.count).map(\.name)
        return candidates.isEmpty ? "a tag of \(blocks.count) blocks" : candidates.joined(separator: " or ")
    }
}

extension ConnectedTag {
    /// Reads the whole memory of the tag.
    ///
    /// - Parameter keys: keys of a MIFARE Classic to try besides the well-known ones, by sector.
    /// - Returns: the image, and the map of the same memory, which also shows what is locked.
    /// - Throws: ``TagError/unsupported(reason:)`` if the tag's memory cannot be read; other errors from the tag,
    ///   reader or session.
    package func image(offering keys: [Int: TagImage.SectorKeys] = [:]) async throws -> (TagImage, MemoryMap) {
        try await reconnect()
        return try await perform { forumTag in
            let classic = forumTag as? ClassicTag
            classic?.offer(keys.mapValues { SectorKeys(a: $0.a, b: $0.b) })
            var memory = try forumTag.memoryMap()
            let isFile = try forumTag.type == .type4 && forumTag.detect().messageLength ?? 0 > 0
            let message = isFile ? try forumTag.readNDEF() : []
            var image = try TagImage(
                of: forumTag.channel.target, chip: forumTag.chip, type: forumTag.type, memory: memory, message: message)
            if isFile { image.isFilledIn = try (forumTag as? Type4Tag)?.messageRights()?.isDynamic ?? false }
            if classic != nil {
                image.adopt(memory.sectors)
                for index in memory.blocks.indices { memory.blocks[index].bytes = image.blocks[index].bytes }
            }
            return (image, memory)
        }
    }
}

extension TagImage {
    /// Whether the image is a dump of the tag with this identifier.
    ///
    /// Raw memory may begin with more or fewer UID bytes than activation returns.
    package func isOf(_ uid: [UInt8]) -> Bool {
        if identifier == uid { return !uid.isEmpty }
        let isLeading = kind == .topaz96 || kind == .topaz512 || kind.isClassic
        return isLeading && !uid.isEmpty && self[block: 0]?.starts(with: uid) ?? false
    }
}
