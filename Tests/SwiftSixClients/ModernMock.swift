// An app's own tag for its unit tests, in Swift 6: the handler forms, with the signatures of the protocol's declaration
// Written as for iOS: the code does not mention Linux.

import CoreNFC

final class ModernMockTag: NSObject, NFCNDEFTag, @unchecked Sendable {
    static var supportsSecureCoding: Bool { true }
    let isAvailable = true
    private var message: NFCNDEFMessage?

    override init() {}
    init?(coder: NSCoder) { nil }
    func encode(with coder: NSCoder) {}
    func copy(with zone: NSZone? = nil) -> Any { self }

    func queryNDEFStatus(completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void) {
        completionHandler(.readWrite, 100, nil)
    }

    func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void) {
        completionHandler(message, message == nil ? NFCReaderError(.ndefReaderSessionErrorZeroLengthMessage) : nil)
    }

    func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        message = ndefMessage
        completionHandler(nil)
    }

    func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        completionHandler(NFCReaderError(.ndefReaderSessionErrorTagUpdateFailure))
    }
}
