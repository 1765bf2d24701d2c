// A request to end as the error of a command: Interrupted

import SafeTag
import Terminal

extension Interruption {
    /// Throws ``Interrupted`` when the process was asked to end.
    static func check() throws(Interrupted) {
        if isRequested { throw Interrupted(cause: nil) }
    }

    /// Subscribes for work that responds to interruptions by calling ``check()`` where it can stop.
    ///
    /// - Throws: ``Interrupted`` if the process was asked to end before; no work may begin then.
    static func answered() throws(Interrupted) -> Subscription {
        let subscription = onRequest {}
        try check()
        return subscription
    }

    /// Does work that a request cancels.
    ///
    /// - Throws: ``Interrupted`` for work that ends as cancelled; what else the work throws.
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
