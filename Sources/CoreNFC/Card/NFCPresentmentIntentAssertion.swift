// A program's request for exclusive use of the reader — CoreNFC NFCPresentmentIntentAssertion

import Foundation

/// An assertion that prevents the system's wallet from appearing on an iPhone.
///
/// Linux has no wallet, so ``acquire()`` always succeeds. As on an iPhone, the assertion is valid for 15 seconds.
public final class NFCPresentmentIntentAssertion: Sendable {
    private let end: ContinuousClock.Instant
    private static let validity = Duration.seconds(15)

    private init() { end = .now + Self.validity }

    /// Creates an assertion.
    public static func acquire() async throws -> NFCPresentmentIntentAssertion { NFCPresentmentIntentAssertion() }

    /// Whether the assertion is still valid.
    public var isValid: Bool { .now < end }

    /// The reason why an assertion was refused.
    ///
    /// Never used on Linux.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// This system does not let programs emulate cards.
        case systemEligibilityFailed
        /// An earlier assertion ended too recently.
        case systemNotAvailable
    }
}
