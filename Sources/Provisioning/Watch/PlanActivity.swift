// What goes on in a plan at a moment, at all stations, as its journal says

public import Foundation

/// How far a plan is at a moment, and what each station did for it.
public struct PlanActivity: Hashable, Sendable {
    /// When this was so, by the journal's clock: the server's, for stations that share one.
    public let time: Date
    /// How far the rows are.
    public let counts: ProvisionCounts
    /// The stations, in the order of their names; one without a name where a single process works with the journal.
    public let stations: [StationActivity]

    /// Makes an activity of its facts.
    public init(time: Date, counts: ProvisionCounts, stations: [StationActivity]) {
        self.time = time
        self.counts = counts
        self.stations = stations
    }
}

/// What one station did for a plan.
public struct StationActivity: Hashable, Sendable {
    /// Whether a process works under the station's name.
    public enum Presence: Hashable, Sendable {
        /// It does.
        case connected
        /// It ended its work; when, if the journal says so.
        case left(Date?)
        /// It went without a word: it was killed, or its network is broken.
        case lost
        /// Not known, as on a replica of the server.
        case unknown
    }

    /// Nil for the one process that works with a journal in a file.
    public let name: String?
    /// Whether it is at work.
    public let presence: Presence
    /// When a tag was there the last time, or the station began, to a few seconds; nil where the journal does not keep that.
    ///
    /// Of a station that is lost, when its process was there.
    public let seen: Date?
    /// The rows it provisioned.
    public let provisioned: Int
    /// The rows whose tags have to come back: not verified, or not locked or protected yet.
    public let interrupted: Int
    /// How often its readers refused tags, most often first.
    public let refusals: [ReaderRefusals]

    /// Makes an activity of its facts.
    public init(
        name: String?, presence: Presence, seen: Date?, provisioned: Int, interrupted: Int, refusals: [ReaderRefusals]
    ) {
        self.name = name
        self.presence = presence
        self.seen = seen
        self.provisioned = provisioned
        self.interrupted = interrupted
        self.refusals = refusals
    }

    /// How often it refused tags.
    public var refused: Int { refusals.reduce(0) { $0 + $1.count } }
}

/// How often a reader refused tags.
public struct ReaderRefusals: Hashable, Sendable {
    /// Its connection string; at most 200 characters of it.
    public let reader: String
    /// How often.
    public let count: Int
    /// When the last time.
    public let last: Date

    /// Readers whose names agree in this number of characters count as one.
    package static let longestName = 200

    /// Makes a count of its facts.
    public init(reader: String, count: Int, last: Date) {
        self.reader = reader
        self.count = count
        self.last = last
    }
}

/// Rows that were provisioned within a minute.
public struct ProvisionedMinute: Hashable, Sendable {
    /// Which station provisioned them; nil in a journal without stations.
    public let station: String?
    /// Minutes since 1970 in UTC.
    public let minute: Int
    /// How many.
    public let count: Int

    /// Makes a count of its facts.
    public init(station: String?, minute: Int, count: Int) {
        self.station = station
        self.minute = minute
        self.count = count
    }
}
