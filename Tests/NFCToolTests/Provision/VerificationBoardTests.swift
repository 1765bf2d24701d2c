// The operator's view of a verification

import Foundation
import Terminal
import Testing

@testable import ProvisionPresentation
@testable import Provisioning

private typealias Sample = ProvisionSamples

@Suite struct VerificationBoardTests {
    private static func check(_ number: UInt8, _ problems: TagCheck.Problem...) -> TagCheck {
        let tag = Sample.tag(number)
        let uid: [UInt8] = [0x04, number]
        let row = JournalRow(
            row: Sample.row(Int(number)), state: .proven,
            tag: BoundTag(uid: uid, chip: tag.chip, reader: tag.reader, bound: Sample.began), proof: nil, reason: nil,
            changed: nil)
        var check = TagCheck(tag, uid: uid, row: row)
        check.problems = problems
        return check
    }

    private static func board(_ events: [ProvisionEvent], wanted: Int? = nil) -> VerificationBoard {
        var board = VerificationBoard(
            plan: "tags.csv", counts: [.proven: 4, .pending: 2], wanted: wanted, began: Sample.began)
        for (second, event) in events.enumerated() { board.apply(event, at: .seconds(second)) }
        return board
    }

    private static func text(_ board: VerificationBoard, _ width: Int = 80, isLast: Bool = false) -> String {
        board.lines(.terminal(width), height: 23, at: .seconds(9), isLast: isLast).map(\.withoutColours)
            .joined(separator: "\n")
    }

    private static let events: [ProvisionEvent] = [
        .readerOpened(reader: Sample.reader), .checked(check(1)), .checked(check(2)), .removed(Sample.tag(2)),
        .checked(check(3, .contentChanged)),
    ]

    @Test func theTagsThatWereSeenAreCountedAndTheLastOneIsOnThePanel() {
        let text = Self.text(Self.board(Self.events))
        #expect(text.hasPrefix("Verifying tags.csv "), "\(text)")
        #expect(text.contains("  3 of 4  75.0 %\n2 agree   1 does not agree\n"), "\(text)")
        #expect(text.contains("Bad: row 3 holds another message") && text.contains("Remove it."), "\(text)")
    }

    @Test func theLastResultOfATagCounts() {
        let text = Self.text(Self.board(Self.events + [.checked(Self.check(3))]))
        #expect(text.contains("  3 of 4  75.0 %\n3 agree\n"), "\(text)")
    }

    @Test func theViewThatRemainsListsTheTagsThatDoNotAgree() {
        let checks = [Self.check(1), Self.check(2), Self.check(3, .contentChanged)]
        let summary = VerificationSummary(rows: 4, withoutTag: 2, checks: checks, elapsed: .seconds(75))
        let lines = Self.text(Self.board(Self.events + [.checkedAll(summary)]), isLast: true)
            .components(separatedBy: "\n")
        #expect(lines.contains { $0.contains("3 tags seen: 1 does not agree.") }, "\(lines)")
        #expect(lines.count { $0.contains("row 3  holds another message") } == 1, "\(lines)")
        #expect(!lines.contains { $0.contains("agrees") }, "\(lines)")
    }

    @Test func aSpotCheckIsCompleteAfterItsRows() {
        var summary = VerificationSummary(
            rows: 4, withoutTag: 2, checks: [Self.check(1), Self.check(2)], elapsed: .seconds(5))
        for number: UInt8 in [3, 4] { Self.check(number).row.map { summary.addUnseen($0) } }
        let seen = [Self.check(1), Self.check(2)].map(ProvisionEvent.checked)
        let spot = Self.text(Self.board(seen + [.checkedAll(summary)], wanted: 2), isLast: true)
        #expect(spot.contains("  2 of 2  100 %") && spot.contains("✔ 2 tags seen"), "\(spot)")
        let whole = Self.text(Self.board(seen + [.checkedAll(summary)]), isLast: true)
        #expect(whole.contains("  2 of 4  50.0 %") && whole.contains("■ 2 tags seen"), "\(whole)")
    }

    @Test(arguments: [20, 40, 80, 500])
    func noLineIsWiderThanTheTerminal(_ width: Int) {
        for line in Self.text(Self.board(Self.events), width).components(separatedBy: "\n") {
            #expect(line.columns <= width, "\(line)")
        }
    }
}
