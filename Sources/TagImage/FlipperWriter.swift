// Writing a tag's memory in Flipper's text format, version 4 — Flipper firmware, NfcFileFormats.md
import Chips

import Hexadecimal

/// Writes Flipper files that contain the memory of a supported kind of tag.
struct FlipperWriter {
    /// The status flags of a FeliCa block that could not be read: any value other than 00 00 has this meaning.
    private static let unreadable: [UInt8] = [0xFF, 0xFF]
    /// The maximum `Block Count` in Flipper files.
    private static let mostVicinityBlocks = 256
    private let image: TagImage
    /// Whether the text is for a virtual tag, which may be of a type that Flipper does not support.
    private let isForVirtualTag: Bool

    init(_ image: TagImage, isForVirtualTag: Bool = false) {
        self.image = image
        self.isForVirtualTag = isForVirtualTag
    }

    func text() throws(TagImageError) -> String {
        guard !image.identifier.isEmpty else { throw .notExpressible(.nfc, reason: "the UID is not known") }
        let lines =
            switch image.kind {
            case .type2(let chip): try type2(chip)
            case .classic(let chip): try classic(chip)
            case .feliCaLite, .type3: try feliCa()
            case .type5(let length): try vicinity(length)
            case .topaz96, .topaz512, .type4:
                throw .notExpressible(.nfc, reason: "the format cannot hold the memory of \(image.kind)")
            }
        return (["Filetype: Flipper NFC device", "Version: 4"] + lines).map { $0 + "\n" }.joined()
    }

    private func header(_ type: String) -> [String] {
        ["Device type: \(type)", "UID: \(image.identifier.spacedHex)"]
    }

    /// Returns the ATQA and SAK from the activation, or the given usual values if they are not known.
    private func nfcA(atqa: [UInt8], sak: UInt8) -> [String] {
        [
            "ATQA: \((image.atqa.isEmpty ? atqa : image.atqa).spacedHex)",
            "SAK: \((image.sak ?? sak).hex)",
        ]
    }

    private func type2(_ chip: TagImage.Chip?) throws(TagImageError) -> [String] {
        let pages = image.blocksWithRegisters
        let read = pages.prefix { $0.bytes != nil }.count
        if let stray = pages.dropFirst(read).first(where: { $0.bytes != nil }) {
            throw .notExpressible(
                .nfc,
                reason:
                    "block \(pages[read].number) could not be read, but block \(stray.number) could; only JSON can hold this"
            )
        }
        var lines = header("NTAG/Ultralight") + nfcA(atqa: [0x00, 0x44], sak: 0x00)
        lines += [
            "Data format version: 2",
            "NTAG/Ultralight type: \((chip ?? .ultralight).flipperName ?? "Mifare Ultralight")",
            "Signature: \(spaced(image.signature, orZeros: 32))",
            "Mifare version: \(spaced(image.version, orZeros: 8))",
        ]
        for index in 0..<3 {
            let counter = image.counters[index]
            lines.append("Counter \(index): \(counter?.value ?? 0)")
            lines.append("Tearing \(index): \((counter?.tearing ?? 0).hex)")
        }
        lines += ["Pages total: \(pages.count)", "Pages read: \(read)"]
        lines += pages.enumerated().map { "Page \($0): \(($1.bytes ?? [0, 0, 0, 0]).spacedHex)" }
        return lines + ["Failed authentication attempts: \(image.failedAuthentications)"]
    }

    private func spaced(_ bytes: [UInt8], orZeros count: Int) -> String {
        (bytes.isEmpty ? [UInt8](repeating: 0, count: count) : bytes).spacedHex
    }

    /// The MIFARE Classic sizes, each with its name in files, its usual ATQA, and whether Flipper supports it.
    ///
    /// Flipper has no name for the 2K and rejects a file with an unknown name. `2K` is therefore used only in files of
    /// virtual tags.
    static let classics: [(chip: TagImage.Chip, type: String, atqa: [UInt8], isFlippers: Bool)] = [
        (.mifareMini, "MINI", [0x00, 0x04], true), (.classic1K, "1K", [0x00, 0x04], true),
        (.classic2K, "2K", [0x00, 0x04], false), (.classic4K, "4K", [0x00, 0x02], true),
    ]

