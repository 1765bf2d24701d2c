// A tag as people see it

import Foundation
import NDEF
import ReaderInterface
import SafeTag
import TagTypes
import Terminal
import Testing

@testable import nfctool

@Suite struct TagPresentationTests {
    @Test func tagHasItsNameItsStateAndItsRecords() {
        let reading = Samples.reading(Samples.writable(26), [Samples.hello, Samples.uri])
        #expect(
            TagPresentation(reading, style: .plain).text == """
                NTAG215, Type 2 Tag, UID 04A1B2C3D4E580
                writable, 26 of 492 bytes (5 %)
                1  Text  Hello  (en)
                2  URI   https://example.com
                """)
        #expect(
            TagPresentation(reading, style: .terminal()).text.withoutColours == """
                ● NTAG215 · Type 2 Tag · UID 04A1B2C3D4E580
                  writable  █░░░░░░░░░░░░░░░░░░░░░░░ 26 of 492 bytes (5 %)

                 1 │ Text │ Hello  en
                 2 │ URI  │ https://example.com
                """)
    }

    @Test(arguments: [
        (Samples.writable(0), "empty, writable, 0 of 492 bytes (0 %)"),
        (
            NDEFState(status: .readOnly, capacity: 137, messageLength: 18, reason: "its lock bits lock block 4"),
            "read-only, 18 of 137 bytes (13 %): its lock bits lock block 4"
        ),
        (
            NDEFState(status: .readOnly, capacity: 137, messageLength: 0, reason: "it is locked"),
            "empty, read-only, 0 of 137 bytes (0 %): it is locked"
        ),
        (
            NDEFState(
                status: .notSupported, capacity: 46, messageLength: nil, isBlank: true,
                reason: "its capability container is blank"),
            "blank: its capability container is blank; once initialised, it can hold a message of up to 46 bytes"
        ),
        (
            NDEFState(status: .notSupported, capacity: 0, messageLength: nil, reason: "no NDEF\u{1B}"),
            "no NDEF data: no NDEF\\u{1B}"
        ),
    ])
    func statesAreToldApart(_ state: NDEFState, _ expected: String) {
        let text = TagPresentation(Samples.reading(state), style: .plain).text
        #expect(text == "NTAG215, Type 2 Tag, UID 04A1B2C3D4E580\n" + expected)
    }

    @Test func tagWithoutAChipIsNamedByItsTypeOnce() {
        let text = TagPresentation(Samples.reading(Samples.writable(0), chip: nil), style: .plain).text
        #expect(text.hasPrefix("Type 2 Tag, UID 04A1B2C3D4E580\n"))
    }

    @Test func writtenTagSaysWhatWasProven() {
        let reading = Samples.reading(Samples.writable(12), [Samples.hello], isVerified: true)
        #expect(
            TagPresentation(reading, style: .plain).text(after: [.wrote]) == """
                Wrote 12 bytes to NTAG215 04A1B2C3D4E580, read back and compared.
                writable, 12 of 492 bytes (2 %)
                1  Text  Hello  (en)
                """)
    }

    @Test func onATerminalTheSentenceAboutAChangeIsBrokenBetweenWords() {
        let reading = Samples.reading(Samples.writable(12), [Samples.hello], isVerified: true)
        let text = TagPresentation(reading, style: .terminal(50)).text(after: [.wrote]).withoutColours
        #expect(text.hasPrefix("✓ Wrote 12 bytes to NTAG215 04A1B2C3D4E580, read\n  back and compared.\n"), "\(text)")
    }

    @Test func scanHasOneLineForEachEvent() throws {
        let time = Date(timeIntervalSince1970: 0)
        let tag = TagPresentation(
            Samples.reading(Samples.writable(26), [Samples.hello, Samples.uri]), style: .plain)
        // The line begins with the local time.
        #expect(tag.line(at: time).dropFirst(8) == "  04A1B2C3D4E580  NTAG215  Text: Hello  URI: https://example.com")
        let removed = EventLine(style: .plain).line(.other("removed"), uid: "04A1B2C3D4E580", at: time)
        #expect(removed.dropFirst(8) == "  04A1B2C3D4E580  removed")
        #expect(try #require(removed.prefix(8).wholeMatch(of: /\d\d:\d\d:\d\d/)).isEmpty == false)
    }

    @Test func onATerminalALongLinkIsCompleteBelowTheTag() throws {
        let link = "https://example.com/" + String(repeating: "abcdefghi/", count: 10)
        let words = String(repeating: "word ", count: 100)
        let records = [URIRecord(uri: link).record(), try TextRecord(text: words).record()]
        let lines = TagPresentation(Samples.reading(Samples.writable(26), records), style: .terminal(60))
            .line(at: .now).withoutColours.split(separator: "\n")
        #expect(lines.first?.hasSuffix(" ● 04A1B2C3D4E580  NTAG215") == true)
        #expect(lines.dropFirst().first == "          URI: \(link)")
        try #require(lines.count == 5)
        #expect(lines.dropFirst(2).allSatisfy { $0.columns <= 60 })
        #expect(lines[2] == "          Text: word word word word word word word word word")
        #expect(lines[4].hasSuffix("…"))
    }

    @Test func onATerminalAShortTagIsOneLine() {
        let tag = TagPresentation(Samples.reading(Samples.writable(26), [Samples.uri]), style: .terminal())
        #expect(tag.line(at: .now).withoutColours.hasSuffix("  NTAG215  URI: https://example.com"))
        #expect(!tag.line(at: .now).contains("\n"))
    }

    @Test func informationInJSONHasTheKeysOfAReadingAndTheMemory() throws {
        let tag = TagInspection(
            reader: "virtual", target: Samples.target, chip: Samples.chip, state: Samples.writable(26),
            memory: MemoryGridTests.type4)
        let json = try JSONLine.string(tag)
        #expect(
            json.hasPrefix(
                #"{"activation":{"atqa":"0044","sak":"00"},"blank":false,"capacity":492,"chip":"NTAG215","counters":[],"event":"tag","memory":{"blocks":[],"capabilityContainer":"000F","#
            ))
        #expect(
            json.hasSuffix(
                #""messageLength":26,"ndefStatus":"readWrite","reader":"virtual","schema":1,"signature":{"verdict":"notSupported"},"tagType":2,"uid":"04A1B2C3D4E580"}"#
            ))
    }
}
