// The rate at which rows are provisioned, from earlier counts

import Foundation

/// Rows a minute over the last while.
///
/// It keeps at most about sixty moments, however often and however long it is told of them.
struct ProvisionRate: Sendable {
    private struct Moment {
        let time: Date
        let count: Int
    }

    private let window: TimeInterval
    private var moments: [Moment] = []

    private static let mostMoments = 60.0
    /// A shorter time makes no rate, in seconds.
    private static let shortest = 5.0

    /// - Parameter window: in seconds.
    init(over window: TimeInterval) { self.window = window }

    /// Notes how many rows were provisioned at a time; one before the last, as after a fail-over, begins anew.
    mutating func note(_ count: Int, at time: Date) {
        if let last = moments.last, time < last.time { moments = [] }
        let moment = Moment(time: time, count: count)
        let near = window / Self.mostMoments
        if moments.count > 1, time.timeIntervalSince(moments[moments.count - 2].time) < near {
            moments[moments.count - 1] = moment
        } else {
            moments.append(moment)
        }
        // One moment before the window stays: from there on it is known.
        let old = moments.prefix { time.timeIntervalSince($0.time) >= window }.count
        if old > 1 { moments.removeFirst(old - 1) }
    }

    /// Nil while there is too little data; never below 0, also where rows were freed.
    var perMinute: Double? {
        guard let first = moments.first, let last = moments.last else { return nil }
        let span = last.time.timeIntervalSince(first.time)
        return span < Self.shortest ? nil : max(0, Double(last.count - first.count) / (span / 60))
    }
}

/// How many rows were provisioned in each of the last minutes.
struct ProvisionHistory: Sendable {
    /// An hour.
    static let length = 60
    private var minute: Int
    /// The oldest first.
    private(set) var counts = [Int](repeating: 0, count: length)

    init(at time: Date) { minute = Self.minute(of: time) }

    static func minute(of time: Date) -> Int {
        let minutes = (time.timeIntervalSince1970 / 60).rounded(.down)
        return Int(exactly: minutes) ?? 0
    }

    /// Counts rows of a minute; those of earlier than an hour ago are left out.
    mutating func add(_ count: Int, in minute: Int) {
        advance(to: minute)
        let (age, overflow) = self.minute.subtractingReportingOverflow(minute)
        guard !overflow, (0..<Self.length).contains(age) else { return }
        counts[Self.length - 1 - age] += count
    }

    /// Goes on to a minute.
    mutating func advance(to minute: Int) {
        let step = minute.subtractingReportingOverflow(self.minute).partialValue
        guard step > 0 else { return }
        let kept = counts.suffix(max(0, Self.length - step))
        counts = kept + [Int](repeating: 0, count: Self.length - kept.count)
        self.minute = minute
    }
}