    private func classic(_ chip: TagImage.Chip) throws(TagImageError) -> [String] {
        guard let (_, type, atqa, isFlippers) = Self.classics.first(where: { $0.chip == chip }),
            let sak = image.kind.classicSAK, isFlippers || isForVirtualTag
        else {
            throw .notExpressible(
                .nfc, reason: "Flipper supports MIFARE Mini, Classic 1K and 4K, but not \(image.kind)")
        }
        var lines = header("Mifare Classic") + nfcA(atqa: atqa, sak: sak)
        lines += ["Mifare Classic type: \(type)", "Data format version: 2"]
        for block in image.blocks {
            var words = block.bytes?.map(\.hex) ?? Array(repeating: "??", count: 16)
            if TagImage.Kind.isClassicTrailer(block.number) {
                let keys = image.keys[TagImage.Kind.classicSector(of: block.number)]
                words.replaceSubrange(0..<6, with: keys?.a?.map(\.hex) ?? Array(repeating: "??", count: 6))
                words.replaceSubrange(10..<16, with: keys?.b?.map(\.hex) ?? Array(repeating: "??", count: 6))
            }
            lines.append("Block \(block.number): \(words.joined(separator: " "))")
        }
        return lines
    }

    /// Returns the lines for a Type 5 Tag.
    ///
    /// The type is always `ISO15693-3`. For ICODE chips, Flipper itself uses the type `SLIX`, but files of that type
    /// include passwords, which tags do not reveal.
    private func vicinity(_ blockLength: Int) throws(TagImageError) -> [String] {
        let blocks = image.blocks.compactMap(\.bytes)
        guard blocks.count == image.blocks.count, image.blocks.map(\.number) == Array(0..<blocks.count) else {
            throw .notExpressible(
                .nfc, reason: "the format needs all blocks of a Type 5 Tag, but some could not be read")
        }
        let most = isForVirtualTag ? TagImage.Kind.mostVicinityBlocks : Self.mostVicinityBlocks
        guard 1...most ~= blocks.count else {
            throw .notExpressible(
                .nfc, reason: "the format holds up to \(most) blocks, but this tag has \(blocks.count)")
        }
        var lines = header("ISO15693-3")
        let vicinity = image.vicinity
        for (key, value) in [("DSFID", vicinity.dsfid), ("AFI", vicinity.afi), ("IC Reference", vicinity.icReference)] {
            if let value { lines.append("\(key): \(value.hex)") }
        }
        return lines + [
            "Lock DSFID: \(vicinity.isDSFIDLocked)", "Lock AFI: \(vicinity.isAFILocked)",
            "Block Count: \(blocks.count)", "Block Size: \(UInt8(truncatingIfNeeded: blockLength).hex)",
            "Data Content: \(blocks.flatMap(\.self).spacedHex)",
            "Security Status: \(blocks.indices.map { vicinity.lockedBlocks.contains($0) ? 0x01 : 0x00 }.spacedHex)",
        ]
    }

    private func feliCa() throws(TagImageError) -> [String] {
        let numbers = image.blocks.map(\.number)
        let isCounted = numbers == Array(0..<numbers.count) && numbers.count != 28 && !numbers.isEmpty
        guard image.kind == .feliCaLite || isCounted, image.parameter.count == 8 else {
            throw .notExpressible(.nfc, reason: "the format numbers blocks from 0 without gaps and needs the PMm")
        }
        let read = image.blocks.count { $0.bytes != nil }
        var lines = header("FeliCa")
        lines += [
            "Data format version: 1", "Manufacture id: \(image.identifier.spacedHex)",
            "Manufacture parameter: \(image.parameter.spacedHex)", "Blocks total: \(image.blocks.count)",
            "Blocks read: \(read)",
        ]
        lines += image.blocks.enumerated().map { index, block in
            let bytes = block.bytes.map { [0, 0] + $0 } ?? Self.unreadable + [UInt8](repeating: 0, count: 16)
            return "Block \(index): \(bytes.spacedHex)"
        }
        return lines
    }
}
