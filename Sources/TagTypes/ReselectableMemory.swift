// Trying again on a fresh activation — a tag that fell silent answers only after it is selected anew
import NFCReader

/// The memory of a tag that is selected again when it had no answer.
protocol ReselectableMemory: PlannedMemory {
    /// Forgets all that was read.
    func forgetAll()
    /// Activates the tag again.
    func reselect() throws(TagError)
}

extension ReselectableMemory {
    func reopen() throws(TagError) {
        forgetAll()
        try reselect()
    }

    /// Sends a command again, on a fresh activation, when it had no answer.
    func repeated<T>(_ retries: Int, _ attempt: () throws(TagError) -> T) throws(TagError) -> T {
        for _ in 0..<retries {
            do throws(TagError) {
                return try attempt()
            } catch .reader(.noAnswer) {
                try reselect()
            }
        }
        return try attempt()
    }
}
