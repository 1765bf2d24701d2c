// Tests of tags, with immediate answers and at the pace of a real reader

public import Testing

/// Whether virtual tags of the running test answer as slowly as real chips on a real reader.
///
/// A test under ``AlsoAtRealLatency`` runs twice: first with immediate answers, then with this on. The code that
/// creates the tags of a suite checks it.
public enum RealLatency {
    /// Whether it is on for the current task.
    @TaskLocal public static var isOn = false
}

/// Runs each test of a suite with immediate answers, and again at real latency.
public struct AlsoAtRealLatency: SuiteTrait, TestTrait, TestScoping {
    fileprivate let isInCI: Bool
    /// The tests of the suite run twice, not the suite.
    public let isRecursive = true

    /// Runs a test with immediate answers, and again at real latency.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await function()
        guard isInCI || Campaign.isLong else { return }
        try await RealLatency.$isOn.withValue(true) { try await function() }
    }
}

extension Trait where Self == AlsoAtRealLatency {
    /// Runs each test twice: with immediate answers, and at real latency.
    public static var alsoAtRealLatency: Self { Self(isInCI: true) }
    /// The same for suites that take minutes at real latency: the second run happens only in campaigns.
    public static var alsoAtRealLatencyInCampaigns: Self { Self(isInCI: false) }
}
