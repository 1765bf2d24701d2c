// An earlier command that was interrupted, and what must come first

import Foundation
import Hexadecimal
public import ReaderInterface
import TagTypes
public import WriteJournal

/// An earlier command was interrupted on this tag, and what it left comes first.
public struct UnfinishedWrite: ClassifiedError {
    /// What the earlier command left.
    public enum Remainder: Sendable {
        /// A message that is not whole.
        case tornMessage
        /// A message in which the chip does not show its UID or counter any more.
        case hiddenMirror
        /// An empty message, followed by old data.
        case oldData
        /// Of a lock, on a tag that has no message since: neither that nor the one from before is locked unasked.
        case emptyMessage
        /// A lock that is not finished, on a tag with a whole message.
        case openLock

        fileprivate var sentences: String {
            switch self {
            case .tornMessage: "The message on the tag is incomplete. Nothing was changed."
            case .hiddenMirror:
                "The chip no longer shows its UID or counter in the message. Nothing was changed."
            case .oldData:
                "The tag holds an empty message, and may still hold old data after it. Nothing was changed."
            case .emptyMessage: "The message on the tag is empty now. Nothing was changed."
            case .openLock: "The message on the tag is complete; the lock is not finished."
            }
        }
    }

    /// What the earlier command left.
    public let remainder: Remainder
    /// What it kept.
    public let entry: JournalEntry

    init(_ entry: JournalEntry, leaving remainder: Remainder) { (self.entry, self.remainder) = (entry, remainder) }

    /// - Parameter work: work that leaves no whole message.
    init(_ work: UnfinishedWork) {
        let remainder: Remainder =
            switch work.standing {
            case .hiddenMirror: .hiddenMirror
            case .halfWiped: .oldData
            case .emptied: .emptyMessage
            case .broken, .oldMessage, .newMessage, .otherMessage: .tornMessage
            }
        self.init(work.entry, leaving: remainder)
    }

    /// What kind of thing went wrong.
    public var kind: FailureKind { .unfinished }

    /// What happened, in sentences.
    public var description: String { "\(entry.sentence) \(remainder.sentences)" }
}

extension JournalEntry {
    /// When it began, for people.
    package var time: String { started.formatted(.iso8601.dateTimeSeparator(.space)) }

    /// What was being done.
    package var operation: String { insured?.rawValue ?? "write" }

    fileprivate var sentence: String {
        let (old, new) = (ByteCount(oldMessage.count), ByteCount(plan.newMessage.count))
        let what =
            insured != nil
            ? "A lock of tag \(uid.hex)"
            : plan.isWiping
                ? "The wiping of tag \(uid.hex), which held \(old),"
                : "A write to tag \(uid.hex), \(new) in place of \(old),"
        return "\(what) was interrupted; it began at \(time)."
    }
}
