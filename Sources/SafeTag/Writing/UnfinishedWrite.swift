// The error for a tag on which an earlier command was interrupted and must be completed first

import Foundation
import Hexadecimal
public import ReaderInterface
import TagTypes
public import WriteJournal

/// The error for a tag on which an earlier command was interrupted and must be completed first.
public struct UnfinishedWrite: ClassifiedError {
    /// The state in which the earlier command left the tag.
    public enum Remainder: Hashable, Sendable {
        /// An incomplete message.
        case tornMessage
        /// The message that the write was to replace.
        case oldMessage
        /// A message into which the chip no longer mirrors its UID or counter.
        case hiddenMirror
        /// An empty message followed by old data.
        case oldData
        /// An interrupted lock on a tag that is now empty: no message is locked without confirmation.
        case emptyMessage
        /// An unfinished lock on a tag with a complete message.
        case openLock
        /// A lock that can never be finished, on a tag with a complete message. The reason is a clause.
        case impossibleLock(reason: String)

        fileprivate var sentences: String {
            switch self {
            case .tornMessage: "The message on the tag is incomplete. Nothing was changed."
            case .oldMessage: "The tag still holds its old message. Nothing was changed."
            case .hiddenMirror:
                "The chip no longer shows its UID or counter in the message. Nothing was changed."
            case .oldData:
                "The tag holds an empty message, and may still hold old data after it. Nothing was changed."
            case .emptyMessage: "The message on the tag is empty now. Nothing was changed."
            case .openLock: "The message on the tag is complete; the lock is not finished."
            case .impossibleLock(let reason):
                "The message on the tag is complete. The lock is not finished, and cannot be: \(reason)."
            }
        }
    }

    /// The state in which the earlier command left the tag.
    public let remainder: Remainder
    /// The journal entry of the earlier command.
    public let entry: JournalEntry

    init(_ entry: JournalEntry, leaving remainder: Remainder) { (self.entry, self.remainder) = (entry, remainder) }

    /// Creates the error.
    ///
    /// - Parameter work: work that must be completed before the requested operation.
    init(_ work: UnfinishedWork) {
        let remainder: Remainder =
            switch work.standing {
            case .hiddenMirror: .hiddenMirror
            case .halfWiped: .oldData
            case .emptied: .emptyMessage
            case .oldMessage: .oldMessage
            case .broken, .newMessage, .otherMessage: .tornMessage
            }
        self.init(work.entry, leaving: remainder)
    }

    /// Whether the earlier command left a lock that can never be finished.
    public var isLockImpossible: Bool { if case .impossibleLock = remainder { true } else { false } }

    /// The kind of failure.
    public var kind: FailureKind { .unfinished }

    /// A description in sentences.
    public var description: String { "\(entry.sentence) \(remainder.sentences)" }
}

extension JournalEntry {
    package var time: String { started.formatted(.iso8601.dateTimeSeparator(.space)) }

    package var operation: String { insured?.rawValue ?? "write" }

    fileprivate var sentence: String {
        let (old, new) = (ByteCount(oldMessage.count), ByteCount(plan.newMessage.count))
        let what =
            insured != nil
            ? "Locking tag \(uid.hex)"
            : plan.isWiping
                ? "Wiping tag \(uid.hex), which held \(old),"
                : "A write to tag \(uid.hex), \(new) in place of \(old),"
        return "\(what) was interrupted. It began at \(time)."
    }
}
