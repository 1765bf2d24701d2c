// What the operator sees: the board at every size, the lines, the figures, the bell

import Foundation
import Hexadecimal
import ProvisionPresentation
import Provisioning
import ReaderInterface
import Terminal
import Testing
import USBReaders

@testable import ProvisionPresentation
@testable import nfctool

/// A run of a plan of a thousand rows, told event by event.
enum ProvisionSamples {
    static let reader = "pn532_uart:/dev/ttyUSB0"
    static let began = Date(timeIntervalSince1970: 1_700_000_000)
    /// What nobody would put on a tag with good intent.
    static let hostile =
        "\u{1B}[31m\u{202E}evil\n\u{7}漢字👨‍👩‍👧 "
        + String(repeating: "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", count: 40)

    static func row(_ number: Int) -> PlanRow { PlanRow(number: number, line: number + 1, fields: []) }

    static func tag(_ number: UInt8, chip: String = "NTAG215", reader: String = reader) -> ProvisionedTag {
        ProvisionedTag(reader: reader, uid: [0x04, 0xA1, 0xB2, 0xC3, 0xD4, number, 0x80].hex, chip: chip)
    }

    static func proven(_ number: UInt8, reader: String = reader) -> ProvisionEvent {
        .finished(
            tag(number, reader: reader), row: row(Int(number)), state: .proven,
            RowProof(messageLength: 61, sha256: "", signature: nil, seconds: 0.31))
    }

    static func refused(_ number: UInt8, _ cause: RefusalCause = .wrongChip) -> ProvisionEvent {
        .refused(
            tag(number, chip: "NTAG213"), cause: cause, reason: "It is NTAG213, but the row requires NTAG215.",
            isQuarantined: false)
    }

    static func cut(_ number: UInt8) -> ProvisionEvent {
        .cut(tag(number), row: row(Int(number)), reason: "The tag left the field.")
    }

    static func summary(done: Int, of rows: Int = 1000, open: [JournalRow] = []) -> ProvisionSummary {
        ProvisionSummary(
            counts: ProvisionCounts(
                states: [.pending: rows - done - open.count, .proven: done, .bound: open.count], waitingForSeal: 0,
                locked: 0), open: open, provenNow: 12, refusedNow: 1, elapsed: .seconds(75))
    }

    static let openRow = JournalRow(
        row: row(7), state: .bound,
        tag: BoundTag(uid: [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0x07, 0x80], chip: "NTAG215", reader: reader, bound: began),
        proof: nil, reason: nil, changed: nil)

    /// Each kind of event, a second apart.
    static let run: [ProvisionEvent] = [
        .readerOpened(reader: reader), .started(tag(40), row: row(40)), proven(40), .removed(tag(40)), proven(41),
        proven(42), .known(tag(3), row: row(3), state: .sealed), cut(43), refused(99),
        .failed(tag(44), row: row(44), cause: .brokenRules, reason: "Page 9 holds other bytes."),
        .refused(tag(98), cause: RefusalCause(rawValue: hostile), reason: hostile, isQuarantined: true),
        .commandFailed(tag(42), row: row(42), reason: hostile),
        .readerLost(reader: reader, .readerGone, reason: hostile), .readerOpened(reader: reader),
        .finished(
            ProvisionedTag(reader: hostile, uid: hostile, chip: hostile), row: row(45), state: .sealed,
            RowProof(messageLength: .max, sha256: "", signature: nil, seconds: .infinity)),
        .ended(summary(done: 45)),
    ]

    static func board(_ events: [ProvisionEvent], open: [JournalRow] = [openRow], limit: Int? = nil) -> ProvisionBoard {
        var board = ProvisionBoard(
            plan: "tags.csv", start: summary(done: 39, open: open), limit: limit, began: began)
        for (second, event) in events.enumerated() { board.apply(event, at: .seconds(second)) }
        return board
    }
}

private typealias Sample = ProvisionSamples

