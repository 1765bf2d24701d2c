// An app's own tag for its unit tests: it implements only the handler forms, and what Objective-C requires
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.

import CoreNFC

class MockTag: NSObject, NFCNDEFTag {
    var isAvailable: Bool = true
    var status = NFCNDEFStatus.readWrite
    var message: NFCNDEFMessage?
    var writeError: Error?

    func queryNDEFStatus(completionHandler: @escaping (NFCNDEFStatus, Int, Error?) -> Void) {
        completionHandler(status, 137, nil)
    }

    func readNDEF(completionHandler: @escaping (NFCNDEFMessage?, Error?) -> Void) {
        completionHandler(message, message == nil ? NFCReaderError(.ndefReaderSessionErrorZeroLengthMessage) : nil)
    }

    func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping (Error?) -> Void) {
        if writeError == nil { message = ndefMessage }
        completionHandler(writeError)
    }

    func writeLock(completionHandler: @escaping (Error?) -> Void) {
        status = .readOnly
        completionHandler(nil)
    }

    static var supportsSecureCoding: Bool { return true }

    func copy(with zone: NSZone? = nil) -> Any { return self }

    func encode(with coder: NSCoder) {}

    required convenience init?(coder: NSCoder) { self.init() }
}

/// The tag operations of an app that uses only the async forms.
protocol TagService {
    func read(from tag: NFCNDEFTag) async throws -> [String]
}

struct Service: TagService {
    func read(from tag: NFCNDEFTag) async throws -> [String] {
        let (status, capacity) = try await tag.queryNDEFStatus()
        guard status != .notSupported, capacity > 0 else { return [] }
        let message = try await tag.readNDEF()
        return message.records.compactMap { $0.wellKnownTypeTextPayload().0 }
    }
}
