// Which journal a command means: the one of a plan, one by its name, the only one in this folder, or one in a database

import ArgumentParser
import Foundation
import PostgreSQLJournal
import Provisioning

/// How a journal is named on the command line.
struct JournalArgument: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The journal: a file, or postgresql://USER@HOST/DATABASE for many stations.",
            discussion:
                "Default: the plan's name with .journal appended; for --range, range-1-1000.journal in this folder.",
            valueName: "file"), completion: .file())
    var journal: String?

    @Option(help: ArgumentHelp("The plan that the journal belongs to.", valueName: "plan"), completion: .file())
    var plan: String?

    static let suffix = ".journal"

    /// The plan as an argument of the command, or of `--plan`.
    ///
    /// - Throws: where both are given.
    func plan(or argument: String?) throws -> String? {
        guard argument == nil || plan == nil else {
            throw ValidationError("Name the plan once, with --plan or without.")
        }
        return argument ?? plan
    }

    /// The database; nil for a file.
    var server: PlanServer? {
        get throws {
            guard let journal, ServerAddress.isURI(journal) else { return nil }
            return PlanServer(try ServerAddress(journal))
        }
    }

    /// The journal of a plan, which is one also where it has two names.
    func file(of plan: PlanSource) -> URL { URL(fileURLWithPath: journal ?? plan.journalStem + Self.suffix) }

    /// Opens the journal of a plan or, without one, the only journal in this folder or database.
    ///
    /// - Parameters:
    ///   - plan: a plan's name; a journal's name, or the digest of a plan in a database, does as well.
    ///   - isRead: whether it is only looked at.
    /// - Returns: the journal, and its file if it is one.
    /// - Throws: ``WhichJournal`` when neither a plan nor `--journal` is given and the folder does not hold exactly one
    ///   journal; `JournalError`.
    func open(_ plan: String?, reading isRead: Bool) throws -> (journal: any ProvisionJournal, file: URL?) {
        if let server = try server {
            return (try server.open(plan: plan.map(Self.name) ?? server.onlyPlan()), nil)
        }
        let file = try file(of: plan)
        return (try isRead ? EmbeddedJournal.openForReading(file) : EmbeddedJournal.open(file), file)
    }

    /// What a plan's file is called in a database.
    static func name(_ plan: String) -> String { URL(fileURLWithPath: plan).lastPathComponent }

    private func file(of plan: String?) throws -> URL {
        if let plan {
            return plan.hasSuffix(Self.suffix) && journal == nil ? URL(fileURLWithPath: plan) : file(of: .file(plan))
        }
        if let journal { return URL(fileURLWithPath: journal) }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
        let journals = names.filter { $0.hasSuffix(Self.suffix) }.sorted()
        guard let name = journals.first, journals.count == 1 else { throw WhichJournal(journals: journals) }
        return URL(fileURLWithPath: name)
    }
}

/// No journal is named, and there is not one only to be meant.
struct WhichJournal: Failure {
    let journals: [String]
    var name: ErrorName { .usage }
    var message: String {
        guard !journals.isEmpty else { return "There is no journal in this folder. Name the plan, or --journal FILE." }
        return "Several journals are in this folder: \(journals.joined(separator: ", ")). Name one: --journal FILE."
    }
}
