// For tests of several suites and targets that share a resource which exists only once per process

public import Testing

/// Runs a test while no other test with this trait runs, in any suite or target.
///
/// PC/SC tests need this, because libpcsclite finds its daemon through an environment variable of the process.
public struct OneAtATime: SuiteTrait, TestTrait, TestScoping {
    /// True, because the trait applies to the tests of a suite, not to the suite.
    public let isRecursive = true

    private actor Turn {
        static let shared = Turn()
        private var isTaken = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func take() async {
            guard isTaken else {
                isTaken = true
                return
            }
            await withCheckedContinuation { waiting.append($0) }
        }

        func give() {
            if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
        }
    }

    /// Runs a test when no other test with this trait is running.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // This is called for each case of a parameterized test, and also for the test that contains them.
        guard testCase != nil else { return try await function() }
        await Turn.shared.take()
        let result: Result<Void, any Error>
        do {
            try await function()
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await Turn.shared.give()
        try result.get()
    }
}

extension Trait where Self == OneAtATime {
    /// Runs a test while no other test with this trait runs.
    public static var oneAtATime: Self { Self() }
}
