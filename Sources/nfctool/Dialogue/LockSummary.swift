// The facts for the question before a lock, short enough to be read on a terminal — Docs/CommandLine.md, Questions

import NDEF
import RecordPresentation
import SafeTag
import TagTypes
import Terminal

/// The facts about a lock in a few lines, without the individual bits.
struct LockSummary {
    /// The tag, its message, what can never be written again, what stays writable, and whether the lock can be undone.
    let text: String

    /// Creates the summary.
    ///
    /// `outlook` is the sentence that says whether the lock can be undone.
    init(_ draft: LockDraft, outlook: String) {
        let tag = TagPresentation(draft.reading, style: .plain).text.prefix { $0 != "\n" }
        text =
            ([
                "Tag: \(tag)", Self.message(draft.reading).cut(to: Self.width),
                "Lock: \(Self.effects(of: draft.plan)).",
            ] + draft.gaps.map(\.sentence) + [outlook]).joined(separator: "\n")
    }

    /// The maximum width of the line with the message, in columns.
    private static let width = 80

    private static func message(_ reading: TagReading) -> String {
        let summaries = RecordSummary.all(reading.message.records)
        guard !summaries.isEmpty else { return "Message: empty" }
        return "Message: " + summaries.map { "\($0.kind) \($0.value)" }.joined(separator: ", ")
    }

    /// Returns the effects of all steps as clauses.
    ///
    /// Steps with the same effect share a clause.
    ///
    /// The mark for readers is omitted if the tag itself refuses writes.
    static func effects(of plan: LockPlan) -> String {
        let effects = plan.steps.map(\.effect)
        let locks = plan.isEnforced ? effects.filter { !$0.hasPrefix("marks ") } : effects
        var clauses: [(subjects: [Substring], verb: Substring)] = []
        for effect in locks.isEmpty ? effects : locks {
            let subject = effect.prefix(upTo: effect.firstRange(of: " can ")?.lowerBound ?? effect.startIndex)
            let verb = effect[subject.endIndex...]
            if !subject.isEmpty, let index = clauses.firstIndex(where: { $0.verb == verb }) {
                clauses[index].subjects.append(subject)
            } else {
                clauses.append((subjects: [subject], verb: verb))
            }
        }
        return clauses.map { "\(Self.list($0.subjects))\($0.verb)" }.joined(separator: "; ")
    }

    /// Returns a list such as `blocks 3 to 15 and 16 to 39`.
    private static func list(_ subjects: [Substring]) -> String {
        let word = "blocks "
        let short = subjects.enumerated().map { index, subject in
            index > 0 && subject.hasPrefix(word) && subjects[0].hasPrefix(word)
                ? subject.dropFirst(word.count) : subject
        }
        guard short.count > 1, let last = short.last else { return short.joined(separator: "") }
        return "\(short.dropLast().joined(separator: ", ")) and \(last)"
    }
}
