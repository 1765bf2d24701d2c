// Errors of the journal of writes — one case for each reaction of a caller

public import ReaderInterface

/// An error of one of the journals.
public enum WriteJournalError: Error, Hashable, Sendable {
    /// An entry cannot be stored durably, so the tag must not be written.
    ///
    /// `reason` is the operating system's message.
    case notWritable(path: String, reason: String)
    /// The journal exists but cannot be read.
    ///
    /// `reason` is the operating system's message.
    case notReadable(path: String, reason: String)
    /// A file does not contain a complete entry.
    ///
    /// `reason` is a clause. `movedTo` is the new path of the file, or nil if it was not moved aside.
    case damaged(path: String, reason: String, movedTo: String?)
    /// A newer version of nfctool created the entry.
    ///
    /// The file stays unchanged.
    case newer(path: String, version: Int)

    /// The path of the file or folder with the problem.
    public var path: String {
        switch self {
        case .notWritable(let path, _), .notReadable(let path, _), .damaged(let path, _, _), .newer(let path, _): path
        }
    }
}

extension WriteJournalError: ClassifiedError {
    /// The kind of failure.
    public var kind: FailureKind { .badFile }

    /// A description of the error.
    public var description: String {
        switch self {
        case .notWritable(let path, let reason): "The journal of writes cannot be kept in \(path): \(reason)."
        case .notReadable(let path, let reason): "The journal of writes cannot be read from \(path): \(reason)."
        case .damaged(let path, let reason, nil): "The journal entry \(path) is damaged: \(reason)."
        case .damaged(let path, let reason, let place?):
            "The journal entry \(path) is damaged: \(reason). It was moved to \(place)."
        case .newer(let path, let version):
            "The journal entry \(path) was written by a newer nfctool: it has version \(version), but only version "
                + "\(JournalEntry.schema) is supported."
        }
    }
}
