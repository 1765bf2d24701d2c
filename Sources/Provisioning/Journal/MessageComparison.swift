// Rows of a new plan whose messages were verified on the tags of a plan with other options — Docs/Provisioning.md

import DurableFiles
import Foundation
import GRDB
import NDEF

/// Compares the messages of a new plan with those that were verified on tags.
///
/// The columns and options may differ: for example, a column was renamed, or the list now has full links. Messages with
/// the tag's UID are compared only with the tag that has the row with the same number. About 50 bytes are kept for each
/// tag.
struct MessageComparison {
    let journal: GlancedJournal
    private let recipe: RowRecipe
    private var known: Set<Int> = []
    /// The messages that several tags hold.
    ///
    /// The plan repeats them on purpose, so they do not identify a row.
    private var shared: Set<Int> = []
    private var tags: [Int: (uid: [UInt8], message: Int)] = [:]

    /// The rows of the new plan whose messages tags hold according to the journal.
    private(set) var common = RowNumbers()

    /// Reads the verified messages.
    ///
    /// Returns nil if there are none, or if the new plan's messages contain random digits, or content that the tags fill
    /// in.
    ///
    /// - Throws: the error of a journal that cannot be read.
    init?(_ journal: GlancedJournal, recipe: RowRecipe) throws(JournalError) {
        guard recipe.isReproducible, journal.rowsWithTags > 0 else { return nil }
        self.journal = journal
        self.recipe = recipe
        try EmbeddedJournal.glanceAtVerifiedMessages(of: journal.file) { number, uid, sha256, length in
            let message = Self.key(sha256, length)
            if recipe.isOfUID {
                tags[number] = (uid, message)
            } else if !known.insert(message).inserted {
                shared.insert(message)
            }
        }
        guard !known.isEmpty || !tags.isEmpty else { return nil }
    }

    mutating func take(_ row: PlanRow) {
        let tag = tags[row.number]
        guard tag != nil || !recipe.isOfUID,
            let bytes = try? recipe.order(for: row).message(uid: tag?.uid ?? []).message.encoded()
        else { return }
        let message = Self.key(bytes.sha256, bytes.count)
        if recipe.isOfUID ? tag?.message == message : known.contains(message) && !shared.contains(message) {
            common.add(row.number)
        }
    }

    /// Returns the hash of a message.
    ///
    /// The hash is valid only in this process.
    private static func key(_ sha256: String, _ length: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(sha256)
        hasher.combine(length)
        return hasher.finalize()
    }
}

extension EmbeddedJournal {
    /// Opens a journal as ``glance(at:)`` does, and passes the number, UID, digest and length of each verified message to
    /// `body`.
    fileprivate static func glanceAtVerifiedMessages(
        of file: URL, _ body: (Int, [UInt8], String, Int) -> Void
    ) throws(JournalError) {
        try glance(at: file) { database, path in
            let cursor = try Row.fetchCursor(
                database,
                sql: "SELECT number, uid, sha256, messageLength FROM planRow WHERE sha256 IS NOT NULL ORDER BY number")
            while let stored = try cursor.next() {
                guard let number = Int.fromDatabaseValue(stored[0]), let uid = Data.fromDatabaseValue(stored[1]),
                    let sha256 = String.fromDatabaseValue(stored[2]), let length = Int.fromDatabaseValue(stored[3])
                else { throw JournalError.damaged(path: path, code: 0, reason: "a row is not valid") }
                body(number, Array(uid), sha256, length)
            }
        }
    }
}
