// Interrupted changes and the result of `recover`, for people and in JSON — Docs/JSON.md

import Foundation
import Hexadecimal
import SafeTag
import TagTypes
import Terminal
import WriteJournal

extension UnfinishedChanges {
    /// Returns a sentence that says that there is nothing to recover for this tag, or for any tag.
    fileprivate static func none(of uid: [UInt8]?) -> String {
        "Nothing to recover: no write\(uid.map { " to tag \($0.hex)" } ?? "") was interrupted."
    }

    /// Prints the changes of this tag, or of all tags.
    func show(of uid: [UInt8]?, _ output: OutputOptions) throws {
        for entry in writes {
            if output.json {
                try JSONLine.print(PendingReport(entry))
            } else {
                let (old, new) = (ByteCount(entry.oldMessage.count), ByteCount(entry.plan.newMessage.count))
                let what = entry.insured == nil ? "old \(old), new \(new)" : "\(entry.operation), message \(old)"
                StandardOutput.printRows(
                    "\(entry.uid.hex)  \(entry.time)  \(TerminalText.escaped(entry.tagName))  \(what)")
            }
        }
        for restore in restores {
            if output.json {
                try JSONLine.print(PendingRestoreReport(restore))
            } else {
                StandardOutput.print(PendingRestoreReport.text(of: restore))
            }
        }
        if writes.isEmpty, restores.isEmpty, unreadable.isEmpty, !output.json, !output.quiet {
            StandardOutput.printSentences(Self.none(of: uid))
        }
    }

    func tellRestores(_ output: OutputOptions) {
        restores.map { HalfRestore(pending: $0, wayBack: $0.presumedWayBack) }.tell(output)
    }
}

/// Journal entries that cannot be read, although the old content in them may still be recoverable.
struct UnreadableEntries: Failure {
    let errors: [WriteJournalError]
    var name: ErrorName { .badFile }
    var message: String { errors.map(\.description).joined(separator: " ") }
    var details: [String: FailureDetail] { ["paths": .list(errors.map(\.path))] }
}

/// The result of `recover` in JSON: the content of the tag as after a write, and whether there was anything to do.
struct RecoveryReport: Encodable, Sendable {
    private let reading: TagReading?
    private let isRollback: Bool
    /// The UID of the only tag that was looked for, or nil for all.
    private let uid: [UInt8]?

    init(_ reading: TagReading?, isRollback: Bool, of uid: [UInt8]? = nil) {
        (self.reading, self.isRollback, self.uid) = (reading, isRollback, uid)
    }

    /// Prints what was done.
    ///
    /// Nil means that nothing was done.
    func print(_ change: ChangeOutcome?, _ output: OutputOptions) throws {
        if output.json {
            try JSONLine.print(self, at: .now)
        } else if let reading, let change {
            TagPresentation(reading, style: .standardOutput).print([change], isQuiet: output.quiet)
        } else if !output.quiet {
            StandardOutput.printSentences(UnfinishedChanges.none(of: uid))
        }
    }

    private enum Key: CodingKey {
        case schema, recovered, rolledBack
    }

    func encode(to encoder: any Encoder) throws {
        try reading?.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode(reading != nil, forKey: .recovered)
        if reading != nil { try container.encode(isRollback, forKey: .rolledBack) }
    }
}

private struct PendingReport: Encodable {
    let schema = 1
    let event = "pending"
    let uid: String
    let chip: String
    let started: String
    /// `write`, or `lock` if a lock was interrupted.
    let operation: String
    let oldMessage: String
    let newMessage: String

    init(_ entry: JournalEntry) {
        uid = entry.uid.hex
        chip = entry.tagName
        started = entry.started.formatted(.iso8601)
        operation = entry.operation
        oldMessage = entry.oldMessage.hex
        newMessage = entry.plan.newMessage.hex
    }
}
