// A plan seen from above: how far it is, how fast it goes, where it stands still

public import Foundation

/// How far a plan is, with what was made of earlier moments: rates, and who is silent.
public struct PlanOverview: Hashable, Sendable {
    /// The plan.
    public let plan: PlanIdentity
    /// When the plan was begun.
    public let begun: Date
    /// When this was so.
    public let time: Date
    /// How far the rows are.
    public let counts: ProvisionCounts
    /// Rows a minute in the last minute; nil while there is too little data.
    public let perMinute: Double?
    /// Until all rows are provisioned, when it goes on as in the last ten minutes, in seconds; nil where that is not foreseen.
    public let secondsLeft: Double?
    /// The stations, in the order of their names.
    public let stations: [StationOverview]
    /// The rows that were provisioned in each minute of the last hour, the oldest first.
    public let lastHour: [Int]

    /// How often tags were refused.
    public var refused: Int { stations.reduce(0) { $0 + $1.activity.refused } }

    /// What makes a change worth telling: neither the time nor a rate does.
    package struct Facts: Hashable, Sendable {
        let counts: ProvisionCounts
        let refusals: [[ReaderRefusals]]
        let stations: [String?]
        let conditions: [StationOverview.Condition]
    }

    /// What of it others than the time have changed.
    package var facts: Facts {
        Facts(
            counts: counts, refusals: stations.map(\.activity.refusals), stations: stations.map(\.activity.name),
            conditions: stations.map(\.condition))
    }
}

/// How a station does.
public struct StationOverview: Hashable, Sendable {
    /// Whether a station works.
    public enum Condition: Hashable, Sendable {
        /// Tags come.
        case working
        /// It is there, and no tag came for two minutes.
        case silent(since: Date)
        /// It ended its work.
        case ended(since: Date?)
        /// It went without a word: it was killed, or its network is broken.
        case lost(since: Date?)
    }

    /// What it did.
    public let activity: StationActivity
    /// Whether it works.
    public let condition: Condition
    /// Rows a minute in the last minute; nil while there is too little data.
    public let perMinute: Double?

    /// Whether it needs attention.
    public var isTroubled: Bool {
        switch condition {
        case .working, .ended: false
        case .silent, .lost: true
        }
    }
}
