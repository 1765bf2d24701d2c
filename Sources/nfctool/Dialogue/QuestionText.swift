// The questions before changes to tags, and the facts that a user needs to answer them — Docs/CommandLine.md, Questions

import Hexadecimal
import MemoryPresentation
import ReaderInterface
import ReaderSession
import RecordPresentation
import SafeTag
import TagTypes
import Terminal
import WriteJournal

struct QuestionText {
    let question: String
    let facts: String
    /// The facts in a few lines, or nil if `facts` are short enough.
    let summary: String?

    init(_ question: Question) {
        summary =
            if case .lock(let draft) = question {
                LockSummary(draft, outlook: Self.outlook(draft.plan.permanence, draft.gaps, of: draft.reading.target))
                    .text
            } else {
                nil
            }
        switch question {
        case .sendPassword(let risk):
            self.question = "Send the password to tag \(risk.uid.hex)?"
            facts = risk.facts
        case .initialise(let tag, let state):
            self.question = "Tag \(tag.uid) is blank. Initialise it?"
            facts = tag.target.initialisingText(state.taken)
        case .deleteOtherData(let uid):
            self.question = "Delete the data on tag \(uid.hex)?"
            facts = """
                Its data area holds no message, but other data. nfctool undo cannot bring this data back. \
                To keep it:  nfctool dump FILE
                """
        case .addRecords(let content, let isInOneRecord):
            self.question = "Add the records?"
            let reason =
                isInOneRecord
                ? "It can show values in only one place, so it would stop doing this."
                : "This place is not within a single record, so the chip would stop doing this."
            facts =
                "The chip shows \(content.words) in the message. \(reason) What it shows now would become fixed characters."
        case .writeCopy(let original, let content, let characters, let tag):
            self.question = "Write the copy?"
            facts =
                "Tag \(original.uid) shows \(content.words) in its message, but tag \(tag.uid) cannot do this. "
                + "The copy would contain \(characters) as fixed characters."
        case .writeFilledInCopy(let original, let tag):
            self.question = "Write the copy?"
            facts =
                "Tag \(original.uid) fills in its message at each tap. Tag \(tag.uid) would hold the values of one tap "
                + "as fixed characters."
        case .lock(let draft):
            self.question = "Lock tag \(draft.reading.uid)?"
            facts = Self.facts(draft.reading, draft.plan, draft.gaps)
        case .protect(let draft):
            self.question = "Protect tag \(draft.uid.hex)?"
            facts = Self.facts(draft)
        case .unprotect(let uid, let unreadable):
            self.question = "Remove what is left of the password on tag \(uid.hex)?"
            facts = "\(unreadable) A change to the tag's protection may have been interrupted."
        case .setUp(let draft):
            self.question = "Set up tag \(draft.uid.hex)?"
            facts = [Self.replaced(by: draft), DynamicFacts.text(draft)].compactMap(\.self).joined(separator: "\n")
        case .changeKeys(let draft):
            self.question = "Change keys of tag \(draft.uid.hex)?"
            facts = DynamicFacts.text(draft)
        case .resetToFactory(let draft):
            self.question = "Restore the factory settings and keys of tag \(draft.keys.uid.hex)?"
            facts = DynamicFacts.text(draft)
        case .restore(let draft):
            self.question =
                draft.isReset
                ? "Restore the factory state of card \(draft.tag.uid)?"
                : "Restore the dump to tag \(draft.tag.uid)?"
            facts = RestoreFacts(draft).text
        case .recover(let work):
            self.question = "Overwrite it?"
            let uid = work.entry.uid.hex
            facts =
                work.standing == .emptied
                ? "Tag \(uid) holds an empty message. It may have been erased since its lock was interrupted."
                : "Tag \(uid) holds another message, written since its \(work.entry.operation) was interrupted."
        case .undo(let entry, let held):
            self.question = "Overwrite it?"
            facts = """
                Tag \(entry.uid.hex) holds a different message from the one written to it \(entry.time).
                It holds:       \(Self.excerpt(of: held))
                It would hold:  \(Self.excerpt(of: entry.oldMessage))
                \(held == nil ? "What it holds cannot be kept." : "What it holds now is kept: the next nfctool undo brings it back.")
                """
        }
    }

    /// Returns the lines about the message that a setup replaces, or nil if it replaces none.
    private static func replaced(by draft: SDMSetupDraft) -> String? {
        guard draft.replacesMessage, !draft.held.isEmpty else { return nil }
        return """
            The message is now   \(excerpt(of: draft.held))
            It is kept: after nfctool sdm reset, nfctool undo brings it back.
            """
    }

    private static func excerpt(of message: [UInt8]?) -> String {
        guard let message else { return "data that is not a complete message" }
        guard !message.isEmpty else { return "an empty message" }
        return RecordSummary.excerpt(of: message) ?? "\(ByteCount(message.count)) without a record"
    }

    // MARK: Locks

    private static func facts(_ reading: TagReading, _ plan: LockPlan, _ gaps: [LockGap]) -> String {
        let bits = plan.steps.map { step in
            "  \(step.name), \(step.place): \(step.old.hex) becomes \(step.new.hex): \(step.effect)"
        }
        let holds = TagPresentation(reading, style: .plain).text.split(separator: "\n").map { "  " + $0 }
        return """
            The tag holds:
            \(holds.joined(separator: "\n"))
            \(Self.heading(plan.permanence, of: reading.target)):
            \(bits.joined(separator: "\n"))
            \(([Self.outlook(plan.permanence, gaps, of: reading.target)] + gaps.map(\.sentence)).joined(separator: " "))
            """
    }

    private static func heading(_ permanence: LockStep.Permanence?, of target: Target) -> String {
        switch permanence {
        case .permanent: "These bits will be set permanently"
        case .unknown where target.hasOneTimeBits: "These bits will be set"
        case .unknown, .reversible, nil: "This will be changed"
        }
    }

    /// Returns a sentence about whether the lock can be undone, as far as this is known.
    static func outlook(
        _ permanence: LockStep.Permanence?, _ gaps: [LockGap], of target: Target
    ) -> String {
        switch permanence {
        case .permanent: "This cannot be undone."
        case .unknown where gaps.contains(.i2c) || gaps.contains(.backdoor): "nfctool cannot undo it."
        case .unknown: target.unknownOutlook
        case .reversible, nil: target.markOutlook
        }
    }

    // MARK: Passwords

    /// Returns the facts about a limit that may make the tag unusable, and about protection that the tag loses.
    private static func facts(_ draft: ProtectionDraft) -> String {
        let unknown =
            draft.known.unreadable.map { ["\($0) The tag's previous protection is not known."] } ?? []
        let limit = draft.isLimitChosen ? [facts(draft.wanted)] : []
        return (unknown + limit + draft.known.losses(of: draft.wanted)).joined(separator: "\n")
    }

    private static func facts(_ protection: ProtectionRules) -> String {
        let limit = protection.limit
        return """
            The tag will require the password from block \(protection.first ?? 0) onwards, \
            \(protection.isReadingProtected ? "for reading and writing" : "for writing").
            \(limit == 1 ? "After one wrong password" : "After \(limit) wrong passwords in a row"), the tag closes \
            permanently, no matter who enters \(limit == 1 ? "it" : "them").
            """
    }
}
