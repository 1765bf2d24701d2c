// nfctool lock: make a tag read-only, bit by bit, after showing each

import ArgumentParser
import Hexadecimal
import ReaderInterface
import ReaderSession
import TagTypes
import WriteJournal

struct LockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Make the tag read-only permanently.",
        discussion: """
            Shows what the tag holds and each bit that will be set, and asks, or needs --yes. Sets the bits one step after \
            the other and reads each back. Then tries to write each locked group of blocks: the tag must refuse. \
            On a chip that is not known it locks only what the tag's own description of its lock bits covers, or refuses. \
            Some tags have no lock, only a mark that readers heed. The configuration of an NTAG21x, NTAG I2C plus or \
            Ultralight EV1 stays open: a password set later can still keep people from reading.
            """)

    @OptionGroup var force: ForceOption
    @OptionGroup var options: TagOptions

    func run() async throws {
        let (reading, deed) = try await TagSession.run(options) { session in
            let (change, before, plan) = try await session.withoutChange { try await confirmedPlan(session) }
            guard !plan.isEmpty else {
                // Bits that read as set may have no effect.
                try await change.tag.perform { try $0.carryOut(plan) }
                try change.forget(.lock)
                return (before, TagDeed.wasLocked)
            }
            let after = try await change.insured(before, against: .lock) {
                // What was shown and confirmed, and nothing else.
                do {
                    try await change.tag.perform { try $0.carryOut(plan) }
                } catch  where !Self.isAfterAChange(error) {
                    try await session.withoutChange { throw error }
                }
                return try await proven(change.tag, locked: plan, holding: before, in: session)
            }
            return (after, TagDeed(plan.permanence))
        }
        try reading.report(deed, options.output)
    }

    /// Finds the tag, and plans its lock; an empty plan is not asked about.
    private func confirmedPlan(
        _ session: TagSession
    ) async throws -> (change: TagChange, before: TagReading, plan: LockPlan) {
        let change = try await TagChange(session, options, to: .lockMessage)
        // What is locked in must be readable: a broken message would stay forever.
        let before = try await session.currentReading(of: change.tag)
        guard before.state.status != .notSupported else {
            throw TagError.notNDEF(reason: before.state.reason ?? "")
        }
        // A tag without records is locked as it is: there is nothing for phones to stumble over.
        if !before.bytes.isEmpty { try MessageReview(before.message).check(force, options.output) }
        let plan = try await change.tag.perform { try $0.planLock() }
        guard !plan.isEmpty else { return (change, before, plan) }
        let open = try await change.tag.perform { ($0 as? Type2Tag)?.configurationOpenWhenLocked }
        try change.ask("Lock the tag \(before.uid)?", facts: facts(before, plan, open))
        return (change, before, plan)
    }

    /// From the first step on, a lock fails with this error alone.
    private static func isAfterAChange(_ error: any Error) -> Bool {
        if case TagError.lockInterrupted? = TagFailure(error)?.cause { true } else { false }
    }

    /// Looks at the tag in a fresh activation, as the next reader will see it.
    private func proven(
        _ tag: ConnectedTag, locked plan: LockPlan, holding before: TagReading, in session: TagSession
    ) async throws -> TagReading {
        do {
            var after = try await session.read(tag.detected)
            guard after.lastingBytes == before.lastingBytes, after.state.status == .readOnly else {
                throw TagError.verificationFailed(offset: 0)
            }
            after.isVerified = true
            return after
        } catch {
            // All bits are set, which a failure must mention, too.
            let cause = TagFailure(error)?.cause
            guard let cause = cause as? TagError ?? (cause as? ReaderError).map(TagError.reader) else { throw error }
            throw TagError.lockInterrupted(done: plan.steps.map(\.name), missing: [], cause: cause)
        }
    }

    /// What the lock does not close.
    private static func remark(on open: ClosedRange<Int>?) -> String {
        guard let open else { return "" }
        return
            " The configuration in blocks \(open.lowerBound) to \(open.upperBound) stays open: anybody can still set a password."
    }

    private func facts(_ reading: TagReading, _ plan: LockPlan, _ open: ClosedRange<Int>?) -> String {
        let bits = plan.steps.map { step in
            "  \(step.name), \(step.place): \(step.old.hex) becomes \(step.new.hex): \(step.effect)"
        }
        let holds = TagPresentation(reading, style: .plain).text.split(separator: "\n").map { "  " + $0 }
        return """
            The tag holds:
            \(holds.joined(separator: "\n"))
            \(plan.permanence == .permanent ? "These bits will be set permanently" : "This will be changed"):
            \(bits.joined(separator: "\n"))
            \(Self.outlook(plan.permanence))\(Self.remark(on: open))
            """
    }

    /// What is known about taking it back.
    private static func outlook(_ permanence: LockStep.Permanence?) -> String {
        switch permanence {
        case .permanent: "This cannot be undone."
        case .unknown: "This tool cannot undo it."
        case .reversible, nil: "The tag has no lock: tools that ignore this mark can still write the tag and undo it."
        }
    }
}

extension TagDeed {
    /// What a lock was, by what is known about taking it back.
    fileprivate init(_ permanence: LockStep.Permanence?) {
        self =
            switch permanence {
            case .permanent: .locked
            case .unknown: .closed
            case .reversible, nil: .marked
            }
    }
}
