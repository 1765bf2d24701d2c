// What browsers are told over a day, with times of the tests' own

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

    @Test func aReaderGetsTheLastSightAtOnceThenChangesAndTheTimeNowAndThen() async throws {
        let feed = BoardFeed()
        var trend = Self.trend(Self.activity(0, at: 0))
        try feed.publish(.overview(trend.overview(of: Self.activity(0, at: 0))))
        let stream = try #require(feed.subscribe())
        var sights = stream.makeAsyncIterator()
        #expect(try await #require(sights.next()).contains(#""provisioned":0"#))
        try feed.publish(.overview(trend.overview(of: Self.activity(3, at: 1))))
        #expect(try await #require(sights.next()).contains(#""provisioned":3"#))
        // Nothing changes: the time is told at the fifth look.
        for look in 1...BoardFeed.longestQuiet {
            try feed.publish(.away(reason: "gone", since: Self.start))
            if look == 1 { #expect(try await #require(sights.next()).contains("databaseAway")) }
        }
        try feed.publish(.away(reason: "gone again", since: Self.start))
        #expect(try await #require(sights.next()).contains("gone again"))
        feed.end()
        #expect(await sights.next() == nil && feed.readerCount == 0 && feed.subscribe() == nil)
    }

    @Test func thereIsAnEndToReaders() throws {
        let feed = BoardFeed()
        var streams = try (0..<BoardFeed.mostReaders).map { _ in try #require(feed.subscribe()) }
        #expect(feed.subscribe() == nil)
        streams.removeLast()
        #expect(feed.readerCount == BoardFeed.mostReaders - 1 && feed.subscribe() != nil)
    }

    /// A day: a reader that never reads, and others that come and go.
    @Test func aDayLeavesNothingBehind() async throws {
        let feed = BoardFeed()
        var trend = Self.trend(Self.activity(0, at: 0, stations: 20))
        let asleep = try #require(feed.subscribe())
        var sizes: [Int] = []
        for minute in 0..<1440 {
            let sight = trend.overview(of: Self.activity(minute * 40, at: Double(minute * 60), stations: 20))
            try feed.publish(.overview(sight))
            _ = feed.subscribe()
            sizes.append(feed.latest?.utf8.count ?? 0)
        }
        #expect(feed.readerCount == 1)
        #expect(try #require(sizes.last) < sizes[120] * 11 / 10)
        feed.end()
        var waiting: [String] = []
        for await sight in asleep { waiting.append(sight) }
        #expect(waiting.count == 1 && waiting.first?.contains(#""provisioned":57560"#) == true)
    }
}