@Suite struct ProvisionBoardTests {
    @Test(arguments: [20, 40, 56, 80, 500])
    func noLineIsWiderThanTheTerminalAndThereAreNeverMoreThanItsRows(_ width: Int) {
        let style = Style.terminal(width)
        for count in [0, 2, 8, 13, 15, 16] {
            for readers in [1, 2, 9] {
                var board = Sample.board((0..<readers).map { .readerOpened(reader: "reader \($0) \(Sample.hostile)") })
                for event in Sample.run.prefix(count) { board.apply(event, at: .seconds(10)) }
                for height in [1, 5, 9, 14, 23, 60] {
                    let lines = board.lines(style, height: height, at: .seconds(20))
                    #expect(lines.count <= height)
                    for line in lines {
                        let text = line.withoutColours
                        #expect(text.columns <= width, "\(text)")
                        #expect(!text.contains { "\u{1B}\u{7}\n\u{202E}".contains($0) }, "\(text)")
                    }
                }
            }
        }
    }

    @Test(arguments: [(9, 3), (14, 3), (23, 3), (59, 7)])
    func atLeastThreeResultsAreShownBesideAReader(_ height: Int, _ results: Int) {
        let board = Sample.board((40...60).map { Sample.proven($0) } + [Sample.cut(61)])
        let lines = board.lines(.terminal(80), height: height, at: .seconds(30)).map(\.withoutColours)
        #expect(lines.count { $0.contains(/^\d\d:/) } >= results)
        #expect(lines.contains { $0.contains("To come back: 04A1B2C3D40780") })
        #expect(lines.contains { $0.contains("Place it again") })
    }

    @Test func tagsThatHaveToComeBackAreNamedUntilTheyAreDone() {
        var board = Sample.board([Sample.cut(50), Sample.cut(50), Sample.cut(51)])
        #expect(board.progress.open.map(\.row) == [7, 50, 51])
        board.apply(Sample.proven(50), at: .seconds(9))
        board.apply(.known(Sample.tag(7), row: Sample.row(7), state: .proven), at: .seconds(9))
        #expect(board.progress.open.map(\.row) == [51])
        // A tag that was proven to hold nothing of its row gives it back.
        board.apply(Sample.refused(51, .brokenRules), at: .seconds(9))
        #expect(board.progress.open.isEmpty)
    }

    @Test func tagsThatDoNotFitAreCounted() {
        let board = Sample.board((40...60).map { Sample.cut($0) })
        let lines = board.lines(.terminal(80), height: 23, at: .seconds(30)).map(\.withoutColours)
        let named = lines.joined().matches(of: /04A1B2C3D4..80 row \d+(,| and)/).count
        #expect(named > 2)
        #expect(lines.last?.hasSuffix("and \(22 - named) more") == true, "\(lines)")
    }

    @Test func whenAllRowsHaveTagsTheOperatorIsAskedForThose() {
        var board = ProvisionBoard(
            plan: "tags.csv", start: Sample.summary(done: 1, of: 2, open: [Sample.openRow]), began: Sample.began)
        board.apply(.readerOpened(reader: Sample.reader), at: .zero)
        let lines = board.lines(.terminal(80), height: 23, at: .zero)
        #expect(lines.contains { $0.contains("Place a tag that is not finished.") })
    }

    @Test func aReaderThatComesBackUnderAnotherNameTakesItsPlace() {
        let board = Sample.board([
            .readerOpened(reader: "acr122_usb:001:004"), .readerOpened(reader: "pn532_uart:/dev/ttyUSB0"),
            .readerLost(reader: "acr122_usb:001:004", .readerGone, reason: "It is gone."),
            .readerOpened(reader: "acr122_usb:001:005"),
        ])
        #expect(board.readers.map(\.name) == ["acr122_usb:001:005", "pn532_uart:/dev/ttyUSB0"])
        #expect(board.readers.allSatisfy { $0.absence == nil })
    }

    // MARK: Two boards as they are

    private static func text(_ board: ProvisionBoard, _ width: Int, _ height: Int, at now: Duration) -> String {
        let lines = board.lines(.terminal(width), height: height, at: now).map(\.withoutColours)
        return lines.joined(separator: "\n").replacing(/(?m)^\d\d:\d\d:\d\d/, with: "HH:MM:SS")
    }

