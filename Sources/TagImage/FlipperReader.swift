// Reading a tag's memory from Flipper's text format — Flipper firmware, NfcFileFormats.md
import Chips

import Hexadecimal

/// Reads Flipper files that contain the memory of a supported kind of tag.
struct FlipperReader {
    /// The maximum number of pages in a file, which is larger than that of any chip.
    private static let mostPages = 512
    /// The supported device types, in addition to the names of chips.
    private static let deviceTypes: Set<Substring> = [
        "NTAG/Ultralight", "Mifare Classic", "FeliCa", "ISO15693-3", "SLIX", "ISO15693",
    ]
    private let text: FlipperText

    init(_ text: FlipperText) { self.text = text }

    func image() throws(TagImageError) -> TagImage {
        let type = try text.entry("Device type")
        // In data format 1, the device type is the name of the chip.
        guard Self.deviceTypes.contains(type.value) || TagImage.Chip(flipperName: type.value) != nil else {
            throw .unsupported(.line(type.line, "Device type"), type.excerpt)
        }
        try text.checkKeysAreUnique()
        switch type.value {
        case "NTAG/Ultralight": return try type2(try text.entry("NTAG/Ultralight type"), "NTAG/Ultralight type")
        case "Mifare Classic": return try classic()
        case "FeliCa": return try feliCa()
        case "ISO15693-3", "SLIX": return try vicinity()
        // Before version 4, this was the name of `ISO15693-3`.
        case "ISO15693": return try vicinity(isOld: true)
        default: return try type2(type, "Device type")
        }
    }

    private func nfcA(_ kind: TagImage.Kind) throws(TagImageError) -> TagImage {
        var image = TagImage(kind: kind)
        image.identifier = try text.bytes("UID", 4, 7, 10)
        let atqa = try text.bytes("ATQA", 2)
        // Version 2 stores the low byte first.
        image.atqa = text.version < 3 ? atqa.reversed() : atqa
        image.sak = try text.bytes("SAK", 1).first
        return image
    }
}

// MARK: Type 2 Tags

extension FlipperReader {
    private func type2(_ type: FlipperText.Entry, _ field: String) throws(TagImageError) -> TagImage {
        guard let named = TagImage.Chip(flipperName: type.value) else {
            throw .unsupported(.line(type.line, field), type.excerpt)
        }
        let total = try text.number("Pages total", in: 1...Self.mostPages)
        try text.check(total, in: "Pages total", isThatOf: "Page ")
        let read = text["Pages read"] == nil ? total : try text.number("Pages read", in: 0...total)
        let version = try known("Mifare version", 8)
        var image = try nfcA(.type2(try chip(named, pages: total, version: version)))
        image.version = version
        image.signature = try known("Signature", 32)
        for index in 0..<3 where text["Counter \(index)"] != nil {
            let tearing = text["Tearing \(index)"] == nil ? 0 : try text.bytes("Tearing \(index)", 1)[0]
            image.setCounter(index, value: try text.number("Counter \(index)", in: 0...0xFF_FFFF), tearing: tearing)
        }
        if text["Failed authentication attempts"] != nil {
            image.failedAuthentications = try text.number("Failed authentication attempts", in: 0...Int(Int32.max))
        }
        for (page, number) in (image.kind.blockNumbers ?? Array(0..<total)).enumerated() {
            // Pages that could not be read are stored as zeros.
            let bytes = try text.bytes("Page \(page)", 4)
            image.blocks.append(.init(number: number, bytes: page < read ? bytes : nil))
        }
        return image
    }

    /// Returns the chip, or `nil` if it is unknown.
    ///
    /// The chip's name, its version and the number of pages must agree.
    private func chip(
        _ named: TagImage.Chip, pages: Int, version: [UInt8]
    ) throws(TagImageError) -> TagImage.Chip? {
        if let told = ChipModel.withMemory(version: version) {
            guard told.blockCount == pages else {
                throw .malformed(
                    "Pages total", found: "\(pages)",
                    expected: "\(told.blockCount), because the Mifare version identifies \(told.name)"
                )
            }
            guard told.blockCount == named.blockCount || named == .ultralight else {
                throw .malformed(
                    "Mifare version", found: "that of \(told.name)", expected: "that of \(named.name)")
            }
            return told
        }
        // The plain Ultralight name is also used for chips that Flipper does not support.
        if named == .ultralight, pages != named.blockCount { return nil }
        guard pages == named.blockCount else {
            throw .malformed(
                "Pages total", found: "\(pages)", expected: "\(named.blockCount), the page count of \(named.name)")
        }
        return named
    }

