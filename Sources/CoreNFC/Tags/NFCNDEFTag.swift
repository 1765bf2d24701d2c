// The tag that a session passes to its delegate — CoreNFC NFCNDEFTag

public import Foundation

/// A tag in the field that may hold an NDEF message.
///
/// Handlers run on the session's queue, in the order of the calls, and never inside the call. The connection is checked
/// only when an operation runs. An operation may therefore be called right after
/// ``NFCNDEFReaderSession/connect(to:completionHandler:)``, without waiting for it.
///
/// Your own type, for example in a test, implements one form of each operation. The other form has a default
/// implementation that calls the first.
public protocol NFCNDEFTag: NSCopying, NSSecureCoding, NSObjectProtocol {
    /// Whether the tag can be used.
    ///
    /// False after the tag has left the field, or was disconnected because another tag was connected. A connected tag
    /// is queried, unless it answered within the last 100 ms. A tag that is not connected yet counts as available until
    /// an operation does not find it. If the reader is busy for more than 0.3 s, the last result is returned.
    var isAvailable: Bool { get }

    /// Queries the tag's status and the length in bytes of the longest message that it can hold.
    ///
    /// The status has no meaning if the error is not nil.
    @preconcurrency
    func queryNDEFStatus(completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void)

    /// Queries the tag's status and the length in bytes of the longest message that it can hold.
    func queryNDEFStatus() async throws -> (NFCNDEFStatus, Int)

    /// Reads the message.
    ///
    /// A tag without a message gives code 403.
    @preconcurrency func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void)

    /// Reads the message.
    ///
    /// A tag without a message gives code 403.
    func readNDEF() async throws -> NFCNDEFMessage

    /// Writes a message and reads it back.
    ///
    /// The error is nil only if the tag was found to hold the message. Error codes before anything is written: 3 for
    /// records that cannot be encoded; 400 for a read-only tag; 402 for a message that does not fit; 403 for a tag
    /// that is not prepared for messages. A write that fails midway gives 100 or 401.
    @preconcurrency
    func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// Writes a message and reads it back.
    func writeNDEF(_ ndefMessage: NFCNDEFMessage) async throws

    /// Makes the tag read-only permanently.
    @preconcurrency func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// Makes the tag read-only permanently.
    func writeLock() async throws
}

extension NFCNDEFTag {
    /// Whether the tag is of the given kind: a protocol such as `NFCMiFareTag.self`, or your own class.
    ///
    /// The result equals `tag is any NFCMiFareTag`. Code for iOS calls this method of the Objective-C runtime.
    public func isKind<Kind>(of kind: Kind.Type) -> Bool { self is Kind }
}

extension NFCNDEFTag {
    /// Calls the form of this method with a completion handler.
    public func queryNDEFStatus() async throws -> (NFCNDEFStatus, Int) {
        try await withCheckedThrowingContinuation { continuation in
            queryNDEFStatus { status, capacity, error in
                continuation.resume(with: Result((status, capacity), unless: error))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func readNDEF() async throws -> NFCNDEFMessage {
        try await withCheckedThrowingContinuation { continuation in
            readNDEF { message, error in
                if let message {
                    continuation.resume(returning: message)
                } else {
                    continuation.resume(throwing: error ?? NFCReaderError(.ndefReaderSessionErrorZeroLengthMessage))
                }
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func writeNDEF(_ ndefMessage: NFCNDEFMessage) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            writeNDEF(ndefMessage) { continuation.resume(with: Result((), unless: $0)) }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func writeLock() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            writeLock { continuation.resume(with: Result((), unless: $0)) }
        }
    }
}

extension NFCNDEFTag {
    /// Calls the `async` form of this method.
    @preconcurrency
    public func queryNDEFStatus(completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void) {
        nonisolated(unsafe) let tag: any NFCNDEFTag = self
        Task {
            do {
                let (status, capacity) = try await tag.queryNDEFStatus()
                completionHandler(status, capacity, nil)
            } catch {
                completionHandler(.notSupported, 0, error)
            }
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void) {
        nonisolated(unsafe) let tag: any NFCNDEFTag = self
        Task {
            do { completionHandler(try await tag.readNDEF(), nil) } catch { completionHandler(nil, error) }
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    {
        nonisolated(unsafe) let tag: any NFCNDEFTag = self
        Task {
            do {
                try await tag.writeNDEF(ndefMessage)
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency public func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        nonisolated(unsafe) let tag: any NFCNDEFTag = self
        Task {
            do {
                try await tag.writeLock()
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }
}
