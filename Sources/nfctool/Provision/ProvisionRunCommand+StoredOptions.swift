// The options of a plan that a journal stores, if the command does not repeat them — Docs/Provisioning.md

import PostgreSQLJournal
import Provisioning

extension ProvisionRunCommand {
    /// The recipe of the plan in the database, if it is given, or of the options.
    ///
    /// If neither an option nor a column names the records, the recipe is the one that the journal file stores.
    func recipe(joining begun: (any ProvisionJournal)?, of source: PlanSource) throws -> RowRecipe {
        if let begun { return try recipe(of: begun) }
        guard try !hasRecords, try journal.server == nil, try !Self.namesRecords(source),
            let started = try journal.started(source), started.plan.namesRecords
        else { return try recipe(of: source) }
        return try recipe(of: started)
    }

    /// Whether columns of the plan define the records.
    ///
    /// Also true if the columns have a fault, because the check of the plan reports it. False for JSON Lines, whose rows
    /// have no common columns: if the plan was started with options, these are stored.
    private static func namesRecords(_ source: PlanSource) throws -> Bool {
        guard let columns = try source.columns() else { return false }
        let recipe = try RowRecipe(options: [], settings: RowSettings())
        do throws(PlanError) {
            try recipe.check(columns: columns)
            return true
        } catch {
            switch error.reason {
            case .nothingToWrite, .noHeader, .otherSeparator: return false
            default: return true
            }
        }
    }
}
