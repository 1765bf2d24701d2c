// Runs tests of tags with immediate answers and at the pace of a real reader

public import Testing

/// Whether virtual tags of the running test answer as slowly as real chips on a real reader.
///
/// A test with ``AlsoAtRealLatency`` runs twice: first with immediate answers, then with ``isOn`` set. The code that
/// creates the tags of a suite checks this.
public enum RealLatency {
    /// Whether the tags of the current task answer at real latency.
    @TaskLocal public static var isOn = false
}

/// Runs each test of a suite with immediate answers, and again at real latency.
public struct AlsoAtRealLatency: SuiteTrait, TestTrait, TestScoping {
    fileprivate let isInCI: Bool
    /// True, because the tests of a suite run twice, not the suite.
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
    /// Runs each test twice only in campaigns, for suites that take minutes at real latency.
    public static var alsoAtRealLatencyInCampaigns: Self { Self(isInCI: false) }
}
