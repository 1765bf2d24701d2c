// Tests that wait for a chip, each on a thread of its own

import Foundation

/// Runs work that blocks on a thread of its own, so that it keeps none of the few threads that Swift's tasks share.
func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result(catching: work)) }.start()
    }
}
