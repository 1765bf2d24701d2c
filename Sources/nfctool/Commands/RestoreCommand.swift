// nfctool restore: a dump back onto a tag of the same chip

import ArgumentParser
import Foundation
import Composing
import Hexadecimal
import ReaderInterface
import ReaderSession
import SafeTag
import TagImage
import TagTypes
import WriteJournal

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Write a dump to a tag of the same chip.",
        discussion: """
            Only blocks that differ are written, each read back and compared. UID, lock bits, one-time bits and configuration \
            stay as they are unless each is asked for; passwords and counters always do. A file that cannot be the memory of \
            a tag is refused. Asks, or needs --yes, before the dump of another tag replaces a message, before a message would \
            be part dump and part tag, and before what cannot be undone. A UID or counter that the chip shows in its \
            message is turned off first. It is on afterwards where the dump has the same, or is of this very tag.

              nfctool restore tag.nfc
              nfctool restore amiibo.bin --otp --lock-bits
            """)

    @Argument(help: "The dump: .nfc, .bin, .mfd or .json; - for stdin.")
    var file: String

    @Flag(name: .customLong("uid-block"), help: "Also the blocks with the UID, on chips that allow it.")
    var uidBlock = false

    @Flag(help: "Also lock bits, which cannot be undone, and the read-only mark of a Type 3 Tag.")
    var lockBits = false

    @Flag(help: "Also one-time bits for data, as in a capability container, which cannot be undone.")
    var otp = false

    @Flag(
        name: .customLong("configuration"),
        help: "Also configuration, sector trailers and reserved blocks, without passwords.")
    var restoresConfiguration = false

    @OptionGroup var options: TagOptions

    private var parts: RestorePlan.Parts {
        var parts: RestorePlan.Parts = []
        if uidBlock { parts.insert(.uid) }
        if lockBits { parts.insert(.lockBits) }
        if otp { parts.insert(.otp) }
        if restoresConfiguration { parts.insert(.configuration) }
        return parts
    }

    /// The options that say what is restored, as they stand on a command line.
    private var chosen: [String] { parts.options }

    func run() async throws {
        let dump = try DumpFile(path: file).read()
        try UnsoundDump.check(dump, InputFile(path: file).source)
        let report = try await TagSession.run(options) { session in
            let detected = try await session.onlyTag(within: options.waitingTime, uid: options.uid)
            let tag = try await session.connect(to: detected)
            let (present, memory) = try await tag.image(offering: dump.keys)
            guard dump.fits(present) else { throw WrongChip(dump: dump.kindName, tag: present.kindName) }
            if dump.kind == .type4 { return try await restoreFiles(dump, over: present, of: tag, in: session) }
            let plan = try RestorePlan(
                dump, to: memory, parts: parts, openedBy: tag.unlocking.credential,
                isOwn: dump.isOf(tag.target.identifier))
            if !plan.configuration.isEmpty { try session.gate.requireNoPendingChange(on: tag.target.identifier) }
            let question = try await RestoreQuestion(plan, of: dump, for: tag, in: session)
            try await ask(question, for: tag)
            let restored = try await write(plan, of: dump, over: present, to: tag, in: session)
            // A whole dump takes the place of what a write that was interrupted would bring back; one that changes nothing does not.
            if plan.missing.isEmpty, !plan.writes.isEmpty {
                try RestoreSafety.afterRestoring { () throws(WriteJournalError) in
                    try WriteJournal.ofThisUser.supersede(uid: tag.target.identifier)
                }
            }
            let locks = try await RestoredLocks(plan, on: restored)
            return RestoreReport(
                reader: session.reader, uid: tag.uid, chip: try await session.name(of: restored), file: file,
                written: .blocks(plan.writes.map(\.number).sorted()), kept: .blocks(plan.kept), missing: plan.missing,
                blockCount: memory.blocks.count, remark: plan.mirror.remark + (locks?.remark ?? ""),
                lockVerified: locks?.isProven)
        }
        if options.output.json {
            try JSONLine.print(report)
        } else if !options.output.quiet {
            StandardOutput.print(report.text)
        }
    }

    /// Replaces the NDEF message as a write does, journal and all; the capability container stays.
    private func restoreFiles(
        _ dump: TagImage, over present: TagImage, of tag: ConnectedTag, in session: TagSession
    ) async throws -> RestoreReport {
        guard let message = dump.message else {
            throw BrokenDump(
                source: InputFile(path: file).source,
                error: .malformed(
                    "files", found: "without a whole NDEF file", expected: "E103, and the file that it names"))
        }
        if message != present.message {
            try await ask(try await RestoreQuestion(replacingMessageWith: dump, for: tag, in: session), for: tag)
        }
        let write = SafeWrite(session, options, journal: .ofThisUser, isWithoutWait: true)
        let change = try await TagChange(tag.detected, write, Confirmation(options.output), to: .replaceMessage)
        _ = try await change.replaceMessage { try $0.planWrite(message, .throughEmpty) }
        return RestoreReport(
            reader: session.reader, uid: tag.uid, chip: try await session.name(of: tag), file: file,
            written: .files(
                message == present.message
                    ? [] : present.files.map(\.identifier).filter { $0 != TagImage.containerFile }),
            kept: .files(
                dump.difference(from: present).contains { $0.place == .file(TagImage.containerFile) }
                    ? [TagImage.containerFile] : []), missing: [], blockCount: 0, remark: "", lockVerified: nil)
    }

    private func ask(_ question: RestoreQuestion, for tag: ConnectedTag) async throws {
        guard !question.facts.isEmpty else { return }
        try Confirmation(options.output).ask("Restore the dump to the tag \(tag.uid)?", facts: question.facts)
    }

    /// - Returns: the tag as it is connected now.
    private func write(
        _ plan: RestorePlan, of dump: TagImage, over present: TagImage, to tag: ConnectedTag, in session: TagSession
    ) async throws -> ConnectedTag {
        let safety = RestoreSafety(
            uid: tag.target.identifier, holding: present, restoring: dump, from: file, options: chosen, plan)
        guard !plan.writes.isEmpty else {
            try await TagFailure.beforeAnyChange { try safety.needsNoWrite() }
            return tag
        }
        // A mirror that cannot be turned off is found out before anything is kept or written.
        if plan.mirror.turnedOff != nil {
            try await tag.perform { try ($0 as? Type2Tag)?.requireMirror(for: .uid) }
        }
        var tag = tag
        if let limit = plan.protection?.rules.limit { try session.gate.willLimit(to: limit, on: tag.target.identifier) }
        let kept = try await TagFailure.beforeAnyChange {
            try safety.keep(try DumpFile(path: file).bytes(of: present, .json))
        }
        do {
            if plan.mirror.turnedOff != nil {
                try await tag.perform { try ($0 as? Type2Tag)?.removeMirror() }
                // The chip shows it until it loses power.
                tag = try await SafeWrite(session, options, journal: nil, isWithoutWait: true).afterPowerUp(tag)
            }
            try await tag.perform { tag in
                try tag.writeBlocks(plan.writes.map { (number: $0.number, bytes: $0.bytes) })
            }
            tag = try await proven(plan, on: tag, in: session)
        } catch {
            guard let failure = TagFailure(error) else { throw error }
            if case TagError.unsupported = failure.cause {
                // That it cannot be forgotten matters less than why the tag refused.
                try? safety.neverBegan(kept)
                throw failure
            }
            throw RestoreInterrupted(
                failure: failure, old: kept.file.path, older: kept.older?.path, options: chosen,
                permanent: safety.permanent, unkept: await UnkeptBits(plan, on: tag, after: failure))
        }
        try RestoreSafety.afterRestoring { () throws(WriteJournalError) in try safety.proven() }
        return tag
    }
}

