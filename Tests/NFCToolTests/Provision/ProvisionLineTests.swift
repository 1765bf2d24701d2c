// The lines that a run of provision prints, on a terminal and without one

import Foundation
import ProvisionPresentation
import Provisioning
import Terminal
import Testing
import USBReaders

private typealias Sample = ProvisionSamples

@Suite struct ProvisionLineTests {
    @Test func eachEventIsALineOfItsOwnWithoutATerminal() {
        let line = ProvisionLine(.plain, rows: 1000, readers: 1)
        let lines = Sample.run.prefix(10).map { line.text($0, at: Sample.began)?.dropFirst(8) }
        #expect(
            lines == [
                "  reader pn532_uart:/dev/ttyUSB0", nil,
                "  04A1B2C3D42880  NTAG215  row   40  verified  61 bytes  0.31 s", nil,
                "  04A1B2C3D42980  NTAG215  row   41  verified  61 bytes  0.31 s",
                "  04A1B2C3D42A80  NTAG215  row   42  verified  61 bytes  0.31 s",
                "  04A1B2C3D40380  NTAG215  row    3  already verified",
                "  04A1B2C3D42B80  NTAG215  row   43  interrupted: The tag left the field.  Place it again.",
                "  04A1B2C3D46380  NTAG213  refused   wrong chip: It is NTAG213, but the row requires NTAG215.  Use a tag with the right chip.",
                "  04A1B2C3D42C80  NTAG215  row   44  failed: faulty: Page 9 holds other bytes.  Place it again, or free its row:  nfctool provision release 44",
            ])
    }

    @Test(arguments: [
        (["id": "A-0044"], "row 4 (A-0044)  already"), (["name": "Ada", "Id": "7"], "row 4 (7)  already"),
        (["seat": "12"], "row 4 (12)  already"), (["id": "4"], "row 4  already"), (["id": ""], "row 4  already"),
        (["id": "https://example.com/4"], "row 4  already"), (["lock": "yes"], "row 4  already"),
        (["doorPIN": "1234"], "row 4  already"),
    ])
    func aRowIsNamedAsTheListNamesIt(_ cells: [String: String], _ text: String) {
        let fields = cells.sorted { $0.key > $1.key }.map { PlanField(name: $0.key, value: $0.value) }
        let labels = RowLabels(of: PlanIdentity(file: "tags.csv", sha256: "", recipe: []))
        let row = PlanRow(number: 4, line: 5, fields: fields)
        let line = ProvisionLine(.plain, rows: 9, readers: 1, labels: labels)
        let shown = line.text(.known(Sample.tag(4), row: row, state: .proven), at: Sample.began)
        #expect(shown?.contains(text) == true, "\(shown ?? "")")
    }

    @Test func severalReadersAreNamed() {
        let text = ProvisionLine(.plain, rows: 9, readers: 2).text(Sample.proven(4), at: Sample.began)
        #expect(
            text?.hasSuffix("  pn532_uart:/dev/ttyUSB0  04A1B2C3D40480  NTAG215  row 4  verified  61 bytes  0.31 s")
                == true)
    }

    @Test func onATerminalNamesAreShortenedInTheirMiddle() {
        var names = ReaderNames(labels: ReaderLabels())
        names.learn(.readerOpened(reader: Sample.reader))
        let line = ProvisionLine(.terminal(80), rows: 9, readers: 2, names: names)
        let text = line.text(Sample.proven(4), at: Sample.began)?.withoutColours
        #expect(text?.dropFirst(10) == "✔ pn532_…ttyUSB0  04A1B2C3D40480  NTAG215  row 4  verified  61 bytes …")
        let words = ["desk", "desk-1", "desk-11", "Ünïcödé-reader", ""].map { $0.cutInTheMiddle(to: 6) }
        #expect(words == ["desk", "desk-1", "de…-11", "Ün…der", ""])
        for width in 0...3 { #expect("desk-1".cutInTheMiddle(to: width).columns <= max(1, width)) }
    }

    @Test(arguments: [20, 40, 56, 72, 120])
    func onATerminalALineIsCutAndSaysTheSameWithoutColours(_ width: Int) {
        for event in Sample.run {
            guard let text = ProvisionLine(.terminal(width), rows: 9, readers: 2).text(event, at: Sample.began) else {
                continue
            }
            #expect(text.withoutColours.columns <= width)
            #expect(!text.withoutColours.contains("\u{1B}"))
            #expect(text.withoutColours != text)
        }
    }

    @Test(arguments: [20, 40, 56, 72, 80, 120])
    func withoutTheViewReasonsAndTheSummaryAreWrapped(_ width: Int) {
        let line = ProvisionLine(.terminal(width), rows: 9, readers: 1)
        let summary = Sample.summary(done: 45)
        let texts: [(ProvisionEvent, String)] = [
            (Sample.refused(99), "row requires NTAG215. Use a tag with the right chip."),
            (Sample.cut(43), "The tag left the field. Place it again."),
            (.ended(summary), summary.text),
        ]
        for (event, end) in texts {
            let text = line.text(event, at: Sample.began, isWhole: true)?.withoutColours ?? ""
            for line in text.components(separatedBy: "\n") { #expect(line.columns <= width, "\(line)") }
            let words = text.split { $0.isWhitespace }.joined(separator: " ")
            #expect(words.hasSuffix(end), "\(text)")
        }
    }

    @Test func kindsOfEventsDifferInTheirMarks() {
        let line = ProvisionLine(.terminal(120), rows: 9, readers: 1)
        let marks = Sample.run.compactMap { line.text($0, at: Sample.began)?.withoutColours.dropFirst(10).first }
        #expect(String(marks) == "●✔✔✔=↻✘✘✘!○●✔■")
    }
}
