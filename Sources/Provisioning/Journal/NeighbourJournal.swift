// Other journals that already contain rows of a new plan — Docs/Provisioning.md, Continuing a plan

public import Foundation

/// A journal that already contains rows of a plan for which another journal is about to be created.
///
/// Both journals would put the same rows on different tags.
public struct NeighbourJournal: Hashable, Sendable {
    /// The rows that both plans have.
    public enum Overlap: Hashable, Sendable {
        /// All rows, because the plans have the same bytes.
        case wholePlan
        /// The range from the first to the last number that both plans contain, if both are ranges without a file.
        case numbers(ClosedRange<Int>)
        /// These rows of the new plan, which tags already have although the lists differ.
        case rows(RowNumbers)
    }

    /// How the new plan can continue this journal instead of starting a journal of its own.
    public enum Continuation: Hashable, Sendable {
        /// The plans are equal, so the command only has to name the journal.
        case asItIs
        /// The new plan begins with the journal's rows, and its other rows are appended to the journal.
        case extended
    }

    /// The place of a journal.
    public enum Place: Hashable, Sendable {
        /// A file.
        case file(URL)
        /// A database. `journal` is the journal's name for display, and `plan` is the plan's name in the database.
        case database(journal: String, plan: String)
    }

    /// The place of the journal.
    public let place: Place
    /// The journal's plan.
    public let plan: PlanIdentity
    /// The rows that both plans have.
    public let overlap: Overlap
    /// How the new plan can continue this journal, or nil if it cannot.
    public let continuation: Continuation?
    /// The number of rows in the journal.
    public let rows: Int
    /// The number of rows in the journal that have a tag.
    public let rowsWithTags: Int
    /// Whether the new plan would write these rows with different random digits.
    public let drawsDigits: Bool
    /// Whether another process works with the journal at this moment.
    ///
    /// Always false for a journal in a database.
    public let isInUse: Bool

    /// The journal's file, or nil for a journal in a database.
    public var file: URL? {
        if case .file(let file) = place { file } else { nil }
    }

    /// Searches folders for journals that already contain rows of a plan.
    ///
    /// Rows are recognised by their cells. A journal with other options may be for other tags from the same list, so its
    /// rows are recognised by their messages. Files that are not journals are ignored.
    ///
    /// - Parameters:
    ///   - folders: the folders to search, without their subfolders.
    ///   - started: journals in other folders. They are left out if they cannot be read.
    ///   - suffix: the end of the names of journals.
    ///   - own: the plan's own journal, which is left out.
    ///   - plan: the identity of the plan.
    ///   - source: the source of the plan's rows.
    ///   - isExtension: whether the plan already has a journal, and `rows` passes only its new rows. If another plan is
    ///     equal, its rows are then compared one by one, because all its tags may have earlier rows.
    ///   - recipe: the recipe of the plan. It determines the cells by which rows are recognised.
    ///   - rows: passes the rows of the plan that have no tag to its closure. It is called at most once, and only if a
    ///     journal of another list has rows with tags.
    /// - Returns: the journals in the order of their paths, and the errors of journals that cannot be read.
    /// - Throws: what `rows` threw.
    public static func all(
        in folders: Set<URL>, and started: [URL] = [], suffix: String, except own: URL?, of plan: PlanIdentity,
        from source: PlanSource, isExtension: Bool = false, recipe: RowRecipe,
        rows: ((PlanRow) throws -> Void) throws -> Void
    ) throws -> (journals: [NeighbourJournal], unreadable: [JournalError]) {
        var seen = Set([own?.resolvingSymlinksInPath().path].compactMap(\.self))
        var neighbours: [NeighbourJournal] = []
        var comparisons: [RowComparison] = []
        var messages: [MessageComparison] = []
        var unreadable: [JournalError] = []
        for (file, isNear) in files(in: folders, suffix: suffix).map({ ($0, true) }) + started.map({ ($0, false) })
        where seen.insert(file.resolvingSymlinksInPath().path).inserted && isFile(file) {
            do throws(JournalError) {
                let (otherPlan, counts) = try EmbeddedJournal.glance(at: file)
                let other = GlancedJournal(file: file, plan: otherPlan, counts: counts)
                if !plan.hasMessages(of: other.plan) {
                    if let comparison = try MessageComparison(other, recipe: recipe) { messages.append(comparison) }
                } else if let neighbour = NeighbourJournal(
                    .file(file), other.plan, of: plan, from: source, counts: { other.counts }),
                    !isExtension || neighbour.overlap != .wholePlan
                {
                    neighbours.append(neighbour)
                } else if !(plan.isRange && other.plan.isRange) {
                    if let comparison = try RowComparison(other, recipe: recipe) { comparisons.append(comparison) }
                }
            } catch .notAJournal {
                continue
            } catch {
                if isNear { unreadable.append(error) }
            }
        }
        if !comparisons.isEmpty || !messages.isEmpty {
            try rows { row in
                for index in comparisons.indices { comparisons[index].take(row) }
                for index in messages.indices { messages[index].take(row) }
            }
        }
        neighbours += comparisons.compactMap {
            NeighbourJournal($0.journal, of: plan, common: $0.common, isContinued: $0.isContinued)
        }
        neighbours += messages.compactMap {
            NeighbourJournal($0.journal, of: plan, common: $0.common, isContinued: false)
        }
        return (
            neighbours.sorted { ($0.file?.path ?? "") < ($1.file?.path ?? "") },
            unreadable.sorted { $0.description < $1.description }
        )
    }

