// The rate at which rows are provisioned, from earlier counts

import Foundation

/// Rows per minute over a recent period.
///
/// It stores about sixty moments at most, however often it is called.
struct ProvisionRate: Sendable {
    private struct Moment {
        let time: Date
        let count: Int
    }

    private let window: TimeInterval
    private var moments: [Moment] = []

    private static let mostMoments = 60.0
    /// The shortest period for a rate, in seconds.
    private static let shortest = 5.0

    /// - Parameter window: the length of the period in seconds.
    init(over window: TimeInterval) { self.window = window }

    /// Notes the number of provisioned rows at the given time.
    ///
    /// A time before the last one, as after a fail-over, restarts the rate.
    mutating func note(_ count: Int, at time: Date) {
        if let last = moments.last, time < last.time { moments = [] }
        let moment = Moment(time: time, count: count)
        let near = window / Self.mostMoments
        if moments.count > 1, time.timeIntervalSince(moments[moments.count - 2].time) < near {
            moments[moments.count - 1] = moment
        } else {
            moments.append(moment)
        }
        // Keep one moment before the window, so that the whole window is covered.
        let old = moments.prefix { time.timeIntervalSince($0.time) >= window }.count
        if old > 1 { moments.removeFirst(old - 1) }
    }

    /// Rows per minute, or nil while there is too little data; never below 0, even if rows were freed.
    var perMinute: Double? {
        guard let first = moments.first, let last = moments.last else { return nil }
        let span = last.time.timeIntervalSince(first.time)
        return span < Self.shortest ? nil : max(0, Double(last.count - first.count) / (span / 60))
    }
}

/// The number of rows provisioned in each of the last minutes.
struct ProvisionHistory: Sendable {
    /// The number of minutes: an hour.
    static let length = 60
    private var minute: Int
    /// The counts, oldest first.
    private(set) var counts = [Int](repeating: 0, count: length)

    init(at time: Date) { minute = Self.minute(of: time) }

    static func minute(of time: Date) -> Int {
        let minutes = (time.timeIntervalSince1970 / 60).rounded(.down)
        return Int(exactly: minutes) ?? 0
    }

    /// Counts rows of a minute.
    ///
    /// Minutes more than an hour ago are ignored.
    mutating func add(_ count: Int, in minute: Int) {
        advance(to: minute)
        let (age, overflow) = self.minute.subtractingReportingOverflow(minute)
        guard !overflow, (0..<Self.length).contains(age) else { return }
        counts[Self.length - 1 - age] += count
    }

    /// Advances to a minute.
    mutating func advance(to minute: Int) {
        let step = minute.subtractingReportingOverflow(self.minute).partialValue
        guard step > 0 else { return }
        let kept = counts.suffix(max(0, Self.length - step))
        counts = kept + [Int](repeating: 0, count: Self.length - kept.count)
        self.minute = minute
    }
}
