// A board that is open for a day, second by second, in simulated time

import Chance
import Foundation
import Testing

@testable import PlanBoard
@testable import Provisioning

/// A board with 20 stations that three browsers watch, for an hour in CI and for 24 hours in a campaign.
@Suite struct BoardDayCampaign {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let browsers = 3
    /// The memory that the allocator may keep in addition, in KiB.
    ///
    /// A leak of a byte per second and browser would exceed it.
    private static let slack = 2048

    private static func activity(at second: Int) -> PlanActivity {
        let stations = (0..<20).map { number in
            let done = second + number
            return StationActivity(
                name: "desk-\(number)", presence: .connected, seen: start + Double(second), provisioned: done,
                interrupted: second % 7 == number % 7 ? 1 : 0,
                refusals: [ReaderRefusals(reader: "usb:1-\(number)", count: done / 90, last: start)])
        }
        let done = stations.reduce(0) { $0 + $1.provisioned }
        return PlanActivity(
            time: start + Double(second),
            counts: ProvisionCounts(
                states: [.proven: done, .pending: 2_000_000 - done], waitingForSeal: 0, locked: 0), stations: stations)
    }

    /// The resident memory of this process in KiB — proc(5), statm.
    private static func memory() throws -> Int {
        let statm = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (statm.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize()) / 1024
    }

    /// Publishes the state at each of these seconds, and lets each browser read the state.
    private static func watch(
        _ seconds: Range<Int>, _ trend: inout PlanTrend, _ feed: BoardFeed, _ listener: BoardListener,
        _ browsers: [BoardClient]
    ) throws {
        for second in seconds {
            let activity = activity(at: second)
            try feed.publish(.overview(trend.overview(of: activity)))
            listener.ring()
            let told = #""provisioned":\#(activity.counts.provisioned),"#
            for browser in browsers {
                let text = browser.read(until: told)
                try #require(text.contains(told), "second \(second): \(text.suffix(200))")
            }
        }
    }

    @Test func aDayAtAWallLeavesTheMemoryFlat() async throws {
        let hours = Campaign.count(1, long: 24)
        let feed = BoardFeed()
        let first = Self.activity(at: 0)
        let plan = PlanIdentity(file: "plan.csv", sha256: "AB", recipe: [])
        var trend = PlanTrend(of: plan, begun: Self.start, from: first, after: [])
        try feed.publish(.overview(trend.overview(of: first)))
        let address = try BoardAddress("127.0.0.1:0")
        let guarding = BoardGuard(address, token: nil, names: [])
        let listener = try BoardListener(address, BoardServer(guarding: guarding, feed: feed))
        let running = Task { try await listener.run() }
        let begun = trend
        let outcome = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    returning: Result {
                        var trend = begun
                        let browsers = try (0..<Self.browsers).map { _ in try BoardClient(listener.port) }
                        for browser in browsers {
                            browser.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            _ = browser.read(until: "\n\n")
                        }
                        // An hour fills the board's history. After that, nothing may grow.
                        var memories: [Int] = []
                        for part in 0..<hours * 4 {
                            let seconds = part * 900 + 1...(part + 1) * 900
                            try Self.watch(Range(seconds), &trend, feed, listener, browsers)
                            memories.append(try Self.memory())
                        }
                        return memories
                    })
            }
        }
        running.cancel()
        try await running.value
        let memories = try outcome.get()
        print("board: \(hours) h, \(hours * 3600) looks, resident KiB by the quarter of an hour: \(memories)")
        // In CI, other tests share the process and its memory.
        guard Campaign.isLong else { return }
        #expect(memories[memories.count - 1] - memories[3] < Self.slack, "\(memories)")
    }
}
