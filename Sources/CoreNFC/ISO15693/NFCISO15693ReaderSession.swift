// The session of iOS 11 for ISO 15693 tags, which no PN53x can reach — CoreNFC NFCISO15693ReaderSession

public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The first session for ISO 15693 tags.
///
/// It ends with code 1 as soon as it begins: the readers of libnfc have no ISO 15693 radio.
@available(*, deprecated, message: "Use NFCTagReaderSession.")
open class __NFCISO15693ReaderSession: NFCReaderSession, @unchecked Sendable {
    /// Makes a session; the delegate is held weakly, and without a queue there is a private serial one.
    public init(delegate: any __NFCReaderSessionDelegate, queue: DispatchQueue?) {
        super.init(delegate: delegate, queue: queue)
    }

    /// Whether there is a reader for ISO 15693 tags: never.
    open override class var readingAvailable: Bool { false }

    override var refusal: NFCReaderError? { NFCReaderError(unsupported: .iso15693) }

    /// Does nothing: the session never polls.
    open func restartPolling() {}

    override func didInvalidate(_ error: NFCReaderError) {
        (delegate as? any __NFCReaderSessionDelegate)?.readerSession(self, didInvalidateWithError: error)
    }
}
