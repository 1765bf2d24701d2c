// The session that asks phones for Wallet passes, for which it would need Apple's keys — CoreNFC NFCVASReaderSession

public import Foundation

/// Requests Wallet passes from phones (value added services).
///
/// On Linux, the session ends with code 1 as soon as it begins, because phones show passes only to readers that poll
/// with Apple's frames and hold the keys of the pass's issuer.
open class NFCVASReaderSession: NFCReaderSession, @unchecked Sendable {
    private weak var passDelegate: (any NFCVASReaderSessionDelegate)?

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - commandConfigurations: the passes to request, which are not used here.
    ///   - delegate: the delegate, held weakly.
    ///   - queue: the queue for the delegate, or nil for a private serial queue.
    public init(
        vasCommandConfigurations commandConfigurations: [NFCVASCommandConfiguration],
        delegate: any NFCVASReaderSessionDelegate, queue: DispatchQueue?
    ) {
        passDelegate = delegate
        super.init(delegate: delegate, queue: queue)
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Creates a session, with the label of the newest SDK.
    public convenience init(
        VASCommandConfigurations commandConfigurations: [NFCVASCommandConfiguration],
        delegate: any NFCVASReaderSessionDelegate, queue: DispatchQueue?
    ) {
        self.init(vasCommandConfigurations: commandConfigurations, delegate: delegate, queue: queue)
    }

    /// Whether a reader for Wallet passes is available.
    ///
    /// Always false.
    open override class var readingAvailable: Bool { false }

    override var refusal: NFCReaderError? { NFCReaderError(unsupported: .valueAddedServices) }

    override func didInvalidate(_ error: NFCReaderError) {
        passDelegate?.readerSession(self, didInvalidateWithError: error)
    }
}
