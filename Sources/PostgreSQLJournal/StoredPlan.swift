// A plan in the database. A journal compares the plan stored under its ID with the plan that it was opened for

import Foundation
import Provisioning

/// A plan as the server returns it.
struct StoredPlan {
    let name: String
    let identity: PlanIdentity
    let begun: Date

    /// Reads a plan, or returns nil if there is none with this ID.
    ///
    /// If `readsRecipe` is false, this login may not read the recipe, and the recipe is left empty. Throws
    /// `JournalError.damaged` if the row does not identify its plan.
    init?(_ id: Int, over connection: ServerConnection, readsRecipe: Bool) throws(JournalError) {
        let found = try connection.rows(
            """
            SELECT name, file, sha256, \(readsRecipe ? "recipe" : "'[]'"), \(ServerFunctions.time("begun"))
            FROM nfctool.plan WHERE id = $1
            """, [.int(id)])
        guard let row = found.first else { return nil }
        let values = row.compactMap { $0 }
        guard values.count == 5,
            let identity = PlanIdentity(file: StoredText.read(values[1]), sha256: values[2], journalText: values[3]),
            let begun = JournalText.time(values[4])
        else {
            throw .damaged(path: connection.journal, code: 0, reason: "it does not say which plan it belongs to")
        }
        (self.name, self.identity, self.begun) = (values[0], identity, begun)
    }
}

extension PostgreSQLJournal {
    /// Checks that the plan is still the one that this station opened, because rows of another plan must not be written
    /// with its recipe.
    ///
    /// Replacing a plan changes its start time, but extending it does not.
    func requireSamePlan(over connection: ServerConnection) throws(JournalError) {
        guard let stored = try StoredPlan(planID, over: connection, readsRecipe: readsFields), stored.begun == begun,
            stored.identity.hasRecipe(of: plan)
        else { throw .planReplaced(journal: name) }
    }
}
