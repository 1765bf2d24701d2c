// A plan and a journal that do not belong together

import Provisioning
import Terminal

/// The plan and the journal that the user named do not belong together.
struct OtherJournal: Failure, AdvisedError {
    let plan: String
    let journal: String
    /// The plan of the journal.
    let ownPlan: String

    var name: ErrorName { .usage }
    var message: String { "\(journal) is the journal of \(ownPlan), not of \(plan)." }
    var advice: String? {
        "Name only the journal, or leave out --journal to use the journal of \(TerminalText.escaped(plan))."
    }

    /// Checks whether a journal belongs to a plan.
    ///
    /// - Throws: ``OtherJournal`` if the plan has another name and another content, or cannot be read.
    static func check(_ plan: String, has found: any ProvisionJournal, named journal: String) throws {
        let isOwn = try? PlanSource.file(plan).isSource(of: found.plan)
        guard isOwn != true else { return }
        throw OtherJournal(plan: plan, journal: journal, ownPlan: found.plan.file)
    }
}
