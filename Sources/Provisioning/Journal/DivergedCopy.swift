// Copies of a journal that have tags for its free rows — Docs/Provisioning.md, Continuing a plan

public import Foundation
import GRDB

/// A copy of a journal that has tags for rows that the journal itself counts as free.
///
/// Runs worked with both journals. They would put the same rows on different tags.
public struct DivergedCopy: Sendable {
    /// The copy.
    public let file: URL
    /// The rows that have a tag only in the copy.
    public let rows: RowNumbers
}

extension EmbeddedJournal {
    /// Searches for copies of this journal that gave rows to tags which this journal counts as free.
    ///
    /// A copy has the same plan and was begun at the same time. An earlier backup is not returned, because its rows have
    /// their tags in this journal too, or were freed later. Files that are not journals or cannot be read are ignored.
    ///
    /// - Parameters:
    ///   - folders: the folders to search, without their subfolders.
    ///   - started: journals in other folders.
    ///   - suffix: the end of the names of journals.
    /// - Returns: the copies, in the order of their paths.
    /// - Throws: `JournalError` if this journal cannot be read.
    public func divergedCopies(
        in folders: Set<URL>, and started: [URL], suffix: String
    ) throws(JournalError) -> [DivergedCopy] {
        var seen = Set([path])
        var copies: [DivergedCopy] = []
        for file in NeighbourJournal.files(in: folders, suffix: suffix) + started
        where seen.insert(file.resolvingSymlinksInPath().path).inserted && NeighbourJournal.isFile(file) {
            guard let given = try? Self.rowsWithTags(inCopyOf: plan, begun: begun, at: file) else { continue }
            var rows = RowNumbers()
            for (number, changed) in given {
                guard let own = try row(number), own.state == .pending else { continue }
                // A row that was freed here after its tag got it in a backup is not a row of another tag.
                if let freed = own.changed, let changed, freed >= changed { continue }
                rows.add(number)
            }
            if rows.count > 0 { copies.append(DivergedCopy(file: file, rows: rows)) }
        }
        return copies.sorted { $0.file.path < $1.file.path }
    }

    /// Returns the rows that have tags according to a copy, with the times of their last changes, or none if the journal
    /// is not a copy.
    private static func rowsWithTags(
        inCopyOf plan: PlanIdentity, begun: Date, at file: URL
    ) throws(JournalError) -> [(number: Int, changed: Date?)] {
        try glance(at: file) { database, path in
            let (other, otherBegun) = try Self.plan(in: database, path: path)
            guard otherBegun == begun, other.hasRecipe(of: plan) else { return [] }
            return try Row.fetchAll(
                database, sql: "SELECT number, changed FROM planRow WHERE state <> 'pending' ORDER BY number"
            ).compactMap { row in
                Int.fromDatabaseValue(row[0]).map { number in
                    (number, String.fromDatabaseValue(row[1]).flatMap(JournalText.time))
                }
            }
        }
    }
}
