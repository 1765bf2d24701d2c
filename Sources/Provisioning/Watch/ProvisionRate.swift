// The rate at which rows are provisioned, from earlier counts

import Foundation

/// The number of rows per minute over the last minute, or since the plan was started if that was less than a minute
/// ago.
///
/// Wherever the rate of a watched plan or station is shown, as by `provision board` and `status --watch`, it is this
/// rate. At most about sixty moments are stored, however often the rate is updated.
struct ProvisionRate: Sendable {
    private struct Moment {
        let time: Date
        let count: Int
    }

    private var moments: [Moment] = []

    /// The length of the period in seconds.
    private static let window = 60.0
    private static let mostMoments = 60.0
    /// The shortest period for a rate, in seconds.
    private static let shortest = 5.0

    /// Starts with the rows that a journal lists for the period before a moment.
    ///
    /// - Parameters:
    ///   - count: the number of provisioned rows at that moment.
    ///   - rows: the rows that were provisioned before that moment.
    ///   - begun: the time when the plan was started.
    ///   - time: that moment.
    init(from count: Int, after rows: [ProvisionedRows] = [], since begun: Date, at time: Date) {
        // A clock that was set back may show a time before the start.
        let earliest = time - Self.window
        let start = begun <= time ? max(begun, earliest) : earliest
        let recent = rows.filter { $0.time > start && $0.time <= time }.sorted { $0.time < $1.time }
        var known = max(0, count - recent.reduce(0) { $0 + $1.count })
        note(known, at: start)
        for part in recent {
            known = min(count, known + part.count)
            note(known, at: part.time)
        }
    }

    /// Notes the number of provisioned rows at the given time.
    ///
    /// If the time is before the last one, as it may be after a fail-over, the rate restarts.
    mutating func note(_ count: Int, at time: Date) {
        if let last = moments.last, time < last.time { moments = [] }
        let moment = Moment(time: time, count: count)
        let near = Self.window / Self.mostMoments
        if moments.count > 1, time.timeIntervalSince(moments[moments.count - 2].time) < near {
            moments[moments.count - 1] = moment
        } else {
            moments.append(moment)
        }
        // Keep one moment before the window, so that the whole window is covered.
        let old = moments.prefix { time.timeIntervalSince($0.time) >= Self.window }.count
        if old > 1 { moments.removeFirst(old - 1) }
    }

    /// The number of rows per minute, or nil while there is too little data.
    ///
    /// The rate is never below 0, even if rows were freed.
    var perMinute: Double? {
        guard let first = moments.first, let last = moments.last else { return nil }
        let span = last.time.timeIntervalSince(first.time)
        return span < Self.shortest ? nil : max(0, Double(last.count - first.count) / (span / 60))
    }
}

/// The number of rows provisioned in each of the last minutes.
struct ProvisionHistory: Sendable {
    /// The number of minutes that are covered: one hour.
    static let length = 60
    private var minute: Int
    /// The counts, oldest first.
    private(set) var counts = [Int](repeating: 0, count: length)

    init(at time: Date) { minute = Self.minute(of: time) }

    static func minute(of time: Date) -> Int {
        let minutes = (time.timeIntervalSince1970 / 60).rounded(.down)
        return Int(exactly: minutes) ?? 0
    }

    /// Adds rows to the count of a minute.
    ///
    /// Minutes more than an hour ago are ignored.
    mutating func add(_ count: Int, in minute: Int) {
        advance(to: minute)
        let (age, overflow) = self.minute.subtractingReportingOverflow(minute)
        guard !overflow, (0..<Self.length).contains(age) else { return }
        counts[Self.length - 1 - age] += count
    }

    /// Moves the history forward, so that it ends with the given minute.
    mutating func advance(to minute: Int) {
        let step = minute.subtractingReportingOverflow(self.minute).partialValue
        guard step > 0 else { return }
        let kept = counts.suffix(max(0, Self.length - step))
        counts = kept + [Int](repeating: 0, count: Self.length - kept.count)
        self.minute = minute
    }
}
