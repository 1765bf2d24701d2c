// The results of a plan check, as text for users

import PhoneLint
package import Provisioning
import ReaderInterface

extension PlanCheck {
    /// Returns the summary at the end of a dry run, as lines separated by newlines.
    ///
    /// It lists at most `shown` groups of duplicate rows. `more` is the number of rows that the output above left out.
    /// `seconds` is the estimated time for the `remaining` work. `isStarted` is whether the plan has a journal.
    package func summary(
        _ duplicates: DuplicateRows, _ remaining: RemainingWork, shown: Int, more: Int, seconds: Double, isStarted: Bool
    ) -> String {
        var lines = more > 0 ? ["… and \(more) more. To show all rows, add --verbose."] : []
        lines += duplicates.lines(limit: shown)
        let lengths = messageLengths ?? 0...0
        let span = lengths.count == 1 ? "\(lengths.lowerBound)" : "\(lengths.lowerBound) to \(lengths.upperBound)"
        let messages = goodRowCount == 1 ? "a message" : "messages"
        lines.append("\(Self.rows(goodRowCount)), with \(messages) of \(span) bytes.")
        if isStarted {
            lines.append("\(remaining.provisioned) of \(Self.rows(goodRowCount)) done, \(remaining.rows) to write.")
        }
        if isSigned {
            lines.append(
                "Zeros stand for the values that the tags fill in and sign. Each tag gets the keys of the key file.")
        } else if isOfUID {
            lines.append("04000000000000 stands for the UID, which differs from tag to tag.")
        }
        if hasTokens { lines.append("Zeros stand for random digits, which are generated when the journal is created.") }
        if remaining.locked > 0 {
            lines.append("\(Self.rows(remaining.locked)): \(Self.tags(remaining.locked)) will be locked permanently.")
        }
        if remaining.protected > 0 {
            lines.append(
                "\(Self.rows(remaining.protected)): \(Self.tags(remaining.protected)) will be protected by a password.")
        }
        lines.append(fittingText)
        lines += [longRowsText].compactMap(\.self)
        if remaining.locked > 0 {
            lines.append(
                "Writing and locking take about \(Self.time(seconds)), plus the time for placing the tags one by one.")
            lines.append("A lock takes about 3 s per tag. Hold each tag still until its line appears.")
        } else if remaining.rows > 0 {
            lines.append(
                "Writing takes about \(Self.time(seconds)), plus about the same time for placing the tags one by one.")
        }
        let journal = isStarted ? "the journal was not changed" : "no journal was created"
        lines.append("Nothing was written, and \(journal).")
        return lines.joined(separator: "\n")
    }

    /// The maximum number of chips to name.
    private static let namedChips = 8

    /// A sentence about the chips that suit the plan, smallest first.
    ///
    /// Chips beyond the maximum number are only counted.
    private var fittingText: String {
        let required = requiredChips.map(\.name).sorted()
        guard required.count < 2 else {
            return "The rows require different chips: \(required.joined(separator: ", "))."
        }
        let more = fittingChips.count - Self.namedChips
        let names = fittingChips.prefix(Self.namedChips).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        let needs = (protectedRowCount > 0 ? ["protected"] : []) + (lockedRowCount > 0 ? ["locked"] : [])
        guard !needs.isEmpty else { return "The longest message fits \(names.isEmpty ? "no common tag" : names)." }
        if let chip = required.first, names.isEmpty {
            return "The rows require \(chip), which cannot be \(needs.joined(separator: " and "))."
        }
        return "Chips that hold the longest message and can be \(needs.joined(separator: " and ")): "
            + (names.isEmpty ? "no common one." : "\(names).")
    }

    /// A sentence about the rows that do not fit the common chip.
    ///
    /// Nil if all rows or no rows fit it, if rows require certain chips, or if the tags sign their messages.
    private var longRowsText: String? {
        let (chip, capacity) = Self.commonChip
        guard !isSigned, requiredChips.isEmpty, longRows.count > 0, longRows.count < goodRowCount else { return nil }
        let verb = longRows.count == 1 ? "does" : "do"
        return "\(longRows.capitalizedText) \(verb) not fit an \(chip), which holds \(capacity) bytes."
    }

    /// Returns a duration as text, in English on every system like all other texts.
    private static func time(_ seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded())
        guard minutes >= 60 else { return Duration.seconds(seconds.rounded(.up)).inWords }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }

    private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }

    private static func tags(_ count: Int) -> String { count == 1 ? "the tag" : "the tags" }
}
