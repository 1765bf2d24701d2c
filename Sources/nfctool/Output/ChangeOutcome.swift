// The outcome of a command that changes a tag, as a sentence

import Foundation
import Hexadecimal
import SafeTag
import TagTypes
import Terminal

enum ChangeOutcome: Hashable {
    case wrote
    /// An interrupted write was finished.
    case finished
    /// The message from before an interrupted write was brought back.
    case broughtBack
    /// The message from before the last write was brought back.
    case undone
    /// The tag already held the message from before the last write.
    ///
    /// If `isLeftKept` is true, the message of the last write is kept, and the next undo can bring it back.
    case wasUndone(isLeftKept: Bool)
    /// The message that the last undo removed was brought back.
    case redone
    /// The tag already held the message that the last undo removed.
    case wasRedone
    /// A lock was interrupted, but the tag was already locked completely.
    case finishedLock
    case erased
    /// The tag was erased, and the rest of its data area was overwritten with zeros.
    case wiped
    case formatted
    /// The tag already had an NDEF area.
    ///
    /// Nothing was changed.
    case wasFormatted
    /// A MIFARE Classic was returned to its factory state.
    case reset
    /// The tag was already in its factory state.
    ///
    /// Nothing was changed.
    case wasReset
    case locked
    /// The tag is read-only, and nfctool cannot make it writable again.
    case closed
    /// The tag is marked as read-only for readers, but not locked.
    case marked
    /// The tag was already read-only.
    ///
    /// Nothing was changed.
    case wasLocked
    case protected(ProtectionRules)
    case unprotected
    /// The tag already required no password.
    ///
    /// Nothing was changed.
    case wasUnprotected

    static func protected(by reading: TagReading) -> ChangeOutcome { .protected(reading.protection?.rules ?? .none) }

    /// Returns the sentence about the outcome.
    ///
    /// `tag` is the name and UID of the tag. `length` is the length of its present message in bytes.
    func sentence(tag: String, length: Int) -> String {
        let bytes = length == 0 ? "an empty message" : "\(ByteCount(length))"
        return switch self {
        case .wrote: "Wrote \(bytes) to \(tag), read back and compared."
        case .finished: "Finished the write: \(bytes) on \(tag), read back and compared."
        case .broughtBack: "Brought the old message back: \(bytes) on \(tag), read back and compared."
        case .undone: "Undid the last write: \(bytes) on \(tag), read back and compared."
        case .wasUndone(let isLeftKept):
            "The tag already holds the old message: \(bytes) on \(tag)."
                + (isLeftKept ? " The message of the last write is kept: the next nfctool undo brings it back." : "")
        case .redone: "Brought back \(bytes) to \(tag), read back and compared."
        case .wasRedone: "The tag already holds this message: \(bytes) on \(tag)."
        case .finishedLock: "The lock was already complete: \(tag) is read-only."
        case .erased: "Erased \(tag), read back and compared."
        case .wiped:
            "Wiped \(tag) with zeros, read back and compared. nfctool undo cannot bring its old message back."
        case .formatted: "Formatted \(tag); it holds an empty message."
        case .wasFormatted: "\(tag) is already formatted; nothing was changed."
        case .reset: "Reset \(tag): no data, keys FFFFFFFFFFFF, read back and compared."
        case .wasReset: "\(tag) is already in its factory state; nothing was changed."
        case .locked: "Locked \(tag): its message can never be written again."
        case .closed: "Locked \(tag): nfctool cannot write it again."
        case .marked: "Marked \(tag) as read-only: this is not a lock, so a tool that ignores the mark can write it."
        case .wasLocked: "\(tag) is already read-only; nothing was changed."
        case .protected(let rules): "Protected \(tag): \(rules.clause)."
        case .unprotected: "Unprotected \(tag): it no longer requires a password."
        case .wasUnprotected: "\(tag) does not require a password; nothing was changed."
        }
    }
}

extension ChangeOutcome {
    /// Creates the outcome of a lock from its permanence, which is nil if nothing had to be set.
    init(_ permanence: LockStep.Permanence?) {
        self =
            switch permanence {
            case .permanent: .locked
            case .unknown: .closed
            case .reversible, nil: .marked
            }
    }
}

extension TagReading {
    func report(_ change: ChangeOutcome, _ output: OutputOptions) throws { try report([change], output) }

    /// Prints the outcomes of several changes, in the order in which the changes were made.
    func report(_ changes: [ChangeOutcome], _ output: OutputOptions) throws {
        if output.json {
            let sentences = changes.map { $0.sentence(tag: "\(name) \(uid)", length: bytes.count) }
            try JSONLine.print(self, at: .now, after: sentences.joined(separator: " "))
        } else {
            TagPresentation(self, style: .standardOutput).print(changes, isQuiet: output.quiet)
        }
    }
}

extension ChangeOutcome {
    init(_ recovery: TagChange.Recovery) {
        self =
            switch recovery {
            case .finished: .finished
            case .broughtBack: .broughtBack
            case .finishedLock: .finishedLock
            }
    }
}
