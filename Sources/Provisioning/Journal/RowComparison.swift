// The rows of a new plan that tags already have according to the journal of another list — Docs/Provisioning.md

import Foundation
import GRDB

/// A journal of another plan, at which this process had a short look.
struct GlancedJournal {
    let file: URL
    let plan: PlanIdentity
    /// The number of rows in each state.
    let counts: [RowState: Int]

    var rows: Int { counts.values.reduce(0, +) }
    var rowsWithTags: Int { rows - counts[.pending, default: 0] }
}

/// Compares the rows of a new plan with the rows that tags have according to another journal.
///
/// It keeps about 50 bytes for each row that a tag has.
struct RowComparison {
    let journal: GlancedJournal
    private let keys: RowKeys
    private var known: Set<Int> = []
    /// The keys that several rows with tags share.
    ///
    /// Such rows make equal messages on purpose, so the key does not identify a row.
    private var shared: Set<Int> = []
    /// A hash of the cells of each row that a tag has, without generated ones, by row number.
    private var contents: [Int: Int] = [:]

    /// The rows of the new plan that tags already have according to the journal.
    private(set) var common = RowNumbers()
    private var rowsInPlace = 0
    private var newRows = 0

    /// Reads the rows that tags have, or returns nil if there are none.
    ///
    /// - Throws: the error of a journal that cannot be read.
    init?(_ journal: GlancedJournal, recipe: RowRecipe) throws(JournalError) {
        guard journal.rowsWithTags > 0 else { return nil }
        self.journal = journal
        keys = RowKeys(recipe)
        try EmbeddedJournal.glanceAtRowsWithTags(of: journal.file) { add($0) }
    }

    private mutating func add(_ row: PlanRow) {
        contents[row.number] = row.withoutTokens.fields.hashValue
        if let key = keys.key(of: row), !known.insert(key).inserted { shared.insert(key) }
    }

    mutating func take(_ row: PlanRow) {
        newRows += 1
        if contents[row.number] == row.withoutTokens.fields.hashValue { rowsInPlace += 1 }
        if let key = keys.key(of: row), known.contains(key), !shared.contains(key) { common.add(row.number) }
    }

    /// Whether `--extend` can probably extend the journal to the new plan, because every row that a tag has is
    /// unchanged and in its place.
    var isContinued: Bool { rowsInPlace == journal.rowsWithTags && newRows >= journal.rows }
}

extension EmbeddedJournal {
    /// Opens a journal as ``glance(at:)`` does, and passes the rows that tags have to `body`.
    fileprivate static func glanceAtRowsWithTags(
        of file: URL, _ body: (PlanRow) -> Void
    ) throws(JournalError) {
        try glance(at: file) { database, path in
            let cursor = try Row.fetchCursor(
                database, sql: "SELECT number, line, fields FROM planRow WHERE state <> 'pending' ORDER BY number")
            while let stored = try cursor.next() {
                guard let number = Int.fromDatabaseValue(stored[0]), let line = Int.fromDatabaseValue(stored[1]),
                    let fields = String.fromDatabaseValue(stored[2]).flatMap(JournalText.fields)
                else { throw JournalError.damaged(path: path, code: 0, reason: "a row is not valid") }
                body(PlanRow(number: number, line: line, fields: fields))
            }
        }
    }
}
