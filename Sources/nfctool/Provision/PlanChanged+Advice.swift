// Advice if a plan has changed since its journal was started — Docs/Provisioning.md

import Doctor
import Provisioning

extension PlanChanged: Failure, AdvisedError {
    var message: String { description }
    var details: [String: FailureDetail] { ["differences": .list(lines)] }
    var lines: [String] { differences.lines }

    var advice: String? {
        (steps + ["Do not delete the journal: it records which tags have which rows."]).joined(separator: "\n")
    }

    private var steps: [String] {
        if differences.isExtension {
            return (differences.addsLock ? [Self.locking] : []) + (differences.rowCount > 0 ? [extending] : [])
        }
        if differences.plan.isRange {
            return [
                "To continue, use the same options. Only --overwrite may differ.",
                "For other tags with these numbers, give this run its own journal:  --journal FILE",
            ]
        }
        guard differences.recipe.isEmpty || differences.addsLock else {
            return [
                "To continue, use the same file and options. Only --overwrite may differ. With --extend, the file may also have new rows at the end.",
                "To use other options, \(Self.otherFile)",
            ] + (differences.recipe.contains(.added(RowSettings.lockLine)) ? [Self.lockingEach] : [])
        }
        return [obstacles.joined(separator: " "), changeable].compactMap(\.self)
    }

    private static let locking =
        "To also lock the tags, add --extend. Tags that are already written are locked when they are placed again."
    private static let lockingEach =
        "To lock its tags without the plan, omit --lock here and run nfctool lock with each tag. "
        + "nfctool provision verify then reports them as locked."

    /// The end of a sentence about changed rows that the journal cannot accept.
    private static let otherFile =
        "put the rows that no tag has into a file with another name, and continue only with that file."

    private var extending: String {
        let corrected = differences.corrected.count
        guard corrected > 0 else { return "To also write the new rows, add --extend." }
        let (rows, object) = corrected == 1 ? ("row", "it as it is") : ("rows", "them as they are")
        let new = differences.rowCount > corrected ? ", and to add the new rows" : ""
        return "No tag has the changed \(rows) yet. Add --extend to write \(object) now\(new)."
    }

    /// Sentences about the changes that `--extend` does not accept, and what to do about them.
    private var obstacles: [String] {
        var sentences: [String] = []
        let onTags = RowNumbers(differences.onTags)
        if onTags.count > 0 {
            sentences.append(
                onTags.count == 1
                    ? "A tag has \(onTags.text), so that row must be in the plan as it was."
                    : "Tags have \(onTags.text), so those rows must be in the plan as they were.")
        }
        if differences.movesRows {
            sentences.append("Earlier rows must keep their places: put new rows at the end, and remove none.")
        }
        if !differences.acceptsCorrections {
            sentences.append("The journal is in a database, so no row can change. To change rows, \(Self.otherFile)")
        } else if onTags.count > 0, !differences.movesRows {
            sentences.append(
                onTags.count == 1
                    ? "To write the changed row to another tag, add --extend after you free the row:  \(reset)"
                    : "To write the changed rows to other tags, add --extend after you free the rows:  \(reset)")
        }
        return sentences
    }

    /// The sentence about changed rows that `--extend` accepts, or nil if there are none.
    private var changeable: String? {
        let rows = RowNumbers(differences.corrected)
        guard rows.count > 0 else { return nil }
        return rows.count == 1
            ? "No tag has \(rows.text), so this change is allowed: --extend writes it as it is in the plan now."
            : "No tag has \(rows.text), so these changes are allowed: --extend writes them as they are in the plan now."
    }

    /// The command that frees the rows to which tags are assigned.
    private var reset: String {
        let rows = differences.onTags.sorted()
        let words = rows.count > Self.named ? "ROW…" : rows.map { "\($0)" }.joined(separator: " ")
        return "nfctool provision reset \(words) --journal \(ShellLine.quoted(journal))"
    }

    /// The maximum number of rows that the printed command names.
    private static let named = 10
}
