// Plans, their templates, and cells of spreadsheets — RFC 4180, RFC 8259; Docs/Provisioning.md

import Composing
import SpreadsheetText

@testable import Provisioning

extension FuzzTarget {
    static let plans = [
        FuzzTarget("plan-csv", seeds: csvSeeds.map { Array($0.utf8) }) { bytes in
            // The lengths of the pieces in which the file is read must not matter.
            let whole = entries(of: csv(bytes, 1 << 18))
            try require(isSame(entries(of: csv(bytes, 3)), whole), "the rows differ when read in pieces of 3 bytes")
        },
        FuzzTarget("plan-text", seeds: encodedSeeds) { bytes in
            var tape = Tape(bytes)
            let encoding = [nil, PlanEncoding.utf8, .utf16, .windows1252][tape.number(below: 4)]
            let rest = tape.remainder()
            var text = PlanText(source: pieces(rest, 5), named: encoding)
            var length = 0
            while let piece = try? text.next(), !piece.isEmpty { length += piece.count }
            try require(length <= 3 * rest.count, "the text is too long")
        },
        FuzzTarget("plan-json", seeds: jsonSeeds.map { Array($0.utf8) }) { bytes in
            let whole = entries(of: json(bytes, 1 << 18))
            try require(isSame(entries(of: json(bytes, 3)), whole), "the rows differ when read in pieces of 3 bytes")
        },
        FuzzTarget("plan-rows", seeds: csvSeeds.map { Array($0.utf8) }) { bytes in
            // Check the whole plan. Its columns are the records.
            guard let recipe = try? RowRecipe(options: [], settings: RowSettings()) else { return }
            check(bytes, recipe)
        },
        FuzzTarget("plan-template", texts: templateSeeds) { text in
            let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            for name in [RecordOption.Name.text, .uri, .wifi, .vcard, .mail] {
                let option = RecordOption(name: name, value: lines[0], data: .hexText)
                // Plans that name a file are skipped.
                guard !lines[0].contains("@"), let recipe = try? RowRecipe(options: [option], settings: RowSettings())
                else { continue }
                _ = try? recipe.check(columns: ["id", "name"])
                check(Array("id,name\n7,\(lines.last ?? "")\n".utf8), recipe)
            }
        },
        FuzzTarget("plan-range", texts: ["1-9", "9-1", "001-100", "1-9223372036854775807", "-1-1"]) { text in
            for step in [1, 2, .max] {
                guard let range = try? PlanRange(text, step: step) else { continue }
                let rows = RangeRows(range)
                var count = 0
                while count < 20, rows.next() != nil { count += 1 }
                _ = PlanRange(fileName: range.fileName)
            }
            _ = PlanRange(fileName: text)
            _ = RequiredChip(named: text)
        },
        FuzzTarget("spreadsheet-cell", texts: ["=1+1", "a\"b", " x", "'a", "a,b\r\nc"]) { text in
            // A cell written for a spreadsheet is read in a plan as the same text. Control characters are escaped.
            let isEscaped = text.unicodeScalars.contains {
                $0.properties.generalCategory == .control && !["\t", "\r", "\n"].contains($0)
            }
            let cell = SpreadsheetCell.text(text)
            guard !text.isEmpty, !text.contains("\0"), !text.utf8.starts(with: "\u{FEFF}".utf8) else { return }
            let found = entries(of: csv(Array("a,b\n1,\(cell)\n".utf8), 1 << 18))
            if isEscaped { return try require(found.count == 1, "\(cell.debugDescription) reads as \(found)") }
            try require(found == ["1|\(text)"] || found == ["1|'\(text)"], "\(cell.debugDescription) reads as \(found)")
        },
    ]

    private static func pieces(_ bytes: [UInt8], _ length: Int) -> () throws(PlanError) -> [UInt8] {
        var rest = bytes[...]
        return { () throws(PlanError) in
            defer { rest = rest.dropFirst(length) }
            return Array(rest.prefix(length))
        }
    }

    private static func csv(_ bytes: [UInt8], _ length: Int) -> () throws(PlanError) -> PlanEntry? {
        var reader = CSVReader(PlanText(source: pieces(bytes, length)))
        return { () throws(PlanError) in try reader.next() }
    }

    private static func json(_ bytes: [UInt8], _ length: Int) -> () throws(PlanError) -> PlanEntry? {
        var reader = JSONLinesReader(PlanText(source: pieces(bytes, length)))
        return { () throws(PlanError) in try reader.next() }
    }

    /// Returns the rows and errors as strings.
    private static func entries(of next: () throws(PlanError) -> PlanEntry?) -> [String] {
        var entries: [String] = []
        do {
            while let entry = try next() {
                switch entry {
                case .row(let row): entries.append(row.fields.map(\.value).joined(separator: "|"))
                case .bad(let error): entries.append("! \(error)")
                }
            }
        } catch {
            entries.append("!! \(error)")
        }
        return entries
    }

    /// Whether the rows are the same, or neither plan can be read to the end.
    ///
    /// If a plan cannot be read to the end, reading it in small pieces returns more rows before the error.
    private static func isSame(_ rows: [String], _ whole: [String]) -> Bool {
        let isBroken = [rows, whole].map { $0.last?.hasPrefix("!!") ?? false }
        return isBroken == [true, true] || rows == whole
    }

    private static func check(_ bytes: [UInt8], _ recipe: RowRecipe) {
        // Cells that may name a file are skipped.
        guard !bytes.contains(UInt8(ascii: "@")) else { return }
        var check = PlanCheck(recipe: recipe)
        let next = csv(bytes, 1 << 18)
        while let entry = try? next() {
            guard let row = check.add(entry) else { continue }
            _ = try? row.order.message(uid: [4, 1, 2, 3, 4, 5, 6])
        }
    }

    private static let csvSeeds = [
        "id,text\n1,Hello\n2,\"a \"\"b\"\" c\"\n", "uri;lock;require\nhttps://example.com;yes;ntag215\n",
        "text\tprotect\tpassword\nx\tyes\tAABBCCDD\n", "sep=;\nuri;overwrite;lang\nhttps://example.com;same;de\n",
        "smart-poster,title,empty\nhttps://example.com,Hi,no\n", "wifi\nssid=x;password=12345678\n",
    ]
    private static let jsonSeeds = [
        #"{"id":1,"text":"Hello","b":true,"n":null}"#, "{\"a\":\"\\u00e9\\ud83d\\ude00\\n\",\"n\":-1.5e+3}\n\n{}\n",
    ]
    private static let encodedSeeds: [[UInt8]] = [
        [0] + Array("id\nä\n".utf8), [2, 0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0x3D, 0xD8, 0, 0xDE],
        [3, 0x61, 0x80, 0xE4, 0x0A],
        [0, 0xEF, 0xBB, 0xBF, 0x61], [0, 0xFE, 0xFF, 0, 0x61],
    ]
    private static let templateSeeds = [
        "https://example.com/{id}?t={uid}\nx", "{n:05} {name:raw} {{x}}\nHello", "ssid={name};password={id}12345678\nw",
        "https://example.com/{uid:mirror}x{counter:mirror}\n", "hex:{id}{name}\n41", "WIFI:S:{name};T:nopass;;\n;:\\",
        "{random:8} {uid:lower}\n", "name={name};tel=+{id}\n9",
    ]
}
