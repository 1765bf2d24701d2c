// What can go wrong with the journal of writes — cases differ by what the caller does next

public import ReaderInterface

/// An error of the journal.
public enum WriteJournalError: Error, Hashable, Sendable {
    /// An entry cannot be made durable, so the tag must not be written. `reason` is the system's.
    case notWritable(path: String, reason: String)
    /// The journal is there and cannot be read. `reason` is the system's.
    case notReadable(path: String, reason: String)
    /// A file is no whole entry; it was moved aside when it was in the way. `reason` is a clause.
    case damaged(path: String, reason: String, movedTo: String?)
    /// An entry was made by a newer nfctool; it stays as it is.
    case newer(path: String, version: Int)

    /// The file that it is about.
    public var path: String {
        switch self {
        case .notWritable(let path, _), .notReadable(let path, _), .damaged(let path, _, _), .newer(let path, _): path
        }
    }
}

extension WriteJournalError: ClassifiedError {
    /// What kind of thing went wrong.
    public var kind: FailureKind { .badFile }

    /// What happened, in a sentence.
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
