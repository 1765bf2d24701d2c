// Reading a tag's memory from JSON — Proxmark3 client, fileutils.c: "mfu", "mfcard", "mfc v2", "mfc v3"; our own:
// "nfctool"
import Chips

import Hexadecimal

private import Foundation

/// Reads a JSON dump into an image.
struct JSONReader {
    private let file: JSONDump

    init(_ bytes: [UInt8]) throws(TagImageError) {
        do {
            file = try JSONDecoder().decode(JSONDump.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw Self.error(error)
        } catch {
            throw .unknownFormat(reason: "it is not JSON")
        }
    }

    private static func error(_ error: DecodingError) -> TagImageError {
        switch error {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            .malformed(.field(path(context.codingPath)), found: "of the wrong type", expected: name(of: type))
        case .keyNotFound(let key, let context):
            .malformed(.field(path(context.codingPath + [key])), found: "missing", expected: "a value")
        default: .unknownFormat(reason: "it begins like JSON but is not valid JSON")
        }
    }

    /// The name of a type in JSON.
    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        default: "an object"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.isEmpty ? "the file" : String(keys.map(\.stringValue).joined(separator: ".").prefix(60))
    }

    func image() throws(TagImageError) -> TagImage {
        switch file.FileType {
        case "mfu": return try type2()
        case "mfcard", "mfc v2", "mfc v3": return try classic()
        case JSONDump.ownType: return try own()
        default: throw .unsupported("FileType", String(file.FileType.prefix(40)))
        }
    }

    private func type2() throws(TagImageError) -> TagImage {
        // A chip has at most four sectors of 256 blocks.
        let blocks = try blocks(length: 4, below: 1024)
        guard let last = blocks.keys.max() else {
            throw .malformed("blocks", found: "empty", expected: "the pages of the tag")
        }
        let version = try known("Version", 8)
        // An NTAG I2C can be identified only by its version, because its block numbers have gaps and do not show the
        // block count.
        let counted = ChipModel.only(blockCount: last + 1)
        let chip = ChipModel.withMemory(version: version) ?? (counted?.isNTAGI2C ?? false ? nil : counted)
        var image = TagImage(kind: .type2(chip))
        image.version = version
        try readActivation(&image)
        image.signature = try known("Signature", 32)
        for index in 0..<3 {
            let value = try bytes("Counter\(index)", 3)
            let tearing = try bytes("Tearing\(index)", 1).first
            let number = value.reversed().reduce(0) { $0 << 8 | Int($1) }
            image.setCounter(index, value: number, tearing: tearing ?? 0)
        }
        let numbers = chip.map { Set($0.blockNumbers).union(blocks.keys) } ?? Set(0...last)
        image.blocks = numbers.sorted().map { .init(number: $0, bytes: blocks[$0] ?? nil) }
        if image.identifier.isEmpty { image.identifier = image.storedIdentifier ?? [] }
        return image
    }

    private func classic() throws(TagImageError) -> TagImage {
        var blocks = try blocks(length: 16, below: 256)
        // The dump of a MIFARE Classic EV1 has two additional sectors, 16 and 17, for the chip's signature. Other dump
        // formats do not contain them, so ignore them.
        if file.FileType == "mfc v3", let last = blocks.keys.max(), last < 72 { blocks = blocks.filter { $0.key < 64 } }
        let last = blocks.keys.max() ?? 0
        let sak = try bytes("SAK", 1)
        let told = TagImage.Kind.classic(sak: sak.first).flatMap { last < $0.blockNumbers?.count ?? 0 ? $0 : nil }
        let size = TagImage.Kind.classics.first { last + 1 == $0.blockNumbers?.count }
        guard let kind = told ?? size ?? (last < 64 ? .classic1K : nil) else {
            throw .malformed("blocks", found: "\(last + 1)", expected: "20, 64, 128 or 256")
        }
        var image = TagImage(kind: kind)
        try readActivation(&image)
        image.blocks = (image.kind.blockNumbers ?? []).map { .init(number: $0, bytes: blocks[$0] ?? nil) }
        image.adoptTrailerKeys()
        try readKeys(&image)
        if image.identifier.isEmpty { image.identifier = image.storedIdentifier ?? [] }
        return image
    }

    /// Reads the keys of the listed sectors.
    ///
    /// For sectors that are not listed, the keys come from their trailers.
    private func readKeys(_ image: inout TagImage) throws(TagImageError) {
        for (name, listed) in file.SectorKeys ?? [:] {
            let sectors = TagImage.Kind.classicSector(of: image.blocks.count - 1)
            if file.FileType == "mfc v3", sectors == 15, name == "16" || name == "17" { continue }
            guard let sector = Int(name), (0...sectors).contains(sector) else {
                throw .malformed("SectorKeys", found: String(name.prefix(20)), expected: "a sector, 0…\(sectors)")
            }
            let keys = TagImage.SectorKeys(
                a: try key(listed.KeyA, "SectorKeys.\(sector).KeyA"),
                b: try key(listed.KeyB, "SectorKeys.\(sector).KeyB"))
            if let stored = image.keys[sector] {
                let zero = [UInt8](repeating: 0, count: 6)
                guard keys.a ?? zero == stored.a, keys.b ?? zero == stored.b else {
                    throw .malformed(
                        .field("SectorKeys.\(sector)"), found: "different from the sector's trailer",
                        expected: "the same keys")
                }
            }
            image.keys[sector] = keys
        }
    }

