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
    /// `outlook` is a sentence about whether the lock can be undone.
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
    /// Parts with the same limit share a clause. Marks for readers are omitted if the tag itself refuses writes.
    private static func effects(of plan: LockPlan) -> String {
        var clauses: [(parts: [String], limit: String)] = []
        var marks: [String] = []
        for step in plan.steps {
            switch step.effect {
            case .mark: marks.append("\(step.effect)")
            case .lock(let parts, let limit):
                if let index = clauses.firstIndex(where: { $0.limit == limit }) {
                    clauses[index].parts.append(parts)
                } else {
                    clauses.append((parts: [parts], limit: limit))
                }
            }
        }
        let locks = clauses.map { "\(list($0.parts)) \($0.limit)" }
        return (locks.isEmpty || !plan.isEnforced ? marks + locks : locks).joined(separator: "; ")
    }

    /// Returns a list such as `blocks 3 to 15 and 16 to 39`.
    private static func list(_ parts: [String]) -> String {
        let word = "blocks "
        let isOfBlocks = parts.allSatisfy { $0.hasPrefix(word) }
        let short = parts.enumerated().map { $0 > 0 && isOfBlocks ? String($1.dropFirst(word.count)) : $1 }
        return short.count > 1
            ? "\(short.dropLast().joined(separator: ", ")) and \(short[short.count - 1])" : short.joined()
    }
}
