// Tests of several suites and targets that share something that exists only once per process

public import Testing

/// Runs a test while no other test with this trait runs, in any suite or target.
///
/// For tests of PC/SC: libpcsclite finds its daemon through one environment variable.
public struct OneAtATime: SuiteTrait, TestTrait, TestScoping {
    /// The tests of the suite, not the suite.
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

    /// Runs a test in its turn.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // The cases of a parameterized test come here one by one, and so does the test that contains them.
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
    /// While no other test with this trait runs.
    public static var oneAtATime: Self { Self() }
}