/// What was restored.
private struct RestoreReport: Encodable {
    /// Blocks by their numbers, or files of a Type 4 Tag by their identifiers.
    enum Places: Encodable, CustomStringConvertible {
        case blocks([Int])
        case files([UInt16])

        private var names: [String] {
            switch self {
            case .blocks(let numbers): numbers.map { "\($0)" }
            case .files(let files): files.map(\.hex)
            }
        }

        var isEmpty: Bool { names.isEmpty }
        var isOne: Bool { names.count == 1 }

        var description: String {
            switch self {
            case .blocks(let numbers): "\(BlockList(numbers))"
            case .files: "file \(names.joined(separator: ", "))"
            }
        }

        func encode(to encoder: any Encoder) throws {
            if case .blocks(let numbers) = self { return try numbers.encode(to: encoder) }
            try names.encode(to: encoder)
        }
    }

    let schema = 1
    let event = "tag"
    let reader: String
    let uid: String
    let chip: String
    let file: String
    let written: Places
    let kept: Places
    /// The blocks that the dump does not know.
    let missing: [Int]
    let blockCount: Int
    /// What else there is to say, clauses.
    let remark: String
    /// Whether what was locked was seen to refuse a write; nil when nothing was locked.
    let lockVerified: Bool?
    /// Only of a dump that knows all of the tag can it be said that the tag holds it.
    var verified: Bool { missing.isEmpty }

