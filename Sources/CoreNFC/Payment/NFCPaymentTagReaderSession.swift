// The session for payment cards; on iOS, it needs an entitlement — CoreNFC NFCPaymentTagReaderSession

public import Foundation

/// Finds payment cards, which are tags with ISO/IEC 7816-4.
///
/// On Linux, the session ends with code 1 as soon as it begins, as on a phone without the entitlement.
open class NFCPaymentTagReaderSession: NFCTagReaderSession, @unchecked Sendable {
    /// Creates a session.
    ///
    /// The session holds the delegate weakly. If no queue is given, it uses a private serial queue.
    public convenience init(delegate: any NFCTagReaderSessionDelegate, queue: DispatchQueue? = nil) {
        self.init(configuration: Configuration(pollingOption: .iso14443), delegate: delegate, queue: queue)
    }

    /// Whether a reader for payment cards is available.
    ///
    /// Always false.
    open override class var readingAvailable: Bool { false }

    override var refusal: NFCReaderError? { NFCReaderError(unsupported: .payment) }
}
