// A check as people see it on a terminal; see the transcripts for the output without one

import Foundation
import NDEF
import PhoneLint
import SafeTag
import Terminal
import Testing

@testable import nfctool

@Suite struct CheckPresentationTests {
    private static func text(_ records: [NDEFRecord], columns: Int) -> String {
        let message = NDEFMessage(records: records)
        let check = Check(message, storedLength: message.length, by: PhoneLint())
        return CheckPresentation(check, phones: Phone.allCases, style: .terminal(columns)).text
    }

    @Test func onATerminalThereAreMarksAndWrappedFindings() {
        let sections = Self.text([URIRecord(uri: "http://example.com").record()], columns: 60).withoutColours
            .split(separator: "\n\n").map(String.init)
        #expect(sections.count == 4)
        #expect(
            sections.dropLast() == [
                "16 bytes · 1 record\n 1 │ URI │ http://example.com",
                " ✔ iPhone   1 hint\n ✔ Android  1 hint",
                """
                 hint     iPhone, Android, record 1: The page is fetched
                          without encryption, and browsers warn about that.
                          Use https:// if the server supports it. It takes
                          no more bytes.
                """,
            ])
        #expect(
            sections.last?.split(separator: "\n").first
                == " ✔ MIFARE Ultralight                    46 bytes    30 left")
    }

    @Test func eachPhoneHasTheMarkOfItsWorstFinding() {
        let text = Self.text([Samples.malformed, Samples.app, Samples.uri], columns: 80).withoutColours
        #expect(text.contains("\n ✘ iPhone   1 error, 1 warning\n ✘ Android  1 error, 1 hint\n"))
    }

    @Test func whatDoesNotFitIsMarked() {
        let text = Self.text(
            [NDEFRecord(tnf: .unknown, type: [], payload: [UInt8](repeating: 0, count: 500))], columns: 80)
        #expect(text.withoutColours.contains("\n ✘ NTAG215 "))
        #expect(text.withoutColours.contains("\n ✔ MIFARE Classic 1K "))
    }

    @Test(arguments: [20, 40, 72])
    func findingsStayWithinTheTerminal(columns: Int) {
        let text = Self.text(Samples.all, columns: columns).withoutColours
        let findings = text.components(separatedBy: "\n\n")[2]
        #expect(findings.split(separator: "\n").allSatisfy { $0.columns <= max(columns, 34) })
    }

    @Test func whatATagHoldsCannotActOnTheTerminal() {
        let text = Self.text([URIRecord(uri: "https://x/\u{1B}[31m\n\u{202E}").record()], columns: 80)
        #expect(!text.withoutColours.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        #expect(text.contains("\\u{1B}[31m"))
    }
}
