// Reading and writing dumps in the format of MIFARE Classic Tool — MIFARE Classic Tool for Android, DumpEditor and
// Common.isValidDump

import Hexadecimal

/// The text format of MIFARE Classic Tool: a line `+Sector: N` for each sector, followed by one line of 32 hexadecimal
/// digits per block.
///
/// `--` stands for an unknown byte. Only a whole block, a whole key, or all bytes between the keys of a trailer can be
/// unknown. A line that begins with `*` reports a sector that was not read. Sectors may be missing. `#` starts a
/// comment.
enum MCTText {
    private static let keyLength = 6

    static func image(_ bytes: [UInt8]) throws(TagImageError) -> TagImage {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .unknownFormat(reason: "a dump of MIFARE Classic Tool is text, but this file is not")
        }
        let found = try sectors(text)
        guard let last = found.keys.max() else {
            throw .unknownFormat(reason: "a dump of MIFARE Classic Tool has sectors, but this file has none")
        }
        // With a 4-byte UID, the SAK follows the check byte in block 0.
        let sak = found[0]?.first?.bytes.dropFirst(5).first ?? nil
        let size = TagImage.Kind.classics.dropFirst().first { last < $0.classicSectorCount }
        let told = TagImage.Kind.classic(sak: sak).flatMap { last < $0.classicSectorCount ? $0 : nil }
        var image = TagImage(kind: told ?? size ?? .classic4K)
        let zero = [UInt8](repeating: 0, count: keyLength)
        for number in image.kind.blockNumbers ?? [] {
            let sector = TagImage.Kind.classicSector(of: number)
            let blocks = found[sector] ?? []
            let index = number - TagImage.Kind.firstClassicBlock(of: sector)
            guard let line = blocks.indices.contains(index) ? blocks[index] : nil else {
                image.blocks.append(.init(number: number, bytes: nil))
                continue
            }
            guard TagImage.Kind.isClassicTrailer(number) else {
                image.blocks.append(.init(number: number, bytes: try whole(line.bytes[...], line.number)))
                continue
            }
            let a = try whole(line.bytes[..<keyLength], line.number)
            let access = try whole(line.bytes[keyLength..<10], line.number)
            let b = try whole(line.bytes[10...], line.number)
            if a != nil || b != nil { image.keys[sector] = .init(a: a, b: b) }
            image.blocks.append(.init(number: number, bytes: access.map { (a ?? zero) + $0 + (b ?? zero) }))
        }
        image.identifier = image.storedIdentifier ?? []
        return image
    }

    /// Whether a file starts like a dump of MIFARE Classic Tool.
    static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        let lines = bytes.prefix(4096).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        return lines.first { $0.first != UInt8(ascii: "#") }?.starts(with: Array("+Sector:".utf8)) ?? false
    }

    private typealias Line = (number: Int, bytes: [UInt8?])

    private static func sectors(_ text: String) throws(TagImageError) -> [Int: [Line]] {
        var found: [Int: [Line]] = [:]
        var sector: Int?
        var number = 0
        // Swift treats CR LF as one character.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            switch line.first {
            case "#", "*", nil: continue
            case "+":
                let name = line.dropFirst("+Sector:".count).filter { $0 != " " }
                guard line.hasPrefix("+Sector:"), let named = Int(name), 0..<40 ~= named, found[named] == nil else {
                    throw .malformed(
                        .line(number, "a sector"), found: String(line.prefix(40)),
                        expected: "\"+Sector: N\", 0…39, each once")
                }
                (sector, found[named]) = (named, [])
            default:
                guard let sector, let count = found[sector]?.count, count < (sector < 32 ? 4 : 16) else {
                    throw .malformed(
                        .line(number, "a block"), found: "one more than the sector has",
                        expected: "\"+Sector: N\" before it")
                }
                found[sector]?.append((number, try bytes(line, number)))
            }
        }
        if let (sector, lines) = found.first(where: { !$1.isEmpty && $1.count != ($0 < 32 ? 4 : 16) }) {
            throw .malformed(
                "sector \(sector)", found: lines.count == 1 ? "1 block" : "\(lines.count) blocks",
                expected: sector < 32 ? "4" : "16")
        }
        return found
    }

    /// Parses 16 bytes, in which `--` stands for an unknown byte and becomes `nil`.
    private static func bytes(_ line: Substring, _ number: Int) throws(TagImageError) -> [UInt8?] {
        let digits = Array(line.filter { $0 != " " }.utf8)
        let error = TagImageError.malformed(
            .line(number, "a block"), found: String(line.prefix(40)), expected: "32 digits in hexadecimal, or --")
        guard digits.count == 32 else { throw error }
        var bytes: [UInt8?] = []
        for index in stride(from: 0, to: 32, by: 2) {
            let pair = digits[index..<index + 2]
            let byte = try? HexText.bytes(pair, separators: "")
            guard pair.allSatisfy({ $0 == UInt8(ascii: "-") }) || byte?.count == 1 else { throw error }
            bytes.append(byte?.first)
        }
        return bytes
    }

    /// Returns the bytes if all are known, or `nil` if all are unknown.
    ///
    /// Throws an error if only some are known.
    private static func whole(_ bytes: ArraySlice<UInt8?>, _ number: Int) throws(TagImageError) -> [UInt8]? {
        let known = bytes.compactMap(\.self)
        guard known.isEmpty || known.count == bytes.count else {
            throw .malformed(
                .line(number, "a block"), found: "only partly known",
                expected: "all of its bytes, or -- for every byte")
        }
        return known.isEmpty ? nil : known
    }

    static func text(_ image: TagImage) throws(TagImageError) -> String {
        guard image.kind.isClassic else {
            throw .notExpressible(.mct, reason: "the format is for MIFARE Classic, but this is \(image.kind)")
        }
        // Sectors may be missing, so a dump with five sectors is read as that of a MIFARE Mini only if block 0
        // identifies one.
        guard
            image.kind != .mifareMini || TagImage.Kind.classic(sak: image[block: 0]?.dropFirst(5).first) == .mifareMini
        else {
            throw .notExpressible(.mct, reason: "its block 0 does not identify it as \(image.kind)")
        }
        var lines: [String] = []
        for block in image.blocks {
            let sector = TagImage.Kind.classicSector(of: block.number)
            if block.number == TagImage.Kind.firstClassicBlock(of: sector) { lines.append("+Sector: \(sector)") }
            var words = block.bytes?.map(\.hex) ?? Array(repeating: "--", count: 16)
            if TagImage.Kind.isClassicTrailer(block.number) {
                let keys = image.keys[sector]
                words.replaceSubrange(0..<6, with: keys?.a?.map(\.hex) ?? Array(repeating: "--", count: 6))
                words.replaceSubrange(10..<16, with: keys?.b?.map(\.hex) ?? Array(repeating: "--", count: 6))
            }
            lines.append(words.joined())
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension TagImage.Kind {
    /// The number of sectors of a MIFARE Classic, or 0 for other kinds.
    fileprivate var classicSectorCount: Int { (blockNumbers?.last).map { Self.classicSector(of: $0) + 1 } ?? 0 }

    static func firstClassicBlock(of sector: Int) -> Int { sector < 32 ? sector * 4 : 128 + (sector - 32) * 16 }
}
