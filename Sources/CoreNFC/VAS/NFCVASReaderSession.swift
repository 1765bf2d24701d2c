// The session that asks phones for Wallet passes, which needs Apple's keys — CoreNFC NFCVASReaderSession

public import Foundation

/// Asks phones for Wallet passes (value added services).
///
/// On Linux it ends with code 1 as soon as it begins: phones show passes only to readers that poll with Apple's frames
/// and hold the keys of the pass's issuer.
open class NFCVASReaderSession: NFCReaderSession, @unchecked Sendable {
    /// Makes a session.
    ///
    /// - Parameters:
    ///   - commandConfigurations: which passes to ask for; not used here.
    ///   - delegate: held weakly.
    ///   - queue: where the delegate is called; nil for a private serial queue.
    public init(
        vasCommandConfigurations commandConfigurations: [NFCVASCommandConfiguration],
        delegate: any NFCVASReaderSessionDelegate, queue: DispatchQueue?
    ) {
        super.init(delegate: delegate, queue: queue)
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Makes a session, with the label of the newest SDK.
    public convenience init(
        VASCommandConfigurations commandConfigurations: [NFCVASCommandConfiguration],
        delegate: any NFCVASReaderSessionDelegate, queue: DispatchQueue?
    ) {
        self.init(vasCommandConfigurations: commandConfigurations, delegate: delegate, queue: queue)
    }

    /// Whether there is a reader for Wallet passes: never.
    open override class var readingAvailable: Bool { false }

    override var refusal: NFCReaderError? { NFCReaderError(unsupported: .valueAddedServices) }

    override func didInvalidate(_ error: NFCReaderError) {
        (delegate as? any NFCVASReaderSessionDelegate)?.readerSession(self, didInvalidateWithError: error)
    }
}
