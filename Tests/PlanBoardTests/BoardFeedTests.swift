// The events that browsers receive over a day, in simulated time

import Foundation
import Testing

@testable import PlanBoard
@testable import Provisioning

@Suite struct BoardFeedTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static func activity(_ done: Int, at seconds: Double, stations: Int = 1) -> PlanActivity {
        PlanActivity(
            time: start + seconds,
            counts: ProvisionCounts(
                states: [.proven: done, .pending: 1_000_000 - done], waitingForSeal: 0, locked: 0),
            stations: (0..<stations).map {
                StationActivity(
                    name: "desk-\($0)", presence: .connected, seen: start + seconds, provisioned: done / stations,
                    interrupted: 0, refusals: [ReaderRefusals(reader: "usb:1-\($0)", count: done / 90, last: start)])
            })
    }

    private static func trend(_ activity: PlanActivity) -> PlanTrend {
        PlanTrend(
            of: PlanIdentity(file: "plan.csv", sha256: "AB", recipe: []), begun: start, from: activity, after: [])
    }

    @Test func anEventIsAChangeOrAfterAWhileTheTime() throws {
        let feed = BoardFeed()
        #expect(feed.latest == nil)
        var trend = Self.trend(Self.activity(0, at: 0))
        try feed.publish(.overview(trend.overview(of: Self.activity(0, at: 0))))
        #expect(feed.latest?.number == 1 && feed.latest?.text.contains(#""provisioned":0"#) == true)
        try feed.publish(.overview(trend.overview(of: Self.activity(3, at: 1))))
        #expect(feed.latest?.number == 2 && feed.latest?.text.contains(#""provisioned":3"#) == true)
        // Nothing changes, so the time is sent with the fifth update. A browser that connects in between gets the
        // newest state.
        for look in 1...BoardFeed.longestQuiet {
            try feed.publish(.away(reason: "gone \(look)", since: Self.start))
            #expect(feed.latest?.number == 3 && feed.latest?.text.contains("gone \(look)") == true)
        }
        try feed.publish(.away(reason: "gone again", since: Self.start))
        #expect(feed.latest?.number == 4)
    }

    @Test func ratesOfAnySizeAreCompared() {
        var changes = SightChanges(countsRates: true)
        var facts = SightChanges()
        let sight = { (rate: Double) in
            PlanWatch.Sight.overview(
                PlanOverview(
                    plan: PlanIdentity(file: "", sha256: "", recipe: []), begun: Self.start, time: Self.start,
                    counts: ProvisionCounts(states: [:], waitingForSeal: 0, locked: 0), perMinute: rate,
                    secondsLeft: nil, stations: [], lastHour: []))
        }
        let rates = [1.02, 1.04, 1.2, 1e300, 1e300, .infinity]
        #expect(rates.map { changes.isNew(sight($0)) } == [true, false, true, true, false, true])
        #expect(rates.map { facts.isNew(sight($0)) } == [true, false, false, false, false, false])
    }

    /// After a day, only the newest state is kept, and it does not grow.
    @Test func aDayLeavesNothingBehind() throws {
        let feed = BoardFeed()
        var trend = Self.trend(Self.activity(0, at: 0, stations: 20))
        var sizes: [Int] = []
        for minute in 0..<1440 {
            let sight = trend.overview(of: Self.activity(minute * 40, at: Double(minute * 60), stations: 20))
            try feed.publish(.overview(sight))
            sizes.append(feed.latest?.text.utf8.count ?? 0)
        }
        #expect(try #require(sizes.last) < sizes[120] * 11 / 10)
        #expect(feed.latest?.text.contains(#""provisioned":57560"#) == true)
    }
}