    var text: String {
        let proof = written.isOne ? "read back and compared" : "each read back and compared"
        let done =
            written.isEmpty
            ? "\(chip) \(uid) holds \(missing.isEmpty ? "it" : "what the dump knows") already"
            : "Restored \(written) of \(chip) \(uid), \(proof)"
        let (differ, stay) = kept.isOne ? ("differs", "stays as it is") : ("differ", "stay as they are")
        let rest = kept.isEmpty ? "" : "; \(kept) \(differ) from the dump and \(stay)"
        let unknown =
            missing.isEmpty
            ? ""
            : "; the dump is partial: \(missing.count) of \(blockCount) blocks are not in it (\(BlockList(missing)))"
        return TerminalText.escaped(done + rest + unknown + remark + ".")
    }

    private enum Key: CodingKey {
        case schema, event, reader, uid, chip, file, written, kept, missing, verified, lockVerified
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(schema, forKey: .schema)
        try container.encode(event, forKey: .event)
        try container.encode(reader, forKey: .reader)
        try container.encode(uid, forKey: .uid)
        try container.encode(chip, forKey: .chip)
        try container.encode(file, forKey: .file)
        try container.encode(written, forKey: .written)
        try container.encode(kept, forKey: .kept)
        try container.encode(missing, forKey: .missing)
        try container.encode(verified, forKey: .verified)
        try container.encodeIfPresent(lockVerified, forKey: .lockVerified)
    }
}

/// The dump is of another chip.
struct WrongChip: Failure {
    let dump: String
    let tag: String
    var name: ErrorName { .wrongChip }
    var message: String { "The dump is of \(dump); the tag is \(tag)." }
}

/// A restore that ended early.
struct RestoreInterrupted: Failure {
    let failure: TagFailure
    /// The path of a dump of what the tag held before.
    let old: String
    /// The path of a dump from before an earlier restore that was interrupted, where the tag has been written since.
    var older: String?
    /// Those of the restore, which the way back needs, too.
    var options: [String] = []
    /// The bits that it, or one before it, may have set and that nothing clears, names.
    var permanent: [String] = []
    /// Bits that the tag did not keep, with which the restore ended.
    var unkept: UnkeptBits?
    var name: ErrorName { failure.name }
    var message: String { failure.message + " Some blocks may hold the dump already, others not." }
    var details: [String: FailureDetail] {
        let kept = ["old": old, "older": older].compactMapValues { $0.map(FailureDetail.text) }
        return failure.details.merging(kept) { first, _ in first }
    }
}
