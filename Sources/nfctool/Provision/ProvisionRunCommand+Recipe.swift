// The recipe of a plan: from this command's options, or from the plan in the database — Docs/Stations.md

import PostgreSQLJournal
import Provisioning
import SecureDynamicMessaging

extension ProvisionRunCommand {
    func recipe(of source: PlanSource) throws -> RowRecipe {
        guard !records.hasSeveralLanguages else {
            throw UsageFailure(message: "Give --lang only once. The column lang sets the language of a row.")
        }
        // A password may also be given for tags that already have one. Only --protect requires a password, and asks for
        // it if the plan has no password column. If the column's name is misspelt, the check of the plan reports this.
        let isAsked = try protect && !(source.columns() ?? []).contains(where: UnusedColumn.meansPassword)
        let password =
            isAsked
            ? try options.password.credential(orAsk: PasswordPrompt(options.output), isNew: true)
            : try options.password.credential()
        let settings = RowSettings(
            language: records.language, lock: lock, protect: protect, password: password, require: require,
            overwrite: overwrite)
        return try RowRecipe(options: records.inOrder(), settings: settings, dynamic: dynamicRecipe())
    }

    private func dynamicRecipe() throws -> DynamicRecipe? {
        try sdm.map { template in
            guard let keys = try options.keys.dynamic(naming: [0, SDMKeys.fileReadNumber]) else {
                throw UsageFailure(message: "--sdm needs the file with the keys: --key-file FILE.")
            }
            return DynamicRecipe(template: template, keys: keys, keyVersion: keyVersion ?? 1)
        }
    }

    /// Returns the plan of this name in the database.
    ///
    /// Nil if there is none, or if this command's options are the recipe. Options that name records always are. Options
    /// for settings alone are the recipe only if the plan in the database defines its records by columns.
    func startedPlan(of source: PlanSource, on server: PlanServer) throws -> PostgreSQLJournal? {
        guard try !hasRecords, let begun = try server.find(plan: JournalArgument.name(source.name)) else { return nil }
        return try hasRecipe && !begun.plan.namesRecords ? nil : begun
    }

    /// Whether the options of this command name records.
    var hasRecords: Bool { get throws { try !records.inOrder().isEmpty || sdm != nil } }

    /// Whether the options of this command say what is written to tags, or which settings apply to them.
    private var hasRecipe: Bool { get throws { try hasRecords || lock || protect || require != nil } }

    /// Returns the recipe of a plan that another station started, with which this command's options must agree.
    func recipe(of journal: any ProvisionJournal) throws -> RowRecipe {
        let password = try options.password.credential()
        if try hasRecipe {
            let own = try RowRecipe(
                options: records.inOrder(),
                settings: RowSettings(
                    language: records.language, lock: lock, protect: protect, require: require, overwrite: overwrite),
                dynamic: dynamicRecipe())
            let identity = PlanIdentity(file: journal.plan.file, sha256: journal.plan.sha256, recipe: own.lines)
            guard identity.hasRecipe(of: journal.plan) || identity.repeatsSettings(of: journal.plan) else {
                throw OtherOptions(journal: journal.name, isOfSettings: try !hasRecords)
            }
        }
        let keys = try options.keys.dynamic(naming: [0, SDMKeys.fileReadNumber])
        let recipe = try RowRecipe(joining: journal, password: password, keys: keys, overwrite: overwrite)
        // A user with write access to the database may decide what tags hold. This must not include the content of
        // files on this computer.
        if try !hasRecords, let template = recipe.fileTemplates.first {
            throw FilesOfStation(journal: journal.name, template: template)
        }
        return recipe
    }
}
