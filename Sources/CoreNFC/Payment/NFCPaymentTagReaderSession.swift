// The session for payment cards, which needs an entitlement on iOS — CoreNFC NFCPaymentTagReaderSession

public import Foundation

/// Finds payment cards, as tags of ISO/IEC 7816-4.
///
/// On Linux it ends with code 1 as soon as it begins, as on a phone that is not entitled to it.
open class NFCPaymentTagReaderSession: NFCTagReaderSession, @unchecked Sendable {
    /// Makes a session; the delegate is held weakly, and without a queue there is a private serial one.
    public convenience init(delegate: any NFCTagReaderSessionDelegate, queue: DispatchQueue? = nil) {
        self.init(configuration: Configuration(pollingOption: .iso14443), delegate: delegate, queue: queue)
    }

    /// Whether there is a reader for payment cards: never.
    open override class var readingAvailable: Bool { false }

    override var refusal: NFCReaderError? { NFCReaderError(unsupported: .payment) }
}