    @Test func boardOnAnOrdinaryTerminalIsAsPinned() {
        let board = Sample.board(Array(Sample.run.prefix(9)))
        #expect(
            Self.text(board, 80, 23, at: .seconds(12)) == """
                tags.csv                                                                    0:12
                ██░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  42 of 1000  4.2 %
                yield 60.0 % (3 of 5)   16 a minute   about 59 min left

                  █▄   ▄█   Bad: wrong chip
                   ▀███▀    04A1B2C3D46380  NTAG213
                  ▄█▀ ▀█▄   It is NTAG213, but the row requires NTAG215.
                            Use a tag with the right chip.
                            Take it off.

                HH:MM:SS  ✘ 04A1B2C3D46380  NTAG213  refused   wrong chip: It is NTAG213, but t…
                HH:MM:SS  ↻ 04A1B2C3D42B80  NTAG215  row   43  interrupted: The tag left the fi…
                HH:MM:SS  = 04A1B2C3D40380  NTAG215  row    3  already verified
                HH:MM:SS  ✔ 04A1B2C3D42A80  NTAG215  row   42  verified  61 bytes  0.31 s
                HH:MM:SS  ✔ 04A1B2C3D42980  NTAG215  row   41  verified  61 bytes  0.31 s
                HH:MM:SS  ✔ 04A1B2C3D42880  NTAG215  row   40  verified  61 bytes  0.31 s
                HH:MM:SS  ● reader pn532_uart:/dev/ttyUSB0

                To come back: 04A1B2C3D40780 row 7, 04A1B2C3D42B80 row 43
                """)
    }

    @Test func boardOfTwoReadersInASmallWindowIsAsPinned() {
        let other = "acr122_usb:001:004"
        let board = Sample.board(
            [.readerOpened(reader: other)] + Sample.run.prefix(3) + [
                .readerLost(reader: Sample.reader, .readerGone, reason: "The reader does not answer."),
                .started(Sample.tag(41, reader: other), row: Sample.row(41)),
            ], limit: 50)
        #expect(
            Self.text(board, 50, 14, at: .seconds(12)) == """
                tags.csv                                      0:12
                █░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  40 of 1000  4.0 %
                yield 100 % (1 of 1)   1 of at most 50 in this run
                ─ acr122_usb:001:004 ─────────────────────────────
                … Writing row 41  04A1B2C3D42980  NTAG215
                  Hold it still.
                ─ pn532_uart:/dev/ttyUSB0 ────────────────────────
                ○ Reader lost: The reader does not answer.
                  The run continues when the reader is back.
                ○ reader pn532_uart:/dev/ttyUSB0 lost  The reader…
                ✔ 04A1B2C3D42880  row   40  verified  61 bytes  0…
                ● reader pn532_uart:/dev/ttyUSB0
                ● reader acr122_usb:001:004
                To come back: 04A1B2C3D40780 row 7
                """)
    }

    @Test func readersAreShownByTheirLabels() {
        let labels = ReaderLabels(entries: [
            .init(label: "desk-1", target: .connection(Sample.reader)),
            .init(label: "desk-2", target: .port(PortPath("1-2")!)),
        ])
        let other = "acr122_usb:001:004"
        var board = ProvisionBoard(
            plan: "tags.csv", start: Sample.summary(done: 39), began: Sample.began, names: ReaderNames(labels: labels))
        let weak = ProvisionEvent.weakField(reader: other, troubled: 3, of: 7)
        for event in [
            .readerOpened(reader: Sample.reader), .readerOpened(reader: other, named: "desk-2"), Sample.proven(40),
            weak,
        ] { board.apply(event, at: .seconds(1)) }
        let text = Self.text(board, 80, 16, at: .seconds(12))
        #expect(text.contains("─ desk-1 ───") && text.contains("─ desk-2 ───"))
        #expect(text.contains("✔ desk-1  04A1B2C3D42880  NTAG215  row   40  verified  61 bytes  0.31…"))
        #expect(text.contains("reader.  ! antenna? 3 of 7 tags had trouble\n"))
        #expect(text.contains("reader desk-2") && !text.contains("ttyUSB0") && !text.contains("acr122"))
    }

    @Test(arguments: [80, 120]) func theAlarmStaysOnTheBoardUntilTagsAreGood(width: Int) {
        let alarm = "antenna? 3 of 7 tags had trouble"
        for others in [0, 1, 8] {
            var board = Sample.board(
                [.readerOpened(reader: Sample.reader)] + (0..<others).map { .readerOpened(reader: "reader-\($0)") }
                    + [.weakField(reader: Sample.reader, troubled: 3, of: 7), Sample.refused(1), Sample.refused(2)])
            let panel = { (board: ProvisionBoard) in
                board.readers.filter { $0.name == Sample.reader }.flatMap {
                    $0.lines(
                        others == 0 ? .large : others == 1 ? .small : .line, "desk-1", width: width,
                        isWithoutRows: false)
                }.map { $0.painted(.plain) }.joined(separator: "\n")
            }
            #expect(panel(board).contains("! " + alarm), "\(others)")
            for number in 40..<44 { board.apply(Sample.proven(UInt8(number)), at: .seconds(2)) }
            #expect(panel(board).contains(alarm))
            board.apply(Sample.proven(44), at: .seconds(2))
            #expect(!panel(board).contains(alarm))
        }
    }

    @Test func manyRefusedTagsStandOnTheBoardUntilTagsAreGood() {
        let alarm = ProvisionEvent.manyRefused(reader: Sample.reader, refused: 3, of: 4)
        var board = Sample.board(
            [.readerOpened(reader: Sample.reader), Sample.refused(1), Sample.refused(2), Sample.refused(3), alarm])
        let text = Self.text(board, 80, 20, at: .seconds(9))
        #expect(text.contains("! 3 of 4 tags refused: wrong tags?"))
        #expect(Self.text(board, 140, 20, at: .seconds(9)).contains("  3 of the last 4 tags were refused or failed."))
        let narrow = board.readers.flatMap { $0.lines(.line, "desk-1", width: 50, isWithoutRows: false) }
        #expect(
            narrow.map { $0.cut(to: 50).painted(.plain) }.contains { $0.contains("! 3 of 4 tags refused: wrong tags?") }
        )
        for number in 40..<45 { board.apply(Sample.proven(UInt8(number)), at: .seconds(2)) }
        #expect(!Self.text(board, 80, 20, at: .seconds(9)).contains("wrong tags?"))
    }

    @Test func theLampStaysRedAfterARefusedTagUntilTheNextOneIsDone() {
        var lamps = RefusalLamps()
        let reds = [
            Sample.refused(1), .removed(Sample.tag(1)), .removed(Sample.tag(2, reader: "other")), Sample.proven(3),
            .removed(Sample.tag(3)), Sample.refused(4, .severalTags), .removed(Sample.tag(4)),
        ].map { lamps.stayRed(after: $0) ? "x" : "." }.joined()
        #expect(reds == ".x.....")
        #expect(ProvisionEvent.manyRefused(reader: "", refused: 3, of: 3).signal == .failure)
        #expect(Beep.fail.rings(for: .manyRefused(reader: "", refused: 3, of: 3)))
    }

    // MARK: Figures

    @Test func yieldCountsEachTagOnceAndOnlyWhatItsEndSays() {
        let none = Sample.board([Sample.refused(1, .severalTags), Sample.refused(2, .noRow)])
        #expect(none.progress.yield == (0, 0))
        var board = Sample.board([
            Sample.proven(40), Sample.cut(41), Sample.cut(41), Sample.refused(9), Sample.refused(9),
        ])
        #expect(board.progress.yield == (1, 3))
        board.apply(Sample.proven(41), at: .seconds(9))
        #expect(board.progress.yield == (2, 3))
        #expect(board.progress.done == 41)
    }

    @Test func rateIsOfTheLastMinuteAndAPauseDoesNotCount() {
        var pace = RunPace()
        #expect(pace.perMinute(at: .seconds(100)) == nil)
        for second in [1000, 1002, 1004] {
            pace.tagCame(at: .seconds(second))
            pace.finished(at: .seconds(second + 2))
        }
        #expect(pace.perMinute(at: .seconds(1006)) == 30)
        #expect(pace.perMinute(at: .seconds(1012)) == 15)
        #expect(pace.perMinute(at: .seconds(1060)) == 3)
        #expect(pace.perMinute(at: .seconds(1065)) == nil)
        // Ten minutes later the count begins anew.
        for second in [1600, 1601, 1602, 1603] { pace.finished(at: .seconds(second)) }
        #expect(pace.perMinute(at: .seconds(1604)) == 60)
    }

    @Test func timeLeftIsOfTheRowsThisRunIsToFinish() {
        let events = [ProvisionEvent.started(Sample.tag(40), row: Sample.row(40))] + (40...59).map { Sample.proven($0) }
        #expect(Sample.board(events).progress.timeLeft(at: .seconds(20)) == .seconds(941))
        #expect(Sample.board(events, limit: 30).progress.timeLeft(at: .seconds(20)) == .seconds(10))
        #expect(Sample.board(events, limit: 20).progress.timeLeft(at: .seconds(20)) == nil)
        #expect(Sample.board(events).progress.timeLeft(at: .seconds(90)) == nil)
    }

    @Test(arguments: [
        (0, "0:00"), (59, "0:59"), (61, "1:01"), (3599, "59:59"), (3600, "1:00:00"), (36_061, "10:01:01"), (-1, "0:00"),
    ])
    func elapsedTimeIsAClock(_ seconds: Int, _ text: String) {
        #expect(ProvisionFigure.clock(.seconds(seconds)) == text)
    }

    @Test(arguments: [
        (1, "under a minute"), (61, "about 1 min"), (840, "about 14 min"), (5400, "about 2 h"),
        (180_000, "about 2 days"),
    ])
    func timeLeftIsRough(_ seconds: Int, _ text: String) {
        #expect(ProvisionFigure.about(.seconds(seconds)) == text)
    }

    @Test(arguments: [
        (0, 0, "100 %"), (0, 9, "0 %"), (1, 1_000_000, "0.1 %"), (999_999, 1_000_000, "99.9 %"), (1, 3, "33.3 %"),
    ])
    func aShareIsAllOrNothingOnlyWhenItIs(_ part: Int, _ whole: Int, _ text: String) {
        #expect(ProvisionFigure.percent(part, of: whole) == text)
    }

    // MARK: The screen

    @Test func onlyLinesThatChangedAreDrawn() {
        #expect(LiveView.changes(from: [], to: ["a", "b"], isWhole: false) == "\r\u{1B}[2Ka\r\n\u{1B}[2Kb\r\n")
        #expect(
            LiveView.changes(from: ["a", "b"], to: ["a", "c"], isWhole: false)
                == "\r\u{1B}[2A\r\n\u{1B}[2Kc\r\n")
        #expect(LiveView.changes(from: ["a", "b"], to: ["a"], isWhole: false) == "\r\u{1B}[2A\r\n\u{1B}[J")
        #expect(
            LiveView.changes(from: ["a"], to: ["a"], isWhole: true) == "\r\u{1B}[1A\u{1B}[2Ka\r\n\u{1B}[J")
    }

    // MARK: The bell

    @Test(arguments: [
        ("ok", Beep.ok), ("fail", Beep.fail), ("ok,fail", Beep([.ok, .fail])),
        ("fail,ok", Beep([.ok, .fail])), ("off", Beep()),
    ])
    func beepIsASetOfWords(_ argument: String, _ beep: Beep) {
        #expect(Beep(argument: argument) == beep)
    }

    @Test(arguments: ["", "on", "ok,", "ok,off", "OK", "ok fail"])
    func whatIsNoBeepIsRefused(_ argument: String) {
        #expect(Beep(argument: argument) == nil)
    }

    @Test func bellRingsForWhatTheOperatorHasToLookAt() {
        let rings = { (beep: Beep) in Sample.run.map { beep.rings(for: $0) ? "x" : "." }.joined() }
        #expect(rings(.fail) == ".......xxxxxx...")
        #expect(rings(.ok) == "..x.xxx.......x.")
        #expect(!rings([]).contains("x"))
    }
}

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

    @Test func kindsOfEventsDifferInTheirMarks() {
        let line = ProvisionLine(.terminal(120), rows: 9, readers: 1)
        let marks = Sample.run.compactMap { line.text($0, at: Sample.began)?.withoutColours.dropFirst(10).first }
        #expect(String(marks) == "●✔✔✔=↻✘✘✘!○●✔■")
    }
}
