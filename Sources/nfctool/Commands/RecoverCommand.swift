// nfctool recover: finish a write that was interrupted, or bring the old message back

import ArgumentParser
import Foundation
import Hexadecimal
import NDEF
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes
import Terminal
import WriteJournal

struct RecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Finish a write that was interrupted, when the same tag is there again.",
        discussion: """
            Each write keeps the old content of the tag on disk until the new one is proven; so does each lock. Without a write \
            that was interrupted, recover says so and ends. After a lock that was interrupted it brings the message back; nfctool lock \
            locks the rest. A restore that was interrupted it only names: nfctool restore finishes it, or brings the old content \
            back.

              nfctool recover              finish the write
              nfctool recover --rollback   bring the old message back
              nfctool recover --list       show which tags were interrupted, and the commands for restores
            """)

    @Flag(help: "Bring the old message back.")
    var rollback = false

    @Flag(help: "Only show the writes and restores that were interrupted.")
    var list = false

    @OptionGroup var options: TagOptions

    func run() async throws {
        let journal = WriteJournal.ofThisUser
        let (entries, unreadable) = try journal.entries()
        let wanted = entries.filter { entry in options.uid.map { $0.bytes == entry.uid } ?? true }
        let restores = try RestoreJournal.ofThisUser.pending()
            .filter { restore in options.uid.map { $0.bytes == restore.uid } ?? true }
        if list {
            try show(wanted, restores, isComplete: unreadable.isEmpty)
        } else if !wanted.isEmpty {
            restores.map { HalfRestore(pending: $0, wayBack: $0.presumedWayBack) }.tell(options.output)
            return try report(try await recover(wanted, in: journal))
        } else if !restores.isEmpty {
            throw PendingRestores(restores)
        } else if unreadable.isEmpty {
            try report(nil)
        }
        if !unreadable.isEmpty { throw UnreadableEntries(errors: unreadable) }
    }

    private func recover(
        _ entries: [JournalEntry], in journal: WriteJournal
    ) async throws -> (reading: TagReading, deed: TagDeed) {
        let hint = Hint(options.output)
        return try await TagSession.run(options) { session in
            let uids = entries.map(\.uid)
            let tags: [DetectedTag]
            do {
                tags = try await session.tags(
                    within: options.waitingTime, among: uids,
                    onOther: { other in
                        let awaited = uids.map(\.hex).joined(separator: ", ")
                        hint.show("Tag \(other.hex) has no write to recover; waiting for \(awaited).")
                    })
            } catch let absence as NoTagCame {
                throw NoTagToRecover(absence: absence, awaited: uids.map(\.hex))
            }
            guard let tag = tags.first, let entry = entries.first(where: { $0.uid == tag.target.identifier }) else {
                throw Interrupted(cause: nil)
            }
            guard tags.count == 1 else { throw SeveralTags(tags, in: session) }
            let write = SafeWrite(session, options, journal: journal)
            let change = TagChange(of: try await session.connect(to: tag), write)
            let (reading, recovery) = try await change.recover(entry, rollingBack: rollback)
            return (reading, TagDeed(recovery))
        }
    }

    private func report(_ recovered: (reading: TagReading, deed: TagDeed)?) throws {
        if options.output.json {
            try JSONLine.print(RecoveryReport(reading: recovered?.reading, isRollback: rollback))
        } else if let (reading, deed) = recovered {
            TagPresentation(reading, style: .standardOutput).print(deed, isQuiet: options.output.quiet)
        } else if !options.output.quiet {
            StandardOutput.print("Nothing to recover: no write was interrupted.")
        }
    }

    private func show(_ entries: [JournalEntry], _ restores: [PendingRestore], isComplete: Bool) throws {
        for entry in entries {
            if options.output.json {
                try JSONLine.print(PendingReport(entry))
            } else {
                let (old, new) = (ByteCount(entry.oldMessage.count), ByteCount(entry.plan.newMessage.count))
                let what = entry.insured == nil ? "old \(old), new \(new)" : "\(entry.operation), message \(old)"
                StandardOutput.print(
                    "\(entry.uid.hex)  \(entry.time)  \(TerminalText.escaped(entry.tagName))  \(what)")
            }
        }
        for restore in restores {
            if options.output.json {
                try JSONLine.print(PendingRestoreReport(restore))
            } else {
                StandardOutput.print(PendingRestoreReport.text(of: restore))
            }
        }
        if entries.isEmpty, restores.isEmpty, isComplete, !options.output.json, !options.output.quiet {
            StandardOutput.print("Nothing to recover: no write was interrupted.")
        }
    }
}

/// None of the tags came that have a write to recover.
struct NoTagToRecover: Failure {
    let absence: NoTagCame
    /// UIDs.
    let awaited: [String]
    var name: ErrorName { .timeout }
    var message: String {
        let wanted = awaited.joined(separator: ", ")
        let here = absence.others.map { "Tag \($0.hex) is on the reader and has nothing to recover." }
        let subject = awaited.count == 1 ? "The tag with a write to recover" : "No tag with a write to recover"
        let verb = awaited.count == 1 ? "did not come" : "came"
        return (["\(subject) \(verb) within \(absence.timeout.inWords): \(wanted)."] + here).joined(separator: " ")
    }
    var details: [String: FailureDetail] { ["awaited": .list(awaited), "uids": .list(absence.others.map(\.hex))] }
}

/// Entries of the journal that cannot be read: what they were to bring back is not known to be lost.
struct UnreadableEntries: Failure {
    let errors: [WriteJournalError]
    var name: ErrorName { .badFile }
    var message: String { errors.map(\.description).joined(separator: " ") }
    var details: [String: FailureDetail] { ["paths": .list(errors.map(\.path))] }
}

/// The result of recover in JSON: the tag as after a write, and whether there was anything to do.
private struct RecoveryReport: Encodable {
    let reading: TagReading?
    let isRollback: Bool

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

/// A write under way in JSON.
private struct PendingReport: Encodable {
    let schema = 1
    let event = "pending"
    let uid: String
    let chip: String
    let started: String
    /// `write`, or `lock`, of which the message must outlast it.
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
