// Other plans in a database that already contain rows of a new plan — Docs/Stations.md

public import Provisioning

extension PlanServer {
    /// The maximum number of plans to examine.
    private static let neighbourLimit = 100

    /// Returns the other plans in this database that already contain rows of a plan, newest first.
    ///
    /// - Parameters:
    ///   - plan: the identity of the plan.
    ///   - source: the source of the plan's rows.
    ///   - own: the plan's own name in the database.
    /// - Returns: one entry for each of these plans.
    /// - Throws: `away` if the server does not answer.
    public func neighbours(
        of plan: PlanIdentity, from source: PlanSource, except own: String
    ) throws(JournalError) -> [NeighbourJournal] {
        let connection = try connect()
        // Different ranges may have numbers in common, so a range is compared with all other plans. Plans of other
        // kinds are compared only with plans that have the same digest.
        let isRange = if case .range = source { true } else { false }
        let found = try connection.rows(
            """
            SELECT id FROM nfctool.plan
            WHERE name <> $1 AND (sha256 = $2 OR $3 AND starts_with(file, '\(PlanRange.optionsPrefix)'))
            ORDER BY begun DESC LIMIT \(Self.neighbourLimit)
            """, [.text(own), .text(plan.sha256), .flag(isRange)])
        var neighbours: [NeighbourJournal] = []
        for row in found {
            let id = try connection.number(in: row[0] ?? "")
            let journal = try PostgreSQLJournal(self, connection, plan: id, station: nil)
            let place = NeighbourJournal.Place.database(journal: journal.name, plan: journal.planName)
            let neighbour = NeighbourJournal(place, journal.plan, of: plan, from: source) { try? journal.counts() }
            if let neighbour { neighbours.append(neighbour) }
        }
        return neighbours
    }
}
