// The overview of a plan in JSON — Docs/JSON.md, Provision status

package import Foundation

extension PlanOverview: Encodable {
    private enum Key: CodingKey {
        case schema, event, time, plan, sha256, begun, refused, perMinute, secondsLeft, stations
    }

    /// Writes the JSON object that `provision status --watch --json` prints.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode("progress", forKey: .event)
        try container.encode(JournalText.time(time), forKey: .time)
        try container.encode(plan.file, forKey: .plan)
        try container.encode(plan.sha256, forKey: .sha256)
        try container.encode(begun.formatted(.iso8601), forKey: .begun)
        try counts.encode(to: encoder)
        try container.encode(refused, forKey: .refused)
        try container.encodeIfPresent(perMinute.map(Self.tenth), forKey: .perMinute)
        try container.encodeIfPresent(secondsLeft.map { $0.rounded() }, forKey: .secondsLeft)
        try container.encode(stations, forKey: .stations)
    }

    fileprivate static func tenth(_ rate: Double) -> Double { (rate * 10).rounded() / 10 }
}

extension PlanWatch.Sight: Encodable {
    private enum Key: CodingKey { case time, schema, event, message, rows, refused }

    /// Writes the overview, or the event `databaseAway`.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .overview(let overview): try overview.encode(to: encoder)
        case .away(let reason, let since):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(JournalText.time(since), forKey: .time)
            try container.encode(1, forKey: .schema)
            try container.encode("databaseAway", forKey: .event)
            try container.encode(reason, forKey: .message)
            // A process that only watches keeps no steps.
            try container.encode(0, forKey: .rows)
            try container.encode(0, forKey: .refused)
        }
    }
}

extension StationOverview: Encodable {
    private enum Key: CodingKey {
        case station, state, since, provisioned, interrupted, perMinute, refused, readers
    }

    private struct Reader: Encodable {
        let reader: String
        let refused: Int
        let last: String
    }

    /// Writes an element of the array `stations`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(activity.name, forKey: .station)
        try container.encode(word, forKey: .state)
        try container.encodeIfPresent(since.map(JournalText.time), forKey: .since)
        try container.encode(activity.provisioned, forKey: .provisioned)
        try container.encode(activity.interrupted, forKey: .interrupted)
        try container.encodeIfPresent(perMinute.map(PlanOverview.tenth), forKey: .perMinute)
        try container.encode(activity.refused, forKey: .refused)
        try container.encode(
            activity.refusals.map { Reader(reader: $0.reader, refused: $0.count, last: JournalText.time($0.last)) },
            forKey: .readers)
    }

    /// The station's condition in JSON: `working`, `silent`, `ended` or `lost`.
    package var word: String {
        switch condition {
        case .working: "working"
        case .silent: "silent"
        case .ended: "ended"
        case .lost: "lost"
        }
    }

    /// The time since which the station has not been working, or nil if it is working or the time is not known.
    package var since: Date? {
        switch condition {
        case .working: nil
        case .silent(let since): since
        case .ended(let since), .lost(let since): since
        }
    }
}
