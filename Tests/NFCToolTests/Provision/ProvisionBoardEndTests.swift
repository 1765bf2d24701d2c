// The operator's view after failed rows and skipped tags, and at the end

import Foundation
import ProvisionPresentation
import Provisioning
import Terminal
import Testing

@testable import ProvisionPresentation

private typealias Sample = ProvisionSamples

@Suite struct ProvisionBoardEndTests {
    private static func failed(_ number: UInt8, _ cause: RefusalCause) -> ProvisionEvent {
        .failed(
            Sample.tag(number), row: Sample.row(Int(number)), cause: cause,
            reason: "The NTAG 424 DNA cannot be locked: its keys are those of the factory.")
    }

    private static func summary(failed: Int) -> ProvisionSummary {
        ProvisionSummary(
            counts: ProvisionCounts(
                states: [.pending: 20, .proven: 39, .failed: failed], waitingForSeal: 0, locked: 0), open: [],
            provenNow: 1, refusedNow: 0, elapsed: .seconds(9))
    }

    private static func lines(_ board: ProvisionBoard, _ width: Int = 80, isLast: Bool = false) -> [String] {
        board.lines(.terminal(width), height: 23, at: .seconds(9), isLast: isLast).map(\.withoutColours)
    }

    @Test func aRowThatFailedForGoodDoesNotWaitForItsTag() {
        var board = Sample.board([Self.failed(3, .cannotLock), Self.failed(5, .brokenRules)], open: [])
        #expect(Self.lines(board).contains { $0.hasPrefix("Place again: 04A1B2C3D40580 row 5") })
        #expect(Self.lines(board).last == "Failed: row 3. Free it:  nfctool provision release 3")
        board.apply(Self.failed(4, .uselessLock), at: .seconds(2))
        #expect(Self.lines(board).last == "Failed: rows 3, 4. Free them:  nfctool provision release 3 4")
        for number: UInt8 in 10..<16 { board.apply(Self.failed(number, .cannotLock), at: .seconds(2)) }
        #expect(Self.lines(board).last?.hasPrefix("Failed: rows 3, 4, 10, 11 and 4 more. Free them:") == true)
        // Another station released the rows, and wrote them to other tags.
        for number: UInt8 in [3, 4, 5, 10, 11, 12, 13, 14, 15] { board.apply(Sample.proven(number), at: .seconds(3)) }
        #expect(!Self.lines(board).contains { $0.hasPrefix("Failed:") || $0.hasPrefix("Place again:") })
    }

    @Test func theEndSaysHowManyFailed() {
        for (failed, text) in [
            (0, "■ 20 rows remain.  Run the same command to continue."),
            (1, "■ 21 rows remain, 1 of them failed.  Run the same command to continue."),
        ] {
            var board = Sample.board([Self.failed(3, .cannotLock)], open: [])
            board.apply(.ended(Self.summary(failed: failed)), at: .seconds(8))
            #expect(Self.lines(board).contains(text))
        }
    }

    @Test func rowsThatFailedBeforeDoNotComeBack() {
        let board = ProvisionBoard(plan: "tags.csv", start: Self.summary(failed: 2), began: Sample.began)
        #expect(!Self.lines(board).contains { $0.hasPrefix("Place again:") })
        #expect(Self.lines(board).last == "Failed: 2 rows, outside this run. To list them:  nfctool provision status")
    }

    @Test func rowsOfOtherStationsDoNotHaveToBePlacedAgain() {
        let counts = ProvisionCounts(
            states: [.pending: 20, .proven: 39, .bound: 3, .written: 2], waitingForSeal: 0, locked: 0)
        let lines = { (openHere: Int) in
            let start = ProvisionSummary(
                counts: counts, open: openHere == 0 ? [] : [Sample.openRow], openHere: openHere, provenNow: 0,
                refusedNow: 0, elapsed: .zero)
            return Self.lines(ProvisionBoard(plan: "tags.csv", start: start, began: Sample.began))
        }
        #expect(!lines(0).contains { $0.hasPrefix("Place again:") })
        #expect(lines(1).last == "Place again: 04A1B2C3D40780 row 7")
        #expect(lines(4).last == "Place again: 04A1B2C3D40780 row 7 and 3 more")
    }

    @Test func rowsThatWereOnlyCountedAreListedWhenTheirTagsCome() {
        let counts = ProvisionCounts(
            states: [.pending: 1, .proven: 39, .bound: 2, .failed: 1], waitingForSeal: 0, locked: 0)
        let start = ProvisionSummary(
            counts: counts, open: [Sample.openRow], openHere: 2, provenNow: 0, refusedNow: 0, elapsed: .zero)
        var board = ProvisionBoard(plan: "tags.csv", start: start, began: Sample.began)
        board.apply(.readerOpened(reader: Sample.reader), at: .zero)
        let last = { (board: ProvisionBoard) in Self.lines(board).last { $0.hasPrefix("Place again:") } }
        #expect(last(board) == "Place again: 04A1B2C3D40780 row 7 and 1 more")
        for number: UInt8 in [7, 8, 9] {
            board.apply(.started(Sample.tag(number), row: Sample.row(Int(number)), isNew: false), at: .seconds(1))
            board.apply(Sample.proven(number), at: .seconds(2))
            board.apply(.removed(Sample.tag(number)), at: .seconds(2))
        }
        #expect(last(board) == nil)
        #expect(Self.lines(board).contains { $0.contains("Place the next tag on the reader.") })
        board.apply(.started(Sample.tag(10), row: Sample.row(10)), at: .seconds(3))
        #expect(board.progress.isWithoutRows)
    }

