// The forms that Objective-C's importer hides behind two underscores — CoreNFC NFCTagReaderSession

public import Foundation

extension NFCTagReaderSession {
    /// The tag that is connected, under Objective-C's protocol.
    public var __connectedTag: (any __NFCTag)? { connectedTag?.native as? any __NFCTag }

    /// Makes a session; nil when there is nothing to look for.
    public convenience init?(
        __pollingOption pollingOption: NFCTagReaderSession.PollingOption, delegate: any NFCTagReaderSessionDelegate,
        queue: DispatchQueue?
    ) {
        self.init(pollingOption: pollingOption, delegate: delegate, queue: queue)
    }

    /// Connects to a tag under Objective-C's protocol.
    @preconcurrency
    public func __connect(to tag: any __NFCTag, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        connect(to: tag as? SessionTag, completionHandler: completionHandler)
    }

    /// Connects to a tag under Objective-C's protocol.
    public func __connect(to tag: any __NFCTag) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            __connect(to: tag) { continuation.resume(with: $0.map { .failure($0) } ?? .success(())) }
        }
    }
}
