// What a command has done to a tag, in a sentence

import Foundation
import Hexadecimal
import SafeTag
import TagTypes
import Terminal

/// A change to a tag that was verified.
enum ChangeOutcome: Hashable {
    case wrote
    /// A write that was interrupted was finished.
    case finished
    /// The message from before a write that was interrupted is there again.
    case broughtBack
    /// The message from before the last write is there again.
    case undone
    /// It was there already.
    case wasUndone
    /// A lock that was interrupted turned out to be done.
    case finishedLock
    case erased
    /// Erased, and the rest of the data area zeroed.
    case wiped
    case formatted
    /// It had an NDEF area already; nothing was changed.
    case wasFormatted
    /// A MIFARE Classic is as delivered.
    case reset
    /// It was so already; nothing was changed.
    case wasReset
    case locked
    /// Nothing that this tool knows can undo it.
    case closed
    /// It tells readers that it is read-only, and has no lock.
    case marked
    /// It was read-only already; nothing was changed.
    case wasLocked
    case protected(ProtectionRules)
    case unprotected
    /// It asks for no password; nothing was changed.
    case wasUnprotected

    /// A tag that asks for a password now.
    static func protected(by reading: TagReading) -> ChangeOutcome { .protected(reading.protection?.rules ?? .none) }

    /// The sentence for a tag, which is given by name and UID; `length` is that of the message on it now, in bytes.
    func sentence(tag: String, length: Int) -> String {
        let bytes = ByteCount(length)
        return switch self {
        case .wrote: "Wrote \(bytes) to \(tag), read back and compared."
        case .finished: "Finished the write: \(bytes) on \(tag), read back and compared."
        case .broughtBack: "Brought the old message back: \(bytes) on \(tag), read back and compared."
        case .undone: "Undid the last write: \(bytes) on \(tag), read back and compared."
        case .wasUndone: "The tag already holds the old message: \(bytes) on \(tag)."
        case .finishedLock: "The lock was already complete: \(tag) is read-only."
        case .erased: "Erased \(tag), read back and compared."
        case .wiped: "Wiped \(tag) with zeros, read back and compared."
        case .formatted: "Formatted \(tag); it holds an empty message."
        case .wasFormatted: "\(tag) is already formatted; nothing was changed."
        case .reset: "Reset \(tag): no data, keys FFFFFFFFFFFF, read back and compared."
        case .wasReset: "\(tag) is already in its factory state; nothing was changed."
        case .locked: "Locked \(tag): its message can never be written again."
        case .closed: "Locked \(tag): this tool cannot write it again."
        case .marked: "Marked \(tag) as read-only: it has no lock, so a tool that ignores the mark can write it."
        case .wasLocked: "\(tag) is already read-only; nothing was changed."
        case .protected(let rules): "Protected \(tag): \(rules.clause)."
        case .unprotected: "Unprotected \(tag): it no longer asks for a password."
        case .wasUnprotected: "\(tag) already asks for no password; nothing was changed."
        }
    }
}

extension ChangeOutcome {
    /// What a lock was, by what is known about taking it back.
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
    /// Prints the outcome of a change: JSON, or what was done and what the tag holds now.
    func report(_ change: ChangeOutcome, _ output: OutputOptions) throws { try report([change], output) }

    /// The same for several changes, in their order.
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
    /// How an interrupted change came to its end.
    init(_ recovery: TagChange.Recovery) {
        self =
            switch recovery {
            case .finished: .finished
            case .broughtBack: .broughtBack
            case .finishedLock: .finishedLock
            }
    }
}
