// Rates, silences and the last hour of a plan, calculated in simulated time

import Foundation
import Testing

@testable import Provisioning

@Suite struct PlanTrendTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static func activity(
        _ done: Int, of rows: Int = 1000, at seconds: Double, _ stations: [StationActivity]? = nil
    ) -> PlanActivity {
        PlanActivity(
            time: start + seconds,
            counts: ProvisionCounts(states: [.proven: done, .pending: rows - done], waitingForSeal: 0, locked: 0),
            stations: stations ?? [station("desk", done, seen: seconds)])
    }

    private static func station(
        _ name: String?, _ done: Int, seen: Double?, _ presence: StationActivity.Presence = .connected
    ) -> StationActivity {
        StationActivity(
            name: name, presence: presence, seen: seen.map { start + $0 }, provisioned: done, interrupted: 0,
            refusals: [])
    }

    private static func trend(_ activity: PlanActivity, after rows: [ProvisionedRows] = []) -> PlanTrend {
        PlanTrend(
            of: PlanIdentity(file: "plan.csv", sha256: "AB", recipe: []), begun: start, from: activity, after: rows)
    }

    @Test func theRateIsThatOfTheLastMinuteAndTheEndIsForeseen() throws {
        var trend = Self.trend(Self.activity(0, at: 0))
        #expect(trend.overview(of: Self.activity(0, at: 0)).perMinute == nil)
        var overview = trend.overview(of: Self.activity(0, at: 0))
        for second in 1...300 { overview = trend.overview(of: Self.activity(second / 2, at: Double(second))) }
        #expect(try abs(#require(overview.perMinute) - 30) < 1.1)
        #expect(try abs(#require(overview.secondsLeft) - 1700) < 20)
        #expect(try abs(#require(overview.stations[0].perMinute) - 30) < 1.1)
        // Nothing happens from now on: the rate falls to 0 within a minute, and no end is predicted.
        for second in 301...365 { overview = trend.overview(of: Self.activity(150, at: Double(second))) }
        #expect(overview.perMinute == 0 && overview.secondsLeft == nil)
        #expect(overview.stations[0].perMinute == 0)
    }

    @Test func whoBeginsToWatchKnowsTheRateAtOnce() throws {
        let now = 3600.0 * 10 + 30
        let rows = (0..<240).map { ProvisionedRows(station: "desk", time: Self.start + now - Double($0) * 5, count: 1) }
        var trend = Self.trend(Self.activity(400, at: now), after: rows)
        let overview = trend.overview(of: Self.activity(400, at: now))
        #expect(overview.perMinute == 12)
        #expect(overview.stations[0].perMinute == 12)
        #expect(overview.secondsLeft == 3000)
        #expect(overview.lastHour.reduce(0, +) == 240 && overview.lastHour.dropLast().suffix(3) == [12, 12, 12])
    }

    /// A row is provisioned every half second, from the start of the plan.
    @Test(arguments: [0.0, 2, 7, 14]) func inTheFirstMinuteTheRateIsThatSinceTheStart(begin: Double) throws {
        let rows = { (seconds: Double) in
            (0..<Int(seconds * 2)).map {
                ProvisionedRows(station: "desk", time: Self.start + Double($0 + 1) / 2, count: 1)
            }
        }
        var trend = Self.trend(Self.activity(Int(begin * 2), of: 60, at: begin), after: rows(begin))
        var overview = trend.overview(of: Self.activity(Int(begin * 2), of: 60, at: begin))
        for second in stride(from: begin, through: 15, by: 1) {
            overview = trend.overview(of: Self.activity(Int(second * 2), of: 60, at: second))
        }
        // All viewers see the same values, whenever they started to watch.
        #expect(overview.time == Self.start + 15 && overview.perMinute == 120)
        #expect(overview.stations[0].perMinute == 120 && overview.secondsLeft == 15)
    }

    @Test func theRateIsNeverThatOfMoreRowsThanThePlanHas() throws {
        let rows = (0..<61).map { ProvisionedRows(station: "desk", time: Self.start + 600 - Double($0), count: 1) }
        var trend = Self.trend(Self.activity(58, at: 600), after: rows)
        let overview = trend.overview(of: Self.activity(58, at: 600))
        #expect(try #require(overview.perMinute) <= 58)
    }

    @Test func noEndIsForeseenWithoutAStationAtWork() throws {
        var trend = Self.trend(Self.activity(0, at: 0))
        for second in 1...30 { _ = trend.overview(of: Self.activity(second, at: Double(second))) }
        let overview = { (trend: inout PlanTrend, presence: StationActivity.Presence, states: [RowState: Int]) in
            trend.overview(
                of: PlanActivity(
                    time: Self.start + 31, counts: ProvisionCounts(states: states, waitingForSeal: 0, locked: 0),
                    stations: [Self.station("desk", 30, seen: 30, presence)]))
        }
        let working = overview(&trend, .connected, [.proven: 30, .pending: 30])
        #expect(working.secondsLeft != nil)
        for presence in [StationActivity.Presence.left(Self.start + 31), .lost] {
            let ended = overview(&trend, presence, [.proven: 30, .pending: 30])
            #expect(ended.secondsLeft == nil && ended.perMinute != nil)
        }
        // Only failed rows and tags that must be placed again are left.
        let open = overview(&trend, .connected, [.proven: 30, .bound: 2, .failed: 1])
        #expect(open.secondsLeft == nil && open.perMinute != nil)
    }

    @Test func aStationIsWorkingSilentEndedOrLost() {
        let stations = { (seen: Double) in
            [
                Self.station("a", 1, seen: seen), Self.station("b", 1, seen: 0),
                Self.station("c", 1, seen: 0, .left(Self.start + 5)), Self.station("d", 1, seen: 3, .lost),
                Self.station(nil, 1, seen: nil),
            ]
        }
        var trend = Self.trend(Self.activity(5, at: 0, stations(0)))
        var overview = trend.overview(of: Self.activity(5, at: 119, stations(119)))
        #expect(
            overview.stations.map(\.condition) == [
                .working, .working, .ended(since: Self.start + 5), .lost(since: Self.start + 3), .working,
            ])
        overview = trend.overview(of: Self.activity(5, at: 120, stations(120)))
        #expect(overview.stations[1].condition == .silent(since: Self.start) && overview.stations[1].isTroubled)
        #expect(overview.stations[0].condition == .working)
    }

    /// A journal in a file does not contain the time of a tag, so a viewer only sees that something has changed.
    @Test func aJournalWithoutStationsIsSilentFromItsLastChange() {
        let station = { Self.station(nil, $0, seen: nil) }
        var trend = Self.trend(Self.activity(1, at: 0, [station(1)]))
        _ = trend.overview(of: Self.activity(1, at: 1, [station(1)]))
        _ = trend.overview(of: Self.activity(2, at: 50, [station(2)]))
        #expect(trend.overview(of: Self.activity(2, at: 169, [station(2)])).stations[0].condition == .working)
        #expect(
            trend.overview(of: Self.activity(2, at: 170, [station(2)])).stations[0].condition
                == .silent(since: Self.start + 50))
    }

    /// After a fail-over, the server's clock may be behind.
    @Test func ratesGoOnAfterTheClockWasSetBack() throws {
        var trend = Self.trend(Self.activity(0, at: 3600))
        for second in 3600...3720 { _ = trend.overview(of: Self.activity(second - 3600, at: Double(second))) }
        var overview = trend.overview(of: Self.activity(121, at: 0))
        #expect(overview.perMinute == nil)
        for second in 1...60 { overview = trend.overview(of: Self.activity(121 + second, at: Double(second))) }
        #expect(try abs(#require(overview.perMinute) - 60) < 2)
        #expect(try abs(#require(overview.stations[0].perMinute) - 60) < 2)
    }

    @Test(arguments: [Int.min, -1, Int.max]) func aMinuteThatCannotBeIsLeftOut(minute: Int) {
        var history = ProvisionHistory(at: Self.start)
        history.add(1, in: minute)
        #expect(history.counts.dropLast().allSatisfy { $0 == 0 })
    }

    @Test func onlyFactsAreAChange() {
        var trend = Self.trend(Self.activity(1, at: 0))
        let first = trend.overview(of: Self.activity(1, at: 0))
        #expect(trend.overview(of: Self.activity(1, at: 60, [Self.station("desk", 1, seen: 60)])).facts == first.facts)
        #expect(trend.overview(of: Self.activity(2, at: 61)).facts != first.facts)
    }

    /// A day with one update per second and 20 stations, some of which leave and return.
    @Test func aDayTakesNoMoreMemoryThanAnHour() {
        var trend = Self.trend(Self.activity(0, of: 1_000_000, at: 0, []))
        func size() -> Int {
            var text = ""
            dump(trend, to: &text)
            return text.utf8.count
        }
        var sizes: [Int] = []
        for hour in 0..<24 {
            // There is an update every second for two minutes, then every 19 s.
            for step in 0..<300 {
                let second = Double(hour * 3600 + (step < 120 ? step : 120 + (step - 120) * 19))
                let stations = (0..<20).map {
                    Self.station("desk-\(hour % 3)-\($0)", Int(second) / 20, seen: second)
                }
                _ = trend.overview(of: Self.activity(Int(second), of: 1_000_000, at: second, stations))
            }
            sizes.append(size())
        }
        #expect(sizes[23] < sizes[1] * 11 / 10, "\(sizes)")
    }
}
