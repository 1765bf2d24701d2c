// The pace of a run

/// Counts the rows that were finished in the last minute.
public struct RunPace: Hashable, Sendable {
    /// The times of the finished rows that still count.
    private var finishes: [Duration] = []
    /// The time when work began after the last pause.
    private var beginning: Duration?
    private var last: Duration?

    private static let window = Duration.seconds(60)
    /// The minimum number of rows for a rate.
    private static let fewest = 3

    /// Creates an empty count.
    public init() {}

    /// Notes the presence of a tag.
    ///
    /// The first tag after a pause restarts the count.
    public mutating func tagCame(at time: Duration) {
        if last.map({ time - $0 > Self.window }) ?? true {
            beginning = time
            finishes = []
        }
        last = time
    }

    /// Notes a finished row.
    public mutating func finished(at time: Duration) {
        tagCame(at: time)
        finishes.append(time)
        finishes.removeFirst(finishes.prefix { time - $0 > Self.window }.count)
    }

    /// Rows per minute, or nil while there is too little data.
    public func perMinute(at now: Duration) -> Double? {
        guard let beginning else { return nil }
        let count = finishes.count { now - $0 <= Self.window }
        let span = min(now - beginning, Self.window)
        guard count >= Self.fewest, span > .zero else { return nil }
        return Double(count) / (span / .seconds(60))
    }
}
