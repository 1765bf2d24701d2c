// Tests of several suites, and targets, that share something there is one of in a process

public import Testing

/// Runs a test while no other test with this trait runs, in whichever suite or target.
///
/// For tests of PC/SC: libpcsclite finds its daemon by one variable of the environment.
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
        // Of a parameterized test the cases come here, one by one, and the test around them too.
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
