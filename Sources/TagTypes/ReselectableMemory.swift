// A memory that is read anew on a fresh activation — a tag that fell silent answers only after it is selected again

/// The memory of a tag that is selected again when it had no answer.
protocol ReselectableMemory: PlannedMemory, PersistentlyAsked {
    /// Forgets all that was read.
    func forgetAll()
}

extension ReselectableMemory {
    func reopen() throws(TagError) {
        forgetAll()
        try reselect()
    }
}
