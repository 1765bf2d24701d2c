// Tests that wait for a chip, each on a separate thread

import Foundation

/// Runs blocking work on a separate thread, so that it does not occupy the few threads that Swift's tasks share.
func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result(catching: work)) }.start()
    }
}
