// The overview of a plan: its progress, its rate, and the stations that are silent

public import Foundation

/// The progress of a plan, with the rates and silent stations derived from earlier activity.
public struct PlanOverview: Hashable, Sendable {
    /// The plan.
    public let plan: PlanIdentity
    /// The time when the plan was started.
    public let begun: Date
    /// The time of this state.
    public let time: Date
    /// The number of rows in each stage.
    public let counts: ProvisionCounts
    /// The number of rows per minute over the last minute, or since the plan was started if that was less than a minute
    /// ago.
    ///
    /// Nil for the first few seconds.
    public let perMinute: Double?
    /// The estimated time in seconds until all rows that can still get a tag are provisioned, at the rate
    /// ``perMinute``.
    ///
    /// The estimate is nil if no station is working, if the rate is 0 or not known, or if no such row is left.
    public let secondsLeft: Double?
    /// The stations, sorted by name.
    public let stations: [StationOverview]
    /// The number of rows provisioned in each minute of the last hour, oldest first.
    public let lastHour: [Int]

    /// The number of refusals at all stations.
    public var refused: Int { stations.reduce(0) { $0 + $1.activity.refused } }

    /// The facts whose changes are worth reporting.
    ///
    /// Times and rates are not included.
    package struct Facts: Hashable, Sendable {
        let counts: ProvisionCounts
        let refusals: [[ReaderRefusals]]
        let stations: [String?]
        let conditions: [StationOverview.Condition]
        /// The number of interrupted rows at each station, because no other number changes when a write is interrupted.
        let interrupted: [Int]
    }

    package var facts: Facts {
        Facts(
            counts: counts, refusals: stations.map(\.activity.refusals), stations: stations.map(\.activity.name),
            conditions: stations.map(\.condition), interrupted: stations.map(\.activity.interrupted))
    }
}

/// A station's work and condition.
public struct StationOverview: Hashable, Sendable {
    /// Whether a station is working and, if not, since when.
    public enum Condition: Hashable, Sendable {
        /// Tags are being placed.
        case working
        /// The station is connected, but no tag was placed for two minutes.
        case silent(since: Date)
        /// The station ended its work normally.
        case ended(since: Date?)
        /// The station ended unexpectedly: it was killed, or its network failed.
        case lost(since: Date?)
    }

    /// The station's work so far.
    public let activity: StationActivity
    /// Whether the station is working and, if not, since when.
    public let condition: Condition
    /// The number of rows per minute, over the same period as the plan's rate.
    ///
    /// Nil for the first few seconds.
    public let perMinute: Double?

    /// Whether the station needs attention.
    public var isTroubled: Bool {
        switch condition {
        case .working, .ended: false
        case .silent, .lost: true
        }
    }
}
