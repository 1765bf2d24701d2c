// What can go wrong with the journal of writes — cases differ by what the caller does next

import Glibc

/// An error of the journal.
public enum WriteJournalError: Error, Hashable, Sendable {
    /// An entry cannot be made durable, so the tag must not be written. `reason` is the system's.
    case notWritable(path: String, reason: String)
    /// The journal is there and cannot be read. `reason` is the system's.
    case notReadable(path: String, reason: String)
    /// A file is no whole entry; it was moved aside. `reason` is a clause.
    case damaged(path: String, reason: String, movedTo: String)
}

extension WriteJournalError: CustomStringConvertible {
    /// What happened, in a sentence.
    public var description: String {
        switch self {
        case .notWritable(let path, let reason): "The journal of writes cannot be kept in \(path): \(reason)."
        case .notReadable(let path, let reason): "The journal of writes cannot be read from \(path): \(reason)."
        case .damaged(let path, let reason, let place):
            "The journal entry \(path) is damaged: \(reason). It was moved to \(place)."
        }
    }
}

/// A failed system call, by its errno.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    let code: Int32

    /// The system's reason, a clause.
    package var description: String { String(cString: strerror(code)) }
}
