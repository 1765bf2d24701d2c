// What a session's delegate is given — CoreNFC NFCNDEFTag

public import Foundation

/// A tag in the field that may hold an NDEF message.
///
/// Handlers run on the session's queue, never inside the call, and in the order of the calls. Whether the tag is connected
/// is judged when an operation runs: it may be called right after ``NFCNDEFReaderSession/connect(to:completionHandler:)``,
/// without waiting for it.
///
/// Of each operation a type of your own, in a test, implements one form: either has a default that calls the other.
public protocol NFCNDEFTag: NSCopying, NSSecureCoding, NSObjectProtocol {
    /// Whether the tag can be used: false once it has left the field, or lost its connection to another tag.
    ///
    /// A connected tag is asked, unless it answered within the last 100 ms. A tag that is not connected yet counts as
    /// available until an operation misses it. While the reader is busy for longer than 0.3 s, the last answer counts.
    var isAvailable: Bool { get }

    /// Asks for the tag's status and for the length of the longest message it can hold, in bytes.
    ///
    /// The status means nothing when the error is not nil.
    @preconcurrency
    func queryNDEFStatus(completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void)

    /// Asks for the tag's status and for the length of the longest message it can hold, in bytes.
    func queryNDEFStatus() async throws -> (NFCNDEFStatus, Int)

    /// Reads the message. A tag without one gives code 403.
    @preconcurrency func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void)

    /// Reads the message. A tag without one gives code 403.
    func readNDEF() async throws -> NFCNDEFMessage

    /// Writes a message, and reads it back: the handler gets nil only when the tag was seen to hold it.
    ///
    /// Codes: 3 for records that cannot be encoded, 400 for a read-only tag and 402 for a message that does not fit, all
    /// before anything is written; 100 and 401 for a write that failed on the way.
    @preconcurrency
    func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// Writes a message, and reads it back.
    func writeNDEF(_ ndefMessage: NFCNDEFMessage) async throws

    /// Makes the tag read-only permanently.
    @preconcurrency func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// Makes the tag read-only permanently.
    func writeLock() async throws
}

extension NFCNDEFTag {
    /// Whether the tag is of a kind: a protocol such as `NFCMiFareTag.self`, or a class of your own.
    ///
    /// The same as `tag is any NFCMiFareTag`; code for iOS asks Objective-C's runtime this way.
    public func isKind<Kind>(of kind: Kind.Type) -> Bool { self is Kind }
}

extension NFCNDEFTag {
    /// Asks through the handler form.
    public func queryNDEFStatus() async throws -> (NFCNDEFStatus, Int) {
        try await withCheckedThrowingContinuation { continuation in
            queryNDEFStatus { status, capacity, error in
                continuation.resume(with: Result((status, capacity), unless: error))
            }
        }
    }

    /// Reads through the handler form.
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

    /// Writes through the handler form.
    public func writeNDEF(_ ndefMessage: NFCNDEFMessage) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            writeNDEF(ndefMessage) { continuation.resume(with: Result((), unless: $0)) }
        }
    }

    /// Locks through the handler form.
    public func writeLock() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            writeLock { continuation.resume(with: Result((), unless: $0)) }
        }
    }
}

extension NFCNDEFTag {
    /// Asks through the `async` form.
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

    /// Reads through the `async` form.
    @preconcurrency
    public func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void) {
        nonisolated(unsafe) let tag: any NFCNDEFTag = self
        Task {
            do { completionHandler(try await tag.readNDEF(), nil) } catch { completionHandler(nil, error) }
        }
    }

    /// Writes through the `async` form.
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

    /// Locks through the `async` form.
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
