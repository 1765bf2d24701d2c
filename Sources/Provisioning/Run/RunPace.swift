// How fast a plan is carried out

/// Counts what was finished in the last minute.
public struct RunPace: Hashable, Sendable {
    /// When rows were finished; those that count.
    private var finishes: [Duration] = []
    /// When the work began after the last pause.
    private var beginning: Duration?
    private var last: Duration?

    private static let window = Duration.seconds(60)
    /// Fewer make no rate.
    private static let fewest = 3

    /// Has counted nothing yet.
    public init() {}

    /// Notes that a tag is there; the first after a pause restarts the count.
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

    /// Nil while there is too little data.
    public func perMinute(at now: Duration) -> Double? {
        guard let beginning else { return nil }
        let count = finishes.count { now - $0 <= Self.window }
        let span = min(now - beginning, Self.window)
        guard count >= Self.fewest, span > .zero else { return nil }
        return Double(count) / (span / .seconds(60))
    }
}
