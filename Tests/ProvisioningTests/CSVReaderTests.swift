// Rows of comma-separated values, complete and broken — RFC 4180

import Testing

@testable import Provisioning

/// Returns a file's bytes in pieces, as a program reads them from a disk.
func planPieces(_ bytes: [UInt8], of length: Int = 1 << 18) -> () throws(PlanError) -> [UInt8] {
    var rest = bytes[...]
    return { () throws(PlanError) in
        let piece = Array(rest.prefix(length))
        rest = rest.dropFirst(length)
        return piece
    }
}

@Suite struct CSVReaderTests {
    /// Returns all entries of the input, in the form `line: cell|cell`, or the error's text.
    static func entries(
        _ bytes: [UInt8], pieceLength: Int = 1 << 18, encoding: PlanEncoding? = nil
    ) -> [String] {
        var reader = CSVReader(PlanText(source: planPieces(bytes, of: pieceLength), named: encoding))
        var entries: [String] = []
        do {
            while let entry = try reader.next() {
                switch entry {
                case .row(let row): entries.append("\(row.line): " + row.fields.map(\.value).joined(separator: "|"))
                case .bad(let error): entries.append(error.description)
                }
            }
        } catch {
            entries.append("! \(error)")
        }
        return entries
    }

    static let rows: [(text: String, entries: [String])] = [
        ("a,b\n1,2\n3,4", ["2: 1|2", "3: 3|4"]),
        ("a,b\r\n1,2\r\n3,4\r\n", ["2: 1|2", "3: 3|4"]),
        ("\u{FEFF}a,b\n1,2\n", ["2: 1|2"]),
        ("a,b\n,\n1,\n,\n", ["2: |", "3: 1|"]),
        ("a,b\n\"\",\"\"\n1,2\n\"\",\"\"\n", ["2: |", "3: 1|2"]),
        ("a,b\n 1 , 2 \n", ["2:  1 | 2 "]),
        ("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n", ["2: x,y|say \"hi\""]),
        ("a,b\n\"\"\"\"\"\",z\n", ["2: \"\"|z"]),
        ("a,b\n\"1\r\n2\",x\n3,4\n", ["2: 1\r\n2|x", "4: 3|4"]),
        ("a,b\n\n1,2\r\n\r\n\n3,4\n\n\n", ["3: 1|2", "6: 3|4"]),
        ("\n\na\nx\n", ["4: x"]),
        ("a\n\"\"\n", []),
        ("a;b\n1;2,5\n", ["2: 1|2,5"]),
        ("\"a,x\";b\n1;2\n", ["2: 1|2"]),
        ("a,b;c\n1,2\n", ["2: 1|2"]),
        // Tabs, and the line `sep=` that Excel writes and reads.
        ("a\tb\n1\t2,5\n", ["2: 1|2,5"]),
        ("a;b\tc\n1;2\n", ["2: 1|2"]),
        ("sep=;\r\na,x;b\r\n1;2\r\n", ["3: 1|2"]),
        ("\u{FEFF}\"SEP=|\"\na|b\n1|2\n", ["3: 1|2"]),
        ("sep=\t\na\tb\n1\t2\n", ["3: 1|2"]),
        ("sep=a,b\n1,2\n", ["2: 1|2"]),
        // Extra separators after the last column, and missing separators in some rows.
        ("a;b;;\n1;2;;\n3;4\n5;6;\n", ["2: 1|2", "3: 3|4", "4: 5|6"]),
        ("a,b\n1,2,\n3,4,,,\n", ["2: 1|2", "3: 3|4"]),
        ("Größe,ключ\n€,\u{1F600}\n", ["2: €|\u{1F600}"]),
    ]

    @Test(arguments: rows, [1, 2, 3, 7, 1 << 18])
    func rowsAreTheSameWhateverThePieces(_ row: (text: String, entries: [String]), _ pieceLength: Int) {
        #expect(Self.entries(Array(row.text.utf8), pieceLength: pieceLength) == row.entries)
    }

