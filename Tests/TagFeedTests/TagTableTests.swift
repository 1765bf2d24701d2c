// A scan in the form of a table: RFC 4180, one line per tag, nothing that a spreadsheet or a terminal would interpret

import Foundation
import NDEF
import ReaderInterface
import SafeTag
import SpreadsheetText
import TagTypes
import Testing

@testable import TagFeed

@Suite struct TagTableTests {
    private static let time = Date(timeIntervalSince1970: 1_795_453_509.123)

    private func line(_ text: String) throws -> String {
        let record = try TextRecord(text: text, language: "en").record()
        let target = Target.nfcA(NFCATarget(sensRes: [0x00, 0x44], selRes: 0, nfcID1: [0x04, 0xA1, 0xB2, 0xC3]))
        let reading = TagReading(
            reader: "usb:1-2", target: target, chip: nil,
            state: NDEFState(status: .readWrite, capacity: 492, messageLength: 12), bytes: [],
            message: NDEFMessage(records: [record]))
        return TagTable.line(reading, at: Self.time, failure: nil)
    }

    @Test func theHeaderNamesTheCellsOfEachLine() throws {
        #expect(TagTable.header == "time,reader,uid,type,chip,ndefStatus,messageLength,uri,text,error,message\r\n")
        #expect(
            try line("Hello") == "2026-11-23T17:05:09.123Z,usb:1-2,04A1B2C3,2,Type 2 Tag,readWrite,12,,Hello,,\r\n")
    }

    @Test(arguments: [
        ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"),
        ("-2", "'-2"), ("+2", "'+2"), ("'x", "''x"), ("a\r\nb", "a\\r\\nb"), ("\u{1B}[31mred", "\\u{1B}[31mred"),
        ("\u{202E}x", "\\u{202E}x"), ("\t=1", "\\t=1"),
        // Swift treats a quotation mark and a combining mark as one character, but a spreadsheet does not.
        ("a\"\u{301},=1", "\"a\"\"\u{301},=1\""),
    ])
    func aCellIsSafeForSpreadsheetsAndTerminals(text: String, cell: String) throws {
        #expect(try line(text).hasSuffix(",12,,\(cell),,\r\n"))
    }
}