    /// Reads a field that contains only zeros if the value was not requested from the tag or the tag did not answer.
    ///
    /// Returns no bytes for such a field.
    private func known(_ key: String, _ count: Int) throws(TagImageError) -> [UInt8] {
        guard text[key] != nil else { return [] }
        let bytes = try text.bytes(key, count)
        return bytes.contains { $0 != 0 } ? bytes : []
    }
}

// MARK: MIFARE Classic

extension FlipperReader {
    private func classic() throws(TagImageError) -> TagImage {
        let type = try text.entry("Mifare Classic type")
        guard let chip = FlipperWriter.classics.first(where: { $0.type == type.value })?.chip else {
            throw .unsupported(.line(type.line, "Mifare Classic type"), type.excerpt)
        }
        let kind = TagImage.Kind.classic(chip)
        var image = try nfcA(kind)
        let format = text["Data format version"] == nil ? 1 : try text.number("Data format version", in: 1...2)
        let numbers = kind.blockNumbers ?? []
        try text.check(numbers.count, in: "Mifare Classic type", isThatOf: "Block ")
        for number in numbers {
            let bytes = try partlyKnown("Block \(number)")
            if TagImage.Kind.isClassicTrailer(number) {
                let keyA = try whole(bytes[..<6], of: number)
                let keyB = try whole(bytes[10...], of: number)
                let access = try whole(bytes[6..<10], of: number)
                image.keys[TagImage.Kind.classicSector(of: number)] = .init(a: keyA, b: keyB)
                let zero = [UInt8](repeating: 0, count: 6)
                image.blocks.append(.init(number: number, bytes: access.map { (keyA ?? zero) + $0 + (keyB ?? zero) }))
            } else {
                image.blocks.append(.init(number: number, bytes: try whole(bytes[...], of: number)))
            }
        }
        if format == 1 { try applyKeyMaps(&image) }
        return image
    }

    /// Removes the bytes that are unknown according to the key maps of data format 1.
    ///
    /// Bit n of each map shows whether the key of sector n is known. If neither key is known, nothing in the sector is
    /// known.
    private func applyKeyMaps(_ image: inout TagImage) throws(TagImageError) {
        guard text["Key A map"] != nil, text["Key B map"] != nil else { return }
        let mapA = UInt64(bigEndian: try text.bytes("Key A map", 8))
        let mapB = UInt64(bigEndian: try text.bytes("Key B map", 8))
        for (index, block) in image.blocks.enumerated() {
            let sector = TagImage.Kind.classicSector(of: block.number)
            let (hasA, hasB) = (mapA >> UInt64(sector) & 1 == 1, mapB >> UInt64(sector) & 1 == 1)
            if !hasA, !hasB { image.blocks[index].bytes = nil }
            guard TagImage.Kind.isClassicTrailer(block.number) else { continue }
            if !hasA { image.forgetKeyA(of: sector, trailer: index) }
            if !hasB { image.forgetKeyB(of: sector, trailer: index) }
        }
    }

    /// Parses 16 bytes, in which `??` stands for an unknown byte and becomes `nil`.
    private func partlyKnown(_ key: String) throws(TagImageError) -> [UInt8?] {
        let entry = try text.entry(key)
        var bytes: [UInt8?] = []
        for word in entry.value.split(separator: " ").prefix(17) {
            let byte = try? HexText.bytes(word.utf8, separators: " ")
            guard word == "??" || byte?.count == 1 else {
                throw .malformed(
                    .line(entry.line, key), found: entry.excerpt, expected: "16 bytes in hexadecimal, or ??")
            }
            bytes.append(byte?.first)
        }
        guard bytes.count == 16 else {
            throw .malformed(.line(entry.line, key), found: entry.excerpt, expected: "16 bytes in hexadecimal, or ??")
        }
        return bytes
    }

    /// Returns the bytes if all are known, or `nil` if all are unknown.
    ///
    /// Throws an error if only some are known.
    private func whole(_ bytes: ArraySlice<UInt8?>, of block: Int) throws(TagImageError) -> [UInt8]? {
        let known = bytes.compactMap(\.self)
        if known.isEmpty { return nil }
        guard known.count == bytes.count else {
            let line = text["Block \(block)"]?.line ?? 0
            throw .malformed(
                .line(line, "Block \(block)"), found: "only partly known", expected: "all of its bytes, or only ??")
        }
        return known
    }
}

