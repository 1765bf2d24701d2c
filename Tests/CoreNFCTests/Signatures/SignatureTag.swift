// The members that the tags in the signature tests have in common

import CoreNFC

/// The members that an Objective-C class has by itself.
class SignatureTag: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {  // nothing is written
    class var supportsSecureCoding: Bool { true }
    var isAvailable: Bool { true }
    override init() {}
    required init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
    func copy(with zone: NSZone? = nil) -> Any { self }
}

class NativeSignatureTag: SignatureTag, NFCNDEFTag, __NFCTag, @unchecked Sendable {
    var type: __NFCTagType { .miFare }
    weak var session: (any NFCReaderSessionProtocol)?
    var identifier: Data { Data([4, 1, 2, 3, 4, 5, 6]) }
    var historicalBytes: Data? { nil }

    func asNFCISO15693Tag() -> (any NFCISO15693Tag)? { self as? any NFCISO15693Tag }
    func asNFCISO7816Tag() -> (any NFCISO7816Tag)? { self as? any NFCISO7816Tag }
    func asNFCFeliCaTag() -> (any NFCFeliCaTag)? { self as? any NFCFeliCaTag }
    func asNFCMiFareTag() -> (any NFCMiFareTag)? { self as? any NFCMiFareTag }

    func queryNDEFStatus() async throws -> (NFCNDEFStatus, Int) { (.notSupported, 0) }
    func readNDEF() async throws -> NFCNDEFMessage { throw NFCReaderError(.ndefReaderSessionErrorZeroLengthMessage) }
    func writeNDEF(_ ndefMessage: NFCNDEFMessage) async throws {}
    func writeLock() async throws {}
}
