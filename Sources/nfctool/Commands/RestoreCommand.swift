// nfctool restore: a dump back onto a tag of the same chip

import ArgumentParser
import CoreNFC
import TagImage
import TagTypes

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

    @Flag(help: "Also the one-time bits of the capability container, which cannot be undone.")
    var otp = false

    @Flag(name: .customLong("configuration"), help: "Also configuration and reserved blocks, without passwords.")
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
            let (present, memory) = try await session.image(of: tag)
            guard dump.fits(present) else { throw WrongChip(dump: dump.kindName, tag: present.kindName) }
            let plan = try RestorePlan(dump, to: memory, parts: parts)
            try confirm(plan, for: tag)
            try await write(plan, to: tag)
            return RestoreReport(
                reader: session.reader, uid: tag.uid, chip: present.kindName, file: file,
                written: plan.writes.map(\.number).sorted(), kept: plan.kept)
        }
        if options.output.json {
            try JSONLine.print(report)
        } else if !options.output.quiet {
            StandardOutput.print(report.text)
        }
    }

    /// Asks before one-time bits are set, and before a configuration that may shut the tag.
    private func confirm(_ plan: RestorePlan, for tag: SessionTag) throws {
        let asked = [
            plan.oneTime.isEmpty ? nil : "set one-time bits in \(BlockList(plan.oneTime)), which cannot be undone",
            plan.configuration.isEmpty
                ? nil : "change the configuration in \(BlockList(plan.configuration)), which may lock the tag",
        ].compactMap { $0 }
        guard !asked.isEmpty else { return }
        try Confirmation(options.output).ask(
            "Restore the dump to the tag \(tag.uid)?", facts: "The restore will \(asked.joined(separator: " and ")).")
    }

    private func write(_ plan: RestorePlan, to tag: SessionTag) async throws {
        guard !plan.writes.isEmpty else { return }
        do {
            try await tag.perform { tag in
                try tag.writeBlocks(plan.writes.map { (number: $0.number, bytes: $0.bytes) })
            }
        } catch {
            guard let failure = TagFailure(error) else { throw error }
            if case TagError.unsupported = failure.cause { throw failure }
            throw RestoreInterrupted(failure: failure)
        }
    }
}

/// What was restored.
private struct RestoreReport: Encodable {
    let schema = 1
    let event = "tag"
    let reader: String
    let uid: String
    let chip: String
    let file: String
    let written: [Int]
    let kept: [Int]
    let verified = true

    var text: String {
        let done =
            written.isEmpty
            ? "\(chip) \(uid) holds it already"
            : "Restored \(BlockList(written)) of \(chip) \(uid), each read back and compared"
        let rest = kept.isEmpty ? "" : "; \(BlockList(kept)) differ from the dump and stay as they are"
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
    var name: ErrorName { failure.name }
    var message: String { failure.message + " Some blocks may hold the dump already, others not." }
    var details: [String: FailureDetail] { failure.details }
}