    @Test func aReaderWaitsWhileTheDatabaseIsAway() {
        let away = ProvisionEvent.databaseAway(reason: "It is gone.", keptRows: 0, keptTags: 0)
        let back = ProvisionEvent.databaseBack(JournalReturn(after: .seconds(2), stored: [], moved: []))
        let text = { (events: [ProvisionEvent]) in
            Self.lines(Sample.board([.readerOpened(reader: Sample.reader)] + events)).joined(separator: "\n")
        }
        #expect(text([]).contains("Place the first tag on the reader."))
        let waiting = text([away])
        #expect(waiting.contains("The database is away") && !waiting.contains("Place the "))
        #expect(waiting.contains("Wait. No tag gets a row until the database is back."))
        #expect(text([away, back]).contains("Place the first tag on the reader."))
        // The run does not look for tags, so it is not known whether the last one is still on the reader.
        #expect(text([Sample.proven(40), away]).contains("Wait. No tag gets a row until the database is back."))
        #expect(text([Sample.proven(40), away, back]).contains("Remove it."))
        #expect(text([Sample.cut(43), away]).contains("Wait, then place it again: 04A1B2C3D42B80"))
    }

    @Test func whatStaysHasItsReasonsWhole() {
        var board = Sample.board(
            [.readerOpened(reader: "other"), Self.failed(3, .cannotLock), Sample.proven(4)], open: [])
        board.apply(.ended(Self.summary(failed: 1)), at: .seconds(8))
        let whole = "The NTAG 424 DNA cannot be locked: its keys are those of the factory."
        #expect(!Self.lines(board).contains { $0.contains(whole) })
        for width in [20, 56, 80, 200] {
            let last = Self.lines(board, width, isLast: true)
            #expect(last.allSatisfy { $0.columns <= width && !$0.contains("\n") })
            let text = last.joined(separator: " ").replacing(/\s+/, with: " ")
            #expect(text.contains(whole) && text.contains("nfctool provision release 3 "), "\(text)")
        }
    }

    @Test func aLineIsWrappedWithItsColours() {
        let line = InkedText("one two ", .bad) + InkedText("three") + InkedText("  four five", .faint)
        let plain = { (width: Int) in line.wrapped(to: width, indent: 2).map { $0.painted(.plain) } }
        #expect(plain(12) == ["one two", "  three ", "  four five"])
        #expect(plain(80) == ["one two three  four five"])
        for width in 0...30 {
            #expect(plain(width).joined().filter { $0 != " " } == "onetwothreefourfive", "\(width)")
        }
    }

    @Test func tagsThatAreNotCountedAsRefusedAreSkipped() throws {
        let several = ProvisionEvent.refused(
            Sample.tag(1), cause: .known(.severalTags), reason: "2 tags are on the reader; place one at a time.",
            isQuarantined: false)
        let line = ProvisionLine(.plain, rows: 9, readers: 1)
        #expect(
            line.text(several, at: Sample.began)?.dropFirst(10)
                == "04A1B2C3D40180  NTAG215  skipped  several tags: 2 tags are on the reader; place one at a time.")
        #expect(try #require(line.text(Sample.refused(2, .noRow), at: Sample.began)).contains("  skipped  no row left"))
        let other = try #require(line.text(Sample.refused(2, .otherStation), at: Sample.began))
        #expect(
            String(other.dropFirst(10))
                == "04A1B2C3D40280  NTAG213  refused  row of another station: It is NTAG213, but the row requires "
                + "NTAG215.  To free the row:  nfctool provision release ROW")
        #expect(try #require(line.text(Sample.refused(2), at: Sample.began)).contains("  refused  wrong chip"))
        let elsewhere = try #require(line.text(Sample.refused(2, .wrongReader), at: Sample.began))
        #expect(elsewhere.contains("  refused  needs another reader"))
        #expect(elsewhere.contains("Place it on another reader."))
        let protected = try #require(line.text(Sample.refused(2, .passwordNeeded), at: Sample.began))
        #expect(protected.contains("  To open a Type 2 Tag, add --password-file FILE."), "\(protected)")
    }

    @Test func theBoardAsksToLeaveOneOfSeveralTags() {
        func text(_ events: [ProvisionEvent]) -> String { Self.lines(Sample.board(events)).joined(separator: "\n") }
        let several = (1...2).map { number in
            ProvisionEvent.refused(
                Sample.tag(number), cause: .known(.severalTags),
                reason: "2 tags are on the reader; place one at a time.", isQuarantined: false)
        }
        #expect(text(several).contains("Remove all tags but one."))
        #expect(!text(several).contains("Remove it."))
        #expect(text(several + [.started(Sample.tag(1), row: Sample.row(1))]).contains("Hold it still."))
        #expect(text(several + [Sample.proven(1)]).contains("Remove it."))
    }

    @Test func whatIsKeptIsCounted() throws {
        let line = ProvisionLine(.plain, rows: 9, readers: 1)
        let away = ProvisionEvent.databaseAway(reason: "It is gone.", keptRows: 1, keptTags: 2)
        #expect(
            try #require(line.text(away, at: Sample.began)).hasSuffix(
                " The last steps of 1 row are kept in memory until then. 2 refused tags are also kept in memory."))
    }
}
