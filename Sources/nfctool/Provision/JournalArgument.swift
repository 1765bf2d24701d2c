// The journal that a command uses: the named one, the one of a plan, the only one in this folder, or one in a database

import ArgumentParser
import Doctor
import Foundation
import PostgreSQLJournal
import Provisioning
import Terminal
import WriteJournal

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

    /// Returns the plan that is given as an argument of the command or with `--plan`.
    ///
    /// - Throws: `ValidationError` if both are given.
    func plan(or argument: String?) throws -> String? {
        guard argument == nil || plan == nil else {
            throw ValidationError("Name the plan once, with --plan or without.")
        }
        return argument ?? plan
    }

    /// The database with the journal, or nil if the journal is a file.
    var server: PlanServer? {
        get throws {
            guard let journal, ServerAddress.isURI(journal) else { return nil }
            return PlanServer(try ServerAddress(journal))
        }
    }

    /// Returns the journal file of a plan.
    ///
    /// It is the same for all names of the plan's file.
    func file(of plan: PlanSource) -> URL { URL(fileURLWithPath: journal ?? plan.journalStem + Self.suffix) }

    /// Opens the journal of a plan for reading, or returns nil if the plan was not started.
    func started(_ source: PlanSource) throws -> (any ProvisionJournal)? {
        if let server = try server { return try server.find(plan: Self.name(source.name)) }
        do {
            return try EmbeddedJournal.openForReading(file(of: source))
        } catch JournalError.missing {
            return nil
        }
    }

    /// Returns the journals in which rows of the plan already have tags.
    ///
    /// They are next to the plan or its new journal, among those that this user has started, or in the same database.
    /// Plans in a database are only found if they have the same content, because a comparison with the rows of all plans
    /// would take too long.
    ///
    /// - Parameters:
    ///   - plan: the identity of the plan.
    ///   - source: the source of the plan's rows.
    ///   - recipe: the recipe of the plan.
    ///   - isExtension: whether `rows` passes only the new rows of a plan that has a journal already.
    ///   - overwrite: which tags with a message are accepted. A lost journal is built again with `same`.
    ///   - rows: calls its closure with each row of the plan that has no tag yet.
    /// - Returns: what was found, about which the user can be asked.
    /// - Throws: what `rows` threw.
    func neighbours(
        of plan: PlanIdentity, from source: PlanSource, recipe: RowRecipe, isExtension: Bool = false,
        overwrite: RowSettings.Overwrite, rows: ((PlanRow) throws -> Void) throws -> Void
    ) throws -> NeighbourCheck {
        let own = ownFile(of: source)
        let (journals, unreadable) = try NeighbourJournal.all(
            in: folders(of: source), and: StartedJournals.ofThisUser.files, suffix: Self.suffix, except: own, of: plan,
            from: source, isExtension: isExtension, recipe: recipe, rows: rows)
        var check = NeighbourCheck(
            journals: journals + neighboursInDatabase(of: plan, from: source), unreadable: unreadable,
            usualPath: URL(fileURLWithPath: source.journalStem + Self.suffix).resolvingSymlinksInPath().path)
        if let own, StartedJournals.ofThisUser.hasLost(own) {
            check.lost = LostJournal(path: own.path, isBuiltAgain: overwrite == .same)
        }
        return check
    }

    /// Returns the copies of a journal that gave rows to tags which the journal counts as free.
    func copies(of begun: any ProvisionJournal, from source: PlanSource) throws -> NeighbourCheck {
        var check = NeighbourCheck.nothing
        if let begun = begun as? EmbeddedJournal {
            check.copies = try begun.divergedCopies(
                in: folders(of: source), and: StartedJournals.ofThisUser.files, suffix: Self.suffix)
        }
        return check
    }

    private func ownFile(of source: PlanSource) -> URL? {
        journal.map(ServerAddress.isURI) == true ? nil : file(of: source)
    }

    /// The folders of the plan and of its journal.
    private func folders(of source: PlanSource) -> Set<URL> {
        let files = [URL(fileURLWithPath: source.journalStem), ownFile(of: source)].compactMap(\.self)
        let paths = Set(files.map { $0.resolvingSymlinksInPath().deletingLastPathComponent().path })
        return Set(paths.map { URL(fileURLWithPath: $0, isDirectory: true) })
    }

    private func neighboursInDatabase(of plan: PlanIdentity, from source: PlanSource) -> [NeighbourJournal] {
        // If the database does not answer, nothing is known about its plans.
        guard let server = try? self.server else { return [] }
        return (try? server.neighbours(of: plan, from: source, except: Self.name(source.name))) ?? []
    }

    /// Opens the journal of a plan.
    ///
    /// If no plan is given, opens the only journal in this folder or database.
    ///
    /// - Parameters:
    ///   - plan: the name of a plan or a journal, or the digest of a plan in a database.
    ///   - isRead: whether the journal is only read.
    /// - Returns: the journal and, if it is a file, its URL.
    /// - Throws: ``WhichJournal`` if neither a plan nor `--journal` is given and the folder does not hold exactly one
    ///   journal; ``OtherJournal`` if both are given, but do not belong together; `JournalError`.
    func open(_ plan: String?, reading isRead: Bool) throws -> (journal: any ProvisionJournal, file: URL?) {
        if let server = try server {
            return (try server.open(plan: plan.map(Self.name) ?? server.onlyPlan()), nil)
        }
        let file = try file(of: plan)
        let found = try isRead ? EmbeddedJournal.openForReading(file) : EmbeddedJournal.open(file)
        if let plan, let journal { try OtherJournal.check(plan, has: found, named: journal) }
        return (found, file)
    }

    /// Returns the options with which another command finds this command's journal, such as ` --plan tags.csv`.
    ///
    /// Empty if the other command needs no options, because this folder has no other journal.
    func repeated(for source: PlanSource?) -> String {
        if let file = self.file(for: source), Self.isOnlyJournalHere(file) { return "" }
        return words(for: source).map { " " + ShellLine.quoted($0) }.joined()
    }

    /// Returns the options that name the journal, as separate words.
    func words(for source: PlanSource?) -> [String] {
        if let journal {
            guard let source, ServerAddress.isURI(journal) else { return ["--journal", journal] }
            return ["--journal", journal] + Self.words(naming: Self.name(source.name))
        }
        return switch source {
        case .file(let plan, _)?: Self.words(naming: plan)
        case .range(let range)?: ["--journal", PlanSource.range(range).journalStem + Self.suffix]
        case nil: []
        }
    }

    /// The name of a range begins with dashes, so it must be in the same word as the option.
    private static func words(naming plan: String) -> [String] {
        plan.hasPrefix("-") ? ["--plan=\(plan)"] : ["--plan", plan]
    }

    /// Returns the file of the journal, or nil if the journal is in a database.
    private func file(for source: PlanSource?) -> URL? {
        if let journal, ServerAddress.isURI(journal) { return nil }
        return switch source {
        case .file(let plan, _)?: try? file(of: plan)
        case .range(let range)?: file(of: .range(range))
        case nil: try? file(of: nil)
        }
    }

    private static var journalsHere: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted()
    }

    /// The maximum number of other journals that an error names.
    private static let named = 3

    /// Returns advice that names the journals of plans that were probably renamed or moved, or nil if there are none.
    ///
    /// The journal of such a plan is in the folder of the missing journal, under the old name of the plan, or it has the
    /// name of the missing journal and is in another folder. The plan is no longer next to it.
    static func othersText(besides path: String) -> String? {
        let missing = URL(fileURLWithPath: path)
        let folder = missing.deletingLastPathComponent().resolvingSymlinksInPath()
        let renamed = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { $0.hasSuffix(suffix) && $0 != missing.lastPathComponent }.sorted()
            .map { folder.appendingPathComponent($0) }.filter(hasNoPlan)
        let moved = StartedJournals.ofThisUser.files
            .filter {
                $0.lastPathComponent == missing.lastPathComponent && $0.deletingLastPathComponent().path != folder.path
                    && hasNoPlan($0)
            }
        let here = URL(fileURLWithPath: ".").resolvingSymlinksInPath().path
        let places = (moved + renamed).map { file in
            file.deletingLastPathComponent().path == here ? file.lastPathComponent : file.path
        }
        guard let first = places.first else { return nil }
        let change = moved.isEmpty ? "renamed" : renamed.isEmpty ? "moved" : "moved or renamed"
        guard places.count > 1 else {
            return TerminalText.escaped(
                "If the plan was \(change), name its journal:  --journal \(ShellLine.quoted(first))")
        }
        let more = places.count > named ? " and \(places.count - named) more" : ""
        return "If the plan was \(change), name its journal with --journal: "
            + TerminalText.escaped(places.prefix(named).joined(separator: ", ")) + more + "."
    }

    /// Whether a journal's plan is not next to it under its name.
    ///
    /// Such a plan may have been renamed or moved.
    private static func hasNoPlan(_ journal: URL) -> Bool {
        let name = journal.lastPathComponent
        let plan = journal.deletingLastPathComponent().appendingPathComponent(String(name.dropLast(suffix.count)))
        return !FileManager.default.fileExists(atPath: plan.path) && !name.hasPrefix("range-")
    }

    private static func isOnlyJournalHere(_ file: URL) -> Bool {
        let journals = journalsHere.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
        return journals == [file.resolvingSymlinksInPath().path]
    }

    /// Returns the name of a plan in a database, which is the last part of its path.
    static func name(_ plan: String) -> String { URL(fileURLWithPath: plan).lastPathComponent }

    private func file(of plan: String?) throws -> URL {
        if let plan {
            return plan.hasSuffix(Self.suffix) && journal == nil ? URL(fileURLWithPath: plan) : file(of: .file(plan))
        }
        if let journal { return URL(fileURLWithPath: journal) }
        let journals = Self.journalsHere
        guard let name = journals.first, journals.count == 1 else { throw WhichJournal(journals: journals) }
        return URL(fileURLWithPath: name)
    }
}

/// No journal was named, and there is not exactly one to choose.
struct WhichJournal: Failure {
    let journals: [String]
    var name: ErrorName { .usage }
    var message: String {
        guard !journals.isEmpty else {
            return "There is no journal in this folder. Name the plan with --plan, or the journal with --journal."
        }
        let names = journals.joined(separator: ", ")
        return
            "There are several journals in this folder: \(names). Name the plan with --plan, or the journal with --journal."
    }
}

extension StartedJournals {
    /// The journals that this user has started on this computer.
    static let ofThisUser = StartedJournals(
        folder: Journals.ofThisUser.writes.folder.deletingLastPathComponent().appending(path: "plans"),
        suffix: JournalArgument.suffix)
}
