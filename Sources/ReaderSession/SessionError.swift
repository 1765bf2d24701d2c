// Errors that a session itself detects, and the reasons why a session ends

public import ReaderInterface

/// The reason why a session refuses an operation, or cannot look for tags.
public enum SessionError: Error, Hashable, Sendable {
    /// The session has ended, or did not begin.
    case ended
    /// No tag or a different tag is connected.
    case notConnected
    /// The tag was found by another session.
    case foreignTag
    /// The reader supports none of the technologies to poll for.
    case noRadio([Technology], reader: String)
}

extension SessionError: ClassifiedError {
    /// The kind of failure.
    public var kind: FailureKind {
        switch self {
        case .ended: .interrupted
        case .notConnected, .foreignTag: .internal
        case .noRadio: .wrongReader
        }
    }

    /// The error as a sentence, without advice.
    public var description: String {
        switch self {
        case .ended: "The session has ended."
        case .notConnected: "The tag is not connected."
        case .foreignTag: "The tag was found by another session."
        case .noRadio(let technologies, let reader):
            "The reader \(reader) does not support \(technologies.map(\.title).joined(separator: ", "))."
        }
    }
}

/// The reason why a session ended.
public enum SessionEnd: Error, Sendable {
    /// The session's owner ended it.
    case invalidated
    /// The session reached its time limit.
    case timeLimit
    /// The reader could not be opened: a `ReaderError`, or an error about the reader's name.
    case notOpened(any Error)
    /// The reader failed while it was in use.
    case readerFailed(any Error)
    /// The session's owner ended it for a reason of its own.
    case client(any Error)
}

extension SessionEnd {
    /// The typed error that ended the session, or ``SessionError/ended`` if nothing failed.
    public var cause: any Error {
        switch self {
        case .invalidated, .timeLimit: SessionError.ended
        case .notOpened(let error), .readerFailed(let error), .client(let error): error
        }
    }
}

extension Technology {
    /// The name of the technology for use in a sentence.
    fileprivate var title: String {
        switch self {
        case .nfcA: "NFC-A"
        case .nfcB: "NFC-B"
        case .nfcF: "NFC-F (FeliCa)"
        case .jewel: "Type 1 Tags"
        case .nfcV: "NFC-V (ISO 15693)"
        }
    }
}
