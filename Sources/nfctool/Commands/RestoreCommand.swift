// nfctool restore: a dump back onto a tag of the same chip

import ArgumentParser
import Composing
import CoreNFC
import NFCReader
import TagImage
import TagTypes
import WriteJournal

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Write a dump to a tag of the same chip.",
        discussion: """
            Only blocks that differ are written, each read back and compared. UID, lock bits, one-time bits and configuration \
            stay as they are unless each is asked for; passwords and counters always do.

              nfctool restore tag.nfc
              nfctool restore amiibo.bin --otp --lock-bits
            """)

    @Argument(help: "The dump: .nfc, .bin, .mfd or .json; - for stdin.")
    var file: String

    @Flag(name: .customLong("uid-block"), help: "Also the blocks with the UID, on chips that allow it.")
    var uidBlock = false

    @Flag(help: "Also lock bits, which cannot be undone.")
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

    func run() async throws {
        let dump = try DumpFile(path: file).read()
        let report = try await TagSession.run(options) { session in
            let tag = try await session.onlyTag(within: options.waitingTime, uid: options.uid)
            let (present, memory) = try await session.image(of: tag, offering: dump.keys)
            guard dump.fits(present) else { throw WrongChip(dump: dump.kindName, tag: present.kindName) }
            if dump.kind == .type4 { return try await restoreFiles(dump, over: present, of: tag, in: session) }
            let plan = try RestorePlan(
                dump, to: memory, parts: parts, openedBy: session.session?.credential)
            try confirm(plan, for: tag)
            try await write(plan, over: present, to: tag)
            // The dump takes the place of what a write that was cut off would bring back.
            try WriteJournal.ofThisUser.supersede(uid: tag.target.identifier)
            return RestoreReport(
                reader: session.reader, uid: tag.uid, chip: present.kindName, file: file,
                written: .blocks(plan.writes.map(\.number).sorted()), kept: .blocks(plan.kept))
        }
        if options.output.json {
            try JSONLine.print(report)
        } else if !options.output.quiet {
            StandardOutput.print(report.text)
        }
    }

    /// Replaces the NDEF message as a write does, journal and all; the capability container stays.
    private func restoreFiles(
        _ dump: TagImage, over present: TagImage, of tag: SessionTag, in session: TagSession
    ) async throws -> RestoreReport {
        guard let message = dump.message else {
            throw BrokenDump(
                source: InputFile(path: file).source,
                error: .malformed(
                    "files", found: "without a whole NDEF file", expected: "E103, and the file that it names"))
        }
        let write = SafeWrite(session, options, journal: .ofThisUser, isWithoutWait: true)
        let tag = try await write.settle(tag)
        _ = try await write.run(on: tag) { try $0.planWrite(message, .throughEmpty) }
        return RestoreReport(
            reader: session.reader, uid: tag.uid, chip: present.kindName, file: file,
            written: .files(
                message == present.message
                    ? [] : present.files.map(\.identifier).filter { $0 != TagImage.containerFile }),
            kept: .files(
                dump.difference(from: present).contains { $0.place == .file(TagImage.containerFile) }
                    ? [TagImage.containerFile] : []))
    }

    /// Asks before one-time bits are set, and before configuration, keys or reserved blocks that may shut the tag.
    private func confirm(_ plan: RestorePlan, for tag: SessionTag) throws {
        let asked = [
            plan.oneTime.isEmpty ? nil : "set one-time bits in \(BlockList(plan.oneTime)), which cannot be undone",
            plan.configuration.isEmpty
                ? nil
                : "change configuration, keys or reserved bytes in \(BlockList(plan.configuration)), which may lock the tag",
        ].compactMap { $0 }
        guard !asked.isEmpty else { return }
        try Confirmation(options.output).ask(
            "Restore the dump to the tag \(tag.uid)?", facts: "The restore will \(asked.joined(separator: " and ")).")
    }

    private func write(_ plan: RestorePlan, over present: TagImage, to tag: SessionTag) async throws {
        let (uid, journal) = (tag.target.identifier, RestoreJournal(beside: .ofThisUser))
        guard !plan.writes.isEmpty else { return try journal.end(uid: uid) }
        let (old, isNew) = try journal.keep(try DumpFile(path: file).bytes(of: present, .json), uid: uid)
        do {
            try await tag.perform { tag in
                try tag.writeBlocks(plan.writes.map { (number: $0.number, bytes: $0.bytes) })
            }
        } catch {
            guard let failure = TagFailure(error) else { throw error }
            if case TagError.unsupported = failure.cause {
                // Nothing was written; what an earlier restore left there is not ours to forget.
                if isNew { try journal.end(uid: uid) }
                throw failure
            }
            throw RestoreInterrupted(failure: failure, old: old.path)
        }
        try journal.end(uid: uid)
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
            case .files(let files): files.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)].hex }
            }
        }

        var isEmpty: Bool { names.isEmpty }

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
    let verified = true

    var text: String {
        let done =
            written.isEmpty
            ? "\(chip) \(uid) holds it already" : "Restored \(written) of \(chip) \(uid), each read back and compared"
        let rest = kept.isEmpty ? "" : "; \(kept) differ from the dump and stay as they are"
        return TerminalText.escaped(done + rest + ".")
    }
}

/// The dump is of another chip.
struct WrongChip: Failure {
    let dump: String
    let tag: String
    var name: ErrorName { .wrongChip }
    var message: String { "The dump is of \(dump); the tag is \(tag). Nothing was changed." }
}

/// A restore that ended early.
struct RestoreInterrupted: Failure {
    let failure: TagFailure
    /// The path of a dump of what the tag held before.
    let old: String
    var name: ErrorName { failure.name }
    var message: String { failure.message + " Some blocks may hold the dump already, others not." }
    var details: [String: FailureDetail] { failure.details.merging(["old": .text(old)]) { first, _ in first } }
}
