// Tests that wait in system calls, on threads other than those of the task pool

import Dispatch
import Testing

/// Runs a test on separate threads, because calls to PC/SC block, and the pool of Swift's tasks has only as many
/// threads as cores.
struct OffThePool: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    private final class Threads: TaskExecutor {
        static let shared = Threads()
        private let queue = DispatchQueue(label: "PCSCReadersTests.blocking", attributes: .concurrent)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Threads.shared) { try await function() }
    }
}

extension Trait where Self == OffThePool {
    static var offThePool: Self { Self() }
}
