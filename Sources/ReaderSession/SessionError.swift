// What a session itself says, before a reader or a tag is asked

public import ReaderInterface

/// Why a session did not do what it was asked.
public enum SessionError: Error, Hashable, Sendable {
    /// The session has ended, or did not begin.
    case ended
    /// Another tag is connected, or none.
    case notConnected
    /// The tag was found by another session.
    case foreignTag
    /// The reader has the radio for none of the technologies that were to be polled for.
    case noRadio([Technology], reader: String)
}

extension SessionError: ClassifiedError {
    /// What kind of thing went wrong.
    public var kind: FailureKind {
        switch self {
        case .ended: .interrupted
        case .notConnected, .foreignTag: .internal
        case .noRadio: .wrongReader
        }
    }

    /// What happened, in a sentence, without advice.
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

/// Why a session ended.
public enum SessionEnd: Error, Sendable {
    /// Its owner ended it.
    case invalidated
    /// It reached its time limit.
    case timeLimit
    /// The reader could not be opened: a `ReaderError`, or what is wrong with its name.
    case notOpened(any Error)
    /// The reader failed while it was in use.
    case readerFailed(any Error)
    /// Its owner ended it for a reason of its own.
    case client(any Error)
}

extension SessionEnd {
    /// The typed error of what failed, if anything did.
    public var cause: any Error {
        switch self {
        case .invalidated, .timeLimit: SessionError.ended
        case .notOpened(let error), .readerFailed(let error), .client(let error): error
        }
    }
}

extension Technology {
    /// What it is called in sentences.
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
