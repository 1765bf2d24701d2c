// The figures on the board: yield, rate, time left, shares

import ProvisionPresentation
import Provisioning
import Testing

private typealias Sample = ProvisionSamples

@Suite struct ProvisionFigureTests {
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
        // A tag that turns out to hold its row no longer counts as bad.
        board.apply(.known(Sample.tag(9), row: Sample.row(9), state: .proven), at: .seconds(10))
        #expect(board.progress.yield == (2, 2))
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
        // Ten minutes later, the count starts again.
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
}
