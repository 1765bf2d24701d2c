// How reports describe rows whose tags are verified, but not locked or protected yet

extension SealRule {
    /// Whether a row's tag is verified, but must still be locked or protected by a password.
    func isOpen(_ row: JournalRow) -> Bool { row.state == .proven && !seal(of: row).isNone }

    /// Returns the state of a row, in words for a customer.
    func words(for row: JournalRow) -> String {
        isOpen(row) ? "verified, not \(closing(row)) yet" : row.state.words(closed: carriedOut(on: row))
    }

    /// Returns the reason why a row is not finished: the recorded reason or, if there is none, that the tag is not
    /// locked or protected yet.
    ///
    /// The result is nil if neither applies.
    func reason(for row: JournalRow) -> String? {
        if let reason = row.reason, !reason.isEmpty { return reason }
        return isOpen(row) ? "The tag is verified but not \(closing(row)) yet." : row.reason
    }

    private func closing(_ row: JournalRow) -> String {
        let seal = seal(of: row)
        return seal.lock && seal.protect ? "locked or protected" : seal.lock ? "locked" : "protected"
    }
}
