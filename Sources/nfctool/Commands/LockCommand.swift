// nfctool lock: make a tag read-only for ever, bit by bit, after showing each

import ArgumentParser
import CoreNFC
import NFCReader
import TagTypes
import WriteJournal

struct LockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Make the tag read-only for ever.",
        discussion: """
            Shows what the tag holds and each bit that will be set, and asks, or needs --yes. The message is read first; then \
            the bits are set one step after the other, each read back. Nobody can undo it, but for tags that have a mark only. The \
            configuration of an NTAG21x, NTAG I2C plus or Ultralight EV1 stays open: a password set later can still keep people \
            from reading.
            """)

    @OptionGroup var options: TagOptions

    func run() async throws {
        let (reading, deed) = try await TagSession.run(options) { session in
            let change = try await TagChange(session, options, to: .lockMessage)
            // What is locked in must be readable: a broken message would stay for ever.
            let before = try await session.currentReading(of: change.tag)
            guard before.state.status != .notSupported else {
                throw TagError.notNDEF(reason: before.state.reason ?? "")
            }
            let steps = try await change.tag.perform { try $0.planLock() }
            guard !steps.isEmpty else {
                try change.forget(.lock)
                return (before, TagDeed.wasLocked)
            }
            let open = try await change.tag.perform { ($0 as? Type2Tag)?.configurationOpenWhenLocked }
            try change.ask("Lock the tag \(before.uid)?", facts: facts(before, steps, open))
            let after = try await change.insured(before, against: .lock) {
                try await change.tag.perform { try $0.makeReadOnly() }
                return try await proven(change.tag, locked: steps, holding: before, in: session)
            }
            return (after, steps.contains(where: \.isForEver) ? .locked : .marked)
        }
        try reading.report(deed, options.output)
    }

    /// Looks at the tag in a fresh activation, as the next reader will see it.
    private func proven(
        _ tag: SessionTag, locked steps: [LockStep], holding before: TagReading, in session: TagSession
    ) async throws -> TagReading {
        do {
            var after = try await session.read(tag)
            guard after.lastingBytes == before.lastingBytes, after.state.status == .readOnly else {
                throw TagError.verificationFailed(offset: 0)
            }
            after.isVerified = true
            return after
        } catch {
            // All bits are set: whoever hears of a failure must hear of that, too.
            let cause = TagFailure(error)?.cause
            guard let cause = cause as? TagError ?? (cause as? ReaderError).map(TagError.reader) else { throw error }
            throw TagError.lockInterrupted(done: steps.map(\.name), missing: [], cause: cause)
        }
    }

    /// What the lock does not close.
    private static func remark(on open: ClosedRange<Int>?) -> String {
        guard let open else { return "" }
        return
            " The configuration in blocks \(open.lowerBound) to \(open.upperBound) stays open: anybody can still set a password."
    }

    private func facts(_ reading: TagReading, _ steps: [LockStep], _ open: ClosedRange<Int>?) -> String {
        let bits = steps.map { step in
            "  \(step.name), \(step.place): \(step.old.hex) becomes \(step.new.hex): \(step.effect)"
        }
        let isForEver = steps.contains(where: \.isForEver)
        let holds = TagPresentation(reading, style: .plain).text.split(separator: "\n").map { "  " + $0 }
        return """
            The tag holds:
            \(holds.joined(separator: "\n"))
            \(isForEver ? "These bits will be set for ever" : "This will be changed"):
            \(bits.joined(separator: "\n"))
            \(isForEver ? "Nobody can undo it.\(Self.remark(on: open))" : "The tag has no lock: tools that do not heed this can still write it, and undo it.")
            """
    }
}