    private func own() throws(TagImageError) -> TagImage {
        guard file.schema == JSONDump.schema else {
            throw .unsupported("schema", file.schema.map(String.init) ?? "missing")
        }
        let blockLength = try bytes("BlockSize", 1).first.map { Int($0) }
        guard let kind = TagImage.Kind(ownName: file.kind ?? "", blockLength: blockLength) else {
            throw .unsupported("kind", String((file.kind ?? "missing").prefix(40)))
        }
        var image = TagImage(kind: kind)
        image.isFilledIn = file.filledIn ?? false
        try readActivation(&image)
        image.ats = try bytes("ATS", nil)
        image.parameter = try bytes("PMm", 8)
        image.headerROM = try bytes("HR", 2)
        let blocks = try blocks(length: kind.blockLength, below: TagImage.Kind.mostVicinityBlocks)
        image.blocks = (kind.blockNumbers ?? blocks.keys.sorted()).map { .init(number: $0, bytes: blocks[$0] ?? nil) }
        if case .type5 = kind {
            image.vicinity.dsfid = try bytes("DSFID", 1).first
            image.vicinity.afi = try bytes("AFI", 1).first
            image.vicinity.icReference = try bytes("IC", 1).first
            let status = try bytes("Status", nil)
            image.vicinity.lockedBlocks = Set(status.indices.filter { status[$0] & 0x01 != 0 })
        }
        if let numbers = kind.blockNumbers, let stray = blocks.keys.first(where: { !numbers.contains($0) }) {
            throw .malformed("blocks", found: "\(stray)", expected: "a block of \(kind)")
        }
        for (name, text) in (file.files ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let identifier = UInt16(name, radix: 16), name.utf8.count == 4,
                let bytes = try? HexText.bytes(text.utf8, separators: " ")
            else {
                throw .malformed(
                    .field("files.\(name.prefix(20))"), found: String(text.prefix(40)),
                    expected: "bytes in hexadecimal, under an identifier of 4 hexadecimal digits")
            }
            image.files.append(.init(identifier: identifier, bytes: bytes))
        }
        return image
    }
}

// MARK: Fields

extension JSONReader {
    private func readActivation(_ image: inout TagImage) throws(TagImageError) {
        image.identifier = try bytes("UID", nil)
        // The low byte comes first, in the order of transmission.
        image.atqa = try bytes("ATQA", 2).reversed()
        image.sak = try bytes("SAK", 1).first
    }

    /// Returns the bytes of a field of `Card`, or no bytes if there is no such field.
    private func bytes(_ name: String, _ count: Int?) throws(TagImageError) -> [UInt8] {
        guard let text = file.Card?[name] else { return [] }
        guard let bytes = try? HexText.bytes(text.utf8, separators: " "),
            count == nil || bytes.count == count || bytes.isEmpty
        else {
            throw .malformed(
                .field("Card.\(name)"), found: String(text.prefix(60)),
                expected: (count.map { "\($0) bytes" } ?? "bytes") + " in hexadecimal")
        }
        return bytes
    }

    /// Reads a field that contains only zeros if the value was not requested from the tag or the tag did not answer.
    ///
    /// Returns no bytes for such a field.
    private func known(_ name: String, _ count: Int) throws(TagImageError) -> [UInt8] {
        let bytes = try bytes(name, count)
        return bytes.contains { $0 != 0 } ? bytes : []
    }

    private func key(_ text: String?, _ field: String) throws(TagImageError) -> [UInt8]? {
        guard let text else { return nil }
        guard let bytes = try? HexText.bytes(text.utf8, separators: " "), bytes.count == 6 else {
            throw .malformed(.field(field), found: String(text.prefix(40)), expected: "6 bytes in hexadecimal")
        }
        return bytes
    }

    /// Returns the listed blocks, with `nil` for a block that could not be read.
    private func blocks(length: Int, below limit: Int) throws(TagImageError) -> [Int: [UInt8]?] {
        var blocks: [Int: [UInt8]?] = [:]
        for (name, text) in file.blocks ?? [:] {
            guard let number = Int(name), (0..<limit).contains(number), String(number) == name else {
                throw .malformed("blocks", found: String(name.prefix(20)), expected: "a block number, 0…\(limit - 1)")
            }
            guard let text else {
                blocks[number] = .some(nil)
                continue
            }
            guard let bytes = try? HexText.bytes(text.utf8, separators: " "), bytes.count == length else {
                throw .malformed(
                    .field("blocks.\(number)"), found: String(text.prefix(40)),
                    expected: "\(length) bytes in hexadecimal")
            }
            blocks[number] = bytes
        }
        return blocks
    }
}
