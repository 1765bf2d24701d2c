// Which looks at a plan see something new — Docs/Stations.md, Watching

/// Detects whether a sight differs from the one before.
package struct SightChanges: Sendable {
    private let countsRates: Bool
    private var facts: PlanOverview.Facts?
    private var rates: [Double?] = []
    private var isAway = false

    /// Has seen nothing yet.
    ///
    /// - Parameter countsRates: whether a change of a rate, in tenths of a row a minute, is one.
    package init(countsRates: Bool = false) { self.countsRates = countsRates }

    /// Whether something else is seen than the last time.
    package mutating func isNew(_ sight: PlanWatch.Sight) -> Bool {
        guard case .overview(let overview) = sight else {
            defer { isAway = true }
            return !isAway
        }
        let now = countsRates ? ([overview.perMinute] + overview.stations.map(\.perMinute)).map(Self.tenths) : []
        defer { (facts, rates, isAway) = (overview.facts, now, false) }
        return isAway || facts != overview.facts || rates != now
    }

    private static func tenths(_ rate: Double?) -> Double? { rate.map { ($0 * 10).rounded() } }
}