extension TagImage {
    fileprivate mutating func forgetKeyA(of sector: Int, trailer: Int) {
        keys[sector]?.a = nil
        blocks[trailer].bytes?.replaceSubrange(0..<6, with: repeatElement(0, count: 6))
    }

    fileprivate mutating func forgetKeyB(of sector: Int, trailer: Int) {
        keys[sector]?.b = nil
        blocks[trailer].bytes?.replaceSubrange(10..<16, with: repeatElement(0, count: 6))
    }
}

extension UInt64 {
    fileprivate init(bigEndian bytes: [UInt8]) { self = bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

// MARK: FeliCa

extension FlipperReader {
    /// Reads a FeliCa image.
    ///
    /// Each block has two status bytes, followed by 16 bytes of data. The status bytes are 0 if the block could be
    /// read.
    private func feliCa() throws(TagImageError) -> TagImage {
        _ = try text.number("Data format version", in: 1...2)
        let total = try text.number("Blocks total", in: 1...256)
        try text.check(total, in: "Blocks total", isThatOf: "Block ")
        let lite = TagImage.Kind.feliCaLite.blockNumbers ?? []
        var image = TagImage(kind: total == lite.count ? .feliCaLite : .type3)
        image.identifier = try text.bytes("UID", 8)
        let manufacturer = try text.bytes("Manufacture id", 8)
        guard manufacturer == image.identifier else {
            throw .malformed(
                "Manufacture id", found: manufacturer.spacedHex,
                expected: "the UID \(image.identifier.spacedHex)")
        }
        image.parameter = try text.bytes("Manufacture parameter", 8)
        for index in 0..<total {
            let bytes = try text.bytes("Block \(index)", 18)
            let number = image.kind == .feliCaLite ? lite[index] : index
            image.blocks.append(.init(number: number, bytes: bytes[0] == 0 && bytes[1] == 0 ? Array(bytes[2...]) : nil))
        }
        let read = image.blocks.count { $0.bytes != nil }
        guard try text.number("Blocks read", in: 0...total) == read else {
            throw .malformed(
                "Blocks read", found: String(try text.entry("Blocks read").value),
                expected: "\(read), the number of blocks with status 00 00")
        }
        return image
    }
}

// MARK: ISO 15693

extension FlipperReader {
    /// Reads an ISO 15693 image.
    ///
    /// In an old file (`isOld`), the security status starts with a byte for the locks of DSFID and AFI, unless these
    /// have separate lines.
    private func vicinity(isOld: Bool = false) throws(TagImageError) -> TagImage {
        // Flipper allows up to 256 blocks. The files of virtual tags may have more.
        let count = try text.number("Block Count", in: 1...TagImage.Kind.mostVicinityBlocks)
        let length = Int(try text.bytes("Block Size", 1)[0])
        guard TagImage.Kind.vicinityBlockLengths.contains(length) else {
            throw .malformed("Block Size", found: "\(length)", expected: "01…20")
        }
        var image = TagImage(kind: .type5(blockLength: length))
        image.identifier = try text.bytes("UID", 8)
        image.vicinity.dsfid = try optional("DSFID")
        image.vicinity.afi = try optional("AFI")
        image.vicinity.icReference = try optional("IC Reference")
        let contents = try text.bytes("Data Content", count * length)
        image.blocks = (0..<count).map {
            .init(number: $0, bytes: Array(contents[$0 * length..<($0 + 1) * length]))
        }
        let hasLocks = text["Lock DSFID"] != nil && text["Lock AFI"] != nil
        if hasLocks {
            image.vicinity.isDSFIDLocked = try flag("Lock DSFID")
            image.vicinity.isAFILocked = try flag("Lock AFI")
        }
        guard text["Security Status"] != nil else { return image }
        var status = try text.bytes("Security Status", isOld && !hasLocks ? count + 1 : count)
        if status.count > count {
            let locks = status.removeFirst()
            image.vicinity.isDSFIDLocked = locks & 0x01 != 0
            image.vicinity.isAFILocked = locks & 0x02 != 0
        }
        image.vicinity.lockedBlocks = Set(status.indices.filter { status[$0] & 0x01 != 0 })
        return image
    }

    /// Reads a byte, or returns `nil` if the file does not contain it.
    private func optional(_ key: String) throws(TagImageError) -> UInt8? {
        text[key] == nil ? nil : try text.bytes(key, 1).first
    }

    private func flag(_ key: String) throws(TagImageError) -> Bool {
        let entry = try text.entry(key)
        guard let value = Bool(String(entry.value)) else {
            throw .malformed(.line(entry.line, key), found: entry.excerpt, expected: "true or false")
        }
        return value
    }
}