    /// Returns the files in these folders whose names have the suffix of journals.
    static func files(in folders: Set<URL>, suffix: String) -> [URL] {
        folders.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.hasSuffix(suffix) }.map { folder.appending(path: $0) }
        }
    }

    static func isFile(_ file: URL) -> Bool {
        var status = stat()
        return stat(file.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Creates the result of comparing the rows of two lists, or returns nil if they have no row in common.
    private init?(_ other: GlancedJournal, of plan: PlanIdentity, common: RowNumbers, isContinued: Bool) {
        guard common.count > 0 else { return nil }
        place = .file(other.file)
        self.plan = other.plan
        overlap = .rows(common)
        continuation = isContinued && plan.hasRecipe(of: other.plan) ? .extended : nil
        (rows, rowsWithTags) = (other.rows, other.rowsWithTags)
        drawsDigits = plan.drawsDigits
        isInUse = Self.isInUse(place)
    }

    /// Examines a journal at a place, and counts its rows if it contains rows of the plan.
    ///
    /// The result is nil if the journal contains no row of the plan, or if `counts` returns nil.
    package init?(
        _ place: Place, _ other: PlanIdentity, of plan: PlanIdentity, from source: PlanSource,
        counts: () -> [RowState: Int]?
    ) {
        guard plan.hasMessages(of: other),
            let (overlap, continuation) = Self.overlap(of: plan, from: source, with: other), let tally = counts()
        else { return nil }
        self.place = place
        self.plan = other
        self.overlap = overlap
        self.continuation = plan.hasRecipe(of: other) ? continuation : nil
        rows = tally.values.reduce(0, +)
        rowsWithTags = rows - tally[.pending, default: 0]
        drawsDigits = plan.drawsDigits
        isInUse = Self.isInUse(place)
    }

    private static func isInUse(_ place: Place) -> Bool {
        guard case .file(let file) = place else { return false }
        return JournalHolder.presence(of: file.resolvingSymlinksInPath().path) == .connected
    }

    private static func overlap(
        of plan: PlanIdentity, from source: PlanSource, with other: PlanIdentity
    ) -> (Overlap, Continuation?)? {
        if case .range(let range) = source, let earlier = PlanRange(options: other.file) {
            return range.numbers(commonWith: earlier).map { numbers in
                (.numbers(numbers), range == earlier ? .asItIs : range.continues(earlier) ? .extended : nil)
            }
        }
        return plan.sha256 == other.sha256 ? (.wholePlan, .asItIs) : nil
    }
}
