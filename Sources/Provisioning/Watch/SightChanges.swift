// Decides which readings of a plan's journal show something new — Docs/Stations.md, Watching

/// Detects whether a reading differs from the previous one.
package struct SightChanges: Sendable {
    private let countsRates: Bool
    private var facts: PlanOverview.Facts?
    private var rates: [Double?] = []
    private var isAway = false

    /// Creates a detector without an earlier reading.
    ///
    /// - Parameter countsRates: whether a changed rate counts as new. Rates are compared in tenths of a row per minute.
    package init(countsRates: Bool = false) { self.countsRates = countsRates }

    /// Whether this reading differs from the previous one.
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
