// That a program wants the reader for itself — CoreNFC NFCPresentmentIntentAssertion

import Foundation

/// On an iPhone, keeps the system's own wallet from showing up; on Linux there is none, so it always succeeds.
///
/// Like there, it is valid for 15 seconds.
public final class NFCPresentmentIntentAssertion: Sendable {
    private let end: ContinuousClock.Instant
    private static let validity = Duration.seconds(15)

    private init() { end = .now + Self.validity }

    /// Makes an assertion.
    public static func acquire() async throws -> NFCPresentmentIntentAssertion { NFCPresentmentIntentAssertion() }

    /// Whether its time is not over.
    public var isValid: Bool { .now < end }

    /// Why there is no assertion; never on Linux.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// This system does not let programs be cards.
        case systemEligibilityFailed
        /// An earlier assertion has ended only just now.
        case systemNotAvailable
    }
}
