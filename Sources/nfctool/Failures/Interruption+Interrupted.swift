// An interruption request, thrown by a command as an error

import SafeTag
import Terminal

extension Interruption {
    /// Throws ``Interrupted`` if the process was asked to end.
    static func check() throws(Interrupted) {
        if isRequested { throw Interrupted(cause: nil) }
    }

    /// Subscribes to interruptions for work that responds to them by calling ``check()`` at points where it can stop.
    ///
    /// - Throws: ``Interrupted`` if the process was already asked to end. In this case, no work may begin.
    static func answered() throws(Interrupted) -> Subscription {
        let subscription = onRequest {}
        try check()
        return subscription
    }

    /// Runs work that is cancelled by an interruption request.
    ///
    /// - Throws: ``Interrupted`` if the work ends because it was cancelled; any other error of the work.
    static func cancelling<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task(operation: work)
        let subscription = onRequest { task.cancel() }
        defer { withExtendedLifetime(subscription) {} }
        do {
            return try await task.value
        } catch is CancellationError {
            throw Interrupted(cause: nil)
        }
    }
}
