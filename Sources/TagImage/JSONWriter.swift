// Writing a tag's memory as JSON — Proxmark3 client, fileutils.c: "mfu", "mfc v2"; our own: "nfctool"

import Hexadecimal

/// Writes a JSON dump, with its members in a readable order.
struct JSONWriter {
    private let image: TagImage

    init(_ image: TagImage) { self.image = image }

    // All names and values are fixed words or hexadecimal digits, so nothing needs to be escaped.
    var text: String {
        var members = [("Created", quoted("nfctool")), ("FileType", quoted(fileType))]
        if let kind = image.kind.ownName {
            members += [("schema", String(JSONDump.schema)), ("kind", quoted(kind))]
        }
        members.append(("Card", object(card.filter { !$0.1.isEmpty }.map { ($0, quoted($1)) })))
        if !image.blocks.isEmpty {
            let blocks = image.blocks.map {
                (String($0.number), $0.bytes.map { quoted($0.hex) } ?? "null")
            }
            members.append(("blocks", object(blocks)))
        }
        if !image.keys.isEmpty { members.append(("SectorKeys", object(sectorKeys))) }
        if !image.files.isEmpty {
            let files = image.files.map { file in
                let name = file.identifier.hex
                return (name, quoted(file.bytes.hex))
            }
            members.append(("files", object(files)))
        }
        if image.isFilledIn, image.kind.ownName != nil { members.append(("filledIn", "true")) }
        return object(members, indent: "") + "\n"
    }

    private var fileType: String {
        switch image.kind {
        case .type2: "mfu"
        case .classic: "mfc v2"
        case .topaz96, .topaz512, .feliCaLite, .type3, .type4, .type5: JSONDump.ownType
        }
    }

    private var card: [(String, String)] {
        var card = [
            ("UID", image.identifier.hex), ("ATQA", image.atqa.reversed().hex),
            ("SAK", image.sak.map(\.hex) ?? ""), ("ATS", image.ats.hex),
            ("PMm", image.parameter.hex), ("HR", image.headerROM.hex),
            ("Version", image.version.hex), ("Signature", image.signature.hex),
        ]
        if case .type5(let length) = image.kind {
            let vicinity = image.vicinity
            let status = image.blocks.map { vicinity.lockedBlocks.contains($0.number) ? UInt8(1) : 0 }
            card += [
                ("DSFID", vicinity.dsfid.map(\.hex) ?? ""), ("AFI", vicinity.afi.map(\.hex) ?? ""),
                ("IC", vicinity.icReference.map(\.hex) ?? ""), ("BlockSize", UInt8(truncatingIfNeeded: length).hex),
                ("Status", status.contains(1) ? status.hex : ""),
            ]
        }
        for (index, counter) in image.counters.sorted(by: { $0.key < $1.key }) {
            let value = (0..<3).map { UInt8(counter.value >> (8 * $0) & 0xFF) }
            card += [
                ("Counter\(index)", value.hex), ("Tearing\(index)", (counter.tearing ?? 0).hex),
            ]
        }
        return card
    }

    private var sectorKeys: [(String, String)] {
        image.keys.sorted { $0.key < $1.key }.map { sector, keys in
            let known = [("KeyA", keys.a), ("KeyB", keys.b)].compactMap { name, key in
                key.map { (name, quoted($0.hex)) }
            }
            return (String(sector), object(known, indent: "    "))
        }
    }

    private func quoted(_ text: String) -> String { "\"\(text)\"" }

    private func object(_ members: [(String, String)], indent: String = "  ") -> String {
        let lines = members.map { "\(indent)  \(quoted($0)): \($1)" }
        return lines.isEmpty ? "{}" : "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    }
}
