// A memory that is read again after a new activation, because a tag that stopped answering must be selected again

/// The memory of a tag that is selected again after a missing answer.
protocol ReselectableMemory: PlannedMemory, PersistentlyAsked {
    func forgetAll()
}

extension ReselectableMemory {
    func reopen() throws(TagError) {
        forgetAll()
        try reselect()
    }
}
