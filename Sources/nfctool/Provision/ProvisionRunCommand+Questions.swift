// The questions before the first tag: rows that other tags may have, damaged rows, keys and locks

import MemoryPresentation
import Provisioning
import SafeTag
import SecureDynamicMessaging
import Terminal

extension ProvisionRunCommand {
    /// Shows the warnings about new rows before they are stored, and asks about those that other tags may have, and
    /// about locks of damaged ones.
    ///
    /// If the program ends before the answer, nothing was stored, and the next run asks again. In a database, everything
    /// is stored first, because a transaction must not wait for an answer.
    func agree(to draft: PlanDraft, of plan: CheckedPlan) throws {
        draft.show(in: .events(options.output))
        try journal.neighbours(
            of: draft.plan, from: plan.source, recipe: plan.recipe, isExtension: draft.isExtension, overwrite: overwrite
        ) { add in
            _ = try plan.check { checked in
                let row = checked.order.row
                if draft.stores(row.number) { try add(row) }
            }
        }.confirm(options.output, isAgreed: repeatRows)
        try draft.confirmDamagedLocks(options.output, isAgreed: force.force)
    }

    /// Asks about rows of a plan with a journal in a file that other tags may have.
    ///
    /// As long as no tag has a row of a continued plan, other journals may have got tags in the meantime. Later, only
    /// copies of this journal are compared, because the user has agreed to everything else.
    func agree(to found: PlanJournal, _ plan: CheckedPlan) throws {
        let begun = found.journal
        let check: NeighbourCheck
        if try begun.hasTags() {
            check = try journal.copies(of: begun, from: plan.source)
        } else if found.draft == nil {
            check = try journal.neighbours(
                of: begun.plan, from: plan.source, recipe: plan.recipe, overwrite: overwrite
            ) { add in
                try begun.forEachRow(in: [.pending]) { try add($0.row) }
            }
        } else {
            return
        }
        try check.confirm(options.output, isAgreed: repeatRows)
    }

    /// Returns what a run would say and ask about other journals, without a change to any journal.
    func neighbours(
        of identity: PlanIdentity, _ plan: CheckedPlan, standing: PlanStanding, in begun: (any ProvisionJournal)?
    ) throws -> NeighbourCheck {
        var stores: (Int) -> Bool = { _ in true }
        var isExtension = false
        var copies: NeighbourCheck?
        if let begun, standing != .restarted {
            let hasTags = try begun.hasTags()
            if hasTags { copies = try journal.copies(of: begun, from: plan.source) }
            if case .extended(let differences) = standing {
                let first = try begun.counts().values.reduce(0, +) + 1
                isExtension = true
                let changed = differences.acceptsCorrections ? differences.corrected.union(differences.amended) : []
                stores = { $0 >= first || changed.contains($0) }
            } else if let copies {
                return copies
            } else if !(begun is EmbeddedJournal) {
                return .nothing
            }
        }
        var check = try journal.neighbours(
            of: identity, from: plan.source, recipe: plan.recipe, isExtension: isExtension, overwrite: overwrite
        ) { add in
            _ = try plan.check { if stores($0.order.row.number) { try add($0.order.row) } }
        }
        if let copies { check.copies = copies.copies }
        return check
    }

    /// Asks for confirmation of the changes to all tags, before the first tag is written.
    func confirm(_ recipe: RowRecipe, _ journal: any ProvisionJournal, _ duplicates: String?) throws {
        if let dynamic = recipe.dynamic, try !journal.progress().isComplete {
            try Confirmation(options.output).ask(
                "Change the keys of the tags?",
                facts: [
                    "Each tag gets the keys of the key file, as version \(dynamic.keyVersion). A tag whose keys are lost can no longer be changed. Keep the file.",
                    DynamicFacts.sharedKeys(dynamic.keys.alsoChanging),
                ].compactMap(\.self).joined(separator: "\n")
            )
        }
        // A plan can have a million rows, so they are only examined if the user may be asked or warned.
        let isSilent = options.output.yes && options.output.quiet
        guard !isSilent, try journal.plan.recipe.contains("--lock") || journal.hasColumn("lock") else { return }
        var locks = 0
        try journal.forEachRow(in: RowState.open) { row in
            try Interruption.check()
            if try recipe.order(for: row.row).settings.lock { locks += 1 }
        }
        guard locks > 0 else { return }
        let tags = locks == 1 ? "1 tag" : "\(locks) tags"
        let permanence =
            locks == 1
            ? "1 tag will be locked permanently once its row is verified. Its message can never be changed again."
            : "\(locks) tags will be locked permanently, each once its row is verified. Their messages can never be changed again."
        try Confirmation(options.output).ask(
            "Lock \(tags) permanently?", facts: [permanence, duplicates].compactMap(\.self).joined(separator: " "))
    }
}
