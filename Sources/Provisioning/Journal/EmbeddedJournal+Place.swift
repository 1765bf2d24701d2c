// Whether a journal is still at its path while a run works with it. If it was deleted, it is created there again

import GRDB
import Glibc

extension EmbeddedJournal {
    /// Checks that the file is still at its path, so that no tag gets a row of which the next run would not know.
    ///
    /// - Throws: `deleted`.
    func requireInPlace() throws(JournalError) {
        guard isInPlace else { throw .deleted(path: path, isBack: false) }
    }

    /// Creates the file again if it was deleted or moved during the run.
    ///
    /// - Throws: `deleted` if it was.
    func putBackIfDeleted() throws(JournalError) {
        guard !isInPlace else { return }
        throw .deleted(path: path, isBack: access(path, F_OK) != 0 && putBack())
    }

    private var isInPlace: Bool { (try? FileIdentity(of: path)) == identity }

    private func putBack() -> Bool {
        let temporary = Self.unfinished(path)
        Self.removeParts(of: temporary)
        do {
            try Self.makeEmpty(temporary)
            let copy = try DatabaseQueue(path: temporary)
            try queue.backup(to: copy)
            try copy.close()
            // The log next to the path belongs to the deleted file. The copy already contains its steps.
            Self.removeLog(of: path)
            try Self.put(temporary, at: file)
            return true
        } catch {
            Self.removeParts(of: temporary)
            return false
        }
    }
}
