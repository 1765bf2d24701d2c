// nfctool recover: finish a write that was cut off, or bring the old message back

import ArgumentParser
import CoreNFC
import Foundation
import NDEF
import NFCReader
import TagTypes
import WriteJournal

struct RecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Finish a write that was cut off, when the same tag is there again.",
        discussion: """
            Each write keeps the old content of the tag on disk until the new one is proven. Without a write that was cut off, \
            recover says so and ends.

              nfctool recover              finish the write
              nfctool recover --rollback   bring the old message back
              nfctool recover --list       show which tags were cut off
            """)

    @Flag(help: "Bring the old message back.")
    var rollback = false

    @Flag(help: "Only show the writes that were cut off.")
    var list = false

    @OptionGroup var options: TagOptions

    func run() async throws {
        let journal = WriteJournal.ofThisUser
        let (entries, damaged) = try journal.entries()
        let wanted = entries.filter { entry in options.uid.map { $0.bytes == entry.uid } ?? true }
        if list {
            try show(wanted)
        } else if wanted.isEmpty {
            if let damage = damaged.first { throw damage }
            try report(nil)
        } else {
            try report(try await recover(wanted, in: journal))
        }
        if let damage = damaged.first { throw damage }
    }

    private func recover(_ entries: [JournalEntry], in journal: WriteJournal) async throws -> TagReading {
        let direction: WritePlan.Direction = rollback ? .backward : .forward
        let hint = Hint(options.output)
        return try await TagSession.run(options) { session in
            let uids = entries.map(\.uid)
            let tags = try await session.tags(within: options.waitingTime, among: uids) { other in
                hint.show(
                    "Tag \(other) has no write to recover; waiting for \(uids.map(\.hex).joined(separator: ", ")).")
            }
            guard let tag = tags.first, let entry = entries.first(where: { $0.uid == tag.target.identifier }) else {
                throw Interrupted(cause: nil)
            }
            guard tags.count == 1 else { throw SeveralTags(uids: tags.map(\.uid)) }
            try await session.session?.connect(to: tag)
            guard try await Remains(on: tag, of: entry.plan) != .otherMessage else { throw OtherContent(uid: tag.uid) }
            let write = SafeWrite(session, options, journal: journal)
            let back = try await write.carryOut(entry.plan, direction, on: tag)
            try await write.reconnect(back)
            var reading = try await session.currentReading(of: back)
            guard reading.bytes == entry.plan.message(direction) else { throw TagError.verificationFailed(offset: 0) }
            reading.isVerified = true
            try journal.end(uid: entry.uid)
            return reading
        }
    }

    private func report(_ reading: TagReading?) throws {
        if options.output.json {
            try JSONLine.print(RecoveryReport(reading: reading, isRollback: rollback))
        } else if let reading {
            TagPresentation(reading, style: .standardOutput)
                .print(rollback ? .broughtBack : .finished, isQuiet: options.output.quiet)
        } else if !options.output.quiet {
            StandardOutput.print("Nothing to recover: no write was cut off.")
        }
    }

    private func show(_ entries: [JournalEntry]) throws {
        for entry in entries {
            if options.output.json {
                try JSONLine.print(PendingReport(entry))
            } else {
                let time = entry.started.formatted(.iso8601.dateTimeSeparator(.space))
                let plan = entry.plan
                StandardOutput.print(
                    "\(entry.uid.hex)  \(time)  \(TerminalText.escaped(entry.tagName))  old \(ByteCount(entry.oldMessage.count)), new \(ByteCount(plan.newMessage.count))"
                )
            }
        }
        if entries.isEmpty, !options.output.json, !options.output.quiet {
            StandardOutput.print("Nothing to recover: no write was cut off.")
        }
    }
}

/// The tag holds neither message of the plan: somebody wrote it since.
struct OtherContent: Failure {
    let uid: String
    var name: ErrorName { .tagProtocol }
    var message: String {
        "Tag \(uid) was written by somebody else since its write was cut off, and stays as it is. Nothing was changed."
    }
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
    let oldMessage: String
    let newMessage: String

    init(_ entry: JournalEntry) {
        uid = entry.uid.hex
        chip = entry.tagName
        started = entry.started.formatted(.iso8601)
        oldMessage = entry.oldMessage.hex
        newMessage = entry.plan.newMessage.hex
    }
}
