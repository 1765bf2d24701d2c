// The rate at which a run finishes rows

/// Counts the rows that were finished in the last minute, and calculates the rate from them.
public struct RunPace: Hashable, Sendable {
    private var finishes: [Duration] = []
    /// The time when work began, either for the first time or after the last pause.
    ///
    /// Nil before the first tag.
    private var beginning: Duration?
    private var last: Duration?

    private static let window = Duration.seconds(60)
    /// The minimum number of rows from which a rate is calculated.
    private static let fewest = 3

    /// Creates an empty count.
    public init() {}

    /// Notes that a tag was placed.
    ///
    /// The first tag after a pause restarts the count.
    public mutating func tagCame(at time: Duration) {
        if last.map({ time - $0 > Self.window }) ?? true {
            beginning = time
            finishes = []
        }
        last = time
    }

    /// Notes that a row was finished.
    public mutating func finished(at time: Duration) {
        tagCame(at: time)
        finishes.append(time)
        finishes.removeFirst(finishes.prefix { time - $0 > Self.window }.count)
    }

    /// Returns the number of rows per minute, or nil while there is too little data.
    public func perMinute(at now: Duration) -> Double? {
        guard let beginning else { return nil }
        let count = finishes.count { now - $0 <= Self.window }
        let span = min(now - beginning, Self.window)
        guard count >= Self.fewest, span > .zero else { return nil }
        return Double(count) / (span / .seconds(60))
    }
}
