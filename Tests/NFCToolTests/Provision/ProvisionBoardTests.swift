// The operator's view: the board at every size, and its alarms

import Foundation
import Provisioning
import ReaderInterface
import Terminal
import Testing
import USBReaders

@testable import ProvisionPresentation

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
        #expect(lines.contains { $0.contains("Place again: 04A1B2C3D40780") })
        #expect(lines.contains { $0.contains("Place it again") })
    }

    @Test func tagsThatHaveToComeBackAreNamedUntilTheyAreDone() {
        var board = Sample.board([Sample.cut(50), Sample.cut(50), Sample.cut(51)])
        #expect(board.progress.open.map(\.row) == [7, 50, 51])
        board.apply(Sample.proven(50), at: .seconds(9))
        board.apply(.known(Sample.tag(7), row: Sample.row(7), state: .proven), at: .seconds(9))
        #expect(board.progress.open.map(\.row) == [51])
        // A tag that verifiably holds nothing of its row gives the row back.
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

    // MARK: Two complete boards

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
                            Remove it.

                HH:MM:SS  ✘ 04A1B2C3D46380  NTAG213  refused   wrong chip: It is NTAG213, but t…
                HH:MM:SS  ↻ 04A1B2C3D42B80  NTAG215  row   43  interrupted: The tag left the fi…
                HH:MM:SS  = 04A1B2C3D40380  NTAG215  row    3  already verified
                HH:MM:SS  ✔ 04A1B2C3D42A80  NTAG215  row   42  verified  61 bytes  0.31 s
                HH:MM:SS  ✔ 04A1B2C3D42980  NTAG215  row   41  verified  61 bytes  0.31 s
                HH:MM:SS  ✔ 04A1B2C3D42880  NTAG215  row   40  verified  61 bytes  0.31 s
                HH:MM:SS  ● reader pn532_uart:/dev/ttyUSB0

                Place again: 04A1B2C3D40780 row 7, 04A1B2C3D42B80 row 43
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
                Place again: 04A1B2C3D40780 row 7
                """)
    }

    @Test func panelsHaveTheOrderOfTheReadersInTheCommand() {
        var board = ProvisionBoard(
            plan: "tags.csv", start: Sample.summary(done: 39), began: Sample.began, order: ["left", "usb:1-2", "right"])
        let events: [ProvisionEvent] = [
            .readerOpened(reader: "acr122_usb:001:004", named: "right"),
            .readerLost(reader: "usb:1-2", .noReader, reason: "It is not there."),
            .readerLost(reader: "left", .noReader, reason: "It is not there."),
            .readerOpened(reader: "acr122_usb:001:005", named: "usb:1-2"),
            .readerOpened(reader: "pn532_uart:/dev/ttyUSB0", named: "left"),
        ]
        for event in events { board.apply(event, at: .zero) }
        #expect(board.readers.map(\.name) == ["pn532_uart:/dev/ttyUSB0", "acr122_usb:001:005", "acr122_usb:001:004"])
        board.apply(.readerLost(reader: "acr122_usb:001:005", .readerGone, reason: "It is gone."), at: .zero)
        board.apply(.readerOpened(reader: "acr122_usb:001:006", named: "usb:1-2"), at: .zero)
        #expect(board.readers.map(\.name)[1] == "acr122_usb:001:006")
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
                        next: .any)
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
        let narrow = board.readers.flatMap { $0.lines(.line, "desk-1", width: 50, next: .any) }
        #expect(
            narrow.map { $0.cut(to: 50).painted(.plain) }.contains { $0.contains("! 3 of 4 tags refused: wrong tags?") }
        )
        for number in 40..<45 { board.apply(Sample.proven(UInt8(number)), at: .seconds(2)) }
        #expect(!Self.text(board, 80, 20, at: .seconds(9)).contains("wrong tags?"))
    }
}