    static let ragged = "Quote fields that contain the separator."
    static let short = "Add the missing fields, which may be empty."
    static let quote =
        "A quote is in the wrong place. Quote a field that contains a quote, and write that quote twice."
    static let faults: [(text: String, entries: [String])] = [
        ("", ["! The plan is empty. It must begin with a header line or a JSON object."]),
        ("\u{FEFF}\r\n\n", ["! The plan is empty. It must begin with a header line or a JSON object."]),
        ("a,b\n1\n2,3\n", ["Line 2: The row has 1 field but the header has 2. \(short)", "3: 2|3"]),
        ("a,b\n1,2,3\n", ["Line 2: The row has 3 fields but the header has 2. \(ragged)"]),
        ("a,b\n1,x\"y\n2,3\n", ["Line 2, column b: \(quote)", "3: 2|3"]),
        ("a,b\n\"1\"x,y\n2,3\n", ["Line 2, column a: \(quote)", "3: 2|3"]),
        ("a,b\n1,\"2\n3,4\n", ["Line 2, column b: The quote that opens here is never closed."]),
        ("a,b\n\"1\n2\",\"3\n", ["Line 3, column b: The quote that opens here is never closed."]),
        (
            "a,b\n1,\0\n2,3\n",
            [
                "Line 2, column b: The file contains a NUL byte. Save the plan as UTF-8.",
                "3: 2|3",
            ]
        ),
        (
            "a,b\r1,2\r",
            ["! Line 1: There is a carriage return without a line feed. Save the plan with LF or CRLF line endings."]
        ),
        (
            "a,b,\n1,2,3\n",
            ["Line 2: Column 3 has a value here but no name in the header. Name it, or remove the value."]
        ),
        (",,\n", ["! Line 1: Column 1 has no name. Give it one."]),
        ("a,,b\n", ["! Line 1: Column 2 has no name. Give it one."]),
        ("\na,b,a\n", ["! Line 2: Two columns are named a. Rename one."]),
        (
            "a,uid\n",
            ["! Line 1: A column cannot be named uid: {uid} is filled in by the tool. Rename the column."]
        ),
    ]

    @Test(arguments: faults, [1, 1 << 18])
    func faultsHaveALineAndSayWhatToDo(_ fault: (text: String, entries: [String]), _ pieceLength: Int) {
        #expect(Self.entries(Array(fault.text.utf8), pieceLength: pieceLength) == fault.entries)
    }

    @Test func otherEncodingsAreNoPlan() {
        let advice = "The bytes are not UTF-8."
        #expect(Self.entries([0x61, 0x2C, 0x62, 0x0A, 0x31, 0x2C, 0xE4, 0x0A]) == ["Line 2, column b: \(advice)"])
        #expect(Self.entries([0xE4, 0x0A, 0x31]) == ["! Line 1: \(advice)"])
    }

    @Test func everyTruncationIsReadOrRefused() {
        let whole = Array("\u{FEFF}a,b;c\r\n\"1\r\n\"\"2\",€\r\n\r\n3,\"x\"\n".utf8)
        for end in whole.indices {
            let entries = Self.entries(Array(whole[..<end]), pieceLength: 3)
            #expect(entries.count <= 3)
        }
    }

    @Test(arguments: [UInt8(ascii: "x"), UInt8(ascii: "\""), UInt8(ascii: ",")])
    func aLineWithoutEndIsLeftAfterAMebibyte(_ filler: UInt8) throws {
        var taken = 0
        var reader = CSVReader(
            PlanText(source: { () throws(PlanError) in
                taken += 1 << 16
                return taken == 1 << 16 ? Array("a,b\n1,\"".utf8) : [UInt8](repeating: filler, count: 1 << 16)
            }))
        var error: PlanError?
        do {
            // Pairs of quotes and commas are read as fast as text.
            while try reader.next() != nil {}
        } catch let failure { error = failure }
        #expect(error == PlanError(line: 2, .tooLong(limit: 1 << 20)))
        #expect(taken < 4 << 20)
    }

    @Test func aRowOfAMebibyteIsRead() throws {
        let cell = String(repeating: "x", count: (1 << 20) - 3)
        #expect(Self.entries(Array("a,b\n1,\(cell)\n".utf8), pieceLength: 1000) == ["2: 1|\(cell)"])
        let tooLong = Self.entries(Array("a,b\n1,\(cell)x\n".utf8)).first
        #expect(tooLong?.hasPrefix("! Line 2: The row is longer than") == true)
    }
}
