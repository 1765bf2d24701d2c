// How the activity of a plan develops over time

import Foundation

/// Follows a plan: receives its activity at each moment and derives rates and conditions over time.
///
/// It has no clock of its own, and its memory use does not grow over time.
struct PlanTrend: Sendable {
    private struct Station: Sendable {
        var rate: ProvisionRate
        var facts: [Int] = []
        /// The time when the station's activity was last noticed, used if the journal does not store the time.
        var noticed: Date?
    }

    private let plan: PlanIdentity
    private let begun: Date
    private var rate: ProvisionRate
    private var history: ProvisionHistory
    private var provisioned: Int
    private var stations: [String?: Station] = [:]

    /// The time without a tag after which a station counts as silent, in seconds.
    static let silence = 120.0

    /// Starts with the plan's activity at a first moment.
    ///
    /// `rows` are the rows that were provisioned in the hour before this moment. They are the basis of the first rates.
    init(of plan: PlanIdentity, begun: Date, from activity: PlanActivity, after rows: [ProvisionedRows]) {
        self.plan = plan
        self.begun = begun
        provisioned = activity.counts.provisioned
        history = ProvisionHistory(at: activity.time)
        for part in rows { history.add(part.count, in: ProvisionHistory.minute(of: part.time)) }
        rate = ProvisionRate(from: provisioned, after: rows, since: begun, at: activity.time)
        let rowsOfStations = Dictionary(grouping: rows, by: \.station)
        for station in activity.stations {
            let rows = rowsOfStations[station.name] ?? []
            stations[station.name] = Station(
                rate: ProvisionRate(from: station.provisioned, after: rows, since: begun, at: activity.time),
                facts: Self.facts(of: station),
                noticed: rows.map(\.time).max().map { min($0, activity.time) })
        }
    }

    /// Returns the numbers whose changes show that a station is active.
    ///
    /// A row counts as soon as it is bound, and not again if it is interrupted later.
    private static func facts(of station: StationActivity) -> [Int] {
        [station.provisioned, station.unfinished, station.refused]
    }

    /// Returns the overview after the next activity.
    mutating func overview(of activity: PlanActivity) -> PlanOverview {
        let done = activity.counts.provisioned
        rate.note(done, at: activity.time)
        let minute = ProvisionHistory.minute(of: activity.time)
        history.advance(to: minute)
        if done > provisioned { history.add(done - provisioned, in: minute) }
        provisioned = done
        let stations = activity.stations.map { overview(of: $0, at: activity.time) }
        let names = Set(activity.stations.map(\.name))
        if names.count < self.stations.count { self.stations = self.stations.filter { names.contains($0.key) } }
        return PlanOverview(
            plan: plan, begun: begun, time: activity.time, counts: activity.counts, perMinute: rate.perMinute,
            secondsLeft: secondsLeft(activity, stations), stations: stations, lastHour: history.counts)
    }

    private func secondsLeft(_ activity: PlanActivity, _ stations: [StationOverview]) -> Double? {
        // Interrupted and failed rows do not count, because it is not known when their tags come back or when the rows
        // are freed.
        let rows = activity.counts.pending + activity.beingWritten
        guard rows > 0, stations.contains(where: { $0.condition == .working }),
            let rate = self.rate.perMinute, rate > 0
        else { return nil }
        return Double(rows) / rate * 60
    }

    private mutating func overview(of station: StationActivity, at time: Date) -> StationOverview {
        var known =
            stations[station.name]
            ?? Station(rate: ProvisionRate(from: station.provisioned, since: begun, at: time), noticed: time)
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
