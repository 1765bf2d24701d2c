// The tag session under the names from Objective-C's importer — CoreNFC NFCTagReaderSession
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension NFCTagReaderSession {
    /// The connected tag.
    ///
    /// This is the same tag as ``connectedTag``.
    public var __connectedTag: (any __NFCTag)? { connectedTag?.native as? any NativeSessionTag }

    /// Creates a session in the same way as ``init(configuration:delegate:queue:)``.
    public convenience init(
        __pollingOption pollingOption: NFCTagReaderSession.PollingOption, delegate: any NFCTagReaderSessionDelegate,
        queue: DispatchQueue?
    ) {
        self.init(configuration: Configuration(pollingOption: pollingOption), delegate: delegate, queue: queue)
    }

    /// Connects to a tag in the same way as ``connect(to:completionHandler:)``.
    @preconcurrency
    public func __connect(to tag: any __NFCTag, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        connect(to: tag as? SessionTag, completionHandler: completionHandler)
    }

    /// Connects to a tag in the same way as ``connect(to:)``.
    public func __connect(to tag: any __NFCTag) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            __connect(to: tag) { continuation.resume(with: Result((), unless: $0)) }
        }
    }
}
