// What happens in a plan at one moment, at all stations, according to its journal

public import Foundation

/// The progress of a plan at one moment, and how each station contributes to it.
public struct PlanActivity: Hashable, Sendable {
    /// The time of this state by the journal's clock, which is the server's clock if stations share a server.
    public let time: Date
    /// The number of rows in each stage.
    public let counts: ProvisionCounts
    /// The stations sorted by name.
    ///
    /// If a single process works with the journal, there is one station without a name.
    public let stations: [StationActivity]
    /// The number of rows that are being written to their tags now, at all stations, as far as this is known.
    public let beingWritten: Int

    /// The longest time that writing a row takes, in seconds (assumed).
    ///
    /// After this time, the row's tag counts as gone.
    package static let longestWriting: TimeInterval = 120

    /// Whether a process is connected under the name of the station that has the row.
    public func isStationConnected(of row: JournalRow) -> Bool {
        stations.contains { $0.name == row.station && $0.presence == .connected }
    }

    /// Whether a row is probably being written to its tag at the moment.
    ///
    /// This is assumed if its station is connected, the row changed in the last two minutes, and no reason is stored.
    public func isBeingWritten(_ row: JournalRow) -> Bool {
        guard [.bound, .written, .proven].contains(row.state), row.reason == nil, let changed = row.changed else {
            return false
        }
        return time.timeIntervalSince(changed) < Self.longestWriting && isStationConnected(of: row)
    }

    /// Creates an activity from a complete list of stations.
    public init(time: Date, counts: ProvisionCounts, stations: [StationActivity]) {
        self.init(
            time: time, counts: counts, stations: stations,
            beingWritten: stations.reduce(0) { $0 + $1.unfinished - $1.interrupted })
    }

    /// Creates an activity from a list of stations that need not be complete.
    package init(time: Date, counts: ProvisionCounts, stations: [StationActivity], beingWritten: Int) {
        self.time = time
        self.counts = counts
        self.stations = stations
        self.beingWritten = beingWritten
    }
}

/// A station's work on a plan.
public struct StationActivity: Hashable, Sendable {
    /// What is known about the process that works under the station's name.
    public enum Presence: Hashable, Sendable {
        /// A process is working.
        case connected
        /// The process ended normally. The date is the time of its end, or nil if the journal does not store it.
        case left(Date?)
        /// The process ended unexpectedly: it was killed, or its network failed.
        case lost
        /// The presence is not known, for example on a replica of the server.
        case unknown
    }

    /// The station's name, or nil for the single process that works with a journal in a file.
    public let name: String?
    /// What is known about the station's process.
    public let presence: Presence
    /// The time when the station started or last had a tag, to within a few seconds, or nil if the journal does not
    /// store it.
    ///
    /// For a lost station, this is the last time at which its process was connected.
    public let seen: Date?
    /// The number of rows that the station provisioned.
    public let provisioned: Int
    /// The number of rows whose tags must be placed again, because they are not being written now and are not verified,
    /// or not yet locked or protected.
    public let interrupted: Int
    /// The number of unfinished rows: the interrupted ones and those that are being written now.
    package let unfinished: Int
    /// The refusals by the station's readers, most frequent first.
    public let refusals: [ReaderRefusals]

    /// Creates the activity of a station.
    public init(
        name: String?, presence: Presence, seen: Date?, provisioned: Int, interrupted: Int, refusals: [ReaderRefusals]
    ) {
        self.init(
            name: name, presence: presence, seen: seen, provisioned: provisioned, interrupted: interrupted,
            unfinished: interrupted, refusals: refusals)
    }

    /// Creates the activity of a station that may be writing some of its unfinished rows at the moment.
    package init(
        name: String?, presence: Presence, seen: Date?, provisioned: Int, interrupted: Int, unfinished: Int,
        refusals: [ReaderRefusals]
    ) {
        self.name = name
        self.presence = presence
        self.seen = seen
        self.provisioned = provisioned
        self.interrupted = interrupted
        self.unfinished = unfinished
        self.refusals = refusals
    }

    /// The number of refusals at this station.
    public var refused: Int { refusals.reduce(0) { $0 + $1.count } }
}

/// The number of tags that a reader refused.
public struct ReaderRefusals: Hashable, Sendable {
    /// The reader's connection string, shortened to 200 characters.
    public let reader: String
    /// The number of refusals.
    public let count: Int
    /// The time of the last refusal.
    public let last: Date

    /// The maximum length of a reader's name, in characters.
    ///
    /// Readers whose names are equal up to this length are counted as one reader.
    package static let longestName = 200

    /// Creates a count of refusals.
    public init(reader: String, count: Int, last: Date) {
        self.reader = reader
        self.count = count
        self.last = last
    }
}

/// The number of rows that were provisioned within one second or, if they are older than 90 s, within one minute.
public struct ProvisionedRows: Hashable, Sendable {
    /// The station that provisioned the rows, or nil if the journal has no stations.
    public let station: String?
    /// The time of the last of these rows.
    public let time: Date
    /// The number of rows.
    public let count: Int

    /// The age in seconds up to which rows are counted by the second: the period over which a rate is calculated, plus
    /// some time to read the rows.
    package static let recent: TimeInterval = 90

    /// Creates a count of provisioned rows.
    public init(station: String?, time: Date, count: Int) {
        self.station = station
        self.time = time
        self.count = count
    }
}
