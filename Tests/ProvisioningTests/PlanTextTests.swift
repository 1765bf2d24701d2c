// Plans in the encodings that spreadsheets write

import Foundation
import Testing

@testable import Provisioning

@Suite struct PlanTextTests {
    private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
        (isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE])
            + text.utf16.flatMap {
                isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)]
            }
    }

    @Test(arguments: [true, false], [1, 2, 3, 5, 1 << 18])
    func utf16IsKnownByItsByteOrderMark(isBigEndian: Bool, pieceLength: Int) {
        let bytes = Self.utf16("größe\tb\r\n€\t\u{1F600}\r\n", isBigEndian: isBigEndian)
        #expect(CSVReaderTests.entries(bytes, pieceLength: pieceLength) == ["2: €|\u{1F600}"])
        #expect(CSVReaderTests.entries(bytes, pieceLength: pieceLength, encoding: .utf16) == ["2: €|\u{1F600}"])
    }

    /// The bytes are the output of Python: `'ü;€;Ÿ'.encode('cp1252')`.
    @Test(arguments: [1, 2, 1 << 18])
    func windows1252IsReadWhenItIsNamed(pieceLength: Int) {
        let bytes: [UInt8] = Array("a;b;c\n".utf8) + [0xFC, 0x3B, 0x80, 0x3B, 0x9F, 0x0A]
        #expect(CSVReaderTests.entries(bytes, pieceLength: pieceLength, encoding: .windows1252) == ["2: ü|€|Ÿ"])
        #expect(CSVReaderTests.entries(bytes)[0].hasPrefix("Line 2, column a: The bytes are not UTF-8."))
    }

    /// The five bytes that code page 1252 leaves undefined — unicode.org, CP1252.TXT.
    @Test(arguments: [0x81, 0x8D, 0x8F, 0x90, 0x9D] as [UInt8])
    func bytesThatAreNoCharactersAreNamedWithTheirLine(byte: UInt8) {
        #expect(
            CSVReaderTests.entries(Array("a\nb\n".utf8) + [byte, 0x0A], encoding: .windows1252) == [
                "! Line 3: The bytes are not Windows-1252. Save the plan as UTF-8."
            ])
    }

    @Test func halvesOfPairsAreNotUTF16() {
        let whole = Self.utf16("a\nb\u{1F600}", isBigEndian: true)
        for bytes in [Array(whole.dropLast(1)), Array(whole.dropLast(2)), whole.dropLast(2) + [0x00, 0x61]] {
            #expect(CSVReaderTests.entries(bytes) == ["! Line 2: The bytes are not UTF-16. Save the plan as UTF-8."])
        }
    }

    @Test func anEncodingThatTheBytesDisproveIsRefused() {
        #expect(
            CSVReaderTests.entries(Array("\u{FEFF}a\nb\n".utf8), encoding: .windows1252) == [
                "! Line 1: The file begins like UTF-8, so it is not Windows-1252."
            ])
        #expect(
            CSVReaderTests.entries(Self.utf16("a\nb\n", isBigEndian: false), encoding: .utf8) == [
                "! Line 1: The file begins like UTF-16, so it is not UTF-8."
            ])
        for named in [PlanEncoding.utf16LittleEndian, .utf16BigEndian] {
            let isBigEndian = named == .utf16BigEndian
            #expect(
                CSVReaderTests.entries(Self.utf16("a\nb\n", isBigEndian: !isBigEndian), encoding: named) == [
                    "! Line 1: The file begins like \(isBigEndian ? "UTF-16LE" : "UTF-16BE"), so it is not "
                        + "\(named.name)."
                ])
            #expect(CSVReaderTests.entries(Self.utf16("a\nb\n", isBigEndian: isBigEndian), encoding: named) == ["2: b"])
        }
    }

    @Test(arguments: [1, 2, 3, 5, 1 << 18])
    func utf16WithoutAMarkIsReadInTheOrderThatWasNamed(pieceLength: Int) {
        for isBigEndian in [true, false] {
            let bytes = Array(Self.utf16("größe\tb\r\n€\t\u{1F600}\r\n", isBigEndian: isBigEndian).dropFirst(2))
            let named = isBigEndian ? PlanEncoding.utf16BigEndian : .utf16LittleEndian
            #expect(CSVReaderTests.entries(bytes, pieceLength: pieceLength, encoding: named) == ["2: €|\u{1F600}"])
        }
    }

    @Test func utf16WithoutAMarkIsTakenAsWindowsWritesIt() {
        func entries(_ text: String, isBigEndian: Bool) -> [String] {
            CSVReaderTests.entries(
                Array(Self.utf16(text, isBigEndian: isBigEndian).dropFirst(2)), encoding: .utf16)
        }
        #expect(entries("größe\tb\r\n€\tx\r\n", isBigEndian: false) == ["2: €|x"])
        #expect(entries("a\nb\n", isBigEndian: false) == ["2: b"])
        // For big endian, and for a header without Latin letters, the user must name the byte order.
        for refused in [entries("a\nb\n", isBigEndian: true), entries("名称名称\nb\n", isBigEndian: false)] {
            #expect(refused.count == 1 && refused[0].contains("its byte order is unknown"), "\(refused)")
        }
        #expect(CSVReaderTests.entries(Array("a\nb\n".utf8), encoding: .utf16)[0].contains("no byte order mark"))
        #expect(CSVReaderTests.entries([], encoding: .utf16).count == 1)
        #expect(CSVReaderTests.entries([0x61], encoding: .utf16).count == 1)
    }

    @Test(arguments: [[0x50, 0x4B, 0x03, 0x04, 0x14], [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]] as [[UInt8]])
    func aSpreadsheetFileSaysHowToSaveIt(bytes: [UInt8]) {
        let entries = CSVReaderTests.entries(bytes + [0, 0, 0], pieceLength: 3)
        #expect(entries.count == 1 && entries[0].contains("CSV UTF-8 (Comma delimited)"))
    }

    static let notes: [(name: String, bytes: [UInt8], named: PlanEncoding?, notes: [PlanNote])] = [
        ("a.csv", Array("t,u\nx,ü\n".utf8), nil, []),
        ("a.csv", Array("\u{FEFF}t;u;;\nx;y;;\n".utf8), nil, [.ignoredColumns(2)]),
        ("a.csv", Array("t,u\nx,y,\n".utf8), nil, [.ignoredColumns(1)]),
        ("a.csv", Array("1001\n1002\n".utf8), nil, [.headerOfValues("1001")]),
        ("a.csv", Array("t,2024\nx,y\n".utf8), nil, []),
        ("a.txt", utf16("t\tu\nx\ty\n", isBigEndian: false), nil, [.encoding(.utf16)]),
        ("a.tsv", Array("t,u\nx\n".utf8), nil, []),
        ("a.csv", Array("t\n".utf8) + [0xFC, 0x0A], .windows1252, [.encoding(.windows1252)]),
        ("a.csv", Array("t\nü\n".utf8), .windows1252, [.encoding(.windows1252), .alsoUTF8]),
        ("a.csv", Array("t\nx\n".utf8), .windows1252, [.encoding(.windows1252)]),
        ("a.jsonl", utf16("{\"t\":\"x\"}\n", isBigEndian: true), nil, [.encoding(.utf16)]),
    ]

    @Test(arguments: notes)
    func thePlanSaysHowItWasRead(
        _ name: String, _ bytes: [UInt8], _ named: PlanEncoding?, _ notes: [PlanNote]
    ) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)-\(name)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let plan = try PlanFile(path: file.path, encoding: named)
        while let entry = try plan.next() { if case .bad(let error) = entry { throw error } }
        #expect(plan.notes == notes)
    }

    /// Python's decoding of the bytes from 80 to 9F, except for the five undefined ones.
    ///
    /// From A0 on, the bytes are Latin-1.
    private static let windows1252 = Array("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ")

    @Test func everyByteOfWindows1252IsWhatOthersTakeItFor() throws {
        let named = (UInt8(0x80)...0x9F).filter { ![0x81, 0x8D, 0x8F, 0x90, 0x9D].contains($0) }
        let characters =
            zip(named, Self.windows1252.map(String.init)).map { ($0, $1) }
            + (UInt8(0xA0)...0xFF).map { ($0, String(Unicode.Scalar($0))) }
        #expect(characters.count == 27 + 96)
        for (byte, character) in characters {
            #expect(CSVReaderTests.entries([0x61, 0x0A, byte, 0x0A], encoding: .windows1252) == ["2: \(character)"])
        }
    }
}
