// Rows in the form of JSON objects, complete and broken — RFC 8259

import Chance
import Foundation
import Testing

@testable import Provisioning

@Suite struct JSONLinesReaderTests {
    private static func entries(_ bytes: [UInt8], pieceLength: Int = 1 << 18) -> [String] {
        var reader = JSONLinesReader(PlanText(source: planPieces(bytes, of: pieceLength)))
        var entries: [String] = []
        do {
            while let entry = try reader.next() {
                switch entry {
                case .row(let row):
                    entries.append(
                        "\(row.line): " + row.fields.map { "\($0.name)=\($0.value)" }.joined(separator: "|"))
                case .bad(let error): entries.append(error.description)
                }
            }
        } catch {
            entries.append("! \(error)")
        }
        return entries
    }

    static let rows: [(text: String, entries: [String])] = [
        (#"{"a":"x","b":"y"}"#, ["1: a=x|b=y"]),
        ("\u{FEFF}{\"a\":1}\r\n\n  \n{ \"a\" : -1.50e+3 }\n", ["1: a=1", "4: a=-1.50e+3"]),
        (
            #"{"a":1e3,"b":true,"c":false,"d":null,"e":12345678901234567890123}"#,
            ["1: a=1e3|b=true|c=false|d=|e=12345678901234567890123"]
        ),
        (#"{"a":"\"\\\/\n\tA\u00e9\uD83D\uDE00é"}"#, ["1: a=\"\\/\n\tAé\u{1F600}é"]),
        ("{}\n", ["1: "]),
    ]

    @Test(arguments: rows, [1, 3, 1 << 18])
    func rowsAreTheSameWhateverThePieces(_ row: (text: String, entries: [String]), _ pieceLength: Int) {
        #expect(Self.entries(Array(row.text.utf8), pieceLength: pieceLength) == row.entries)
    }

    private static func notJSON(_ expected: String, at offset: Int, column: Bool = true) -> String {
        "Line 1\(column ? ", column a" : ""): The line is not a JSON object. Expected at offset \(offset): \(expected)."
    }

    static let faults: [(text: String, error: String)] = [
        (#"{"a":007}"#, notJSON("a number without leading zeros", at: 6)),
        (#"{"a":.5}"#, notJSON("a value", at: 5)),
        (#"{"a":1.}"#, notJSON("a digit", at: 7)),
        (#"{"a":1e}"#, notJSON("a digit", at: 7)),
        (#"{"a":-}"#, notJSON("a value", at: 6)),
        (#"{"a":nul}"#, notJSON("a value", at: 5)),
        (#"{"a":"x}"#, notJSON("a closing quote", at: 8)),
        (#"{"a":"\x"}"#, notJSON("a JSON escape sequence", at: 7)),
        (#"{"a":"\uD83D"}"#, notJSON("the other half of a surrogate pair", at: 12)),
        (#"{"a":"\u12"}"#, notJSON("four hexadecimal digits", at: 8)),
        (#"{"a" 1}"#, notJSON("a colon", at: 5)),
        (#"{"a":1 "b":2}"#, notJSON(", or }", at: 7, column: false)),
        (#"{"a":1,}"#, notJSON("a name in quotes", at: 7, column: false)),
        (#"{"a":1} x"#, notJSON("the end of the line", at: 8, column: false)),
        ("[1]", notJSON("{", at: 0, column: false)),
        ("{\"a\":\"\u{1}\"}", notJSON("an escape sequence for the control character", at: 6)),
        (
            #"{"a":{"b":1}}"#,
            "Line 1, column a: The value is an object or an array. Give a string, a number, true, false or null."
        ),
        (
            #"{"a":[]}"#,
            "Line 1, column a: The value is an object or an array. Give a string, a number, true, false or null."
        ),
        (#"{"a":1,"\u0061":2}"#, "Line 1: Two columns are named a. Rename one."),
        (#"{"":1}"#, "Line 1: Column 1 has no name. Give it one."),
        (
            #"{"a":"\u0000"}"#,
            "Line 1, column a: The file contains a NUL byte. Save the plan as UTF-8."
        ),
        (
            #"{"n":1}"#,
            "Line 1: A column cannot be named n: {n} is filled in by the tool. Rename the column."
        ),
    ]

    @Test(arguments: faults)
    func faultsHaveALineAndRowsBehindThemAreRead(_ text: String, _ error: String) {
        #expect(Self.entries(Array((text + "\n{\"z\":1}").utf8)) == [error, "2: z=1"])
    }

    @Test func everyTruncationIsReadOrRefused() {
        let whole = Array("{\"a\":\"€\\uD83D\\uDE00\",\"b\":-1.5e-3}\r\n{\"a\":null,\"b\":true}".utf8)
        for end in whole.indices {
            #expect(Self.entries(Array(whole[..<end]), pieceLength: 3).count <= 2)
        }
    }

    @Test func aLineWithoutEndIsLeftAfterAMebibyte() throws {
        var taken = 0
        var reader = JSONLinesReader(
            PlanText(source: { () throws(PlanError) in
                taken += 1 << 16
                return [UInt8](repeating: UInt8(ascii: "{"), count: 1 << 16)
            }))
        #expect(throws: PlanError(line: 1, .tooLong(limit: 1 << 20))) { try reader.next() }
        #expect(taken < 4 << 20)
    }

    /// The bytes of random files: the signs and literals of JSON, and bytes that are not UTF-8.
    private static let alphabet =
        Array("{}[]\":,;\\un01e-.\n\r \t\"\"aä€\0\u{FEFF}truefalsenull".utf8) + [0xFF, 0xC3, 0xE2]

    @Test func tenThousandRandomFilesNeitherTrapNorLoop() throws {
        var random = SplitMix(state: 0x706C_616E_3120_2121)
        var (rows, faults) = (0, 0)
        for _ in 0..<10_000 {
            let letters = Bool.random(using: &random) ? Self.alphabet : Array("ab,,\n\"{}:1".utf8)
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? 0
            }
            let header = Array("a,b\n".utf8)
            let pieceLength = Int.random(in: 1...9, using: &random)
            var csv = CSVReader(
                PlanText(source: planPieces(Bool.random(using: &random) ? header + bytes : bytes, of: pieceLength)))
            var json = JSONLinesReader(PlanText(source: planPieces(bytes, of: pieceLength)))
            for next in [{ try csv.next() }, { try json.next() }] {
                var count = 0
                do {
                    while let entry = try next() {
                        if case .row = entry { rows += 1 } else { faults += 1 }
                        count += 1
                        try #require(count <= 65)
                    }
                } catch let error as PlanError {
                    #expect(!error.description.isEmpty)
                    faults += 1
                }
            }
        }
        #expect(rows > 200)
        #expect(faults > 1000)
    }
}
