// The development of a plan from one moment to the next

import Foundation

/// Follows a plan: receives its activity at each moment and derives rates and conditions over time.
///
/// It has no clock, and its memory does not grow over time.
struct PlanTrend: Sendable {
    private struct Station: Sendable {
        var rate = ProvisionRate(over: PlanTrend.rateWindow)
        var facts: [Int] = []
        /// The time of its last activity, if the journal does not store that.
        var noticed: Date?
    }

    private let plan: PlanIdentity
    private let begun: Date
    private var rate = ProvisionRate(over: rateWindow)
    private var longRate = ProvisionRate(over: longWindow)
    private var history: ProvisionHistory
    private var provisioned: Int
    private var stations: [String?: Station] = [:]

    /// The windows of the rates, in seconds.
    private static let rateWindow = 60.0
    private static let longWindow = 600.0
    /// The time without a tag after which a station counts as silent, in seconds.
    static let silence = 120.0

    /// Starts with a first moment.
    ///
    /// `minutes` are the minutes of the last hour in which tags were provisioned. The rates start with them.
    init(of plan: PlanIdentity, begun: Date, from activity: PlanActivity, after minutes: [ProvisionedMinute]) {
        self.plan = plan
        self.begun = begun
        provisioned = activity.counts.provisioned
        history = ProvisionHistory(at: activity.time)
        for minute in minutes { history.add(minute.count, in: minute.minute) }
        let now = ProvisionHistory.minute(of: activity.time)
        Self.seed(&longRate, with: minutes, upTo: provisioned, before: now)
        Self.seed(&rate, with: minutes, upTo: provisioned, before: now)
        let latest = Dictionary(grouping: minutes, by: \.station)
        for station in activity.stations {
            var known = Station(facts: Self.facts(of: station))
            let minutes = latest[station.name] ?? []
            Self.seed(&known.rate, with: minutes, upTo: station.provisioned, before: now)
            if let last = minutes.map(\.minute).max() {
                known.noticed = Self.begin(of: last + 1, atMost: activity.time)
            }
            stations[station.name] = known
        }
    }

    /// Feeds a rate with the number of rows at the beginning of each minute since the oldest one in `minutes`.
    private static func seed(
        _ rate: inout ProvisionRate, with minutes: [ProvisionedMinute], upTo count: Int, before now: Int
    ) {
        let recent = minutes.filter { $0.minute > now - ProvisionHistory.length && $0.minute <= now }
        guard let oldest = recent.map(\.minute).min() else { return }
        for minute in oldest...now {
            let later = recent.reduce(0) { $0 + ($1.minute >= minute ? $1.count : 0) }
            rate.note(count - later, at: Date(timeIntervalSince1970: Double(minute) * 60))
        }
    }

    private static func begin(of minute: Int, atMost time: Date) -> Date {
        min(Date(timeIntervalSince1970: Double(minute) * 60), time)
    }

    /// The numbers that show activity.
    ///
    /// A bound row counts at once, and not again if it is interrupted later.
    private static func facts(of station: StationActivity) -> [Int] {
        [station.provisioned, station.unfinished, station.refused]
    }

    /// Returns the overview for the next activity.
    mutating func overview(of activity: PlanActivity) -> PlanOverview {
        let done = activity.counts.provisioned
        rate.note(done, at: activity.time)
        longRate.note(done, at: activity.time)
        let minute = ProvisionHistory.minute(of: activity.time)
        history.advance(to: minute)
        if done > provisioned { history.add(done - provisioned, in: minute) }
        provisioned = done
        let stations = activity.stations.map { overview(of: $0, at: activity.time) }
        let names = Set(activity.stations.map(\.name))
        if names.count < self.stations.count { self.stations = self.stations.filter { names.contains($0.key) } }
        return PlanOverview(
            plan: plan, begun: begun, time: activity.time, counts: activity.counts, perMinute: rate.perMinute,
            secondsLeft: secondsLeft(activity.counts.left), stations: stations, lastHour: history.counts)
    }

    private func secondsLeft(_ rows: Int) -> Double? {
        guard rows > 0, let rate = longRate.perMinute, rate > 0 else { return nil }
        return Double(rows) / rate * 60
    }

    private mutating func overview(of station: StationActivity, at time: Date) -> StationOverview {
        var known = stations[station.name] ?? Station(noticed: time)
        known.rate.note(station.provisioned, at: time)
        let facts = Self.facts(of: station)
        if known.facts != facts { known.noticed = time }
        known.facts = facts
        stations[station.name] = known
        return StationOverview(
            activity: station, condition: condition(of: station, noticed: known.noticed, at: time),
            perMinute: known.rate.perMinute)
    }

    private func condition(
        of station: StationActivity, noticed: Date?, at time: Date
    ) -> StationOverview.Condition {
        let last = station.seen ?? noticed
        switch station.presence {
        case .left(let end): return .ended(since: end ?? last)
        case .lost: return .lost(since: last)
        case .connected, .unknown:
            guard let last, time.timeIntervalSince(last) >= Self.silence else { return .working }
            return .silent(since: last)
        }
    }
}
